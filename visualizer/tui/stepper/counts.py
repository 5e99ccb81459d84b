"""What each call sends, as a plot, and what has been counted so far."""

from __future__ import annotations

from dataclasses import dataclass

from visualizer.app.view import View
from visualizer.describe import context_size
from visualizer.describe.room import room_of
from visualizer.run.timeline import Call
from visualizer.text import cells
from visualizer.tui.draw.segments import Line, Seg, block, fit
from visualizer.tui.sheets import room_bars


@dataclass(frozen=True, slots=True)
class _Scale:
    """How long the bars of a plot are: a mark a message where that fits, else to scale."""

    most: int
    room: int

    def size(self, sent: int) -> int:
        """The marks for a number of messages."""
        if self.most <= self.room:
            return sent
        return max(1, sent * self.room // self.most)


def plot(view: View, width: int, height: int) -> list[Line]:
    """One bar a call: the messages it sent. The last calls, and the one to come."""
    texts = view.texts
    calls = _latest(view, height - 1)
    coming = view.step.model_calls + 1
    limits = view.session.scenario.settings.limits
    if limits.context_tokens or limits.max_result_chars:
        return block(_token_bars(view, calls, width, height), width, height)
    sizes = [call.sent for _, call in calls] + ([view.step.messages] if view.cut_off else [])
    said = [texts.count("screen.plot.messages", size) for size in sizes]
    for at, (_, call) in enumerate(calls):
        if call.error is not None:
            said[at] = texts("screen.plot.failed", n=call.sent)
    free = width - cells(_name(view, coming).text) - max(map(cells, said), default=0) - 3
    scale = _Scale(max(sizes, default=1), max(3, min(24, free)))
    lines = [
        _bar(view, number, "#" * scale.size(call.sent), text)
        if call.error is None
        else _bar(view, number, "x" * scale.size(call.sent), text, "bad")
        for (number, call), text in zip(calls, said, strict=False)
    ]
    if calls and view.lens.hidden & {"sent", "calls"}:
        lines = [*lines[:-1], (_name(view, calls[-1][0]), Seg("?", "dim"))]
    if view.cut_off:
        text = texts("screen.plot.not_allowed", n=view.step.messages)
        lines.append(_bar(view, coming, "x" * scale.size(view.step.messages), text, "bad"))
    elif not view.at_end:
        lines.append((_name(view, coming), Seg("?", "dim")))
    return block(lines, width, height)


def _token_bars(view: View, calls: list[tuple[int, Call]], width: int, height: int) -> list[Line]:
    """One bar a call: the tokens that it sent, a letter a part, small where unchanged."""
    texts, run = view.texts, view.run
    sizes = [context_size(run, call) for _, call in calls]
    keys = ["screen.counts.estimate" if guess else "screen.counts.tokens" for _, guess in sizes]
    said = [texts(key, n=f"{n:,}") for key, (n, _) in zip(keys, sizes, strict=True)]
    coming = view.step.model_calls + 1
    free = width - cells(_name(view, coming).text) - max(map(cells, said), default=0) - 3
    scale = _Scale(max([n for n, _ in sizes], default=1), max(3, min(24, free)))
    lines: list[Line] = []
    for (number, call), (n, _), text in zip(calls, sizes, said, strict=True):
        marks = room_bars.letters(room_of(run, call), scale.size(n))
        lines.append((_name(view, number), *marks, Seg(f"  {text}", "dim")))
    if not view.at_end:
        lines.append((_name(view, coming), Seg("?", "dim")))
    return [*lines, room_bars.key(texts)] if len(lines) < height else lines


def counts(view: View, width: int, height: int) -> list[Line]:
    """Model calls, tool rounds, tool calls and the size of the last request."""
    texts, step = view.texts, view.step
    opened = _open_round(view)
    waiting = _open_calls(view)
    hidden = view.lens.hidden
    rows = [
        ("calls", "?" if "calls" in hidden else str(step.model_calls)),
        ("rounds", "?" if "rounds" in hidden else _with_open(view, step.tool_rounds, opened)),
        ("tools", "?" if "tools" in hidden else _with_open(view, step.tool_calls, waiting)),
        ("request", size_text(view)),
    ]
    names = [texts(f"screen.counts.{name}") for name, _ in rows]
    column = max(cells(name) for name in names) + 2
    lines: list[Line] = [(Seg(" "), Seg(texts("screen.counts.title"), "title"))]
    for name, (_, value) in zip(names, rows, strict=True):
        lines.append(
            (Seg("   "), Seg(name + " " * (column - cells(name)), "label"), Seg(value, "strong"))
        )
    return block(lines, width, height)


def counts_line(view: View, width: int) -> Line:
    """The same in one line, for small screens."""
    step, hidden = view.step, view.lens.hidden
    text = view.texts(
        "screen.counts.line",
        calls="?" if "calls" in hidden else step.model_calls,
        rounds="?"
        if "rounds" in hidden
        else _with_open(view, step.tool_rounds, _open_round(view), "open_short"),
        tools="?"
        if "tools" in hidden
        else _with_open(view, step.tool_calls, _open_calls(view), "open_short"),
        size=size_text(view),
    )
    return fit([Seg(f" {text}", "strong")], width)


def size_text(view: View) -> str:
    """The tokens of the last request: recorded, or an estimate that says so."""
    call = view.run.call_at(view.index)
    if call is None:
        return "-"
    tokens, estimated = context_size(view.run, call)
    key = "screen.counts.estimate" if estimated else "screen.counts.tokens"
    return view.texts(key, n=f"{tokens:,}")


def _latest(view: View, rows: int) -> list[tuple[int, Call]]:
    """The last calls so far with their numbers (calls that got no reply included)."""
    run = view.run
    call = run.call_at(view.index)
    found: list[tuple[int, Call]] = []
    while call is not None and len(found) < rows:
        found.append((run.step(call.step).model_calls + (call.reply is None), call))
        call = run.call_at(call.step - 1) if call.step > 1 else None
    return found[::-1]


def _bar(view: View, number: int, marks: str, text: str, role: str = "meter") -> Line:
    tail = "bad" if role == "bad" else "dim"
    return (_name(view, number), Seg(marks, role), Seg(f"  {text}", tail))


def _name(view: View, number: int) -> Seg:
    return Seg(" " + view.texts("screen.plot.call", n=number) + "  ", "label", f"go_call:{number}")


def _with_open(view: View, done: int, opened: int, key: str = "open") -> str:
    if opened:
        return view.texts(f"screen.counts.{key}", done=done, open=opened)
    return str(done)


def _open_round(view: View) -> int:
    """1 while a turn's tool calls have not been answered in messages, else 0."""
    step = view.step
    call = view.run.call_at(view.index)
    if call is None or call.reply is None or call.stop_reason != "tool_use" or view.at_end:
        return 0
    before = view.run.step(call.step)
    return int(step.tool_rounds == before.tool_rounds)


def _open_calls(view: View) -> int:
    """How many tool calls of this turn have not run yet."""
    call = view.run.call_at(view.index)
    if not _open_round(view) or call is None or call.reply is None:
        return 0
    ran = view.step.tool_calls - view.run.step(call.step).tool_calls
    return max(0, len(call.reply.tool_calls) - ran)
