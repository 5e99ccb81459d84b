"""What a page can show where the messages are otherwise: a request, or the plot."""

from __future__ import annotations

from visualizer.app.view import View
from visualizer.describe.phrases import join, safe
from visualizer.text import cells, pad
from visualizer.tui.draw.content import content
from visualizer.tui.draw.segments import Line, Seg, beside, block, fit, spread
from visualizer.tui.sheets.request_text import Sent
from visualizer.tui.stepper import counts

COUNTS = 5


def request_height(view: View) -> int:
    """The lines that the request of the latest call takes."""
    call = view.run.call_at(view.index)
    return 3 if call is None else call.sent + 2


def request(view: View, width: int, height: int) -> tuple[str, list[Line]]:
    """The request of the latest call: what goes with it, then its messages, new ones marked."""
    texts, run = view.texts, view.run
    call = run.call_at(view.index)
    if call is None:
        return texts("screen.no_request"), block([], width, height)
    number = run.calls.index(call)
    sent = Sent(run, number, view.session.scenario.run(run.recorded_run).request, view.shown.asides)
    first_new = call.sent if "new" in view.lens.hidden else sent.first_new()
    rows = [
        _message(view, sent, at, at >= first_new and number > 0, width) for at in range(call.sent)
    ]
    room = max(height - 1, 1)
    shown = "?" if "calls" in view.lens.hidden else number + 1
    return texts("screen.lesson.request", call=shown), block(
        [_parameters(view, sent, width), *rows[-room:]], width, height
    )


def plot_height(view: View) -> int:
    """The lines that the plot takes, with the counts beside it."""
    return max(COUNTS, len(view.run.calls) + 1)


def plot(view: View, width: int, height: int) -> tuple[str, list[Line]]:
    """What each call sends, and beside it what is counted."""
    left = width // 2
    pair = (counts.plot(view, left, height), counts.counts(view, width - left, height))
    return view.texts("screen.plot.title"), beside(*pair)


def _parameters(view: View, sent: Sent, width: int) -> Line:
    """What goes with every call, in one line: system prompt and tools, by name."""
    said = []
    for name, value in sent.parameters.items():
        if name == "tools" and isinstance(value, list):
            names = ", ".join(
                str(tool.get("name", "?")) for tool in value if isinstance(tool, dict)
            )
            said.append(f"tools: {names}")
        elif name in ("system", "model"):
            said.append(f"{name}: {safe(str(value), 30)}")
    return fit(
        [Seg("   "), Seg(safe(join(["  ".join(said)], view.texts), width - 4), "dim")], width
    )


def _message(view: View, sent: Sent, position: int, new: bool, width: int) -> Line:
    message = sent.message(position)
    role = "role.assistant" if message.role == "assistant" else "role.user"
    head = [
        Seg(" + " if new else "   ", "new"),
        Seg(f"{position} ", "dim"),
        Seg(pad(safe(message.role, 10), 11), role),
    ]
    tag = [Seg(f" {view.texts('screen.new')} ", "new")] if new else []
    room = max(width - sum(cells(seg.text) for seg in (*head, *tag)), 8)
    return spread([*head, *content(view, message, room, 1)[0]], tag, width)
