"""What takes room in each call so far, part by part, on a screen of its own."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.app.session import Session
from visualizer.tui.draw.segments import Line
from visualizer.tui.sheets.room_bars import rooms_of, sheet_lines
from visualizer.tui.sheets.screen import SheetScreen
from visualizer.tui.sheets.scrolling import Sheet


class RoomScreen(SheetScreen):
    """A bar a call: system prompt, tools, history, results, and what is new in it."""

    def __init__(self, session: Session, secret: bool = False) -> None:
        self.rooms = rooms_of(session, secret=secret)
        super().__init__(Sheet(len(self.rooms.calls) + 2, self._lines))

    def heading(self) -> tuple[str, str]:
        """What it is, and that it is estimated."""
        return self.texts("window.title"), self.texts("window.estimates")

    def _lines(self, item: int, width: int) -> Sequence[Line]:
        return sheet_lines(self.rooms, item, self.texts, width)
