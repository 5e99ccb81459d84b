"""Results in hand: tool results that have come back and are not in messages yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from visualizer.app.view import View
from visualizer.describe import label_of
from visualizer.describe.phrases import safe
from visualizer.messages import Block
from visualizer.run.timeline import Approval, Observed
from visualizer.text import cells, clip, wrap
from visualizer.tui.draw.content import hits
from visualizer.tui.draw.segments import Line, Seg, block, spread


def in_hand_height(view: View, width: int, most: int) -> int:
    """The lines that results in hand need, their heading included; 0 without any."""
    waiting = _in_hand(view)
    return min(most, sum(map(len, _rows(view, waiting, width, most))) + 1) if waiting else 0


def in_hand(
    view: View, width: int, height: int, heading_line: Callable[[str, int], Line]
) -> list[Line]:
    """Results that have come back and are not in messages yet."""
    waiting = _in_hand(view)
    done = sum(one.result is not None for one in waiting)
    title = view.texts("screen.hand.title", done=done, n=len(waiting))
    rows = _rows(view, waiting, width, height)
    lines = [item for row in rows for item in row]
    return block([heading_line(title, width), *lines[: height - 1]], width, height)


class Waiting(NamedTuple):
    """A tool call of this turn, its result where it has one, whether that came just now.

    One that was ``denied`` will have an error for a result. ``changed``: by the reader,
    who does that at the ``place`` where it was executed.
    """

    request: Block | None
    result: Block | None
    new: bool
    denied: bool = False
    changed: bool = False
    place: str = ""


def _in_hand(view: View) -> list[Waiting]:
    """Every tool call of this turn, once a result is in hand; nothing before."""
    steps = view.run.in_hand(view.index)
    if not steps:
        return []
    rows = [
        Waiting(
            step.request,
            step.result,
            step.index == view.index,
            changed=isinstance(step.about, Observed),
            place=step.place,
        )
        for step in steps
    ]
    call = view.run.call_at(view.index)
    ran = {step.request.id for step in steps if step.request}
    if call is not None and call.reply is not None:
        denied = {
            step.about.call.id
            for step in view.run.steps[call.step : view.index]
            if isinstance(step.about, Approval) and step.about.decision == "deny"
        }
        rows += [
            Waiting(item, None, False, item.id in denied)
            for item in call.reply.tool_calls
            if item.id not in ran
        ]
    return rows


def _rows(view: View, waiting: list[Waiting], width: int, height: int) -> list[list[Line]]:
    """The calls around the latest result, each as long as there is room for."""
    done = sum(one.result is not None for one in waiting)
    room = max(height - 1, 1)
    shown = waiting[max(0, min(done, len(waiting)) - room) :][:room]
    for most in (3, 2):
        rows = [_row(view, one, width, most) for one in shown]
        if sum(map(len, rows)) <= room:
            return rows
    return [_row(view, one, width, 1) for one in shown]


def _row(view: View, one: Waiting, width: int, most: int) -> list[Line]:
    texts = view.texts
    label = label_of(view.run, one.request.id if one.request else "")
    waiting = "screen.hand.denied" if one.denied else "screen.hand.waiting"
    state = texts("screen.hand.done" if one.result else waiting)
    head = [Seg(f" [{label}] ", "result"), Seg(f"{state}  ", "dim")]
    tag = [Seg(f" {texts('screen.new')} ", "new")] if one.new else []
    if one.changed:
        tag = [Seg(f" {texts('screen.observe.mark')}", "bad"), *(tag or [Seg(" ")])]
    room = max(width - sum(cells(seg.text) for seg in (*head, *tag)) - 1, 4)
    text = safe(one.result.result_text, room * most) if one.result else ""
    if one.result is not None and one.result.is_error:
        text = texts("screen.hand.error", text=text)
    parts = wrap(text, room, most) if most > 1 else [clip(text, room)]
    lines: list[Line] = []
    for number, part in enumerate(parts or [""]):
        start = head if number == 0 else [Seg(" " * sum(cells(seg.text) for seg in head))]
        said = [*start, *hits(part, view.settings.query)]
        if one.place:
            said = [seg._replace(click=f"observe:{one.place}") for seg in said]
        lines.append(spread(said, [] if number else tag, width))
    return lines
