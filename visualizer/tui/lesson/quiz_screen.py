"""A quiz: one question after the other beside the live stepper, then what came of them."""

from __future__ import annotations

from dataclasses import replace

from visualizer.app.lesson_view import leaf_of
from visualizer.app.pages import QuizEnd
from visualizer.app.quiz_session import QuizSession
from visualizer.app.view import Lens
from visualizer.errors import VisualizerError
from visualizer.lessons.files import load_lesson
from visualizer.text import display_safe
from visualizer.tui.commands import NEWER, OLDER
from visualizer.tui.draw.segments import Painted
from visualizer.tui.lesson import painter
from visualizer.tui.lesson.quiz_end import quiz_end
from visualizer.tui.lesson.screen import LessonScreen
from visualizer.tui.stepper.closer import Closer


class QuizScreen(LessonScreen):
    """The quiz of a lesson. Escape leaves it at any time; nothing depends on it."""

    lesson: QuizSession

    def __init__(self, quiz: QuizSession) -> None:
        self.at = 0
        super().__init__(quiz)

    def paint(self, width: int, height: int) -> Painted:
        """The question and its run; at the end the result."""
        quiz, said = self.lesson, self.texts
        if quiz.doing == "end":
            return quiz_end(self._end(), said, self.glyphs, width, height, self.status)
        page = replace(
            leaf_of(quiz, said, self.glyphs, self._names),
            where=said("quiz.where", n=quiz.number + 1, m=len(quiz.lesson.pages)),
            title=self._title(),
            number=said("quiz.attempt", n=quiz.attempt),
        )
        return painter.lesson(self.view(), page, width, height, self.prompt)

    def lens(self) -> Lens:
        """What is asked, hidden and pointed at."""
        instead = self.lesson.left_out(self.texts)
        return super().lens() if instead is None else replace(super().lens(), asking=instead)

    @OLDER
    def older(self) -> None:
        """Among the results the one above; else the message before."""
        if self.lesson.doing == "end":
            self.at = max(0, self.at - 1)
        else:
            self.part(Closer).older()

    @NEWER
    def newer(self) -> None:
        """Among the results the one below; else the message after."""
        if self.lesson.doing == "end":
            self.at = min(len(self.lesson.lesson.pages) - 1, self.at + 1)
        else:
            self.part(Closer).newer()

    def wheel(self, area: str, direction: int) -> None:
        """The wheel moves the choice among the results; else it scrolls."""
        if self.lesson.doing == "end":
            self.act("newer" if direction > 0 else "older")
        else:
            super().wheel(area, direction)

    def go_on(self) -> None:
        """On; from the results to the chosen question in its run, and back."""
        quiz = self.lesson
        if quiz.doing == "end":
            self.page(str(self.at))
        elif quiz.finished:
            self.page(str(len(quiz.lesson.pages)))
        else:
            super().go_on()

    def look_back(self) -> None:
        """Back in the run, to the question before, or to the results."""
        if self.lesson.finished and self.lesson.doing != "end":
            self.page(str(len(self.lesson.lesson.pages)))
        else:
            super().look_back()

    def page(self, number: str) -> None:
        """A question by its number, counted from 0; the results behind the last one."""
        if int(number) < len(self.lesson.lesson.pages):
            self.at = int(number)
        super().page(number)

    def page_after(self) -> None:
        """The next question; from the results back to the lesson."""
        if self.lesson.doing == "end":
            self.library()
        else:
            super().page_after()

    def library(self) -> None:
        """Leave the quiz for what is below it."""
        self.pause()
        self.visualizer.keep_progress()
        self.app.pop_screen()

    def quiz(self) -> None:
        """From the results to another attempt, with other questions."""
        if self.lesson.doing != "end":
            self.status = self.texts("quiz.running")
            return
        try:
            lesson = load_lesson(str(self.lesson.lesson.folder))
            again = QuizSession.begin(lesson, self.lesson.kept)
        except VisualizerError as error:
            self.status = error.text(self.texts)
            return
        if again is None:
            self.status = self.texts("quiz.few")
        else:
            self.at = 0
            self.open(again)

    def _title(self) -> str:
        return display_safe(self.lesson.lesson.title.in_language(self.texts.language))

    def _end(self) -> QuizEnd:
        best = self.visualizer.best_in_quiz(self.lesson.lesson.name)
        results = self.lesson.results(self.texts)
        return QuizEnd(self._title(), self.lesson.attempt, results, best, self.at)
