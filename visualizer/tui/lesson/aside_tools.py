"""The tools that went with a call, where a page shows them in the place of messages."""

from __future__ import annotations

from visualizer.app.view import View
from visualizer.describe.arguments import tools_at
from visualizer.text import wrap
from visualizer.tui.draw.segments import Line, Seg, block
from visualizer.tui.sheets.tools import signature, told, tool_lines

_USUAL = 76


def tools_height(view: View) -> int:
    """The lines that the definitions take."""
    return len(_lines(view, _USUAL))


def tools(view: View, width: int, height: int) -> tuple[str, list[Line]]:
    """The definitions; where they don't fit, in short, and a last line says where the rest is."""
    room = width - 4
    lines = _lines(view, room)
    if len(lines) > height > 0:
        lines = [*_in_short(view, room)[: height - 1], (Seg(view.texts("tools.rest"), "dim"),)]
    number = view.step.model_calls
    shown: list[Line] = [(Seg("   "), *line) for line in lines]
    return view.texts("tools.title", call=number), block(shown, width, height)


def _lines(view: View, width: int) -> list[Line]:
    return tool_lines(tools_at(view.run, view.step) or (), view.texts, width)


def _in_short(view: View, width: int) -> list[Line]:
    """Tools as signatures; a single one with its description."""
    offered = tools_at(view.run, view.step)
    several = offered if isinstance(offered, list) else []
    said = ", ".join(filter(None, map(signature, several)))
    lines: list[Line] = [(Seg(part, "request"),) for part in wrap(said, width)]
    if len(several) == 1:
        lines += [(Seg("  "), *line) for line in told(several[0], view.texts, width - 2)]
    return lines
