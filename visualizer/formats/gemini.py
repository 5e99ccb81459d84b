"""Calls of the Gemini API: contents as they were sent, with responses or without, or only
the responses.

Calls often have no ids, and clients make some of their own: a response then answers the first
call of its name that waits, which is marked as inferred.
"""

from __future__ import annotations

import json
from itertools import count

from visualizer.formats.blocks import entries, entry
from visualizer.formats.decode import Decoded
from visualizer.formats.gemini_chat import Chat, asked_in, has_reply
from visualizer.formats.gemini_http import unpacked
from visualizer.formats.gemini_parts import Entry
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.stretches import Stretches

MOST_CHATS = 20
"""Conversations that are looked through for the one that a request goes on with."""


def claims(sample: Sample) -> bool:
    """Whether the first entries are contents, requests or responses."""
    first = unpacked(sample.items)[:10]
    return any(map(_is_call, first)) or (bool(first) and all(map(_is_content, first)))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in recorded calls."""
    items = unpacked([one for _, one in decoded.items])
    if not any(map(_is_call, items)):
        items = [{"contents": items}]
    calls = [one for one in items if _is_call(one)]
    outside.findings.count("format.other_provider", len(items) - len(calls))
    teller = _Teller(outside)
    for one, again in zip(calls, _sent_again(calls), strict=True):
        teller.call(one, again)
    teller.finish()


def _sent_again(calls: list[Entry]) -> list[bool]:
    """Which calls failed and were made once more, with the same contents."""
    failed = [_error_in(one) is not None for one in calls]
    if not any(failed):
        return failed
    sent = [json.dumps(entries(_request_of(one).get("contents"))) for one in calls]
    last = {contents: at for at, contents in enumerate(sent)}
    return [bad and last[sent[at]] > at for at, bad in enumerate(failed)]


def _request_of(one: Entry) -> Entry:
    return entry(one.get("request")) or one


def _chunks_of(one: Entry) -> list[Entry]:
    """The response of a call, whole or in the pieces of a stream; empty where there is none."""
    came = one.get("response", one if _is_response(one) else None)
    return entries(came) or ([came] if isinstance(came, dict) else [])


def _error_in(one: Entry) -> Entry | None:
    found = (chunk.get("error") for chunk in _chunks_of(one))
    return next((error for error in found if isinstance(error, dict)), None)


def _is_content(one: Entry) -> bool:
    return isinstance(one.get("parts"), list) and one.get("role") in ("user", "model", "function")


def _is_call(one: Entry) -> bool:
    if any(map(_is_content, entries(one.get("contents"))[:5])) or _is_response(one):
        return True
    inner = one.get("request")
    if isinstance(inner, dict) and _is_call(inner):
        return True
    came = one.get("response")
    return any(map(_is_response, [entry(came), *entries(came)[:5]]))


def _is_response(one: Entry) -> bool:
    return isinstance(one.get("candidates"), list) or isinstance(one.get("promptFeedback"), dict)


class _Teller:
    """Says calls as events; one that begins as an earlier one goes on with it."""

    def __init__(self, outside: Outside) -> None:
        self.findings = outside.findings
        self.stretches = Stretches(outside)
        self.numbers = count(1)
        self.chats: list[Chat] = []

    def call(self, one: Entry, again: bool) -> None:
        """A request, its response, or both; ``again`` where it failed and was sent once more."""
        request = _request_of(one)
        contents = entries(request.get("contents"))
        chat = self._chat(contents)
        if contents:
            chat.request(request, contents)
        error, chunks = _error_in(one), _chunks_of(one)
        if error is not None:
            chat.failed(error, again)
        elif chunks:
            chat.response(chunks)
        chat.sent()

    def finish(self) -> None:
        """All calls are in."""
        self.stretches.finish()
        for chat in self.chats:
            chat.sent()

    def _chat(self, contents: list[Entry]) -> Chat:
        """The conversation that goes on: the one that most of what was sent is known from."""
        latest = self.chats[-MOST_CHATS:]
        fitting = [chat for chat in latest if chat.goes_on(contents)]
        if fitting:
            return max(fitting, key=lambda chat: (len(chat.known), chat.gave(contents)))
        made = Chat(self.stretches, self.numbers)
        asked = asked_in(contents)
        if any(asked == chat.asked and chat.asked for chat in latest) and has_reply(contents):
            made.rewritten(contents)
        self.chats.append(made)
        return made


FORMAT = Format("gemini", 65, claims, read)
