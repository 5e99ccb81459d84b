"""Contents and responses of the Gemini API, as messages of the Messages API.

Calls often have no ids, and clients make some of their own: a response then answers the first
call of its name that waits. Both say so by the call's place in its reply.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.gemini.parts import (
    CANNED,
    HOSTS,
    SNAPSHOT,
    Entry,
    first_text,
    responses,
    result_of,
    said_parts,
    tokens_of,
    user_blocks,
)
from visualizer.formats.telling.replies import Draft
from visualizer.formats.telling.tool_ids import placed
from visualizer.transcript.records import ApiObject


def messages_of(contents: list[Entry]) -> list[ApiObject]:
    """What was sent. Responses to the calls of one reply are one message."""
    found: list[ApiObject] = []
    pairs = _Pairs()
    answers = False
    for content in contents:
        parts = content.get("parts")
        if content.get("role") == "model":
            answers = False
            found.append({"role": "assistant", "content": _said(parts)})
            pairs.reply(found[-1]["content"])
            continue
        came = [result_of(pairs.answered(one), one) for one in responses(parts)]
        blocks = [*came, *user_blocks(parts)]
        if came and answers:
            found[-1]["content"] += blocks
        elif blocks:
            answers = bool(came)
            found.append({"role": "user", "content": blocks})
    return found


def hosts_in(messages: list[ApiObject]) -> dict[int, str]:
    """The places of what the Gemini CLI wrote itself, with how a run begins there."""
    found: dict[int, str] = {}
    for place, message in enumerate(messages):
        blocks = message["content"]
        text = first_text(blocks)
        if any(block["type"] == "tool_result" for block in blocks):
            continue
        if message["role"] == "assistant":
            if len(blocks) == 1 and text in CANNED:
                found[place] = "prompt"
        elif text.lstrip().startswith(SNAPSHOT):
            found[place] = "compaction"
        elif text.lstrip().startswith(HOSTS):
            found[place] = "prompt"
    return found


def reply_of(chunks: list[Entry]) -> ApiObject:
    """A response, whole or in the pieces of a stream; its first candidate is gone on with."""
    draft = Draft()
    raw: Any = None
    usage: Entry = {}
    model: Any = None
    for at, chunk in enumerate(chunks):
        candidate = next(iter(entries(chunk.get("candidates"))), {})
        said_parts(entry(candidate.get("content")).get("parts"), draft, at > 0)
        blocked = entry(chunk.get("promptFeedback")).get("blockReason")
        raw = candidate.get("finishReason") or blocked or raw
        usage = entry(chunk.get("usageMetadata")) or usage
        model = chunk.get("modelVersion") or model
    told = {"finish_reason": raw, "model": model, "usage": _tokens(usage)}
    shown = {name: value for name, value in told.items() if value is not None}
    return {"role": "assistant", "content": draft.content, **shown}


def finish(message: ApiObject) -> tuple[ApiObject, list[str]]:
    """A Message object with its stop reason, and what in it is not the recording's own word."""
    told = {name: value for name, value in message.items() if name != "finish_reason"}
    model = told.get("model")
    draft = Draft()
    draft.content = told.pop("content")
    draft.requests = [str(one.get("id")) for one in draft.content if one["type"] == "tool_use"]
    told["model"] = model if isinstance(model, str) else None
    return draft.message(message.get("finish_reason"), **told)


class _Pairs:
    """Which call of the reply before it a response answers."""

    def __init__(self) -> None:
        self._waiting: list[tuple[str, str]] | None = None
        self._asked: set[str] = set()
        self._left = 0

    def reply(self, blocks: list[ApiObject]) -> None:
        """A reply, whose calls are waiting now."""
        asked = [block for block in blocks if block["type"] == "tool_use"]
        self._waiting = [(block["id"], block["name"]) for block in asked]
        self._asked.update(name for name, _ in self._waiting)

    def answered(self, response: Entry) -> str:
        """The call with its id, else the first of its name; where none is known its own id."""
        name, called = response.get("id"), response.get("name")
        known = name if isinstance(name, str) else ""
        if self._waiting is None and not known:  # the reply is not among what was sent
            self._left += 1
            return placed(self._left)
        waiting = self._waiting or []
        by_id = next((one for one in waiting if known and one[0] == known), None)
        if by_id is None and known in self._asked:
            return known
        found = by_id or next((one for one in waiting if called in (one[1], None, "")), None)
        if found is None:
            return known
        waiting.remove(found)
        return found[0]


def _said(parts: Any) -> list[ApiObject]:
    draft = Draft()
    said_parts(parts, draft)
    return draft.content


def _tokens(usage: Entry) -> ApiObject | None:
    return tokens_of(
        usage.get("promptTokenCount"),
        usage.get("candidatesTokenCount"),
        usage.get("thoughtsTokenCount"),
        usage.get("cachedContentTokenCount"),
    )
