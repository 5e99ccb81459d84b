"""One message, whole."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.app.session import Session
from visualizer.describe.phrases import safe
from visualizer.tui.draw.recorded import whole
from visualizer.tui.draw.segments import Line, fit
from visualizer.tui.sheets.request_text import message_lines
from visualizer.tui.sheets.screen import SheetScreen
from visualizer.tui.sheets.scrolling import Sheet


class MessageScreen(SheetScreen):
    """Every block of a message with all of its text."""

    def __init__(self, session: Session, position: int, query: str = "") -> None:
        self.session = session
        self.position = position
        self.index = session.index
        self.words = query
        super().__init__(Sheet(1, self._lines))

    def heading(self) -> tuple[str, str]:
        """Which message, whose, and which calls have sent it."""
        run = self.session.run
        role = safe(run.message(self.index, self.position).role, 20)
        left = self.texts("screen.message.title", n=self.position, role=role)
        calls = run.readers(self.index, self.position)
        if not calls:
            return left, self.texts("screen.message.unread")
        numbers = str(calls[0]) if len(calls) == 1 else f"{calls[0]}-{calls[-1]}"
        return left, self.texts.count("screen.message.read", len(calls), calls=numbers)

    def _lines(self, item: int, width: int) -> Sequence[Line]:
        run = self.session.run
        message = run.message(self.index, self.position)
        history = run.step(self.index).history
        found = self.session.shown.asides.at(history, self.position, self.index)
        lines = message_lines(run, message, self.texts, width, self.words)
        return [*lines, fit([], width), *whole(self.texts, found, width)] if found else lines
