"""What screens ask of the app: how things look, and the way to other screens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from visualizer.app.arriving import Arriving
    from visualizer.app.beside import Beside
    from visualizer.app.caps import CapTable
    from visualizer.app.classroom import Classroom
    from visualizer.app.glyphs import Glyphs
    from visualizer.app.lesson_session import LessonSession
    from visualizer.app.quiz_session import QuizSession
    from visualizer.app.session import Session
    from visualizer.i18n import Texts
    from visualizer.learner.progress import Progress
    from visualizer.locator import Locator
    from visualizer.tui.commands import Command
    from visualizer.tui.themes import Styles


class Host(Protocol):
    """The app, as screens know it.

    Whatever leads from one screen to another that may lead back is asked of it, so that
    screens need not know each other.
    """

    texts: Texts
    look: Styles
    theme_name: str
    classroom: Classroom

    @property
    def glyphs(self) -> Glyphs:
        """The characters that lines are drawn with."""

    @property
    def progress(self) -> Progress:
        """What the reader has done in lessons."""

    def keep_progress(self) -> None:
        """Write the progress down."""

    def best_in_quiz(self, lesson: str) -> tuple[int, int]:
        """The best result of a lesson's quiz: right, and questions."""

    def next_theme(self) -> None:
        """Dark, light, high contrast, and round again."""

    def next_language(self) -> None:
        """The other language."""

    def switch_borders(self) -> None:
        """ASCII borders, or box lines."""

    def stop_job(self) -> bool:
        """Let the shell have the terminal; false where there is none."""

    def open_session(self, session: Session, arriving: Arriving | None = None) -> None:
        """Show a scenario: in the stepper below the library, or in a new one above it."""

    def open_beside(self, session: Session) -> None:
        """Show a run in a stepper above what is there."""

    def open_comparison(self, beside: Beside) -> None:
        """Show two runs side by side."""

    def open_cap_table(self, table: CapTable) -> None:
        """Show what loops do at the cap."""

    def open_lesson(self, lesson: LessonSession) -> None:
        """Show a lesson: in the screen of a lesson below the library, or in a new one."""

    def open_quiz(self, begun: QuizSession | None) -> str:
        """Show a quiz above what is there; why there is none, in words."""

    def open_puzzle(self) -> None:
        """Show the shuffled lines of the loop."""

    def open_library(self, name: str) -> None:
        """Show the library: the one below, or a new one above."""

    def open_place(self, wanted: Locator) -> str:
        """Show a place in the stepper on top, or in a new one; what is wrong with it, in words."""

    def open_agenda(self, chosen: Callable[[str], object]) -> None:
        """Show the places of the agenda, to choose one by its number."""

    def open_help(self, offered: Sequence[Command]) -> None:
        """Show all keys."""

    def open_palette(self, offered: Sequence[Command], act: Callable[[str], object]) -> None:
        """Show everything that can be done, to choose from."""

    def open_glossary(self) -> None:
        """Show what the words mean."""

    def go_blank(self) -> None:
        """Show nothing until any key."""
