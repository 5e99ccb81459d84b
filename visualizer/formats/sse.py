"""A streamed reply of the Messages API, put together from its events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from visualizer.formats.blocks import CUT_OFF
from visualizer.formats.decode import parse
from visualizer.formats.outside import Findings
from visualizer.transcript import ApiObject

_TEXTS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


def is_stream(text: str) -> bool:
    """Whether a body is a stream of events of the Messages API."""
    return "message_start" in text[:4096] and "data:" in text[:4096]


def assembled(text: str) -> ApiObject | None:
    """The Message object that a stream comes to, as far as it goes; None without a start.

    The tokens that came out are counted at its end only.
    """
    message: ApiObject | None = None
    ended = False
    blocks: dict[int, ApiObject] = {}
    inputs: dict[int, list[str]] = {}
    for event in events(text):
        kind, at = event.get("type"), event.get("index")
        delta = event.get("delta")
        if kind == "message_start" and isinstance(event.get("message"), dict):
            message = dict(event["message"])
        elif kind == "content_block_start" and isinstance(event.get("content_block"), dict):
            if isinstance(at, int):
                blocks[at] = dict(event["content_block"])
        elif kind == "content_block_delta" and isinstance(delta, dict) and at in blocks:
            _add(blocks[at], inputs.setdefault(at, []), delta)
        elif kind == "message_delta" and message is not None and isinstance(delta, dict):
            message |= delta
            ended = True
            usage, more = message.get("usage"), event.get("usage")
            if isinstance(usage, dict) and isinstance(more, dict):
                message["usage"] = {**usage, **more}
        elif kind == "error":
            return event
    if message is None:
        return None
    for at, parts in inputs.items():
        if whole := "".join(parts):
            blocks[at]["input"] = _input(whole)
    message |= {} if ended else {"status": CUT_OFF}
    return {**message, "content": [blocks[at] for at in sorted(blocks)]}


def events(text: str) -> Iterator[dict[str, Any]]:
    """The objects that a stream of events carries; what can't be read is left out."""
    for line in text.split("\n"):
        if line.startswith("data:"):
            try:
                event = parse(line[5:].encode("utf-8", "replace"), Findings())
            except (ValueError, RecursionError):
                continue
            if isinstance(event, dict):
                yield event


def _add(block: ApiObject, parts: list[str], delta: dict[str, Any]) -> None:
    kind = delta.get("type")
    if kind == "input_json_delta":
        parts.append(str(delta.get("partial_json", "")))
    elif kind == "citations_delta":
        block["citations"] = [*(block.get("citations") or []), delta.get("citation")]
    elif (name := _TEXTS.get(str(kind))) is not None:
        block[name] = str(block.get(name) or "") + str(delta.get(name, ""))


def _input(text: str) -> Any:
    """A request's arguments; what was cut off stays the text it was."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
