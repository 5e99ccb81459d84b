"""A lesson: a page at a time beside the live stepper."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from visualizer.errors import VisualizerError
from visualizer.lessons.files import lesson_names, load_lesson
from visualizer.tui import options
from visualizer.tui.actions import Where
from visualizer.tui.lesson_session import LessonSession
from visualizer.tui.lesson_view import end_of, leaf_of, lens_of
from visualizer.tui.paint import lesson as painter
from visualizer.tui.paint.lesson_end import lesson_end
from visualizer.tui.paint.segments import Painted
from visualizer.tui.screens.stepper import StepperScreen
from visualizer.tui.session import Session, Shown
from visualizer.tui.view import Lens

LOCKED = frozenset(
    {"raise_cap", "lower_cap", "loop", "scenario", "go", "compare", "caps", "allow", "deny"}
) | {"observe", "ask_world", "recorded_again", "runs", "into", "out"}
"""What would change the run under a question that waits, or tell its answer."""


class LessonScreen(StepperScreen):
    """A page, what is asked on it, and the run it is about."""

    WHERE: ClassVar[Where] = "lesson"

    def __init__(self, lesson: LessonSession) -> None:
        self.lesson = lesson
        self._names = lesson_names()
        super().__init__(lesson.session)

    def on_mount(self) -> None:
        """Say what is wrong with the file of progress, if anything is."""
        self.visualizer.keep_progress()

    @property
    def seen(self) -> Session:
        """The session as far as the reader may look at it."""
        return self.lesson.seen

    # What is shown

    def paint(self, width: int, height: int) -> Painted:
        """The page above, the run below; at the end what the lesson came to."""
        if self.lesson.doing == "end":
            best = self.visualizer.best_in_quiz(self.lesson.lesson.name)
            end = end_of(self.lesson, self.texts, self._following(), best)
            return lesson_end(end, self.texts, self.glyphs, width, height, self.status)
        page = leaf_of(self.lesson, self.texts, self.glyphs, self._names)
        return painter.lesson(self.view(), page, width, height, self.prompt)

    def lens(self) -> Lens:
        """What is asked, hidden and pointed at."""
        return lens_of(self.lesson, self.texts)

    def _following(self) -> str | None:
        names, name = self._names, self.lesson.lesson.name
        at = names.index(name) + 1 if name in names else len(names)
        return names[at] if at < len(names) else None

    # What is done

    def act(self, what: str) -> None:
        """Carry out an action; then see whether the experiment is solved."""
        if what.partition(":")[0] in LOCKED and self.lesson.waits:
            self.status = self.texts("screen.predict.waiting")
            self.pane.repaint()
            return
        super().act(what)
        self._look()

    def typed(self) -> None:
        """A place typed may solve an experiment, too."""
        super().typed()
        self._look()

    def show(self, session: Session) -> None:
        """Another scenario, or another loop, beside the same page."""
        super().show(session)
        self.lesson.session = session
        self._look()

    def on_screen_resume(self) -> None:
        """What was chosen above this screen may solve an experiment, too."""
        self._look()
        super().on_screen_resume()

    def do_compare(self) -> None:
        """The two runs of the page on a screen of their own; any other run where it has one."""
        from visualizer.tui.beside import Beside  # noqa: PLC0415
        from visualizer.tui.screens.compare import CompareScreen  # noqa: PLC0415

        both = self.lesson.both
        if both is None:
            super().do_compare()
        else:
            self.app.push_screen(CompareScreen(Beside.of(both.left, both.right, "left")))

    def _driven(self, loop: str, shown: Shown) -> None:
        super()._driven(loop, shown)
        self._look()

    def _computed(self, session: Session, cap: int, made: Shown | VisualizerError) -> None:
        super()._computed(session, cap, made)
        self._look()

    def _look(self) -> None:
        if self.lesson.doing == "experiment":
            self.lesson.session = self.session
            if self.lesson.check():
                self.visualizer.keep_progress()
                self.pane.repaint()

    def stuck(self) -> str:
        """Why there is no going on."""
        if self.lesson.waits:
            return self.texts("screen.predict.waiting")
        return self.texts("screen.at_end")

    def do_go_on(self) -> None:
        """On: in the run while there is something to do, else to what comes next."""
        if self.lesson.doing == "end":
            self.do_page_after()
            return
        self._turn(self.lesson.go_on)

    def do_look_back(self) -> None:
        """Back in the run, or to the page before."""
        self._turn(self.lesson.look_back)

    def do_page_after(self) -> None:
        """The next page; after the last one the next lesson."""
        lesson = self.lesson
        if lesson.doing != "end":
            self._turn(lambda: lesson.turn_to(lesson.number + 1))
            return
        following = self._following()
        if following is None:
            self.do_library()
            return
        try:
            opened = LessonSession.open(load_lesson(following), lesson.progress)
        except VisualizerError as error:
            self.status = error.text(self.texts)
            return
        self.open(opened)

    def do_page_before(self) -> None:
        """The page before."""
        self._turn(lambda: self.lesson.turn_to(self.lesson.number - 1))

    def do_page(self, number: str) -> None:
        """A page by its number, counted from 0."""
        self._turn(lambda: self.lesson.turn_to(int(number)))

    def do_answer(self, number: str) -> None:
        """Answer; in an experiment, what stands behind the digit."""
        tools = self.lesson.tools
        if tools:
            if int(number) <= len(tools):
                self.act(tools[int(number) - 1])
            return
        self._turn(lambda: self.lesson.answer(number, self.texts) or True)
        self.visualizer.keep_progress()

    def do_skip(self) -> None:
        """Leave the question or the experiment; where 0 is an option, answer with it."""
        question = self.lesson.question(self.texts)
        if question is not None and "0" in options.keys(question):
            self.do_answer("0")
        else:
            self._turn(self.lesson.skip)

    def do_shuffle(self) -> None:
        """The shuffled lines; in order, they solve the experiment."""
        from visualizer.tui.screens.shuffle import ShuffleScreen  # noqa: PLC0415

        goal = self.lesson.page.experiment
        if goal is not None and goal.kind == "order" and goal.loop is not None:
            self.app.push_screen(ShuffleScreen(goal.loop, self._ordered))

    def _ordered(self, lines: tuple[str, ...]) -> None:
        self.lesson.lines = lines
        self._look()

    def do_quiz(self) -> None:
        """The quiz of the lesson, above this page; Escape comes back."""
        from visualizer.tui.quiz_session import QuizSession  # noqa: PLC0415

        self._stop()
        try:
            begun = QuizSession.begin(self.lesson.lesson, self.visualizer.progress)
        except VisualizerError as error:
            self.status = error.text(self.texts)
            return
        self.status = self.visualizer.open_quiz(begun)

    def do_hint(self) -> None:
        """The next hint; after the last one none again."""
        hints = len(self.lesson.page.text(self.texts.language).hints)
        if not hints:
            self.status = self.texts("screen.lesson.no_hint")
        self.lesson.hints = (self.lesson.hints + 1) % (hints + 1)

    def do_turn_after(self) -> None:
        """The first step of the next turn."""
        self.do_next_turn()

    def do_turn_before(self) -> None:
        """The first step of this turn, then of the one before."""
        self.do_previous_turn()

    def do_next(self) -> None:
        """The wheel, and a click on the way: a step of the run."""
        self._by_hand(self.session.index + 1)

    def do_library(self) -> None:
        """Back to the list of lessons and scenarios."""
        self._stop()
        self.visualizer.open_library(self.lesson.lesson.name)

    def open(self, lesson: LessonSession) -> None:
        """Change to another lesson."""
        self.lesson = lesson
        super().show(lesson.session)
        self.visualizer.keep_progress()

    def _turn(self, move: Callable[[], object]) -> None:
        """Do something to the lesson, and show the session that it has then."""
        before = (self.lesson.number, self.lesson.asked, self.lesson.doing)
        self._stop()
        self.settings.selected = None
        try:
            moved = move()
        except VisualizerError as error:
            self.status = error.text(self.texts)
            return
        self.session = self.lesson.session
        if moved is False:
            self.status = self.stuck()
        if before[0] != self.lesson.number:
            self.visualizer.keep_progress()
