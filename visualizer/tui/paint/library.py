"""The library: every scenario with where it comes from and what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from visualizer.errors import VisualizerError
from visualizer.i18n import Texts
from visualizer.text import display_safe, wrap
from visualizer.tui.paint.segments import Line, Painted, Seg, block, fit, spread, surface

if TYPE_CHECKING:
    from visualizer.loading import Scenario
    from visualizer.tui.shelf import Shelf

ROWS = 4


def library(
    shelf: Shelf, at: int, texts: Texts, foot: Sequence[Line], width: int, height: int
) -> Painted:
    """The scenarios around the chosen one, each in the same number of lines."""
    count = texts("screen.library.count", at=at + 1 if shelf.names else 0, n=len(shelf.names))
    head = spread([Seg(" " + texts("screen.title"), "strong")], [Seg(f"{count} ", "dim")], width)
    name = surface(head, "bar")
    intro: list[Line] = [
        (Seg(" "), Seg(part)) for part in wrap(texts("screen.library.intro"), width - 2)
    ]
    top = [name, fit([], width), *(fit(item, width) for item in intro), fit([], width)]
    room = max(1, (height - len(top) - len(foot)) // ROWS)
    first = max(0, min(at - room // 2, len(shelf.names) - room))
    lines: list[Line] = []
    for number in range(first, min(first + room, len(shelf.names))):
        found = shelf.entry(shelf.names[number])
        lines += _entry(found, shelf.names[number], number, number == at, texts, width)
    if not shelf.names:
        lines.append((Seg(" "), Seg(texts("screen.library.nothing"), "bad")))
    body = block(lines, width, height - len(top) - len(foot))
    return Painted(tuple([*top, *body, *foot][:height]))


def _entry(
    found: Scenario | VisualizerError,
    name: str,
    number: int,
    chosen: bool,
    texts: Texts,
    width: int,
) -> list[Line]:
    mark = Seg(" > " if chosen else "   ", "done")
    if isinstance(found, VisualizerError):
        title, right = display_safe(name), ""
        told = [(Seg("   "), Seg(part, "bad")) for part in wrap(found.text(texts), width - 5, 2)]
    else:
        title = display_safe(found.title(texts.language))
        source = found.provenance()
        right = texts(f"screen.provenance.{source.kind}") if source else ""
        summary = display_safe(found.summary(texts.language))
        told = [(Seg("   "), Seg(part, "text")) for part in wrap(summary, width - 5, 2)]
    head = spread(
        [mark, Seg(title, "strong"), Seg(f"   {display_safe(name)}", "dim")],
        [Seg(f"{right} ", "note")],
        width,
    )
    lines = [head, *(fit(item, width) for item in told)]
    lines = [tuple(seg._replace(click=f"choose:{number}") for seg in item) for item in lines]
    if chosen:
        lines = [surface(item, "chosen") for item in lines]
    return block(lines, width, ROWS)
