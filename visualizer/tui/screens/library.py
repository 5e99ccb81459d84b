"""The library: lessons with what one has done in them, then scenarios; Enter opens."""

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
    """All lessons and scenarios; the one looked at last is chosen."""

    WHERE: ClassVar[Where] = "library"

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.shelf = Shelf.with_lessons()
        names = [item.name for item in self.shelf.items]
        self.at = names.index(name) if name in names else 0

    @property
    def hidden(self) -> frozenset[str]:
        """What is one's own is not offered to a class."""
        return frozenset({"recent"} if self.visualizer.classroom.in_use else ())

    def paint(self, width: int, height: int) -> Painted:
        """The list at a size."""
        foot = footer("library", self.texts, self.glyphs, width, 1, self.status)
        progress = self.visualizer.progress
        return library(self.shelf, progress, self.at, self.texts, foot, width, height)

    def wheel(self, area: str, direction: int) -> None:
        """The wheel moves the choice."""
        self.act("down" if direction > 0 else "up")

    def do_up(self) -> None:
        """The entry above."""
        self.at = max(0, self.at - 1)

    def do_down(self) -> None:
        """The entry below."""
        self.at = max(0, min(len(self.shelf.items) - 1, self.at + 1))

    def do_choose(self, number: str = "") -> None:
        """Open the chosen entry."""
        self.at = int(number) if number else self.at
        if not self.shelf.items:
            return
        kind, name = self.shelf.items[self.at]
        try:
            if kind == "lesson":
                self._open_lesson(name)
            else:
                self._open_scenario(name)
        except VisualizerError as error:
            self.status = error.text(self.texts)

    def do_recent(self) -> None:
        """The recordings that clients keep for their users: looked for now, since it is asked."""
        from visualizer.places import recent  # noqa: PLC0415
        from visualizer.tui.screens.folder import FolderScreen  # noqa: PLC0415

        if self.visualizer.classroom.in_use:
            self.status = self.texts("folder.in_class")
            return
        try:
            self.app.push_screen(FolderScreen(recent()))
        except VisualizerError as error:
            self.status = error.text(self.texts)

    def _open_scenario(self, name: str) -> None:
        found = self.shelf.entry(name)
        if isinstance(found, VisualizerError):
            raise found
        self.visualizer.open_session(Session.open(found))

    def _open_lesson(self, name: str) -> None:
        """A lesson: at the page seen last, where that was in it."""
        from visualizer.tui.lesson_session import LessonSession  # noqa: PLC0415

        found = self.shelf.lesson(name)
        if isinstance(found, VisualizerError):
            raise found
        progress = self.visualizer.progress
        last = progress.last
        page = last[1] if last is not None and last[0] == name else None
        self.visualizer.open_lesson(LessonSession.open(found, progress, page))
