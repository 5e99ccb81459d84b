"""A lesson: a page at a time beside the live stepper."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from visualizer.app import options
from visualizer.app.lesson_session import LessonSession
from visualizer.app.lesson_view import end_of, leaf_of, lens_of
from visualizer.app.session import Session
from visualizer.app.view import Lens
from visualizer.errors import VisualizerError
from visualizer.i18n import Texts
from visualizer.lessons.files import lesson_names, load_lesson
from visualizer.tui.commands import (
    ANSWER,
    BACK,
    COMPARE,
    LIBRARY,
    NEXT,
    QUIZ,
    SHUFFLE,
    SKIP,
    command,
)
from visualizer.tui.common import Agenda, Instructing, Look, Program
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.segments import Painted
from visualizer.tui.lesson import painter
from visualizer.tui.lesson.end import lesson_end
from visualizer.tui.painted_screen import Part
from visualizer.tui.run_screen import Reader, RunScreen
from visualizer.tui.stepper.cap import Cap
from visualizer.tui.stepper.changes import Decisions, Observations
from visualizer.tui.stepper.closer import Closer
from visualizer.tui.stepper.finder import Finder
from visualizer.tui.stepper.others import OtherRuns, compare
from visualizer.tui.stepper.runs import Runs
from visualizer.tui.stepper.screen import Scenarios
from visualizer.tui.stepper.steps import Places

LOCKED = frozenset(
    {"raise_cap", "lower_cap", "loop", "scenario", "go", "compare", "caps", "allow", "deny"}
) | {"observe", "ask_world", "recorded_again", "runs", "into", "out"}
"""What would change the run under a question that waits, or tell its answer."""


class LessonReader:
    """The reader of a lesson, who sees what its page has shown."""

    asks = True

    def __init__(self, screen: LessonScreen) -> None:
        self._screen = screen

    @property
    def seen(self) -> Session:
        """The session as far as the reader may look at it."""
        return self._screen.lesson.seen

    def lens(self, texts: Texts) -> Lens:
        """What is asked, hidden and pointed at."""
        return lens_of(self._screen.lesson, texts)

    def waits(self, texts: Texts) -> bool:
        """Whether a question waits for its answer."""
        return self._screen.lesson.waits


class LessonScreen(RunScreen):
    """A page, what is asked on it, and the run it is about."""

    WHERE: ClassVar[Where] = "lesson"
    PARTS: ClassVar[tuple[type[Part], ...]] = (
        Places,
        Runs,
        Cap,
        OtherRuns,
        Decisions,
        Observations,
        Closer,
        Finder,
        Scenarios,
        Look,
        Program,
        Instructing,
        Agenda,
    )

    def __init__(self, lesson: LessonSession) -> None:
        self.lesson = lesson
        self._names = lesson_names()
        self._reader = LessonReader(self)
        super().__init__(lesson.session)

    def on_mount(self) -> None:
        """Say what is wrong with the file of progress, if anything is."""
        self.visualizer.keep_progress()

    @property
    def reader(self) -> Reader:
        """Who says how far the reader may look."""
        return self._reader

    # What is shown

    def paint(self, width: int, height: int) -> Painted:
        """The page above, the run below; at the end what the lesson came to."""
        if self.lesson.doing == "end":
            best = self.visualizer.best_in_quiz(self.lesson.lesson.name)
            end = end_of(self.lesson, self.texts, self._following(), best)
            return lesson_end(end, self.texts, self.glyphs, width, height, self.status)
        page = leaf_of(self.lesson, self.texts, self.glyphs, self._names)
        return painter.lesson(self.view(), page, width, height, self.prompt)

    def _following(self) -> str | None:
        names, name = self._names, self.lesson.lesson.name
        at = names.index(name) + 1 if name in names else len(names)
        return names[at] if at < len(names) else None

    # What is done

    def may(self, command: str) -> bool:
        """What would tell the answer waits until it is given."""
        if command in LOCKED and self.lesson.waits:
            self.status = self.texts("screen.predict.waiting")
            return False
        return super().may(command)

    def acted(self) -> None:
        """See whether the experiment is solved."""
        if self.lesson.doing == "experiment":
            self.lesson.session = self.session
            if self.lesson.check():
                self.visualizer.keep_progress()
                self.pane.repaint()

    def typed(self) -> None:
        """A place typed may solve an experiment, too."""
        super().typed()
        self.acted()

    def show(self, session: Session) -> None:
        """Another scenario, or another loop, beside the same page."""
        super().show(session)
        self.lesson.session = session
        self.acted()

    def on_screen_resume(self) -> None:
        """What was chosen above this screen may solve an experiment, too."""
        self.acted()
        super().on_screen_resume()

    @COMPARE
    def compare(self) -> None:
        """The two runs of the page on a screen of their own; any other run where it has one."""
        from visualizer.app.beside import Beside  # noqa: PLC0415

        both = self.lesson.both
        if both is None:
            compare(self)
        else:
            self.visualizer.open_comparison(Beside.of(both.left, both.right, "left"))

    @command("go_on", "right", "space", "enter", "l", group="learn", palette=False)
    def go_on(self) -> None:
        """On: in the run while there is something to do, else to what comes next."""
        if self.lesson.doing == "end":
            self.page_after()
            return
        self._turn(self.lesson.go_on)

    @command("look_back", "left", group="learn", palette=False)
    def look_back(self) -> None:
        """Back in the run, or to the page before."""
        self._turn(self.lesson.look_back)

    @command("page_after", "pagedown", group="learn")
    def page_after(self) -> None:
        """The next page; after the last one the next lesson."""
        lesson = self.lesson
        if lesson.doing != "end":
            self._turn(lambda: lesson.turn_to(lesson.number + 1))
            return
        following = self._following()
        if following is None:
            self.library()
            return
        try:
            opened = LessonSession.open(load_lesson(following), lesson.progress)
        except VisualizerError as error:
            self.status = error.text(self.texts)
            return
        self.open(opened)

    @command("page_before", "pageup", group="learn")
    def page_before(self) -> None:
        """The page before."""
        self._turn(lambda: self.lesson.turn_to(self.lesson.number - 1))

    @command("page")
    def page(self, number: str) -> None:
        """A page by its number, counted from 0."""
        self._turn(lambda: self.lesson.turn_to(int(number)))

    @ANSWER
    def answer(self, number: str) -> None:
        """Answer; in an experiment, what stands behind the digit."""
        tools = self.lesson.tools
        if tools:
            if int(number) <= len(tools):
                self.act(tools[int(number) - 1])
            return
        self._turn(lambda: self.lesson.answer(number, self.texts) or True)
        self.visualizer.keep_progress()

    @SKIP
    def skip(self) -> None:
        """Leave the question or the experiment; where 0 is an option, answer with it."""
        question = self.lesson.question(self.texts)
        if question is not None and "0" in options.keys(question):
            self.answer("0")
        else:
            self._turn(self.lesson.skip)

    @SHUFFLE.by_mouse
    def shuffle(self) -> None:
        """The shuffled lines; in order, they solve the experiment."""
        from visualizer.tui.puzzle.screen import ShuffleScreen  # noqa: PLC0415

        goal = self.lesson.page.experiment
        if goal is not None and goal.kind == "order" and goal.loop is not None:
            self.app.push_screen(ShuffleScreen(goal.loop, self._ordered))

    def _ordered(self, lines: tuple[str, ...]) -> None:
        self.lesson.lines = lines
        self.acted()

    @QUIZ
    def quiz(self) -> None:
        """The quiz of the lesson, above this page; Escape comes back."""
        from visualizer.app.quiz_session import QuizSession  # noqa: PLC0415

        self.pause()
        try:
            begun = QuizSession.begin(self.lesson.lesson, self.visualizer.progress)
        except VisualizerError as error:
            self.status = error.text(self.texts)
            return
        self.status = self.visualizer.open_quiz(begun)

    @command("hint", "h", group="learn")
    def hint(self) -> None:
        """The next hint; after the last one none again."""
        hints = len(self.lesson.page.text(self.texts.language).hints)
        if not hints:
            self.status = self.texts("screen.lesson.no_hint")
        self.lesson.hints = (self.lesson.hints + 1) % (hints + 1)

    @command("turn_after", "]", group="move")
    def turn_after(self) -> None:
        """The first step of the next turn."""
        self.part(Places).next_turn()

    @command("turn_before", "[", group="move")
    def turn_before(self) -> None:
        """The first step of this turn, then of the one before."""
        self.part(Places).previous_turn()

    @NEXT.by_mouse
    def next(self) -> None:
        """The wheel, and a click on the way: a step of the run."""
        self.part(Places).move_to(self.session.index + 1)

    @BACK.by_mouse
    def back(self) -> None:
        """The same the other way."""
        self.part(Places).move_to(self.session.index - 1)

    @LIBRARY
    def library(self) -> None:
        """Back to the list of lessons and scenarios."""
        self.pause()
        self.visualizer.open_library(self.lesson.lesson.name)

    def open(self, lesson: LessonSession) -> None:
        """Change to another lesson."""
        self.lesson = lesson
        super().show(lesson.session)
        self.visualizer.keep_progress()

    def _turn(self, move: Callable[[], object]) -> None:
        """Do something to the lesson, and show the session that it has then."""
        before = (self.lesson.number, self.lesson.asked, self.lesson.doing)
        self.pause()
        self.settings.selected = None
        try:
            moved = move()
        except VisualizerError as error:
            self.status = error.text(self.texts)
            return
        self.session = self.lesson.session
        if moved is False:
            self.status = self.stuck
        if before[0] != self.lesson.number:
            self.visualizer.keep_progress()
