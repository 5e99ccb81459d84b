"""What the file of progress holds: answers, pages, quizzes; and how two windows' add up.

Unknown keys are ignored and missing ones have a default: a field can be added without another
version of the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

VERSION: Literal[1] = 1

_OPEN = ConfigDict(extra="ignore", strict=True)
Count = Annotated[int, Field(ge=0)]


@dataclass(slots=True)
class Answer:
    """One scored question: whether it was answered rightly, at once, and in how many tries."""

    __pydantic_config__: ClassVar[ConfigDict] = _OPEN
    right: bool = False
    at_once: bool = False
    tries: Count = 0


@dataclass(slots=True)
class PageRecord:
    """One page: answers by the number of the question on it, and its experiment."""

    __pydantic_config__: ClassVar[ConfigDict] = _OPEN
    seen: bool = False
    solved: bool = False
    answers: dict[str, Answer] = field(default_factory=dict)


@dataclass(slots=True)
class QuizRecord:
    """The quiz of a lesson: attempts begun, and the best one, ``right`` of ``asked``."""

    __pydantic_config__: ClassVar[ConfigDict] = _OPEN
    attempts: Count = 0
    right: Count = 0
    asked: Count = 0

    def is_below(self, right: int, asked: int) -> bool:
        """Whether a result is better than the best one; of equal ones, that with more questions."""
        mine, theirs = self.right * max(asked, 1), right * max(self.asked, 1)
        return asked > 0 and (theirs > mine or (theirs == mine and asked > self.asked))


@dataclass(slots=True)
class Kept:
    """The whole file."""

    __pydantic_config__: ClassVar[ConfigDict] = _OPEN
    version: Literal[1]
    lessons: dict[str, dict[str, PageRecord]] = field(default_factory=dict)
    quizzes: dict[str, QuizRecord] = field(default_factory=dict)
    predicted: Count = 0
    predicted_right: Count = 0
    last: tuple[str, str] | None = None


def take_over(ours: PageRecord, known: PageRecord, theirs: PageRecord) -> None:
    """Add what another window knows about a page. Where it has the right answer, that counts."""
    ours.seen |= theirs.seen
    ours.solved |= theirs.solved
    for number, answer in theirs.answers.items():
        mine = ours.answers.get(number, Answer())
        if answer.right:
            ours.answers[number] = replace(answer)
            continue
        new = mine.tries - known.answers.get(number, Answer()).tries
        tries = max(mine.tries, answer.tries + new)
        ours.answers[number] = Answer(mine.right, mine.at_once and tries == 1, tries)


def take_over_quiz(ours: QuizRecord, known: QuizRecord, theirs: QuizRecord) -> None:
    """Add what another window knows about a quiz; the better result counts."""
    ours.attempts += theirs.attempts - known.attempts
    if ours.is_below(theirs.right, theirs.asked):
        ours.right, ours.asked = theirs.right, theirs.asked
