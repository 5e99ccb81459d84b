"""Calls of the Gemini API: contents as they were sent, with responses or without, or only
the responses.

Calls often have no ids: a response then answers the first call of its name that waits, which
is marked as inferred.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.decode import Decoded
from visualizer.formats.gemini_http import unpacked
from visualizer.formats.gemini_parts import (
    Entry,
    Reply,
    call_in,
    responses,
    result_of,
    said_parts,
    tokens_of,
    user_blocks,
)
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.replies import Draft, give, sent_with, tools_of
from visualizer.formats.stretches import Stretches
from visualizer.transcript import ApiObject, Turn

_SETTING = ("<session_context>", "This is the Gemini CLI. We are setting up the context")
MOST_CHATS = 20
"""Conversations that are looked through for the one that a request goes on with."""

_SNAPSHOT = "<state_snapshot>"
_CANNED = ("Got it. Thanks for the context!", "Got it. Thanks for the additional context!")
"""What the Gemini CLI puts into the contents beside what its user and the model say."""


def claims(sample: Sample) -> bool:
    """Whether the first entries are contents, requests or responses."""
    first = unpacked(sample.items)[:10]
    return any(map(_is_call, first)) or (bool(first) and all(map(_is_content, first)))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in recorded calls."""
    items = unpacked([one for _, one in decoded.items])
    if not any(map(_is_call, items)):
        items = [{"contents": items}]
    teller = _Teller(outside)
    for one in items:
        if _is_call(one):
            teller.call(one)
        else:
            outside.findings.count("format.other_provider")
    teller.finish()


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
        self.chats: list[_Chat] = []

    def call(self, one: Entry) -> None:
        """A request, its response, or both."""
        request = entry(one.get("request")) or one
        contents = entries(request.get("contents"))
        chat = self._chat(contents)
        if contents:
            chat.request(request, contents)
        came = one.get("response", one if _is_response(one) else None)
        chunks = entries(came) or ([came] if isinstance(came, dict) else [])
        if chunks:
            chat.response(chunks)
        chat.sent()

    def finish(self) -> None:
        """All calls are in."""
        self.stretches.finish()
        for chat in self.chats:
            chat.sent()

    def _chat(self, contents: list[Entry]) -> _Chat:
        """The conversation that goes on: the one that most of what was sent is known from."""
        fitting = [
            chat for chat in self.chats[-MOST_CHATS:] if contents[: len(chat.known)] == chat.known
        ]
        if fitting:
            return max(fitting, key=lambda chat: len(chat.known))
        self.chats.append(_Chat(self.stretches))
        return self.chats[-1]


