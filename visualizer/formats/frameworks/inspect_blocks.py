"""What messages of inspect_ai hold, in the words of the Messages API."""

from __future__ import annotations

from typing import Any

from visualizer.formats.telling.replies import parts_of
from visualizer.transcript.records import ApiObject

REFERENCE = "attachment://"
_USAGE = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "input_tokens_cache_read": "cache_read_input_tokens",
    "input_tokens_cache_write": "cache_creation_input_tokens",
}


def resolved(value: Any, kept: dict[str, Any]) -> tuple[Any, int]:
    """A value with the texts put in that it refers to, and how many were not there.

    A reference is a text of its own, so that what is put in costs no memory; what is put in
    is not looked through again.
    """
    if isinstance(value, str):
        if not value.startswith(REFERENCE):
            return value, 0
        found = kept.get(value[len(REFERENCE) :])
        return (found, 0) if isinstance(found, str) else (value, 1)
    if isinstance(value, list):
        items = [resolved(one, kept) for one in value]
        return [one for one, _ in items], sum(missing for _, missing in items)
    if isinstance(value, dict):
        pairs = {key: resolved(one, kept) for key, one in value.items()}
        return {key: one for key, (one, _) in pairs.items()}, sum(n for _, n in pairs.values())
    return value, 0


def message_blocks(content: Any) -> list[ApiObject]:
    """A message's content as blocks; tools that the provider ran are no requests."""
    parts = parts_of(content)
    if isinstance(parts, str):
        return [{"type": "text", "text": parts}] if parts else []
    return [_block(part) for part in parts]


def usage_of(said: Any) -> ApiObject | None:
    """Token counts; here cached ones are no input tokens either."""
    counts = said if isinstance(said, dict) else {}
    made = {
        name: counts[key]
        for key, name in _USAGE.items()
        if isinstance(counts.get(key), int) and not isinstance(counts[key], bool)
    }
    return made or None


def _block(part: ApiObject) -> ApiObject:
    kind = part["type"]
    if kind == "text" and isinstance(part.get("text"), str):
        return {"type": "text", "text": part["text"]}
    if kind == "reasoning":
        if part.get("redacted") is True:
            return {"type": "redacted_thinking", "data": part.get("reasoning")}
        made = {"type": "thinking", "thinking": part.get("reasoning")}
        signed = part.get("signature")
        return {**made, "signature": signed} if isinstance(signed, str) else made
    return {**part, "type": f"server_{kind}"} if kind in ("tool_use", "tool_result") else part
