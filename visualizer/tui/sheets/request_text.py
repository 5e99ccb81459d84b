"""A request as it was sent: to read, or as JSON, with what is new against the one before."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from visualizer.app.recorded import Aside, Asides
from visualizer.describe import label_of
from visualizer.describe.phrases import safe
from visualizer.i18n import Texts
from visualizer.messages import Block, Message
from visualizer.run.timeline import Call, Run
from visualizer.text import MAX_MARKS, cells, clip, display_safe, wrap
from visualizer.transcript.records import Changed, Request
from visualizer.tui.draw.content import hits
from visualizer.tui.draw.recorded import BESIDE, whole
from visualizer.tui.draw.segments import Line, Seg, fit
from visualizer.tui.sheets.tools import tool_lines

NEW = " + "


@dataclass(frozen=True)
class Sent:
    """One call's request: what goes with every call, and the messages.

    ``not_kept`` names what was sent with them and is in no file of that format.
    """

    run: Run
    number: int
    request: Request
    asides: Asides
    outside: bool = False
    not_kept: tuple[str, ...] = ()

    @property
    def call(self) -> Call:
        """The call."""
        return self.run.calls[self.number]

    @property
    def parameters(self) -> dict[str, Any]:
        """All but the messages: as recorded, for this call, then as the loop passed it."""
        recorded = {
            "model": self.request.model,
            "max_tokens": self.request.max_tokens,
            "system": self.request.system,
            "tools": self.request.tools,
        }
        turn = self.asides.of_call(self.number)
        given = {name: value for name, value in recorded.items() if value is not None}
        return {**given, **(turn.request if turn is not None else {}), **self.call.parameters}

    @property
    def lacks_tools(self) -> bool:
        """Whether tools were asked for that the recorded request does not define."""
        replies = (call.reply for call in self.run.calls)
        asked = any(reply is not None and reply.tool_calls for reply in replies)
        return asked and "tools" not in self.parameters

    def beside(self, position: int) -> list[Aside]:
        """What was in the recorded request under a message and is not in the loop's list."""
        call = self.call
        found = self.asides.at(call.history, position, call.step)
        return [one for one in found if one.step == call.step]

    @property
    def put_in(self) -> int:
        """How many blocks the host put into this request."""
        found = self.asides.under_call(self.call)
        return sum(len(put.content) for one in found for put in one.inserted)

    def message(self, position: int) -> Message:
        """A message of the request, as the loop's list has it."""
        return self.run.histories[self.call.history][position]

    def change(self, position: int) -> Changed | None:
        """What the recorded client sent in place of a message; None where it sent that."""
        turn = self.asides.of_call(self.number)
        if turn is None or not turn.changed or self.call.history:
            return None
        at = bisect_right(turn.changed, position, key=lambda one: one.message) - 1
        one = turn.changed[at]
        return one if at >= 0 and position < one.message + one.count else None

    def really(self, position: int) -> list[Message]:
        """What the recorded client sent as a message: that, others, or nothing."""
        change = self.change(position)
        return [self.message(position)] if change is None else [*map(Message.of, change.messages)]

    def first_new(self) -> int:
        """The first message that the call before did not send like this."""
        if self.number == 0:
            return 0
        before = self.run.calls[self.number - 1]
        if before.history == self.call.history:
            return min(before.sent, self.call.sent)
        old = self.run.histories[before.history]
        for position in range(min(before.sent, self.call.sent)):
            one, other = old[position], self.message(position)
            if one is not other and one != other:
                return position
        return min(before.sent, self.call.sent)


def head_lines(sent: Sent, texts: Texts, width: int) -> list[Line]:
    """What goes with every call, to read."""
    lines: list[Line] = []
    for name, value in sent.parameters.items():
        label = f"{safe(name, 24)}  "
        room = max(width - cells(label) - 5, 10)
        if name == "tools":
            parts = tool_lines(value, texts, room)
        else:
            said = value if isinstance(value, str) else _json(value)
            parts = [(Seg(part),) for part in wrap(display_safe(said, newlines=True), room)]
        for number, part in enumerate(parts):
            head = label if number == 0 else " " * cells(label)
            lines.append((Seg("   "), Seg(head, "label"), *part))
    lines += _lacking(sent, not lines, texts, width)
    turn = sent.asides.of_call(sent.number)
    for pointer in turn.inferred if turn is not None else ():
        said = texts("screen.request.inferred", what=safe(pointer.removeprefix("/"), 60))
        lines.append((Seg(BESIDE, "note"), Seg(said, "note")))
    return [*lines, fit([], width)]


def _lacking(sent: Sent, nothing: bool, texts: Texts, width: int) -> list[Line]:
    """What is not known of a request, said where it would stand."""
    if nothing:
        unknown = sent.outside or sent.lacks_tools
        key = "tools.only_recorded" if unknown else "screen.request.only_messages"
        return [(Seg("   "), Seg(part, "dim")) for part in wrap(texts(key), width - 4)]
    lost = [name for name in sent.not_kept if name not in sent.parameters]
    if sent.lacks_tools and "tools" not in lost:
        lost.append("tools")
    lines: list[Line] = []
    for name in lost:
        key = "tools.not_recorded" if name == "tools" else "screen.request.not_recorded"
        parts = wrap(texts(key), width - len(name) - 7)
        heads = [f"{name}  ", *[" " * (len(name) + 2)] * len(parts)]
        pairs = zip(heads, parts, strict=False)
        lines += [(Seg("   "), Seg(head, "label"), Seg(part, "dim")) for head, part in pairs]
    return lines


