"""Sessions of the Gemini CLI: messages with their tool calls, results inside the calls.

A session is one document, or a line a message with notes in between: what was said again
under an id replaces it, and a rewind goes on from before a message. A call that had to be
allowed may stand in a message of its own: it belongs to the reply before it.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.decode import Decoded
from visualizer.formats.gemini_parts import (
    Entry,
    responses,
    result_of,
    tokens_of,
    user_blocks,
)
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.replies import Draft, result
from visualizer.formats.stretches import Stretches
from visualizer.history import History

_FAILED = "[API Error"


def claims(sample: Sample) -> bool:
    """Whether a session, or a reply of one, is among the first entries."""
    return any("projectHash" in one or _is_reply(one) for one in sample.items)


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in a session."""
    items = [one for _, one in decoded.items]
    held: list[Entry] = []
    for one in items:
        if isinstance(one.get("messages"), list):
            held += entries(one["messages"])
        else:
            held.append(one)
    _Teller(outside).tell(_merged(_latest(held)))


def _is_reply(one: Entry) -> bool:
    return one.get("type") == "gemini" and "content" in one


def _latest(held: list[Entry]) -> list[Entry]:
    """Each message as it was said last, where it was said first."""
    places: dict[str, int] = {}
    found: list[Entry] = []
    for one in held:
        name = one.get("id")
        if isinstance(name, str) and "type" in one:
            if name in places:
                found[places[name]] = one
                continue
            places[name] = len(found)
        elif "$rewindTo" in one:
            places.clear()
        found.append(one)
    return found


def _merged(messages: list[Entry]) -> list[Entry]:
    """Calls that stand in a message of their own, put to the reply that asked for them."""
    found: list[Entry] = []
    last: int | None = None
    for message in messages:
        kind = message.get("type")
        if last is not None and _is_bare(message) and not entries(found[last].get("toolCalls")):
            found[last] = {**found[last], "toolCalls": message["toolCalls"]}
            continue
        if kind == "gemini":
            last = len(found)
        elif kind == "user" or "$rewindTo" in message:
            last = None
        found.append(message)
    return found


def _is_bare(message: Entry) -> bool:
    """Whether a message holds calls, and nothing that a model call would have left."""
    said = message.get("content") or message.get("thoughts")
    spent = entry(message.get("tokens")).get("total")
    calls = entries(message.get("toolCalls"))
    return bool(message.get("type") == "gemini" and calls and not said and not spent)


class _Teller:
    """Says the messages of a session as events."""

    def __init__(self, outside: Outside) -> None:
        self.findings = outside.findings
        self.stretches = Stretches(outside)
        self.thread = self.stretches.thread()
        self.before: dict[str, int] = {}
        self.number = 0

    def tell(self, messages: list[Entry]) -> None:
        """All of them, in their order."""
        for message in messages:
            name = message.get("id")
            if isinstance(name, str):
                self.before[name] = len(self.thread.history)
            self._take(message)
        self.stretches.finish()

    def _take(self, message: Entry) -> None:
        kind, content = message.get("type"), message.get("content")
        if "$rewindTo" in message:
            self._rewind(message["$rewindTo"])
        elif kind == "user":
            blocks = user_blocks(content)
            sent = content if isinstance(content, str) else blocks
            self.thread.prompt({"role": "user", "content": sent})
        elif kind == "gemini":
            self._reply(message)
        elif kind == "error" and isinstance(content, str) and content.startswith(_FAILED):
            error = {"type": "api_error", "message": content}
            self.thread.failed(None, {"type": "error", "error": error})
        elif "sessionId" not in message:
            self.findings.count("format.other_line", kind=kind if isinstance(kind, str) else "?")

    def _rewind(self, name: Any) -> None:
        """The conversation goes on from before a message."""
        length = self.before.get(name) if isinstance(name, str) else None
        if length is None or length > len(self.thread.history):
            self.findings.count("format.missing_parent")
            return
        self.thread = self.stretches.thread("fork", History(self.thread.history, length))

    def _reply(self, message: Entry) -> None:
        self.number += 1
        draft = Draft()
        for thought in entries(message.get("thoughts")):
            words = (thought.get("subject"), thought.get("description"))
            draft.think("\n".join(one for one in words if isinstance(one, str)))
        content = message.get("content")
        draft.say(content)
        draft.content += user_blocks(content)
        calls = entries(message.get("toolCalls"))
        for at, call in enumerate(calls, 1):
            made = f"reply-{self.number}-call-{at}"
            draft.ask(call.get("name"), call.get("args"), call.get("id"), made)
        spent = entry(message.get("tokens"))
        usage = tokens_of(*(spent.get(one) for one in ("input", "output", "thoughts", "cached")))
        model = message.get("model")
        known = model if isinstance(model, str) else None
        self.thread.reply(*draft.message(model=known, usage=usage))
        if self.thread.latest is not None and self.thread.latest.request.model is None:
            self.thread.latest.request.model = known
        for call, name in zip(calls, draft.requests, strict=True):
            self._result(call, name)

    def _result(self, call: Entry, name: str) -> None:
        """What a call gave, kept in it; a call that was stopped may have nothing."""
        given = call.get("result")
        found = responses(given)
        if found:
            block = result_of(name, found[0])
            more = user_blocks(given)
            self.thread.results([block, *more])
        elif isinstance(given, str) or (isinstance(given, list) and given):
            content = given if isinstance(given, str) else user_blocks(given)
            self.thread.results([result(name, content, call.get("status") == "error")])


FORMAT = Format("gemini-cli", 64, claims, read, by_line=True)
