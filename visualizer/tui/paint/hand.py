"""Results in hand: tool results that have come back and are not in messages yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from visualizer.describe import label_of
from visualizer.messages import Block
from visualizer.phrases import safe
from visualizer.text import cells
from visualizer.tui.paint.messages import hits
from visualizer.tui.paint.segments import Line, Seg, block, spread
from visualizer.tui.view import View

Waiting = tuple[Block | None, Block | None, bool]


def in_hand_height(view: View, most: int) -> int:
    """The lines that results in hand need, their heading included; 0 without any."""
    waiting = _in_hand(view)
    return min(most, len(waiting) + 1) if waiting else 0


def in_hand(
    view: View, width: int, height: int, heading_line: Callable[[str, int], Line]
) -> list[Line]:
    """Results that have come back and are not in messages yet."""
    waiting = _in_hand(view)
    done = sum(result is not None for _, result, _ in waiting)
    title = view.texts("screen.hand.title", done=done, n=len(waiting))
    lines: list[Line] = [heading_line(title, width)]
    shown = waiting[max(0, min(done, len(waiting)) - (height - 1)) :][: height - 1]
    for request, result, new in shown:
        lines.append(_hand_row(view, width, request, result, new))
    return block(lines, width, height)


def _in_hand(view: View) -> Sequence[Waiting]:
    """(request, result, whether it came with this step) for each tool call of this turn."""
    steps = view.run.in_hand(view.index)
    if not steps:
        return []
    rows: list[Waiting] = [(s.request, s.result, s.index == view.index) for s in steps]
    call = view.run.call_at(view.index)
    ran = {step.request.id for step in steps if step.request}
    if call is not None and call.reply is not None:
        rows += [(item, None, False) for item in call.reply.tool_calls if item.id not in ran]
    return rows


def _hand_row(
    view: View, width: int, request: Block | None, result: Block | None, new: bool
) -> Line:
    texts = view.texts
    label = label_of(view.run, request.id if request else "")
    state = texts("screen.hand.done" if result else "screen.hand.waiting")
    head = [Seg(f" [{label}] ", "result"), Seg(f"{state}  ", "dim")]
    tag = [Seg(f" {texts('screen.new')} ", "new")] if new else []
    room = max(width - sum(cells(seg.text) for seg in (*head, *tag)), 4)
    text = safe(result.result_text, room) if result else ""
    if result is not None and result.is_error:
        text = texts("screen.hand.error", text=text)
    return spread([*head, *hits(text, view.settings.query)], tag, width)
