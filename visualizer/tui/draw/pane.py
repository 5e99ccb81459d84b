"""The one widget: painted lines as strips, repainted only where they changed."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from textual import events
from textual.geometry import Offset, Region
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from visualizer.text import cells
from visualizer.tui.draw.segments import Area, Line, Painted, plain
from visualizer.tui.themes import Styles

Paint = Callable[[int, int], Painted]
Act = Callable[[str], object]
Wheel = Callable[[str, int], object]


class Pane(Widget):
    """Fills its screen. It never changes size by itself, so nothing is laid out after a key.

    Text can be selected with the mouse, within the part of the screen in which the drag began.
    """

    DEFAULT_CSS = "Pane { width: 100%; height: 100%; }"

    def __init__(self, paint: Paint, styles: Callable[[], Styles], act: Act, wheel: Wheel) -> None:
        super().__init__()
        self._paint = paint
        self._styles = styles
        self._act = act
        self._wheel = wheel
        self._painted: Painted | None = None
        self._painted_size = (0, 0)
        self._drawn_with: Styles | None = None
        self._pressed_in: Area | None = None

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
                if any(self._selected(region.y) for region in regions):
                    self.screen.clear_selection()
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
        strip = Strip(segments, width)
        if (span := self._selected(y)) is not None:
            before, chosen, after = strip.divide([*span, width])
            marked = Strip(Segment.apply_style(chosen, post_style=style("cursor")))
            strip = Strip.join([before, marked, after])
        return strip.apply_offsets(0, y)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text, line by line, and what ends it."""
        rows = [
            Strip([Segment(_readable(line))]).crop(*span).text.rstrip()
            for y, line in enumerate(self._current().lines)
            if (span := self._selected(y)) is not None
        ]
        return "\n".join(rows), "\n"

    def _selected(self, y: int) -> tuple[int, int] | None:
        """The cells of a line that are selected: from, and up to."""
        selection = self.text_selection
        if selection is None or (span := selection.get_span(y)) is None:
            return None
        left, right = 0, self.size.width
        if (area := self._pressed_in) is not None:
            if not area.y <= y < area.y + area.height:
                return None
            left, right = area.x, area.x + area.width
        text = plain(self._current().lines[y])
        start, end = span
        start = max(left, cells(text[:start]))
        end = right if end < 0 else min(right, cells(text[:end]))
        return (start, end) if start < end else None

    def on_resize(self) -> None:
        """A new size is another painting of the same place."""
        if self._painted_size != tuple(self.size):
            self.repaint()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """What is selected from here on stays in this part of the screen."""
        areas = self._current().areas
        self._pressed_in = next((one for one in areas if one.holds(event.x, event.y)), None)

    def on_click(self, event: events.Click) -> None:
        """A click acts as its segment says; the end of a selection is no click."""
        event.stop()
        if self.text_selection is not None:
            return
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


def _readable(line: Line) -> str:
    """The text of a line, with blanks for what is drawn between the parts of the screen."""
    return "".join(" " * cells(one.text) if one.role == "rule" else one.text for one in line)


def _hit(line: Line, x: int) -> str:
    """What a click on column ``x`` of a line does."""
    at = 0
    for segment in line:
        at += cells(segment.text)
        if x < at:
            return segment.click
    return ""