class _Chat:
    """One conversation: what was sent last, and what waits for a response."""

    def __init__(self, stretches: Stretches) -> None:
        self.findings = stretches.outside.findings
        self.thread = stretches.thread()
        self.known: list[Entry] = []
        self.answered = False
        self.turn: Turn | None = None
        self.waiting: list[tuple[str, Any]] = []
        self.names: dict[str, str] = {}
        self.replies = 0
        self.settings: tuple[Any, Any, Any] = (None, None, None)

    def sent(self) -> None:
        """What the calls of the latest run sent beside the contents."""
        sent_with(self.thread, *self.settings)

    def request(self, request: Entry, contents: list[Entry]) -> None:
        """What was sent; the reply that was given before is known."""
        new = contents[len(self.known) :]
        if self.answered and new and new[0].get("role") == "model":
            self._named(new[0].get("parts"))
            new = new[1:]
        self.known, self.answered = contents, False
        given = request.get("systemInstruction", request.get("system_instruction"))
        instruction = "\n".join(
            str(block.get("text", "")) for block in user_blocks(entry(given).get("parts"))
        )
        system = given if isinstance(given, str) else instruction
        tools = [
            one
            for kept in entries(request.get("tools"))
            for one in entries(kept.get("functionDeclarations"))
        ]
        self.settings = (request.get("model"), system, tools_of(tools))
        for content in new:
            self._content(content)
            self.sent()

    def _named(self, parts: Any) -> None:
        """The ids that a client gave to the calls of a reply when it sent that back."""
        calls = [call for part in entries(parts) if (call := call_in(part)) is not None]
        self.names = {
            call["id"]: made
            for call, (made, called) in zip(calls, self.waiting, strict=False)
            if isinstance(call.get("id"), str) and call["id"] != made and call.get("name") == called
        }

    def _content(self, content: Entry) -> None:
        parts = content.get("parts")
        if content.get("role") == "model":
            self._said(parts)
            return
        found = responses(parts)
        for response in found:
            self._answer(response)
        blocks = user_blocks(parts)
        if found and blocks:
            self.thread.insert(blocks, "beside_results")
        elif blocks:
            self._prompt(blocks)

    def _prompt(self, blocks: list[ApiObject]) -> None:
        text = str(blocks[0].get("text", "")).lstrip()
        message = {"role": "user", "content": blocks}
        self.waiting = []
        if text.startswith(_SNAPSHOT):
            self.thread.prompt(message, "compaction", asks=False)
        else:
            self.thread.prompt(message, asks=not text.startswith(_SETTING))

    def _said(self, parts: Any) -> None:
        """A reply that stands in the contents: without its flag, and perhaps not the model's."""
        draft = Draft()
        said_parts(parts, draft, f"reply-{self.replies + 1}")
        words = [block.get("text") for block in draft.content]
        if len(words) == 1 and words[0] in _CANNED:
            self.findings.count("format.synthetic")
            self.thread.prompt({"role": "assistant", "content": draft.content}, asks=False)
        else:
            self._reply(draft.message(), draft)

    def response(self, chunks: list[Entry]) -> None:
        """A response, whole or in the pieces of a stream."""
        failed = next((one["error"] for one in chunks if isinstance(one.get("error"), dict)), None)
        if failed is not None:
            code = failed.get("code")
            status = code if isinstance(code, int) else None
            self.thread.failed(status, {"type": "error", "error": failed})
            return
        draft = Draft()
        raw: Any = None
        usage: Entry = {}
        model: str | None = None
        for at, chunk in enumerate(chunks):
            candidate = next(iter(entries(chunk.get("candidates"))), {})
            content = entry(candidate.get("content"))
            said_parts(content.get("parts"), draft, f"reply-{self.replies + 1}", at > 0)
            blocked = entry(chunk.get("promptFeedback")).get("blockReason")
            raw = candidate.get("finishReason") or blocked or raw
            usage = entry(chunk.get("usageMetadata")) or usage
            said = chunk.get("modelVersion")
            model = said if isinstance(said, str) else model
        self._reply(draft.message(raw, model=model, usage=_tokens(usage)), draft)
        self.answered = True

    def _reply(self, made: Reply, draft: Draft) -> None:
        self.replies += 1
        self.turn = self.thread.reply(*made)
        asked = [block for block in draft.content if block["type"] == "tool_use"]
        self.waiting = [(block["id"], block["name"]) for block in asked]

    def _answer(self, response: Entry) -> None:
        """A tool's response: for the call with its id, else for the first of its name."""
        name = response.get("id")
        if isinstance(name, str) and name in self.names:
            give(self.thread, self.turn, result_of(self.names[name], response))
        elif isinstance(name, str) and name:
            self.waiting = [one for one in self.waiting if one[0] != name]
            self.thread.results([result_of(name, response)])
        else:
            self._answer_by_name(response)

    def _answer_by_name(self, response: Entry) -> None:
        called = response.get("name")
        found = next((one for one in self.waiting if one[1] == called), None)
        if found is None:
            self.thread.results([result_of(None, response)])
        else:
            self.waiting.remove(found)
            give(self.thread, self.turn, result_of(found[0], response))


def _tokens(usage: Entry) -> ApiObject | None:
    return tokens_of(
        usage.get("promptTokenCount"),
        usage.get("candidatesTokenCount"),
        usage.get("thoughtsTokenCount"),
        usage.get("cachedContentTokenCount"),
    )


FORMAT = Format("gemini", 65, claims, read)
