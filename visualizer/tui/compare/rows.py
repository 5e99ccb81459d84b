"""One run of two: what has just happened, its messages, its steps."""

from __future__ import annotations

from visualizer.app.beside import CompareView, Side
from visualizer.app.view import View
from visualizer.describe import describe, value_text
from visualizer.describe.endings import never_sent
from visualizer.describe.phrases import safe
from visualizer.messages import Message
from visualizer.text import cells, display_safe, pad, wrap
from visualizer.tui.draw.content import content
from visualizer.tui.draw.segments import Line, Seg, block, fit, spread, width_of
from visualizer.tui.stepper.header import meter
from visualizer.tui.stepper.messages import is_new, read_by_model

ROLE = 10
NARROW = 50
"""Narrower columns don't line up what different roles say."""
MOST = 4
NEAR = 3
"""How far apart the same message may stand in the two lists."""


def contained(view: View) -> bool:
    """Whether the run does not end by itself: the visualizer ended it."""
    return view.run.terminal_reason == "step_cap"


def state_line(view: CompareView, side: Side, width: int) -> Line:
    """The turn meter, and whether this run waits for the other or has ended."""
    one = view.side(side)
    key = "ended" if one.at_end else "waits" if view.beside.waits(side) else ""
    word = view.texts(f"screen.compare.{key}") if key else ""
    step = view.texts("screen.step_short", index=one.index, total=len(one.run.steps))
    right = [Seg(f" {word} ", "read")] if word else []
    shown = list(meter(one))
    if width_of(shown) + width_of(right) + 1 > width:
        shown = shown[1:]  # the bar says it without its label
    if one.at_end and width_of(shown) + width_of(right) + 1 > width:
        right = []  # what is below says it, too
    if width_of(shown) + width_of(right) + cells(step) + 6 <= width:
        right = [*right, Seg(f" {step} ", "dim")]
    return spread([Seg(" "), *shown], right, width)


def happened(view: View, width: int, height: int, veiled: bool = False) -> list[Line]:
    """The phase and what happened in it; at the end what was returned and why."""
    texts = view.texts
    said = describe(view.run, view.index, texts)
    if veiled:
        head = [Seg(" "), Seg(f" {said.phase} ", "phase"), Seg(f" {texts('screen.veiled')}", "dim")]
        return block([fit(head, width)], width, height)
    if view.at_end:
        return _end(view, said.phase, said.happened, width, height)
    indent = cells(said.phase) + 4
    first = wrap(said.happened, width - indent - 1)[0]
    rest = said.happened[len(first) :].lstrip()
    lines: list[Line] = [
        (Seg(" "), Seg(f" {said.phase} ", "phase"), Seg(" "), Seg(first, "strong")),
        *(_told(rest, width, height - 1) if rest else []),
    ]
    left = height - len(lines)
    if left > 0 and said.next:
        lines += [(Seg(" "), Seg(part, "dim")) for part in wrap(said.next, width - 2, left)]
    return block(lines, width, height)


def _told(text: str, width: int, rows: int) -> list[Line]:
    return [(Seg(" "), Seg(part, "strong")) for part in wrap(text, width - 2, max(rows, 0))]


def _end(view: View, phase: str, told: str, width: int, height: int) -> list[Line]:
    run, texts = view.run, view.texts
    if run.stop:
        value, role = texts("screen.ended.by_visualizer"), "bad"
    elif run.raised:
        value, role = safe(run.raised.type, 60), "bad"
    else:
        value = value_text(run.result, max(width - cells(phase) - 6, 8))
        role = "answer" if run.terminal_reason == "completed" else "bad"
    head = fit([Seg(" "), Seg(f" {phase} ", view.stamp), Seg("  "), Seg(value, role)], width)
    lines = [head, *_told(told, width, height - (2 if height > 4 else 1))]
    if height > 4:
        lines.append((Seg(f" terminal_reason {display_safe(run.terminal_reason)}", "dim"),))
    return block(lines, width, height)


def message_rows(view: CompareView, side: Side, width: int, height: int) -> list[Line]:
    """The last messages of a run; a sign stands before those that the other does not have."""
    one = view.side(side)
    few = one.step.messages * 2 <= height  # where all can't have two lines, each gets one
    found: list[Line] = []
    for most in (MOST, 3, 2, 1) if few else (1,):
        found = _rows(view, side, width, height, most)
        if len(found) <= height:
            break
    return block(found[-height:] if height > 0 else [], width, height)


def _rows(view: CompareView, side: Side, width: int, height: int, most: int) -> list[Line]:
    """The last messages, in at most ``most`` lines each, with the line up to which it has read."""
    one, other = view.side(side), view.side("right" if side == "left" else "left")
    sign = Seg("-", "never") if side == "left" else Seg("+", "new")
    count = one.step.messages
    found: list[Line] = []
    for position in range(max(0, count - height), count):
        found += _line_before(one, position, width)
        message = one.run.message(one.index, position)
        mark = Seg(" ") if _has(other, message, position) else sign
        found += _message(one, message, position, mark, width, most)
    return [*found, *_line_before(one, count, width), *_in_hand(one, width)]


