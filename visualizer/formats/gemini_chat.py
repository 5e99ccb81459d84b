"""One conversation with the Gemini API: what was sent last, and what waits for a response."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.gemini_parts import (
    CANNED,
    HOSTS,
    SNAPSHOT,
    Entry,
    Reply,
    call_in,
    first_text,
    responses,
    result_of,
    said_parts,
    tokens_of,
    user_blocks,
)
from visualizer.formats.outside import Outside
from visualizer.formats.replies import Draft, give, sent_with, tools_of
from visualizer.formats.stretches import Stretches
from visualizer.transcript import ApiObject, Turn


def asked_in(contents: list[Entry]) -> list[Entry]:
    """What a conversation begins with, but for what the client puts there: one content."""
    users = (one for one in contents if one.get("role") != "model")
    own = (one for one in users if not first_text(one.get("parts")).startswith((*HOSTS, SNAPSHOT)))
    return list(islice(own, 1))


def has_reply(contents: list[Entry]) -> bool:
    """Whether there is anything of the model among what was sent."""
    said = (one for one in contents if one.get("role") == "model")
    return any(first_text(one.get("parts")) not in CANNED for one in said)


class Chat:
    """One conversation: what was sent last, and what waits for a response."""

    def __init__(self, stretches: Stretches, numbers: Iterator[int]) -> None:
        self.stretches = stretches
        self.findings = stretches.outside.findings
        self.thread = stretches.thread()
        self.numbers = numbers
        self.known: list[Entry] = []
        self.asked: list[Entry] = []
        self.answered = False
        self.given: list[Any] = []
        self.turn: Turn | None = None
        self.waiting: list[tuple[str, Any]] = []
        self.names: dict[str, str] = {}
        self.settings: tuple[Any, Any, Any] = (None, None, None)

    def goes_on(self, contents: list[Entry]) -> bool:
        """Whether a request goes on from here; the same again after a reply does not."""
        if not contents or (self.answered and len(contents) <= len(self.known)):
            return not contents and not self.known
        return contents[: len(self.known)] == self.known

    def gave(self, contents: list[Entry]) -> bool:
        """Whether the reply that a request sends back is the one that was given here."""
        sent = contents[len(self.known) : len(self.known) + 1]
        return bool(self.given) and [_said_in(one.get("parts")) for one in sent] == self.given

    def rewritten(self, contents: list[Entry]) -> None:
        """The client sends another history than it did: what is in it was told before."""
        other = Chat(Stretches(Outside(self.stretches.outside.format)), self.numbers)
        for content in contents:
            other._content(content)
        self.thread.rewritten(other.thread.history, "rewritten")
        self.known, self.asked, self.waiting = contents, asked_in(contents), other.waiting

    def sent(self) -> None:
        """What the calls of the latest run sent beside the contents."""
        sent_with(self.thread, *self.settings)

    def request(self, request: Entry, contents: list[Entry]) -> None:
        """What was sent; the reply that was given before is known."""
        self.asked = self.asked or asked_in(contents)
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
            for one in entries(kept.get("functionDeclarations", kept.get("function_declarations")))
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
        text = first_text(blocks).lstrip()
        message = {"role": "user", "content": blocks}
        self.waiting = []
        if text.startswith(SNAPSHOT):
            self.thread.prompt(message, "compaction", asks=False)
        else:
            self.thread.prompt(message, asks=not text.startswith(HOSTS))

    def _said(self, parts: Any) -> None:
        """A reply that stands in the contents: without its flag, and perhaps not the model's."""
        draft = Draft()
        said_parts(parts, draft, self._made())
        words = [block.get("text") for block in draft.content]
        if len(words) == 1 and words[0] in CANNED:
            self.findings.count("format.synthetic")
            self.thread.prompt({"role": "assistant", "content": draft.content}, asks=False)
        else:
            self._reply(draft.message(), draft)

    def failed(self, error: Entry, again: bool) -> None:
        """An error instead of a reply."""
        code = error.get("code")
        status = code if isinstance(code, int) else None
        self.thread.failed(status, {"type": "error", "error": error}, again)

    def response(self, chunks: list[Entry]) -> None:
        """A response, whole or in the pieces of a stream."""
        draft = Draft()
        raw: Any = None
        usage: Entry = {}
        model: str | None = None
        made = self._made()
        for at, chunk in enumerate(chunks):
            candidate = next(iter(entries(chunk.get("candidates"))), {})
            content = entry(candidate.get("content"))
            said_parts(content.get("parts"), draft, made, at > 0)
            blocked = entry(chunk.get("promptFeedback")).get("blockReason")
            raw = candidate.get("finishReason") or blocked or raw
            usage = entry(chunk.get("usageMetadata")) or usage
            said = chunk.get("modelVersion")
            model = said if isinstance(said, str) else model
        choices = max(len(entries(chunk.get("candidates"))) for chunk in chunks)
        self.findings.count("format.other_choices", max(0, choices - 1))
        self._reply(draft.message(raw, model=model, usage=_tokens(usage)), draft)
        self.answered = True
        parts = [entries(entry(one.get("content")).get("parts")) for one in _firsts(chunks)]
        self.given = [_said_in([part for some in parts for part in some])]

    def _made(self) -> str:
        """How the ids begin of the calls of the next reply, where it gives none."""
        return f"reply-{next(self.numbers)}"

    def _reply(self, made: Reply, draft: Draft) -> None:
        self.turn = self.thread.reply(*made)
        asked = [block for block in draft.content if block["type"] == "tool_use"]
        self.waiting = [(block["id"], block["name"]) for block in asked]

    def _answer(self, response: Entry) -> None:
        """A tool's response: for the call with its id, else for the first of its name."""
        name = response.get("id")
        if isinstance(name, str) and name in self.names:
            give(self.thread, self.turn, result_of(self.names[name], response))
        elif isinstance(name, str) and name in self.stretches.ids.asked:
            self.waiting = [one for one in self.waiting if one[0] != name]
            self.thread.results([result_of(name, response)])
        else:
            self._answer_by_name(name, response)

    def _answer_by_name(self, name: Any, response: Entry) -> None:
        called = response.get("name")
        found = next((one for one in self.waiting if called in (one[1], None, "")), None)
        if found is None:
            self.thread.results([result_of(name, response)])
        else:
            self.waiting.remove(found)
            give(self.thread, self.turn, result_of(found[0], response))


def _firsts(chunks: list[Entry]) -> list[Entry]:
    """The first candidate of each piece of a response."""
    return [one for chunk in chunks for one in entries(chunk.get("candidates"))[:1]]


def _said_in(parts: Any) -> tuple[str, list[Any]]:
    """What a reply says, whatever pieces it came in: its words, and the calls' arguments."""
    said = [part for part in entries(parts) if part.get("thought") is not True]
    calls = [(call.get("name"), call.get("args")) for part in said if (call := call_in(part))]
    return "".join(str(part["text"]) for part in said if "text" in part), calls


def _tokens(usage: Entry) -> ApiObject | None:
    return tokens_of(
        usage.get("promptTokenCount"),
        usage.get("candidatesTokenCount"),
        usage.get("thoughtsTokenCount"),
        usage.get("cachedContentTokenCount"),
    )
