"""Long texts to scroll through: only what the window shows is ever worked out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from visualizer.tui.draw.segments import Line, block

Item = Callable[[int], Sequence[Line]]
"""The lines of one item at a width."""


@dataclass
class Sheet:
    """Items one after the other, and the first line shown: a row of an item.

    A request of 40,000 messages is as quick to open at its end as one of three.
    """

    count: int
    lines_of: Callable[[int, int], Sequence[Line]]
    item: int = 0
    row: int = 0
    _width: int = 0
    _height: int = 1
    _kept: dict[int, Sequence[Line]] = field(default_factory=dict)

    def paint(self, width: int, height: int) -> list[Line]:
        """The window at a size. Its end is never scrolled past."""
        if width != self._width:
            self._kept.clear()
            self._width = width
        self._height = height
        self.item = max(0, min(self.item, self.count - 1))
        self.row = max(0, min(self.row, len(self._lines(self.item)) - 1))
        found = self._window(height)
        if len(found) < height:
            self.scroll(len(found) - height)
            found = self._window(height)
        return block(found, width, height)

    def scroll(self, rows: int) -> None:
        """Move down by ``rows`` lines, up where negative."""
        self.row += rows
        while self.row < 0 and self.item > 0:
            self.item -= 1
            self.row += len(self._lines(self.item))
        while self.row >= len(self._lines(self.item)) and self.item < self.count - 1:
            self.row -= len(self._lines(self.item))
            self.item += 1
        self.row = max(0, min(self.row, max(len(self._lines(self.item)) - 1, 0)))

    def page(self, direction: int) -> None:
        """Move by a window, less one line to hold on to."""
        self.scroll(direction * max(1, self._height - 1))

    def top(self) -> None:
        """To the first line."""
        self.item = self.row = 0

    def bottom(self) -> None:
        """To the last line."""
        self.item = self.count - 1
        self.row = len(self._lines(self.item)) - 1

    def show(self, item: int) -> None:
        """To the first line of an item."""
        self.item, self.row = item, 0

    def forget(self) -> None:
        """The lines look different now (another form, another language)."""
        self._kept.clear()

    @property
    def has_more(self) -> bool:
        """Whether lines follow below the window."""
        return self.item < self.count and not self._at_bottom()

    def _at_bottom(self) -> bool:
        left = self._height + self.row
        for item in range(self.item, self.count):
            left -= len(self._lines(item))
            if left < 0:
                return False
        return True

    def _window(self, height: int) -> list[Line]:
        found: list[Line] = []
        row = self.row
        for item in range(self.item, self.count):
            found += self._lines(item)[row : row + height - len(found)]
            row = 0
            if len(found) >= height:
                break
        return found

    def _lines(self, item: int) -> Sequence[Line]:
        if item not in self._kept:
            if len(self._kept) > 500:
                self._kept.clear()
            self._kept[item] = self.lines_of(item, self._width or 80)
        return self._kept[item]
