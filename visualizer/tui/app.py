"""The app: language, theme and borders for all screens, and which screen comes first."""

from __future__ import annotations

import os
import sys
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from visualizer.i18n import LANGUAGES, Texts, texts
from visualizer.tui.paint.glyphs import ASCII, BOX, Glyphs
from visualizer.tui.session import Session
from visualizer.tui.themes import PALETTES, Styles, styles, textual_theme

START_ENCODINGS = ("utf-8", "utf8")


class VisualizerApp(App[None]):
    """The terminal app. Without a session it begins with the library of scenarios."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Agent Loop Visualizer"
    # Beside Ctrl+Q: what ends a program in any other terminal ends this one, wherever it is.
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, priority=True)]
    CSS = "Screen { background: $background; }"

    def __init__(
        self,
        session: Session | None = None,
        *,
        language: str = "en",
        theme: str = "dark",
        ascii_borders: bool = False,
    ) -> None:
        self._colour = "NO_COLOR" not in os.environ
        super().__init__(ansi_color=None if self._colour else True)
        self.texts: Texts = texts(language)
        self.theme_name = theme
        self.borders_chosen = ascii_borders or not _draws_boxes()
        self.ascii_borders = self.borders_chosen or language == "ja"
        self.look: Styles = styles(theme, self._colour)
        self._session = session
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
        if self._session is not None:
            from visualizer.tui.screens.stepper import StepperScreen  # noqa: PLC0415

            return StepperScreen(self._session)
        from visualizer.tui.screens.library import LibraryScreen  # noqa: PLC0415

        return LibraryScreen()

    def open_session(self, session: Session) -> None:
        """Show a scenario: in the stepper below the library, or in a new one above it."""
        from visualizer.tui.screens.stepper import StepperScreen  # noqa: PLC0415

        below = self.screen_stack[0]
        if isinstance(below, StepperScreen):
            self.pop_screen()
            below.show(session)
        else:
            self.push_screen(StepperScreen(session))

    def open_library(self, name: str) -> None:
        """Show the library: the one below the stepper, or a new one above it."""
        from visualizer.tui.screens.library import LibraryScreen  # noqa: PLC0415

        if isinstance(self.screen_stack[0], LibraryScreen):
            self.pop_screen()
        else:
            self.push_screen(LibraryScreen(name))

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


def run_app(
    scenario: str | None = None,
    *,
    loop: str | None = None,
    max_turns: int | None = None,
    at: str | None = None,
    language: str = "en",
    theme: str | None = None,
    ascii_borders: bool = False,
) -> int:
    """Open the library, or a scenario in the stepper, and stay until the reader leaves.

    What is wrong with the scenario, the loop or the place is raised before the screen is
    taken over: ``NotFoundError``, ``TranscriptError``, ``LoopError``, ``PlaceError``.
    """
    session = None
    if scenario is not None:
        from visualizer.loading import load_transcript  # noqa: PLC0415

        session = Session.open(load_transcript(scenario), loop, max_turns, at)
    app = VisualizerApp(
        session, language=language, theme=theme or "dark", ascii_borders=ascii_borders
    )
    app.run()
    return app.return_code or 0


def _draws_boxes() -> bool:
    encoding = (getattr(sys.__stdout__, "encoding", None) or "").lower()
    return encoding in START_ENCODINGS
