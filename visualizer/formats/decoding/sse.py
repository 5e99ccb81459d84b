"""Streams of events: their text, and a reply of the Messages API put together from one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from visualizer.formats.blocks import CUT_OFF
from visualizer.formats.decoding.json_text import parse_text
from visualizer.transcript.records import ApiObject

_STARTS = ("message_start", "response.created")
_ENDS = (
    "message_stop",
    "response.completed",
    "response.incomplete",
    "response.failed",
)
_BEGINS = re.compile(rb"(?:\s*(?::|event:|id:|retry:|data:\s*\n)[^\n]*\n)*\s*data:\s*[{\[]")
"""Events, with what may stand before the first of them."""

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
    inputs: dict[int, list[str]] = {}  # by the index of a block, the pieces of its input
    for event in events(text):
        kind, delta = event.get("type"), event.get("delta")
        at = _index(event.get("index"))
        if kind == "message_start" and isinstance(event.get("message"), dict):
            message = dict(event["message"])
        elif kind == "content_block_start" and isinstance(event.get("content_block"), dict):
            if at is not None:
                blocks[at] = dict(event["content_block"])
        elif kind == "content_block_delta" and isinstance(delta, dict):
            if at is None or at not in blocks:
                continue
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
        if (event := _event(line)) is not None:
            yield event


def is_text(data: bytes) -> bool:
    """Whether a file is a stream of events as it came, or several of them one after another."""
    return _BEGINS.match(data[:4096]) is not None


def streams(text: str) -> Iterator[tuple[int, str]]:
    """Each stream in a text, with the number of the line that it begins in."""
    lines: list[str] = []
    first, known = 1, ""
    told = False
    for number, line in enumerate(text.split("\n"), 1):
        event = _event(line) or {}
        kind, name = event.get("type"), str(event.get("id", ""))
        another = bool(event.get("choices")) and name != known
        if told and (kind in _STARTS or another):
            yield first, "\n".join(lines)
            lines, first, told = [], number, False
        lines.append(line)
        known = name if event.get("choices") else known
        told |= bool(event)
        if told and (kind in _ENDS or line.rstrip().removeprefix("data:").strip() == "[DONE]"):
            yield first, "\n".join(lines)
            lines, first, told = [], number + 1, False
    if told:
        yield first, "\n".join(lines)


def _event(line: str) -> dict[str, Any] | None:
    if not line.startswith("data:"):
        return None
    try:
        event = parse_text(line[5:])
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


def _add(block: ApiObject, parts: list[str], delta: dict[str, Any]) -> None:
    kind = delta.get("type")
    if kind == "input_json_delta":
        parts.append(str(delta.get("partial_json", "")))
    elif kind == "citations_delta":
        before = block.get("citations")
        block["citations"] = [*(before if isinstance(before, list) else []), delta.get("citation")]
    elif (name := _TEXTS.get(str(kind))) is not None:
        block[name] = str(block.get(name) or "") + str(delta.get(name, ""))


def _input(text: str) -> Any:
    """A request's arguments; what was cut off stays the text it was."""
    try:
        return parse_text(text)
    except ValueError:
        return text


def _index(value: Any) -> int | None:
    """The place of a block, None for what is no number of one."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
