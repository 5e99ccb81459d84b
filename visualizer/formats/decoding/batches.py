"""Results of batches: a line a request, by the name that its sender gave it.

The requests stand in another file, so that each result is a conversation of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from visualizer.formats.decoding.exchanges import Exchange, is_reply, status_of
from visualizer.transcript.records import ApiObject

_FAILED = ("errored", "canceled", "expired")


def message_result(entry: dict[str, Any]) -> Exchange | None:
    """A line of the Message Batches API: a reply, an error, or that it was never sent."""
    given = entry.get("result")
    if not _is_named(entry) or not isinstance(given, dict):
        return None
    if is_reply(given.get("message")):
        return Exchange(None, given["message"])
    if given.get("type") not in _FAILED:
        return None
    said = given.get("error")
    if isinstance(said, dict) and said.get("type") == "error":
        return Exchange(None, error=said)
    told = said if isinstance(said, dict) else {"type": given["type"]}
    return Exchange(None, error={"type": "error", "error": told})


def failed(entry: dict[str, Any]) -> tuple[ApiObject, int | None] | None:
    """What a line of OpenAI's batches says went wrong, and the status; None where nothing did."""
    came, said = entry.get("response"), entry.get("error")
    if not _is_named(entry):
        return None
    body = came.get("body") if isinstance(came, dict) else None
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        return body, status_of(came)
    return ({"error": said}, None) if isinstance(said, dict) else None


def tell_apart(entries: Sequence[dict[str, Any]], exchanges: Sequence[Exchange | None]) -> None:
    """Have each result of a batch begin a conversation of its own."""
    for entry, one in zip(entries, exchanges, strict=True):
        if one is not None and one.body is None and _is_named(entry):
            one.continues, one.begins = f"batch {id(one)}", True


def _is_named(entry: dict[str, Any]) -> bool:
    return isinstance(entry.get("custom_id"), str)
