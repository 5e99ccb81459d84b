"""The stream of a run beside the loop's steps, and the chosen line in words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from visualizer.app.glyphs import Glyphs
from visualizer.describe import phase_label
from visualizer.describe.plain import plain_data
from visualizer.i18n import Texts
from visualizer.sdk import CLIENT, Row, Stream
from visualizer.sdk.words import counts_text, explained, kind_text, name_text, summary
from visualizer.text import cells, clip, display_safe, pad, wrap
from visualizer.tui.draw.segments import (
    Area,
    Line,
    Painted,
    Seg,
    block,
    fit,
    spread,
    surface,
    width_of,
)

WIDE = 110
"""The columns from which a step has its phase beside its place."""
PLACE, KIND, NAME = 13, 9, 11
DETAIL = 6
"""Lines for the chosen line in words, at the least."""
MANY = 2_000
"""Characters of a line's JSON, at the most: no screen shows more."""


@dataclass(frozen=True, slots=True)
class EventsView:
    """All that the painter needs to know. ``hidden``: what the line means is not told yet.

    ``to_step``: a click on a row goes to its step and chooses nothing.
    """

    stream: Stream
    title: str
    kind: str
    at: int
    step: int
    texts: Texts
    glyphs: Glyphs
    partial: bool = False
    hidden: bool = False
    to_step: bool = False


def events_screen(view: EventsView, foot: Sequence[Line], width: int, height: int) -> Painted:
    """The whole screen at a size."""
    top = [_title(view, width), *_intro(view, width, height), _head(view, width)]
    room = height - len(top) - len(foot)
    total = len(view.stream.rows)
    rows = max(1, min(total, room - DETAIL - 1))
    first = max(0, min(view.at - rows // 2, total - rows))
    shown = [row_line(view, number, width) for number in range(first, first + rows)]
    detail = _detail(view, width, max(0, room - len(shown) - 1))
    rule = fit([Seg(view.glyphs.rule(width), "rule")], width)
    lines = [*top, *shown, rule, *detail]
    painted = [*block(lines, width, max(0, height - len(foot))), *foot]
    return Painted(tuple(painted[:height]), (Area("rows", 0, len(top), width, len(shown)),))


def rows_around(view: EventsView, width: int, height: int) -> list[Line]:
    """The rows around the chosen one, for a screen that has more to show."""
    total = len(view.stream.rows)
    first = max(0, min(view.at - height // 2, total - height))
    last = min(total, first + height)
    return block([row_line(view, number, width) for number in range(first, last)], width, height)


def row_line(view: EventsView, number: int, width: int) -> Line:
    """One row: the step of the loop, then its line of the stream."""
    rows, texts = view.stream.rows, view.texts
    row = rows[number]
    chosen = number == view.at
    segments = [Seg(" > " if chosen else "   ", "done"), *_step(view, rows, number, width)]
    event = row.event
    if event is None:
        segments.append(Seg(f"  - {texts('sdk.no_line')}", "dim"))
    else:
        kind = 12 if view.partial else KIND
        role = "role.assistant" if event.kind == "assistant" else "strong"
        role = "role.user" if event.kind == "user" else role
        mark = "*" if event.recorded else " "
        segments += [
            Seg(f" {mark}", "note"),
            Seg(_padded(kind_text(event), kind) + " ", role),
            Seg(_padded(name_text(event), NAME) + "  ", "label"),
            Seg(summary(view.stream.run, event, texts)),
        ]
    click = f"go:{row.step}" if view.to_step else f"select:{number}"
    drawn = tuple(seg._replace(click=click) for seg in fit(segments, width))
    return surface(drawn, "chosen") if chosen else drawn


def _padded(text: str, width: int) -> str:
    """A text in ``width`` cells at the least, never cut."""
    return text + " " * max(0, width - cells(text))


def _step(view: EventsView, rows: Sequence[Row], number: int, width: int) -> list[Seg]:
    row, run = rows[number], view.stream.run
    again = number > 0 and rows[number - 1].step == row.step
    role = "strong" if row.step == view.step else "text"
    place = "" if again else run.step(row.step).place
    found = [Seg(pad(clip(place, PLACE), PLACE), role)]
    if width >= WIDE:
        label = "" if again else phase_label(run, row.step, view.texts)
        found.append(Seg(pad(clip(label, 15), 15), "dim"))
    return found


def _title(view: EventsView, width: int) -> Line:
    right = [Seg(f"{view.texts('sdk.title')} ", "title")]
    kind = f" {view.kind}" if view.kind else ""
    room = max(width - width_of(right) - cells(kind) - 3, 4)
    left = [Seg(" "), Seg(clip(view.title, room), "strong"), Seg(kind, "dim")]
    return surface(spread(left, right, width), "bar")


def _intro(view: EventsView, width: int, height: int) -> list[Line]:
    """Whose words these are, then the counts as soon as the run has ended."""
    counts = wrap(counts_text(view.stream, view.texts), width - 2)
    lines = [fit([Seg(" "), Seg(part, "strong")], width) for part in counts]
    if height < 18:
        return lines[:1]
    told = wrap(view.texts("sdk.inferred_short", client=CLIENT), width - 2)
    return [*(fit([Seg(" "), Seg(part, "note")], width) for part in told), *lines]


def _head(view: EventsView, width: int) -> Line:
    left = PLACE + (15 if width >= WIDE else 0) + 3
    step, line = view.texts("sdk.head.step"), view.texts("sdk.head.line")
    return fit([Seg(_padded(f"   {step}", left), "label"), Seg(f"  {line}", "label")], width)


def _detail(view: EventsView, width: int, height: int) -> list[Line]:
    """The chosen row in words, then its line as JSON where there is room."""
    if view.hidden:
        return [fit([Seg(" ? ", "dim")], width)]
    row = view.stream.rows[view.at]
    told = wrap(explained(view.stream, row, view.texts), width - 3)
    lines = [fit([Seg(" "), Seg(part)], width) for part in told]
    room = height - len(lines) - 2
    if row.event is None or room < 2:
        return lines
    text = json.dumps(plain_data(row.event.line), ensure_ascii=False)
    cut = text[:MANY]
    parts = wrap(display_safe(cut), width - 5, room)
    head = fit([Seg(" "), Seg(view.texts("sdk.json"), "title")], width)
    body = [fit([Seg("   "), Seg(part, "code")], width) for part in parts]
    return [*lines, fit([], width), head, *body]
