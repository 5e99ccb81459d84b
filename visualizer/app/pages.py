"""What the pages of lessons and quizzes say, as values that painters read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from visualizer.app.beside import CompareView
from visualizer.app.caps import CapView
from visualizer.lessons.model import View as PageView
from visualizer.lessons.prose import Paragraph, Quote
from visualizer.lessons.tasks import Gate, Task

if TYPE_CHECKING:
    from visualizer.learner.progress import Score

Outcome = Literal["right", "wrong", "skipped"]


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task, the questions whose answers are shown, and the one that is asked now."""

    task: Task
    shown: frozenset[Gate]
    asked: Gate | None = None


@dataclass(frozen=True, slots=True)
class Leaf:
    """What a page says in one language, with its quotations looked up.

    ``where`` is the lesson and the page's number; ``welcome`` the one line that a newcomer
    needs; ``look`` what is shown where the messages are otherwise. ``both`` are this run and
    another one, ``caps`` and ``task`` stand in the place of the run.
    """

    where: str
    title: str
    blocks: tuple[Paragraph | Quote, ...]
    quoted: Mapping[Quote, tuple[str, ...]] = field(default_factory=dict)
    hints: tuple[Paragraph, ...] = ()
    welcome: str = ""
    number: str = ""
    look: PageView | None = None
    both: CompareView | None = None
    caps: CapView | None = None
    task: TaskView | None = None


@dataclass(frozen=True, slots=True)
class End:
    """What the end of a lesson says. ``left`` are pages (0-based, title) to look at again.

    ``quiz`` is how many questions its quiz has, ``best`` the best result (right, asked).
    """

    where: str
    title: str
    goal: str
    score: Score
    pages: int
    questions: int
    experiments: int
    left: Sequence[tuple[int, str]]
    following: str
    quiz: int = 0
    best: tuple[int, int] = (0, 0)


class Result(NamedTuple):
    """One question: what came of it, in a word, its text, what to say to it, and its place."""

    name: Outcome
    prompt: str
    told: str
    place: str


@dataclass(frozen=True, slots=True)
class QuizEnd:
    """What the end of a quiz says.

    ``best`` are right answers and questions of the best attempt, none where nobody may see it.
    """

    title: str
    attempt: int
    results: Sequence[Result]
    best: tuple[int, int]
    at: int
