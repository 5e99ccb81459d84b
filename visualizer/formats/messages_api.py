"""Calls of the Messages API: request and response, many of them, or only the messages.

Requests say exactly what was sent, so that which call continues which is seen from them: a
request that begins with an earlier one and its reply goes on with it, whoever else called in
between. What is compared leaves out what clients change when they send a reply back.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from visualizer.formats.blocks import blocks_of, with_stop_reason
from visualizer.formats.decode import Decoded
from visualizer.formats.exchanges import Exchange, are_messages, entries, exchange_of
from visualizer.formats.history import History
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.stretches import Stretches, Thread
from visualizer.messages import canonical
from visualizer.transcript import ApiObject, RecordedRun, Turn

_PARAMETERS = ("model", "system", "tools", "max_tokens")
_ROOT = b""
_COMPARED = {"text": ("text",), "tool_use": ("id", "name", "input")}
_COMPARED_ELSE = ("id", "tool_use_id")
"""What is compared of a reply that was sent back, by the type of its blocks."""


def claims(sample: Sample) -> bool:
    """Whether the first entries are exchanges, or all of them messages."""
    found = entries(sample.items)
    return bool(found) and (are_messages(found) or any(map(exchange_of, found)))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in recorded calls."""
    found = entries([one for _, one in decoded.items])
    if are_messages(found):
        found = [{"messages": found}]
    exchanges = [exchange_of(entry) for entry in found]
    outside.findings.count("format.other_provider", exchanges.count(None))
    _Reader(outside).read([one for one in exchanges if one is not None])


class _Reader:
    """Says exchanges as events, each in the conversation that it continues."""

    def __init__(self, outside: Outside) -> None:
        self.stretches = Stretches(outside)
        self.tips: dict[bytes, Thread] = {}
        self.firsts: set[bytes] = set()
        self.retried: dict[bytes, list[Exchange]] = {}

    def read(self, exchanges: list[Exchange]) -> None:
        """All of them, in their order."""
        marks = [_marks(one.body) for one in exchanges]
        answered = {
            marks[at][-1]: at for at, one in enumerate(exchanges) if one.response and one.body
        }
        for at, one in enumerate(exchanges):
            if one.error is not None and answered.get(marks[at][-1], -1) > at:
                self.retried.setdefault(marks[at][-1], []).append(one)
            else:
                self._take(one, marks[at])
        self.stretches.finish()

    def _take(self, one: Exchange, marks: list[bytes]) -> None:
        if one.body is None:
            if _ROOT not in self.tips:
                self.tips[_ROOT] = self.stretches.thread()
            thread = self.tips[_ROOT]
        else:
            thread = self._thread(one.body, marks)
        for failed in self.retried.pop(marks[-1], []):
            thread.failed(failed.status, failed.error or {}, handled=True)
        if one.error is not None:
            thread.failed(one.status, one.error)
        elif one.response is not None:
            turn = thread.reply(*_reply(one.response))
            content = turn.response["content"] if turn.response else []
            if thread.run is not None:
                _parameters(thread.run, turn, one.body or {})
            if one.body is not None:
                self.tips[_mark(marks[-1], "assistant", content)] = thread

    def _thread(self, body: ApiObject, marks: list[bytes]) -> Thread:
        """The conversation that a request continues, with what is new in it said."""
        messages = body["messages"]
        known = next((at for at in range(len(marks) - 1, 0, -1) if marks[at] in self.tips), 0)
        rewritten = not known and len(messages) > 1 and marks[1] in self.firsts
        self.firsts.add(marks[1])
        if rewritten:
            history = History()
            for message in messages:
                history.append(_message(message))
            thread = self.stretches.thread()
            thread.rewritten(history, "rewritten")
            return thread
        thread = self.tips.pop(marks[known]) if known else self.stretches.thread()
        for message in messages[known:]:
            _say(thread, message)
        return thread


def _say(thread: Thread, message: ApiObject) -> None:
    """One message of a request as an event."""
    blocks = blocks_of(message["content"])
    if message["role"] == "assistant":
        thread.reply(*_reply({**message, "content": blocks}))
    elif message["role"] == "system":
        thread.insert(blocks, "system")
    elif any(block["type"] == "tool_result" for block in blocks):
        thread.results(blocks)
    else:
        thread.prompt(_message(message))


def _reply(message: ApiObject) -> tuple[ApiObject, list[str]]:
    whole = {**message, "type": "message", "role": "assistant"}
    return with_stop_reason({**whole, "content": blocks_of(message["content"])})


def _message(message: ApiObject) -> ApiObject:
    content = message["content"]
    kept = content if isinstance(content, str) else blocks_of(content)
    return {"role": message["role"], "content": kept}


def _parameters(run: RecordedRun, turn: Turn, body: ApiObject) -> None:
    """What a call sent beside the messages: of the run, or where it differs, of the turn."""
    said = {name: body[name] for name in _PARAMETERS if _is_parameter(name, body.get(name))}
    request = run.request
    if all(getattr(request, name) is None for name in _PARAMETERS):
        for name, value in said.items():
            setattr(request, name, value)
    else:
        turn.request = {
            name: value for name, value in said.items() if getattr(request, name) != value
        }


def _is_parameter(name: str, value: Any) -> bool:
    match name:
        case "max_tokens":
            return isinstance(value, int) and not isinstance(value, bool) and value > 0
        case "tools":
            return isinstance(value, list) and all(isinstance(one, dict) for one in value)
        case "system" if isinstance(value, list):
            return all(isinstance(one, dict) for one in value)
    return isinstance(value, str)


def _marks(body: ApiObject | None) -> list[bytes]:
    """A running mark over a request: equal where two requests begin alike.

    One for each number of messages, from none on.
    """
    marks = [_ROOT]
    for message in (body or {}).get("messages", []):
        marks.append(_mark(marks[-1], message["role"], blocks_of(message["content"])))
    return marks


def _mark(before: bytes, role: str, blocks: list[ApiObject]) -> bytes:
    seen = blake2b(before + role.encode(), digest_size=16)
    for block in blocks:
        kind = block["type"]
        if kind in ("thinking", "redacted_thinking"):
            continue  # some clients drop them
        names = _COMPARED.get(kind, _COMPARED_ELSE if role == "assistant" else tuple(block))
        told = {
            name: block[name]
            for name in names
            if block.get(name) is not None and name != "cache_control"
        }
        seen.update(kind.encode("utf-8", "replace") + canonical(told))
    return seen.digest()


FORMAT = Format("messages-api", 10, claims, read)
