"""A screen with a long text to read: help, a message, a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from visualizer.tui.commands import command
from visualizer.tui.common import Look
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.segments import Area, Painted, Seg, spread, surface, width_of
from visualizer.tui.painted_screen import PaintedScreen, Part
from visualizer.tui.sheets.scrolling import Sheet


class SheetScreen(PaintedScreen):
    """A title, the window of a sheet, the keys."""

    WHERE: ClassVar[Where] = "sheet"
    PARTS: ClassVar[tuple[type[Part], ...]] = (Look,)

    if TYPE_CHECKING:

        def heading(self) -> tuple[str, str]:
            """The title, and what is at the right of its line: each sheet has its own."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__()
        self.sheet = sheet

    def paint(self, width: int, height: int) -> Painted:
        """Title, text, keys."""
        left, right = self.heading()
        top = spread([Seg(f" {left}", "title")], [Seg(f"{right} ", "dim")], width)
        shown = self.sheet.paint(width, max(1, height - 2))
        more = self.sheet.has_more and not self.status
        tail = [Seg(f"  {self.texts('screen.more')} ", "new@bar")] if more else []
        room = width - width_of(tail)
        foot = footer(self.WHERE, self.texts, self.glyphs, room, 1, self.status)
        foot = [spread(foot[0], tail, width, "text@bar")]
        lines = (surface(top, "bar"), *shown, *foot)[:height]
        return Painted(lines, (Area("text", 0, 1, width, height - 2),))

    def wheel(self, area: str, direction: int) -> None:
        """The wheel scrolls three lines."""
        self.sheet.scroll(3 * direction)
        self.pane.repaint()

    @command("line_up", "up", "k", group="move", palette=False)
    def line_up(self) -> None:
        """One line up."""
        self.sheet.scroll(-1)

    @command("line_down", "down", "j", group="move", palette=False)
    def line_down(self) -> None:
        """One line down."""
        self.sheet.scroll(1)

    @command("page_up", "pageup", group="move", palette=False)
    def page_up(self) -> None:
        """One window up."""
        self.sheet.page(-1)

    @command("page_down", "pagedown", "space", group="move", palette=False)
    def page_down(self) -> None:
        """One window down."""
        self.sheet.page(1)

    @command("top", "home", group="move", palette=False)
    def top(self) -> None:
        """To the beginning."""
        self.sheet.top()

    @command("bottom", "end", group="move", palette=False)
    def bottom(self) -> None:
        """To the end."""
        self.sheet.bottom()

    def look_changed(self) -> None:
        """The text is worked out anew."""
        self.sheet.forget()

    @command("close", "escape", "q", "?", group="screen", palette=False)
    def close(self) -> None:
        """Back to the screen below."""
        self.app.pop_screen()
