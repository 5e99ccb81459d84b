"""A quiz being taken: each question once, a score, and what was wrong shown in its run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.app import options
from visualizer.app.lesson_session import LessonSession, session_at
from visualizer.app.pages import Outcome, Result
from visualizer.app.prediction import feedback
from visualizer.app.view import Asking
from visualizer.i18n import Texts, texts
from visualizer.learner.progress import Progress
from visualizer.lessons.facts import Stage
from visualizer.lessons.questions import Question, ask
from visualizer.lessons.quiz import quiz

if TYPE_CHECKING:
    from visualizer.lessons.model import Lesson

NOWHERE = Path("unused")


@dataclass
class QuizSession(LessonSession):
    """The pages of a quiz, each answered once. What comes of it goes into ``kept``.

    ``given`` are the answers by the number of the question, None for one that was left out.
    ``progress`` is that of the quiz's own pages and is never written.
    """

    kept: Progress = field(default_factory=lambda: Progress(NOWHERE))
    attempt: int = 1
    given: dict[int, int | None] = field(default_factory=dict)
    finished: bool = False

    @classmethod
    def begin(cls, lesson: Lesson, kept: Progress) -> QuizSession | None:
        """The next attempt of a lesson's quiz; None where no questions can be made."""
        stage = Stage()
        attempt = kept.quiz(lesson.name).attempts + 1
        made = quiz(lesson, attempt, stage)
        if not made.pages:
            return None
        session = session_at(stage, made.pages[0].at)
        one = cls(made, Progress(NOWHERE), session, stage, kept=kept, attempt=attempt)
        one.turn_to(0)
        return one

    def turn_to(self, number: int) -> None:
        """Open a question, or the result: then what was not answered counts as left out."""
        super().turn_to(number)
        if self.doing == "end":
            for left in range(len(self.lesson.pages)):
                self.given.setdefault(left, None)
            self.finished = True
            self.kept.end_quiz(self.lesson.name, self.right, len(self.lesson.pages))

    @property
    def right(self) -> int:
        """How many questions were answered rightly."""
        said = texts("en")
        return sum(
            self._question_of(number, said).right == chosen
            for number, chosen in self.given.items()
            if chosen is not None
        )

    def answer(self, digit: str, said: Texts) -> bool | None:
        """Answer with a digit, once; whether that is right, None for no option."""
        question = self.question(said)
        chosen = options.chosen(question, digit) if question else None
        if self.doing != "question" or question is None or chosen is None:
            return None
        if not any(one is not None for one in self.given.values()):
            self.kept.begin_quiz(self.lesson.name)
        self.given[self.number] = self.chosen = chosen
        self._reveal(question)
        return chosen == question.right

    def results(self, said: Texts) -> tuple[Result, ...]:
        """What came of each question, in words."""
        found = []
        for number, page in enumerate(self.lesson.pages):
            question = self._question_of(number, said)
            chosen = self.given.get(number)
            told = self._told(number, said)
            name: Outcome = "skipped" if chosen is None else "wrong"
            if chosen == question.right:
                name = "right"
            found.append(Result(name, question.prompt, told, str(page.at)))
        return tuple(found)

    def left_out(self, said: Texts) -> Asking | None:
        """What stands in place of an answer that was not given, when it is looked at later."""
        question = self.question(said)
        if self.doing != "answered" or question is None or self.chosen is not None:
            return None
        told = self._told(self.number, said)
        stamp = said("screen.answer.question")
        return Asking(stamp, question.prompt, feedback=told, good=False)

    def _told(self, number: int, said: Texts) -> str:
        question = self._question_of(number, said)
        chosen = self.given.get(number)
        if chosen is None:
            return said("quiz.skipped", right=question.options[question.right])
        return feedback(question, chosen, said)[0]

    def _question_of(self, number: int, said: Texts) -> Question:
        key = (number, 0, said.language)
        found = self._questions.get(key)
        page = self.lesson.pages[number]
        if found is None:
            place = self.stage.at(page.at)
            kind = page.asks[0].kind
            found = ask(kind, place.run, place.index, said, place.scenario)
            self._questions[key] = found
        if found is None:
            raise LookupError(page.at)  # the quiz was made of questions that can be asked
        return found

    def _first_open(self) -> None:
        """The question; where it was answered or left out, the answer in the run."""
        self._ask(0)
        if self.number in self.given and self.doing == "question":
            self.chosen = self.given[self.number]
            self._reveal(self._question_of(self.number, texts("en")))
