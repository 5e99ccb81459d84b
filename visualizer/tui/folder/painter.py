"""A list of files, two lines each: what it is called and where it lies; what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from visualizer.app.glance import Glance
from visualizer.app.prompt import Prompt
from visualizer.describe.phrases import safe
from visualizer.errors import TranscriptError
from visualizer.i18n import Texts
from visualizer.text import cells, clip
from visualizer.tui.draw.segments import Line, Painted, Seg, block, fit, spread, surface
from visualizer.tui.lists.painter import typed

TALL = 2
"""Lines of an entry."""

END = 20
FORMAT = 20
LEAST = 8
"""Cells below which the name of a folder says nothing."""

NAME = 16
PLACE = 24
"""Cells that a name, and then a folder, are given where there are few."""

LONGEST = 400
NARROW = 72


class Row(NamedTuple):
    """A file: texts are safe for a terminal. ``seen`` is what was found in it, None before."""

    id: str
    name: str
    where: str
    size: str
    day: str
    seen: Glance | TranscriptError | None = None


def window(count: int, at: int, height: int) -> range:
    """The rows that are in view on a screen of a height, the chosen one among them."""
    room = max(1, (height - 4) // TALL)
    first = max(0, min(at - room // 2, count - room))
    return range(first, min(first + room, count))


def folder(
    title: str,
    right: str,
    prompt: Prompt,
    rows: Sequence[Row],
    at: int,
    texts: Texts,
    foot: Sequence[Line],
    width: int,
    height: int,
) -> Painted:
    """Title, line typed, files around the chosen one, keys."""
    top = surface(spread([Seg(f" {title}", "title")], [Seg(f"{right} ", "dim")], width), "bar")
    line, cursor = typed(prompt, texts, width)
    lines: list[Line] = []
    for number in window(len(rows), at, height):
        lines += _row(rows[number], number, number == at, texts, width)
    if not rows:
        lines = [fit([Seg(f"   {texts('screen.picker.nothing')}", "dim")], width)]
    shown = (top, line, fit([], width), *block(lines, width, max(1, height - 4)), *foot)
    return Painted(tuple(shown[:height]), (), (cursor, 1))


def words_of(row: Row, texts: Texts) -> str:
    """What a row says, all of it, to search in."""
    prompt, told, _ = _holds(row, texts)
    return f"{row.id} {row.name} {row.where} {row.size} {row.day} {prompt} {told}"


def _row(row: Row, number: int, chosen: bool, texts: Texts, width: int) -> list[Line]:
    stands = f"{row.size:>8}  {row.day}"
    room = width - 3 - cells(stands) - 5
    name = clip(row.name, max(room - min(cells(row.where), PLACE), NAME))
    where = _tail(row.where, room - cells(name))
    first = spread(
        [Seg(" > " if chosen else "   ", "done"), Seg(name, "strong")],
        [Seg(f"  {where}", "key"), Seg(f"  {stands} ", "dim")],
        width,
    )
    prompt, told, role = _holds(row, texts, width < NARROW)
    second = spread([Seg("     "), Seg(prompt, role)], [Seg(f"  {told} ", "dim")], width)
    lines = [
        tuple(seg._replace(click=f"choose:{number}") for seg in line) for line in (first, second)
    ]
    return [surface(line, "chosen") if chosen else line for line in lines]


def _holds(row: Row, texts: Texts, narrow: bool = False) -> tuple[str, str, str]:
    """What a file holds: its prompt (or why it can't be read), the counts, and a role.

    Where it is narrow, the first prompt is worth more than the number of all.
    """
    seen = row.seen
    if seen is None:
        return "...", "", "dim"
    if isinstance(seen, TranscriptError):
        first = seen.problems[0]
        if first.key == "format.unknown":  # which formats are read is no news in every row
            return texts("folder.no_recording"), "", "dim"
        return f"! {first.text(texts)}", "", "note"
    prompts = [texts.count("folder.prompts", seen.prompts)] if seen.prompts and not narrow else []
    counts = texts("folder.comma").join([*prompts, texts.count("folder.calls", seen.calls)])
    if not seen.whole:
        counts = texts("folder.at_least", counts=counts)
    end = [safe(seen.end, END)] if seen.whole else []
    kind = clip(seen.format, FORMAT) or texts("folder.own")
    told = texts("folder.comma").join([counts, *end])
    prompt, role = safe(seen.prompt, LONGEST), "text"
    if not prompt:
        prompt, role = texts("folder.no_prompt"), "dim"
    return prompt, f"{kind}  {told}", role


def _tail(text: str, width: int) -> str:
    """The end of a text in so many cells: of a folder it tells most."""
    if cells(text) <= width:
        return text
    if width < LEAST:
        return ""
    while cells(text) > width - 3:
        text = text[1:]
    return f"...{text}"
