"""A list to choose from, with the line that narrows it down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from visualizer.app.prompt import Prompt
from visualizer.i18n import Texts
from visualizer.text import cells, clip, display_safe, pad
from visualizer.tui.draw.segments import Line, Painted, Seg, block, fit, spread, surface


class Entry(NamedTuple):
    """Something to choose: texts are safe for a terminal already."""

    id: str
    title: str
    detail: str
    right: str


def picker(
    title: str,
    prompt: Prompt,
    entries: Sequence[Entry],
    at: int,
    texts: Texts,
    foot: Sequence[Line],
    width: int,
    height: int,
) -> Painted:
    """Title, line, entries around the chosen one, keys."""
    top = surface(fit([Seg(f" {title}", "title")], width), "bar")
    line, cursor = typed(prompt, texts, width)
    room = max(1, height - 4)
    first = max(0, min(at - room // 2, len(entries) - room))
    shown_entries = entries[first : first + room]
    column = min(max((cells(entry.title) for entry in shown_entries), default=0), width // 2) + 2
    lines = [
        _entry(entry, first + number, first + number == at, column, width)
        for number, entry in enumerate(shown_entries)
    ]
    if not lines:
        lines = [fit([Seg(f"   {texts('screen.picker.nothing')}", "dim")], width)]
    shown = (top, line, fit([], width), *block(lines, width, room), *foot)
    return Painted(tuple(shown[:height]), (), (cursor, 1))


def typed(prompt: Prompt, texts: Texts, width: int) -> tuple[Line, int]:
    """The line that narrows a list down, and the column of its cursor."""
    label = f" {texts('screen.prompt.pick')} "
    before, at, after = (display_safe(part) for part in prompt.parts())
    parts = [
        Seg(label, "label"),
        Seg(before, "strong"),
        Seg(at or " ", "cursor"),
        Seg(after, "strong"),
    ]
    return fit(parts, width), cells(label) + cells(before)


def _entry(entry: Entry, number: int, chosen: bool, column: int, width: int) -> Line:
    mark = " > " if chosen else "   "
    title = pad(clip(entry.title, column - 2), column)
    left = [Seg(mark, "done"), Seg(title, "strong"), Seg(entry.detail, "dim")]
    right = [Seg(f"  {entry.right} ", "key")]
    item = spread(left, right, width)
    item = tuple(seg._replace(click=f"choose:{number}") for seg in item)
    return surface(item, "chosen") if chosen else item
