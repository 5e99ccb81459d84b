"""Parts of messages of Pydantic AI, in the words of the Messages API."""

from __future__ import annotations

import json
from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.telling.replies import Draft, is_reason, result, text_of, tokens_of
from visualizer.transcript.records import ApiObject

Entry = dict[str, Any]

RETRIES = ("retry-prompt", "retry-feedback")
"""Parts by which the host asks for another try; where one names a tool it is its result."""

_FAILED = ("failed", "retried")
"""Outcomes that the model is told of as errors; one that was denied is an ordinary result."""

_TEXTS = ("text-content", "structured-content")
_SERVED = {"builtin-tool-call": "server_tool_use", "builtin-tool-return": "server_tool_result"}


def kind_of(part: Entry) -> str:
    """What kind of part it is."""
    kind = part.get("part_kind")
    return kind if isinstance(kind, str) else "?"


def is_result(part: Entry) -> bool:
    """Whether a part answers a call."""
    kind = kind_of(part)
    return kind == "tool-return" or (kind == "retry-prompt" and bool(part.get("tool_name")))


def result_of(answers: Any, part: Entry) -> ApiObject:
    """A part that answers a call, as a result for the request ``answers``."""
    failed = kind_of(part) in RETRIES or part.get("outcome") in _FAILED
    return result(answers, _text(part.get("content")), failed)


def prompt_of(part: Entry) -> list[ApiObject]:
    """What the user sent, or the host in the user's name, as blocks."""
    content = part.get("content", part.get("transcript"))
    if not isinstance(content, list) or kind_of(part) in RETRIES:
        return [{"type": "text", "text": _text(content)}] if content is not None else []
    found = []
    for one in content:
        if isinstance(one, str):
            found.append({"type": "text", "text": one})
        elif isinstance(one, dict) and isinstance(one.get("kind"), str):
            found += _sent(one, one["kind"])
    return found


def _sent(one: Entry, kind: str) -> list[ApiObject]:
    """A text, a file or its address; where a cache ends is none of what was said."""
    if kind in _TEXTS:
        return [{"type": "text", "text": _text(one.get("content"))}]
    return [] if kind == "cache-point" else [{**one, "type": kind}]


def draft_of(response: Entry, made: str) -> Draft:
    """What the model said."""
    draft = Draft()
    for part in entries(response.get("parts")):
        kind = kind_of(part)
        if kind == "tool-call":
            number = len(draft.requests) + 1
            known, given = part.get("tool_call_id"), part.get("args") or None
            draft.ask(part.get("tool_name"), given, known, f"{made}-call-{number}")
        elif kind in ("text", "speech"):
            draft.say(part.get("content", part.get("transcript")))
        elif kind == "thinking":
            _think(draft, part)
        elif kind in _SERVED:
            told = {"id": part.get("tool_call_id"), "name": part.get("tool_name")}
            draft.content.append({**part, **told, "type": _SERVED[kind]})
        elif kind != "?":
            draft.content.append({**part, "type": kind})
    return draft


def _think(draft: Draft, part: Entry) -> None:
    """Thoughts; those that the provider keeps to itself have no text."""
    text, signed = part.get("content"), part.get("signature")
    block: ApiObject = {"type": "thinking", "thinking": text if isinstance(text, str) else ""}
    draft.content.append({**block, "signature": signed} if isinstance(signed, str) else block)


def reason_of(response: Entry) -> Any:
    """Why the model stopped: the provider's own word where it is known, else the file's."""
    own = entry(response.get("provider_details", response.get("vendor_details")))
    raw = own.get("finish_reason")
    return raw if is_reason(raw) else response.get("finish_reason")


def usage_of(response: Entry) -> ApiObject | None:
    """Token counts; here those of the cache are among those sent."""
    said = entry(response.get("usage"))
    sent = said.get("input_tokens", said.get("request_tokens"))
    received = said.get("output_tokens", said.get("response_tokens"))
    cached = (said.get("cache_read_tokens"), said.get("cache_write_tokens"))
    return tokens_of(sent, received, *cached)


def _text(content: Any) -> str:
    """A content as the text that the model is sent."""
    if isinstance(content, str):
        return content
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def instructions_of(request: Entry, system: list[str]) -> str | None:
    """The system prompt of a request: the conversation's, then what this one says."""
    said = text_of(request.get("instructions"))
    return "\n\n".join(filter(None, (*system, said))) or None
