"""Sessions of the Gemini CLI: messages with their tool calls, results inside the calls.

A call that had to be allowed may stand in a message of its own: it belongs to the reply before
it. Newer clients write the results once more, as what a user sent.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.gemini.cli_log import REWIND, REWRITTEN, SET, Log, messages_set, words_of
from visualizer.formats.gemini.parts import (
    CANNED,
    HOSTS,
    SNAPSHOT,
    Entry,
    call_in,
    responses,
    result_of,
    tokens_of,
    user_blocks,
)
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.replies import Draft, count_of, give, result
from visualizer.formats.telling.stretches import Stretches
from visualizer.transcript.history import History
from visualizer.transcript.records import ApiObject, Turn

_FAILED = "[API Error"


def claims(sample: Sample) -> bool:
    """Whether a session, or a reply of one, is among the first entries."""
    return any("projectHash" in one or _is_reply(one) or _is_note(one) for one in sample.items)


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in a session."""
    teller = _Teller(Stretches(outside))
    teller.tell(_merged(Log([one for _, one in decoded.items]).told))
    teller.stretches.finish()


def _is_note(one: Entry) -> bool:
    return isinstance(one.get(REWIND), str) or any(map(_is_reply, messages_set(one)))


def _is_reply(one: Entry) -> bool:
    return one.get("type") == "gemini" and "content" in one


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
        elif kind == "user" or REWIND in message:
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

    def __init__(self, stretches: Stretches, number: int = 0) -> None:
        self.stretches = stretches
        self.findings = stretches.outside.findings
        self.thread = stretches.thread()
        self.before: dict[str, int] = {}
        self.number = number
        self.session: Any = None
        self.turn: Turn | None = None
        self.asked: list[tuple[str, Any]] = []
        self.answered: set[str] = set()

    def tell(self, messages: list[Entry]) -> None:
        """All of them, in their order."""
        for message in messages:
            name = message.get("id")
            if isinstance(name, str):
                self.before[name] = len(self.thread.history)
            self._take(message)

    def _take(self, message: Entry) -> None:
        kind, content = message.get("type"), message.get("content")
        if REWIND in message:
            self._rewind(message[REWIND])
        elif REWRITTEN in message:
            self._rewrite(message[REWRITTEN])
        elif kind == "user":
            self._user(message)
        elif kind == "gemini":
            self._model(message)
        elif kind == "error" and isinstance(content, str) and content.startswith(_FAILED):
            error = {"type": "api_error", "message": content}
            self.thread.failed(None, {"type": "error", "error": error})
        elif "sessionId" in message:
            self._head(message["sessionId"])
        else:
            known = SET if SET in message else "?"
            self.findings.count("format.other_line", kind=kind if isinstance(kind, str) else known)

    def _head(self, session: Any) -> None:
        """The head of a session: of another one, where a file holds several."""
        if self.session not in (None, session):
            self.thread = self.stretches.thread()
            self.asked = []
        self.session = session

    def _rewind(self, name: Any) -> None:
        """The conversation goes on from before a message."""
        length = self.before.get(name) if isinstance(name, str) else None
        if length is None or length > len(self.thread.history):
            self.findings.count("format.missing_parent")
            return
        self.thread = self.stretches.thread("fork", History(self.thread.history, length))

    def _rewrite(self, messages: list[Entry]) -> None:
        """What is sent from now on begins with other messages: shortened, or put in words."""
        other = _Teller(Stretches(Outside(self.stretches.outside.format)), self.number)
        other.tell(messages)
        short = any(SNAPSHOT in words_of(one) for one in messages)
        self.thread.rewritten(other.thread.history, "compaction" if short else "rewritten")
        self.before |= other.before
        self.number, self.turn = other.number, None
        self.asked = other.asked
        self.answered |= other.answered

    def _user(self, message: Entry) -> None:
        content = message.get("content")
        blocks = user_blocks(content)
        if found := responses(content):
            again = [self._answer(one) for one in found]
            if blocks and not all(again):
                self.thread.results(blocks)
            return
        text = words_of(message).lstrip()
        sent = {"role": "user", "content": content if isinstance(content, str) else blocks}
        started_by = "compaction" if text.startswith(SNAPSHOT) else "prompt"
        self.thread.prompt(sent, started_by, asks=not text.startswith((*HOSTS, SNAPSHOT)))

    def _answer(self, response: Entry) -> bool:
        """A tool's response; true where the call holds it already."""
        name, called = response.get("id"), response.get("name")
        if isinstance(name, str) and name in self.answered:
            return True
        open_calls = [one for one, _ in self.asked if one not in self.answered]
        if isinstance(name, str) and (name in open_calls or name in self.stretches.ids.asked):
            self.thread.results([result_of(name, response)])
            self.answered.add(name)
            return False
        same = [one for one, known in self.asked if called in (known, None, "")]
        free = [one for one in same if one not in self.answered]
        if free:
            give(self.thread, self.turn, result_of(free[0], response))
            self.answered.add(free[0])
        elif not same:
            self.thread.results([result_of(name, response)])
        return bool(same and not free)

    def _model(self, message: Entry) -> None:
        """A reply; what the client says in the model's name is none."""
        if words_of(message) in CANNED and not entries(message.get("toolCalls")):
            self.findings.count("format.synthetic")
            content = [{"type": "text", "text": words_of(message)}]
            self.thread.prompt({"role": "assistant", "content": content}, asks=False)
        else:
            self._reply(message)

    def _reply(self, message: Entry) -> None:
        self.number += 1
        draft = Draft()
        self._think(message, draft)
        calls = _say(message, draft)
        for at, call in enumerate(calls, 1):
            made = f"reply-{self.number}-call-{at}"
            draft.ask(call.get("name"), call.get("args"), call.get("id"), made)
        spent = entry(message.get("tokens"))
        usage = tokens_of(*(spent.get(one) for one in ("input", "output", "thoughts", "cached")))
        model = message.get("model")
        known = model if isinstance(model, str) else None
        self.turn = self.thread.reply(*draft.message(model=known, usage=usage))
        if self.thread.latest is not None and self.thread.latest.request.model is None:
            self.thread.latest.request.model = known
        self.asked = [
            (one["id"], one["name"]) for one in draft.content if one["type"] == "tool_use"
        ]
        for call, name in zip(calls, draft.requests, strict=True):
            self._result(call, name)

    def _think(self, message: Entry, draft: Draft) -> None:
        thoughts = entries(message.get("thoughts"))
        for thought in thoughts:
            words = (thought.get("subject"), thought.get("description"))
            draft.think("\n".join(one for one in words if isinstance(one, str)))
        if not thoughts and count_of(entry(message.get("tokens")).get("thoughts")):
            self.findings.count("format.thoughts_left_out")

    def _result(self, call: Entry, name: str) -> None:
        """What a call gave, kept in it; a call that was stopped may have nothing."""
        given = call.get("result")
        found = responses(given)
        block: ApiObject
        if found:
            block = result_of(name, found[0])
            self.thread.results([block, *user_blocks(given)])
        elif isinstance(given, str) or (isinstance(given, list) and given):
            content = given if isinstance(given, str) else user_blocks(given)
            self.thread.results([result(name, content, call.get("status") == "error")])
        else:
            return
        self.answered.add(name)


def _say(message: Entry, draft: Draft) -> list[Entry]:
    """The words of a reply; gives its calls: those kept with it, and others among its parts."""
    content = message.get("content")
    calls = entries(message.get("toolCalls"))
    if isinstance(content, str):
        draft.say(content)
        return calls
    kept = [(one.get("name"), one.get("id")) for one in calls]
    parts = entries(content)
    thinks = any(block["type"] == "thinking" for block in draft.content)
    for part in parts:
        if part.get("thought") is not True:
            draft.content += user_blocks([part]) if call_in(part) is None else []
        elif not thinks:
            draft.think(part.get("text"))
    asked = [call for part in parts if (call := call_in(part)) is not None]
    if len(asked) <= len(kept):
        return calls
    return [*calls, *(one for one in asked if (one.get("name"), one.get("id")) not in kept)]


FORMAT = Format("gemini-cli", 64, claims, read, by_line=True)
