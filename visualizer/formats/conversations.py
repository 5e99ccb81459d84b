"""Recorded calls put into the conversations that they continue.

Requests say exactly what was sent, so that which call continues which is seen from them: a
request that begins with an earlier one and its reply goes on with it, whoever else called in
between. What is compared leaves out what clients change when they send a reply back. Where
the server keeps the conversation, a request names what it continues instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from visualizer.formats.blocks import NOT_RECORDED, blocks_of, with_stop_reason
from visualizer.formats.exchanges import Exchange
from visualizer.formats.outside import Outside
from visualizer.formats.stretches import Stretches, Thread
from visualizer.history import History
from visualizer.messages import canonical
from visualizer.transcript import ApiObject, RecordedRun, Turn

_PARAMETERS = ("model", "system", "tools", "max_tokens")
_ROOT = b""
_COMPARED = {"text": ("text",), "tool_use": ("id", "name", "input")}
_COMPARED_ELSE = ("id", "tool_use_id")
"""What is compared of a reply that was sent back, by the type of its blocks."""

_DROPPED = ("thinking", "redacted_thinking")
_SERVED = ("_call", "_call_output", "mcp_list_tools")
"""What some clients drop: thoughts, and what the server did itself."""

_THOUGHT = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
"""How some clients send thoughts back."""

Finish = Callable[[ApiObject], tuple[ApiObject, list[str]]]
"""Gives a Message object its stop reason, and pointers to what is inferred in it."""


class Conversations:
    """Says exchanges as events, each in the conversation that it continues."""

    def __init__(self, outside: Outside, finish: Finish = with_stop_reason) -> None:
        self.stretches = Stretches(outside)
        self.findings = outside.findings
        self.finish = finish
        self.tips: dict[bytes, Thread] = {}
        self.lengths: dict[bytes, tuple[History, int]] = {}
        self.firsts: set[bytes] = set()
        self.retried: dict[bytes, list[Exchange]] = {}

    def read(self, exchanges: list[Exchange]) -> None:
        """All of them, in their order."""
        marks = [_marks(one) for one in exchanges]
        last = {marks[at][-1]: at for at, one in enumerate(exchanges) if one.body}
        for at, one in enumerate(exchanges):
            if one.error is not None and last.get(marks[at][-1], -1) > at:
                self.retried.setdefault(marks[at][-1], []).append(one)
            else:
                self._take(one, marks[at])
        self.stretches.finish()

    def _take(self, one: Exchange, marks: list[bytes]) -> None:
        thread = self._thread(one, marks)
        for failed in self.retried.pop(marks[-1], []):
            thread.failed(failed.status, failed.error or {}, handled=True)
        if one.error is not None:
            thread.failed(one.status, one.error)
        elif one.response is not None:
            turn = thread.reply(*self._reply(one.response))
            content = turn.response["content"] if turn.response else []
            if thread.run is not None:
                parameters(thread.run, turn, one.body or {})
            if one.body is not None:
                self.tips[_mark(marks[-1], "assistant", content)] = thread
            for name in one.names:
                self.tips[_named(name)] = thread
                self.lengths[_named(name)] = thread.history, len(thread.history)

    def _thread(self, one: Exchange, marks: list[bytes]) -> Thread:
        """The conversation that an exchange continues, with what is new in it said."""
        messages = one.body["messages"] if one.body is not None else []
        known = next((at for at in range(len(marks) - 1, 0, -1) if marks[at] in self.tips), 0)
        said = known
        if known:
            thread = self.tips.pop(marks[known])
        elif one.body is None or one.continues is not None:
            thread = self._named_thread(one, marks[0])
        elif one.compacted:
            thread, said = self._rewritten(messages[: one.compacted], "compaction"), one.compacted
        elif len(messages) > 1 and marks[1] in self.firsts:
            thread, said = self._rewritten(messages, "rewritten"), len(messages)
        else:
            thread = self.stretches.thread()
        self.firsts.update(marks[1:2])
        for message in messages[said:]:
            self._say(thread, message)
        return thread

    def _named_thread(self, one: Exchange, mark: bytes) -> Thread:
        """The conversation that goes by a name: further on, from there anew, or unknown."""
        thread = self.tips.pop(mark, None)
        if thread is not None and (
            mark not in self.lengths or len(thread.history) == self.lengths[mark][1]
        ):
            if one.continues is None:
                self.tips[mark] = thread
            return thread
        if mark in self.lengths:
            return self.stretches.thread("fork", History(*self.lengths[mark]))
        made = self.stretches.thread()
        if one.continues is None:
            self.tips[mark] = made
        elif not one.begins:
            self.findings.count("format.not_recorded")
            made.history.append(NOT_RECORDED)
        return made

    def _rewritten(self, messages: list[ApiObject], started_by: str) -> Thread:
        history = History()
        for message in messages:
            history.append(_message(message))
        thread = self.stretches.thread()
        thread.rewritten(history, started_by)
        return thread

    def _say(self, thread: Thread, message: ApiObject) -> None:
        """One message of a request as an event."""
        blocks = blocks_of(message["content"])
        if message["role"] == "assistant":
            thread.reply(*self._reply({**message, "content": blocks}))
        elif message["role"] == "system":
            thread.insert(blocks, "system")
        elif any(block["type"] == "tool_result" for block in blocks):
            thread.results(blocks)
        else:
            thread.prompt(_message(message))

    def _reply(self, message: ApiObject) -> tuple[ApiObject, list[str]]:
        whole = {**message, "type": "message", "role": "assistant"}
        return self.finish({**whole, "content": blocks_of(message["content"])})


def _message(message: ApiObject) -> ApiObject:
    content = message["content"]
    kept = content if isinstance(content, str) else blocks_of(content)
    return {"role": message["role"], "content": kept}


def parameters(run: RecordedRun, turn: Turn, body: ApiObject) -> None:
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


def _marks(one: Exchange) -> list[bytes]:
    """A running mark over a request: equal where two requests begin alike.

    One for each number of messages, from none on.
    """
    marks = [_ROOT if one.continues is None else _named(one.continues)]
    for message in one.body["messages"] if one.body is not None else []:
        marks.append(_mark(marks[-1], message["role"], blocks_of(message["content"])))
    return marks


def _named(name: str) -> bytes:
    """The mark of a conversation that goes by a name."""
    return b"name " + name.encode("utf-8", "replace")


def _mark(before: bytes, role: str, blocks: list[ApiObject]) -> bytes:
    seen = blake2b(before + role.encode(), digest_size=16)
    for block in blocks:
        kind = block["type"]
        if kind in _DROPPED or (role == "assistant" and kind.endswith(_SERVED)):
            continue
        names = _COMPARED.get(kind, _COMPARED_ELSE if role == "assistant" else tuple(block))
        told = {
            name: block[name]
            for name in names
            if block.get(name) is not None and name != "cache_control"
        }
        if role == "assistant" and kind == "text" and isinstance(text := told.get("text"), str):
            told["text"] = _THOUGHT.sub("", text)
            if not told["text"]:
                continue
        seen.update(kind.encode("utf-8", "replace") + canonical(told))
    return seen.digest()
