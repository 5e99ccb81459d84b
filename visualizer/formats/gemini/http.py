"""Calls of the Gemini API out of what recorders of HTTP keep them in."""

from __future__ import annotations

import re
from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.decoding.json_text import parse_text
from visualizer.formats.decoding.sse import events
from visualizer.formats.gemini.parts import Entry

_CONTAINERS = ("interactions", "http_interactions", "exchanges")
_INSIDE = ("parsed_body", "body", "json", "string", "text")
_CALL = re.compile(r"/models/([^/:?]+):(?:stream)?[gG]enerateContent")
_HEAD = 4096
"""Characters in which a stream has its first event."""

_BODIES = ("contents", "candidates", "promptFeedback", "error")


def unpacked(items: list[Entry]) -> list[Entry]:
    """The entries of a file, with HTTP requests and responses as their bodies."""
    if len(items) == 1:
        kept = next((items[0][one] for one in _CONTAINERS if items[0].get(one)), None)
        if isinstance(kept, list):
            items = entries(kept)
    return [_call(one) for one in items]


def _call(one: Entry) -> Entry:
    asked = one.get("request")
    where = entry(asked).get("uri", entry(asked).get("url"))
    found = _CALL.search(where) if isinstance(where, str) else None
    if found is None:
        came = one.get("response")
        alone = asked is None and isinstance(entry(came).get("body"), str)
        return {"response": _body(came)} if alone else one
    body, came = _body(asked), _body(one.get("response"))
    if isinstance(body, dict):
        body = {"model": found[1], **body}
    return {"request": body, "response": came}


def _body(value: Any) -> Any:
    """The body in a request or response: an object, or the pieces of a stream."""
    for _ in range(4):
        if isinstance(value, str):
            value = _parsed(value)
        if isinstance(value, list) or any(name in entry(value) for name in _BODIES):
            return value
        value = next((entry(value)[name] for name in _INSIDE if entry(value).get(name)), None)
    return None


def _parsed(text: str) -> Any:
    if "data:" in text[:_HEAD] and not text.lstrip().startswith(("{", "[")):
        return list(events(text))
    try:
        return parse_text(text)
    except ValueError:
        return None
