"""The one widget: painted lines as strips, repainted only where they changed."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from textual import events
from textual.geometry import Offset, Region
from textual.strip import Strip
from textual.widget import Widget

from visualizer.text import cells
from visualizer.tui.paint.segments import Line, Painted
from visualizer.tui.themes import Styles

Paint = Callable[[int, int], Painted]
Act = Callable[[str], object]
Wheel = Callable[[str, int], object]


class Pane(Widget):
    """Fills its screen. It never changes size by itself, so nothing is laid out after a key."""

    DEFAULT_CSS = "Pane { width: 100%; height: 100%; }"
    ALLOW_SELECT = False

    def __init__(self, paint: Paint, styles: Callable[[], Styles], act: Act, wheel: Wheel) -> None:
        super().__init__()
        self._paint = paint
        self._styles = styles
        self._act = act
        self._wheel = wheel
        self._painted: Painted | None = None
        self._painted_size = (0, 0)
        self._drawn_with: Styles | None = None

    def repaint(self) -> None:
        """Paint again, and mark the lines that differ for the next frame."""
        width, height = self.size
        if not width or not height:
            return
        old, self._painted = self._painted, self._paint(width, height)
        styles = self._styles()
        whole = old is None or self._painted_size != (width, height)
        self._painted_size = (width, height)
        if whole or styles is not self._drawn_with:
            self._drawn_with = styles
            self.refresh()
        elif old is not None:
            regions = _changed(old.lines, self._painted.lines, width)
            if regions:
                self.refresh(*regions)
        if self._painted.cursor is not None:
            self.app.cursor_position = Offset(*self._painted.cursor)

    def render_line(self, y: int) -> Strip:
        """One painted line."""
        painted = self._current()
        width = self.size.width
        if y >= len(painted.lines):
            return Strip.blank(width)
        style = self._styles()
        segments = [Segment(seg.text, style(seg.role)) for seg in painted.lines[y] if seg.text]
        return Strip(segments, width)

    def on_resize(self) -> None:
        """A new size is another painting of the same place."""
        if self._painted_size != tuple(self.size):
            self.repaint()

    def on_click(self, event: events.Click) -> None:
        """A click acts as its segment says."""
        event.stop()
        painted = self._current()
        if 0 <= event.y < len(painted.lines) and (act := _hit(painted.lines[event.y], event.x)):
            self._act(act)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves what is under the pointer."""
        event.stop()
        self._wheel(self._area(event.x, event.y), 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel moves what is under the pointer."""
        event.stop()
        self._wheel(self._area(event.x, event.y), -1)

    def _area(self, x: int, y: int) -> str:
        for area in self._current().areas:
            if area.holds(x, y):
                return area.name
        return ""

    def _current(self) -> Painted:
        width, height = self.size
        if self._painted is None or self._painted_size != (width, height):
            self._painted = self._paint(width, height)
            self._painted_size = (width, height)
            self._drawn_with = self._styles()
        return self._painted


def _changed(old: tuple[Line, ...], new: tuple[Line, ...], width: int) -> list[Region]:
    """The regions of the lines that differ."""
    return [
        Region(0, y, width, 1)
        for y, (before, after) in enumerate(zip(old, new, strict=False))
        if before != after
    ]


def _hit(line: Line, x: int) -> str:
    """What a click on column ``x`` of a line does."""
    at = 0
    for segment in line:
        at += cells(segment.text)
        if x < at:
            return segment.click
    return ""