def readable(sent: Sent, position: int, new: bool, texts: Texts, width: int) -> list[Line]:
    """A message of the request, to read; a new one has ``+`` at its edge and says so."""
    message = sent.message(position)
    edge = Seg(NEW, "new") if new else Seg("   ")
    role = "role.assistant" if message.role == "assistant" else "role.user"
    head = [edge, Seg(f"{position} ", "dim"), Seg(safe(message.role, 20), role)]
    if new:
        head.append(Seg(f"   {texts('screen.new')}", "new"))
    body = [
        line
        for one in sent.really(position)
        for line in message_lines(sent.run, one, texts, width - 6)
    ]
    more = [*_change_lines(sent, position, texts, width), *_beside(sent, position, texts, width)]
    return [tuple(head), *((edge, Seg("   "), *item) for item in body), *more, fit([], width)]


def _beside(sent: Sent, position: int, texts: Texts, width: int) -> list[Line]:
    return whole(texts, sent.beside(position), width)


def _change_lines(sent: Sent, position: int, texts: Texts, width: int) -> list[Line]:
    """That the client sent a message otherwise than the loop's list has it, or left it out."""
    change = sent.change(position)
    if change is None:
        return []
    said = texts(f"screen.aside.{'changed' if change.messages else 'left_out'}")
    return [(Seg(BESIDE, "note"), Seg(part, "note")) for part in wrap(said, max(width - 4, 10))]


def message_lines(
    run: Run, message: Message, texts: Texts, width: int, query: str = ""
) -> list[Line]:
    """All blocks of a message, whole."""
    lines: list[Line] = []
    for item in message.blocks:
        label, text = _whole(run, item, texts)
        if label:
            role = "request" if item.type == "tool_use" else "result"
            lines.append((Seg(" "), Seg(label, role)))
        indent = "   " if label else " "
        for part in wrap(display_safe(text, newlines=True), width - len(indent) - 1):
            lines.append((Seg(indent), *hits(part, query)))
    return lines or [(Seg(" "), Seg(texts("screen.messages.empty"), "dim"))]


def json_head(sent: Sent, width: int) -> list[Line]:
    """The JSON of the request up to its messages."""
    text = _json(sent.parameters, 2)
    opened = text[:-1].rstrip() if sent.parameters else "{"
    comma = "," if sent.parameters else ""
    return json_lines(f'{opened}{comma}\n  "messages": [', width, Seg("   "))


def json_message(sent: Sent, position: int, new: bool, texts: Texts, width: int) -> list[Line]:
    """The JSON of one message, as it stands in the request, then what was put in beside it."""
    lines: list[Line] = []
    comma = "," if position < sent.call.sent - 1 else ""
    really = sent.really(position)
    for number, message in enumerate(really, 1):
        text = _json(message.to_json(), 2)
        indented = "\n".join("    " + row for row in text.split("\n"))
        behind = "," if number < len(really) else comma
        lines += json_lines(indented + behind, width, Seg(NEW, "new") if new else Seg("   "))
    lines += _change_lines(sent, position, texts, width)
    return [*lines, *_beside(sent, position, texts, width)]


def json_tail(width: int) -> list[Line]:
    """The end of the JSON."""
    return json_lines("  ]\n}", width, Seg("   "))


def json_lines(text: str, width: int, edge: Seg) -> list[Line]:
    """JSON text as lines, each after ``edge``."""
    lines: list[Line] = []
    for row in text.split("\n"):
        shown = display_safe(row)
        indent = len(shown) - len(shown.lstrip(" "))
        lead = min(indent + 2, 12, max(width - 5, 0) // 2)
        for number, part in enumerate(_pieces(shown, width - 4, width - 4 - lead)):
            lines.append((edge, Seg(" " * lead if number else ""), Seg(part, "code")))
    return lines


def _pieces(text: str, first: int, rest: int) -> Iterator[str]:
    """All of a text, not a space less: ``first`` cells of it, then ``rest`` at a time."""
    start, room = 0, max(first, 2)
    while start < len(text) or start == 0:
        part = clip(text[start : start + (MAX_MARKS + 1) * (room + 1)], room, "")
        space = part.rfind(" ", len(part) // 2) + 1
        if space and start + len(part) < len(text):
            part = part[:space]
        yield part
        start, room = start + max(len(part), 1), max(rest, 2)


def _whole(run: Run, item: Block, texts: Texts) -> tuple[str, str]:
    if item.type == "text":
        return "", item.text
    if item.type == "tool_use":
        label = f"[{label_of(run, item.id)}] {safe(item.name, 60)}  {safe(item.id, 60)}"
        return label, _json(item.input, 2)
    if item.type == "tool_result":
        error = f"  {texts('screen.message.error')}" if item.is_error else ""
        label = f"[{label_of(run, item.tool_use_id)}] {safe(item.tool_use_id, 60)}{error}"
        return label, item.result_text
    return f"({safe(item.type, 20)})", _json(dict(item.data), 2)


def _json(value: object, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, default=repr)