def _message(
    view: View, message: Message, position: int, mark: Seg, width: int, most: int
) -> list[Line]:
    role = "role.assistant" if message.role == "assistant" else "role.user"
    name = safe(message.role, ROLE - 1) or "?"
    name = name + " " if width < NARROW else pad(name, ROLE)
    number = f"{position:>{len(str(max(view.step.messages - 1, 0)))}}"
    indent = 2 + len(number) + cells(name)
    tag = [Seg(f" {view.texts('screen.new')}", "new")] if is_new(view, position) else []
    room = max(width - indent - 1 - width_of(tag), 8)
    lines: list[Line] = []
    for row, parts in enumerate(content(view, message, room, most)):
        head = [mark, Seg(f"{number} ", "dim"), Seg(name, role)]
        start = head if row == 0 else [mark, Seg(" " * (indent - 1))]
        lines.append(spread([*start, *parts], tag if row == 0 else [], width))
    return lines


def _has(other: View, message: Message, position: int) -> bool:
    """Whether the other run has the same message, there or nearby."""
    count = other.step.messages
    near = range(max(0, position - NEAR), min(count, position + NEAR + 1))
    return any(other.run.message(other.index, at) == message for at in near)


def _line_before(view: View, position: int, width: int) -> list[Line]:
    """The line between what the model has read and what it has not, where it is."""
    unread = never_sent(view.run, view.step) if view.cut_off else range(0)
    if unread:
        if position != unread.start:
            return []
        return [_across(view.texts("screen.messages.never_sent"), width, "=", "never")]
    count = view.step.messages
    if position != read_by_model(view) or position in (0, count):
        return []
    return [_across(view.texts("screen.compare.read"), width, "- ", "read")]


def _in_hand(view: View, width: int) -> list[Line]:
    waiting = view.run.in_hand(view.index)
    call = view.run.call_at(view.index)
    if not waiting or call is None or call.reply is None:
        return []
    asked = max(len(call.reply.tool_calls), len(waiting))
    text = view.texts("screen.compare.hand", done=len(waiting), n=asked)
    return [fit([Seg(f" {text}", "read")], width)]


def _across(text: str, width: int, mark: str, role: str) -> Line:
    room = max(width - cells(text) - 4, 0)
    left = (mark * width)[: room // 2]
    right = (mark * width)[: room - len(left)]
    return fit([Seg(f" {left} {text} {right}", role)], width)


def steps(view: CompareView, width: int) -> list[Line]:
    """The steps of both runs around the place, those that belong together in one column."""
    beside = view.beside
    names = [view.texts(f"compare.side.{side}") for side in ("left", "right")]
    label = max(map(cells, names)) + 3
    first = beside.at
    columns = {first: _column(view, first)}
    room = width - label - 4 - _size(columns[first])
    for change in (1, -1):
        half = room if change < 0 or first == 0 else room * 2 // 3
        edge = beside.at + change
        while 0 <= edge <= beside.last:
            column = _column(view, edge)
            if _size(column) > half:
                break
            columns[edge] = column
            half, room = half - _size(column), room - _size(column)
            edge += change
    lines: list[list[Seg]] = [[Seg(f" {pad(name, label - 1)}", "label")] for name in names]
    for at in sorted(columns):
        for row, word in enumerate(columns[at]):
            role = "phase" if at == beside.at and word else "text" if at < beside.at else "dim"
            rest = " " * (_size(columns[at]) - cells(word))
            lines[row] += [Seg(word, role, f"at:{at}"), Seg(rest, "text", f"at:{at}")]
    return [fit(line, width) for line in lines]


def _size(column: tuple[str, str]) -> int:
    return max(map(cells, column)) + 1


def _column(view: CompareView, at: int) -> tuple[str, str]:
    """The words of a place: of each run that makes a step there; ``!`` where they part."""
    pair = view.beside.comparison.steps[at]
    left, right = (
        "" if index is None else _word(one, index)
        for one, index in zip(view.sides, pair, strict=True)
    )
    if at == view.beside.parting:
        left, right = (f"!{word}" if word else "" for word in (left, right))
    return left, right


def _word(view: View, index: int) -> str:
    step = view.run.step(index)
    if step.phase == "end":
        kind = "stopped" if view.run.stop else "raised" if view.run.raised else "returned"
        return view.texts(f"screen.strip.{kind}")
    word = view.texts(f"screen.phase.{step.phase}")
    return f"{step.turn} {word}" if step.phase == "call" else word
