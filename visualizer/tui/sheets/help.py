"""All keys, from the commands of a screen."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.text import cells, wrap
from visualizer.tui.commands import GROUPS, Command
from visualizer.tui.draw.footer import key_name
from visualizer.tui.draw.segments import Line, Seg, fit
from visualizer.tui.sheets.screen import SheetScreen
from visualizer.tui.sheets.scrolling import Sheet

KEYS = 20


class HelpScreen(SheetScreen):
    """What each key does, in groups; then how to read the screen."""

    def __init__(self, commands: Sequence[Command]) -> None:
        self.commands = [one for one in commands if one.keys]
        super().__init__(Sheet(2, self._lines))

    def heading(self) -> tuple[str, str]:
        """The title."""
        return self.texts("screen.help.title"), ""

    def _lines(self, item: int, width: int) -> Sequence[Line]:
        if item == 1:
            return self._reading(width)
        lines: list[Line] = []
        for group in GROUPS:
            commands = [one for one in self.commands if one.group == group]
            if commands:
                lines.append((Seg(" "), Seg(self.texts(f"screen.group.{group}"), "title")))
            for one in commands:
                lines += self._command(one, width)
            if commands:
                lines.append(fit([], width))
        return lines

    def _command(self, one: Command, width: int) -> list[Line]:
        names = " ".join(key_name(key, self.texts, self.glyphs) for key in one.keys)
        pad = " " * max(1, KEYS - 3 - cells(names))
        title = self.texts(f"screen.action.{one.id}")
        told = self.texts(f"screen.action.{one.id}.help")
        column = KEYS + 24
        gap = " " * max(2, 24 - cells(title))
        room = max(20, width - column - 1)
        parts = wrap(told, room)
        first = (
            Seg("   "),
            Seg(names, "key"),
            Seg(pad),
            Seg(title, "strong"),
            Seg(gap),
            Seg(parts[0], "dim"),
        )
        rest = [(Seg(" " * column), Seg(part, "dim")) for part in parts[1:]]
        return [first, *rest]

    def _reading(self, width: int) -> list[Line]:
        lines: list[Line] = [(Seg(" "), Seg(self.texts("screen.help.reading"), "title"))]
        for paragraph in self.texts("screen.help.text").split("\n"):
            lines += [(Seg("   "), Seg(part)) for part in wrap(paragraph, width - 5)]
        return lines
