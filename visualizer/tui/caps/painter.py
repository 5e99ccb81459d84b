"""A table of what loops do at the cap, and the chosen row in words."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.app.caps import CapView
from visualizer.comparison.caps import COLUMNS, GAP, family_text, gets_text, heads, table
from visualizer.describe.endings import end_sentences
from visualizer.describe.phrases import join
from visualizer.i18n import Texts
from visualizer.text import cells, clip, display_safe, wrap
from visualizer.tui.draw.segments import (
    Line,
    Painted,
    Seg,
    block,
    fit,
    spread,
    surface,
    width_of,
)

UNKNOWN = "?"
DETAIL = 6
"""Lines for the chosen row in words, at the least; more rows than fit scroll."""


def caps_screen(view: CapView, foot: Sequence[Line], width: int, height: int) -> Painted:
    """The whole screen at a size."""
    top = [_title(view, width), *_intro(view.texts, width, height), fit([], width)]
    head, rows = _table(view, width)
    room = max(1, height - len(top) - len(head) - len(foot) - DETAIL)
    first = max(0, min(view.table.at - room // 2, len(rows) - room))
    lines = [*top, *head, *rows[first : first + room], fit([], width), *_detail(view, width)]
    shown = [*block(lines, width, max(0, height - len(foot))), *foot]
    return Painted(tuple(shown[:height]))


def pane(view: CapView, width: int, height: int) -> list[Line]:
    """The table alone, and below it the chosen row in words where there is room."""
    head, rows = _table(view, width)
    lines = [*head, *rows]
    if height >= len(lines) + 3:
        lines += [fit([], width), *_detail(view, width)]
    return block(lines, width, height)


def _title(view: CapView, width: int) -> Line:
    texts, scenario = view.texts, view.table.session.scenario
    right = [Seg(f"{texts('screen.caps.title')} ", "title")]
    found = scenario.provenance()
    kind = f" ({texts(f'screen.provenance.{found.kind}')})" if found else ""
    room = max(width - width_of(right) - cells(kind) - 3, 4)
    title = clip(display_safe(scenario.title(texts.language)), room)
    return surface(spread([Seg(" "), Seg(title, "strong"), Seg(kind, "dim")], right, width), "bar")


def _intro(texts: Texts, width: int, height: int) -> list[Line]:
    if height < 20:
        return []
    parts = wrap(texts("compare.caps.intro"), width - 2)
    return [fit([Seg(" "), Seg(part)], width) for part in parts]


def _table(view: CapView, width: int) -> tuple[list[Line], list[Line]]:
    """The head of the table and its rows."""
    titles = heads(view.texts)
    told = [_cells(view, number) for number in range(len(view.table.rows))]
    drawn = list(table([*titles, *told]))
    head = [
        fit([Seg("   "), Seg(GAP.join(parts), "label")], width) for parts in drawn[: len(titles)]
    ]
    rows = [_row(view, number, parts, width) for number, parts in enumerate(drawn[len(titles) :])]
    return head, rows


def _cells(view: CapView, number: int) -> dict[str, str]:
    """The texts of a row; while it is veiled, the loop and the cap alone."""
    found = view.table.rows[number].cells(view.texts)
    if number not in view.veiled:
        return found
    return {name: found[name] if name in COLUMNS[:2] else UNKNOWN for name in COLUMNS}


def _row(view: CapView, number: int, parts: Sequence[str], width: int) -> Line:
    chosen = number == view.table.at
    run = view.table.rows[number].run
    hidden = number in view.veiled
    role = "bad" if (run.raised or run.stop) and not hidden else "strong"
    loop, *numbers, gets = parts
    segments = [
        Seg(" > " if chosen else "   ", "done"),
        Seg(loop, "strong"),
        Seg(f"{GAP}{GAP.join(numbers)}{GAP}"),
        Seg(gets, role),
    ]
    drawn = tuple(seg._replace(click=f"choose:{number}") for seg in fit(segments, width))
    return surface(drawn, "chosen") if chosen else drawn


def _detail(view: CapView, width: int) -> list[Line]:
    """What the chosen loop stands for, what it returned in full, how its run ended."""
    texts, run = view.texts, view.table.session.run
    name = display_safe(run.loop.name)
    if view.table.at in view.veiled:
        question = texts("screen.caps.veiled")
        return [*_told(name, "title", width, 1), *_told(question, "dim", width, 2)]
    lines = _told(f"{name}  {family_text(run.loop.name, texts)}".rstrip(), "title", width, 2)
    if run.raised is None and run.stop is None:
        gets = texts("screen.caps.gets", value=gets_text(run, texts))
        lines += _told(gets, "strong", width, 3)
    ended = join(end_sentences(run, run.steps[-1], texts), texts)
    return [*lines, *_told(ended, "text", width, 6)]


def _told(text: str, role: str, width: int, most: int) -> list[Line]:
    parts = wrap(text, max(width - 4, 10), most)
    return [fit([Seg("   "), Seg(part, role)], width) for part in parts]
