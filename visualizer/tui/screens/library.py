"""The library of scenarios: what there is, and Enter to step through it."""

from __future__ import annotations

from typing import ClassVar

from visualizer.errors import VisualizerError
from visualizer.tui.actions import Where
from visualizer.tui.paint.footer import footer
from visualizer.tui.paint.library import library
from visualizer.tui.paint.segments import Painted
from visualizer.tui.screens.base import PaintedScreen
from visualizer.tui.session import Session
from visualizer.tui.shelf import Shelf


class LibraryScreen(PaintedScreen):
    """All scenarios; the one looked at last is chosen."""

    WHERE: ClassVar[Where] = "library"

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.shelf = Shelf()
        self.at = self.shelf.names.index(name) if name in self.shelf.names else 0

    def paint(self, width: int, height: int) -> Painted:
        """The list at a size."""
        foot = footer("library", self.texts, self.glyphs, width, 1, self.status)
        return library(self.shelf, self.at, self.texts, foot, width, height)

    def wheel(self, area: str, direction: int) -> None:
        """The wheel moves the choice."""
        self.act("down" if direction > 0 else "up")

    def do_up(self) -> None:
        """The scenario above."""
        self.at = max(0, self.at - 1)

    def do_down(self) -> None:
        """The scenario below."""
        self.at = max(0, min(len(self.shelf.names) - 1, self.at + 1))

    def do_choose(self, number: str = "") -> None:
        """Step through the chosen scenario."""
        self.at = int(number) if number else self.at
        if not self.shelf.names:
            return
        found = self.shelf.entry(self.shelf.names[self.at])
        if isinstance(found, VisualizerError):
            self.status = found.text(self.texts)
            return
        try:
            session = Session.open(found)
        except VisualizerError as error:
            self.status = error.text(self.texts)
            return
        self.visualizer.open_session(session)
