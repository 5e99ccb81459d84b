"""The app: language, theme and borders for all screens, and which screen comes first."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from textual.screen import Screen

from visualizer.app.classroom import Classroom
from visualizer.app.glyphs import ASCII, BOX, Glyphs
from visualizer.app.kept_progress import KeptProgress
from visualizer.app.opening import Home, Look, Opening
from visualizer.app.session import Session
from visualizer.i18n import LANGUAGES, Texts, texts
from visualizer.locator import Locator
from visualizer.tui.terminal.app import TerminalApp
from visualizer.tui.themes import PALETTES, Styles, styles, textual_theme

if TYPE_CHECKING:
    from pathlib import Path

    from visualizer.app.arriving import Arriving
    from visualizer.app.beside import Beside
    from visualizer.app.caps import CapTable
    from visualizer.app.lesson_session import LessonSession
    from visualizer.app.quiz_session import QuizSession
    from visualizer.learner.progress import Notice, Progress
    from visualizer.tui.commands import Command
    from visualizer.tui.host import Host
    from visualizer.tui.painted_screen import PaintedScreen

START_ENCODINGS = ("utf-8", "utf8")
Kind = TypeVar("Kind", bound="Screen[None]")


class VisualizerApp(TerminalApp):
    """The terminal app. Without a session it begins with the library of scenarios."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Agent Loop Visualizer"
    CSS = "Screen { background: $background; }"

    def __init__(
        self,
        session: Session | None = None,
        *,
        arriving: Arriving | None = None,
        language: str = "en",
        theme: str = "dark",
        ascii_borders: bool = False,
        first: Callable[[], Screen[None]] | None = None,
        classroom: Classroom | None = None,
        progress: KeptProgress | None = None,
    ) -> None:
        self._colour = "NO_COLOR" not in os.environ
        super().__init__(ansi_color=None if self._colour else True)
        self.texts: Texts = texts(language)
        self.theme_name = theme
        self.borders_chosen = ascii_borders or not _draws_boxes()
        self.ascii_borders = self.borders_chosen or language == "ja"
        self.look: Styles = styles(theme, self._colour)
        self._session = session
        self._arriving = arriving
        self._first = first
        self.classroom = classroom or Classroom()
        self._progress = progress or KeptProgress()
        self._noticed: Notice | None = None
        self.animation_level = "none"
        for name in PALETTES:
            self.register_theme(textual_theme(name))
        self.theme = PALETTES[theme].name if self._colour else "ansi-dark"

    @property
    def glyphs(self) -> Glyphs:
        """The characters that lines are drawn with."""
        return ASCII if self.ascii_borders else BOX

    def get_default_screen(self) -> Screen[None]:
        """The stepper where a session is given, else the library."""
        if self._first is not None:
            return self._first()
        if self._session is not None:
            from visualizer.tui.stepper.screen import StepperScreen  # noqa: PLC0415

            return StepperScreen(self._session, self._arriving)
        from visualizer.tui.home.screen import LibraryScreen  # noqa: PLC0415

        return LibraryScreen()

    def open_session(self, session: Session, arriving: Arriving | None = None) -> None:
        """Show a scenario: in the stepper below the library, or in a new one above it.

        ``arriving`` is its file where more of it is to come.
        """
        from visualizer.tui.stepper.follow import Follow  # noqa: PLC0415
        from visualizer.tui.stepper.screen import StepperScreen  # noqa: PLC0415

        below = self._back_to(StepperScreen)
        if below is not None:
            below.show(session)
            below.part(Follow).begin(arriving)
        else:
            self.push_screen(StepperScreen(session, arriving))

    def open_beside(self, session: Session) -> None:
        """Show a run in a stepper above what is there."""
        from visualizer.tui.stepper.screen import SideStepper  # noqa: PLC0415

        self.push_screen(SideStepper(session))

    def open_comparison(self, beside: Beside) -> None:
        """Show two runs side by side."""
        from visualizer.tui.compare.screen import CompareScreen  # noqa: PLC0415

        self.push_screen(CompareScreen(beside))

    def open_cap_table(self, table: CapTable) -> None:
        """Show what loops do at the cap."""
        from visualizer.tui.caps.screen import CapsScreen  # noqa: PLC0415

        self.push_screen(CapsScreen(table))

    def open_puzzle(self) -> None:
        """Show the shuffled lines of the loop."""
        from visualizer.tui.puzzle.screen import ShuffleScreen  # noqa: PLC0415

        self.push_screen(ShuffleScreen())

    def open_agenda(self, chosen: Callable[[str], object]) -> None:
        """Show the places of the agenda, to choose one by its number."""
        from visualizer.tui.lists.choices import agenda  # noqa: PLC0415

        self.push_screen(agenda(self.classroom, chosen))

    def open_help(self, offered: Sequence[Command]) -> None:
        """Show all keys."""
        from visualizer.tui.sheets.help import HelpScreen  # noqa: PLC0415

        self.push_screen(HelpScreen(offered))

    def open_palette(self, offered: Sequence[Command], act: Callable[[str], object]) -> None:
        """Show everything that can be done, to choose from."""
        from visualizer.tui.lists.screen import palette  # noqa: PLC0415

        self.push_screen(palette(offered, act, self.glyphs))

    def open_glossary(self) -> None:
        """Show what the words mean."""
        from visualizer.tui.sheets.glossary import GlossaryScreen  # noqa: PLC0415

        self.push_screen(GlossaryScreen())

    def go_blank(self) -> None:
        """Show nothing until any key."""
        from visualizer.tui.sheets.blank import BlankScreen  # noqa: PLC0415

        self.push_screen(BlankScreen())

    def open_lesson(self, lesson: LessonSession) -> None:
        """Show a lesson: in the screen of a lesson below the library, or in a new one."""
        from visualizer.tui.lesson.screen import LessonScreen  # noqa: PLC0415

        below = self._back_to(LessonScreen)
        if below is not None:
            below.open(lesson)
        else:
            self.push_screen(LessonScreen(lesson))

    def open_quiz(self, begun: QuizSession | None) -> str:
        """Show a quiz above what is there; why there is none, in words."""
        from visualizer.tui.lesson.quiz_screen import QuizScreen  # noqa: PLC0415

        if begun is None:
            return self.texts("quiz.few")
        self.push_screen(QuizScreen(begun))
        return ""

    def open_library(self, name: str) -> None:
        """Show the library: the one below, or a new one above."""
        from visualizer.tui.home.screen import LibraryScreen  # noqa: PLC0415

        if self._back_to_folder():
            return
        if self._back_to(LibraryScreen) is None:
            self.push_screen(LibraryScreen(name))

    def _back_to_folder(self) -> bool:
        """Back to the recordings of a folder, where the first screen lists them."""
        if "visualizer.tui.folder.screen" not in sys.modules:
            return False
        from visualizer.tui.folder.screen import FolderScreen  # noqa: PLC0415

        for one in self.screen_stack:
            if isinstance(one, FolderScreen) and one.private and self.classroom.in_use:
                return False
        return self._back_to(FolderScreen) is not None

    def _back_to(self, kind: type[Kind]) -> Kind | None:
        """Leave the screens above the one of exactly this kind; None where there is none."""
        for place, screen in enumerate(self.screen_stack):
            if type(screen) is kind:
                for _ in self.screen_stack[place + 1 :]:
                    self.pop_screen()
                return screen
        return None

    @property
    def progress(self) -> Progress:
        """What the reader has done in lessons, read when it is first needed."""
        return self._progress.value

    def best_in_quiz(self, lesson: str) -> tuple[int, int]:
        """The best result of a lesson's quiz: right, and questions; in class nobody's."""
        best = self.progress.quiz(lesson)
        return (0, 0) if self.classroom.in_use else (best.right, best.asked)

    def keep_progress(self) -> None:
        """Write the progress down; what is wrong with its file is said once."""
        notice = self.progress.save() or self.progress.notice
        if notice is not None and notice != self._noticed:
            self._noticed = notice
            cast("PaintedScreen", self.screen).status = notice.text(self.texts)

    def open_place(self, wanted: Locator) -> str:
        """Show a place in the stepper on top, or in a new one; what is wrong with it, in words."""
        from visualizer.errors import VisualizerError  # noqa: PLC0415
        from visualizer.tui.run_screen import steps_through  # noqa: PLC0415
        from visualizer.tui.stepper.screen import SideStepper, StepperScreen  # noqa: PLC0415

        try:
            session = Session.open(wanted.scenario(), wanted.loop, wanted.max_turns, wanted.place)
        except VisualizerError as error:
            return error.text(self.texts)
        while len(self.screen_stack) > 1 and not steps_through(self.screen):
            self.pop_screen()
        below = self.screen
        if isinstance(below, StepperScreen):
            below.show(session)
            below.pane.repaint()
        elif len(self.screen_stack) > 1 or steps_through(below):
            self.push_screen(SideStepper(session))
        else:
            self.push_screen(StepperScreen(session))
        return ""

    def next_theme(self) -> None:
        """Dark, light, high contrast, and round again."""
        names = list(PALETTES)
        self.theme_name = names[(names.index(self.theme_name) + 1) % len(names)]
        self.look = styles(self.theme_name, self._colour)
        if self._colour:
            self.theme = PALETTES[self.theme_name].name

    def next_language(self) -> None:
        """The other language. Japanese brings ASCII borders, for the width of box lines."""
        at = LANGUAGES.index(self.texts.language)
        self.texts = texts(LANGUAGES[(at + 1) % len(LANGUAGES)])
        self.ascii_borders = self.borders_chosen or self.texts.language == "ja"

    def switch_borders(self) -> None:
        """ASCII borders, or box lines."""
        self.ascii_borders = not self.ascii_borders
        self.borders_chosen = self.ascii_borders


if TYPE_CHECKING:

    def _is_a_host(app: VisualizerApp) -> Host:
        return app


def run_app(
    opening: Opening | None = None,
    look: Look | None = None,
    classroom: Classroom | None = None,
    progress: str | Path | None = None,
) -> int:
    """Open what is wanted, the home screen by default, and stay until the reader leaves.

    ``progress`` is the file of what the reader has done in lessons. What is wrong with the
    scenario, the loop or the place is raised before the screen is taken over:
    ``NotFoundError``, ``TranscriptError``, ``LoopError``, ``PlaceError``. An error of
    the program itself is raised when the terminal has been given back.
    """
    from visualizer.tui.opening import first_screen  # noqa: PLC0415

    look, classroom = look or Look(), classroom or Classroom()
    kept = KeptProgress(progress)
    app = VisualizerApp(
        language=look.language,
        theme=look.theme or "dark",
        ascii_borders=look.ascii_borders,
        first=first_screen(opening or Home(), kept, classroom.in_use),
        classroom=classroom,
        progress=kept,
    )
    return app.stay()


def _draws_boxes() -> bool:
    encoding = (getattr(sys.__stdout__, "encoding", None) or "").lower()
    return encoding in START_ENCODINGS
