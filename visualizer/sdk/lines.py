"""Single lines of a stream, as the SDK has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from visualizer.messages import Block
from visualizer.run.timeline import RequestError, Step

Kind = Literal["system", "assistant", "user", "stream_event", "result", "other"]
KINDS: tuple[Kind, ...] = ("system", "assistant", "user", "stream_event", "result")


class Event(NamedTuple):
    """One line of the stream. ``name`` tells lines of a kind apart: subtype or block type.

    ``step`` is the step of the loop it belongs to; ``recorded`` says that the line was
    printed by the client and not worked out. An assistant line is block ``part`` of the
    ``parts`` of reply ``reply`` (all from 1).
    """

    step: int
    kind: Kind
    name: str
    line: Mapping[str, Any]
    recorded: bool = False
    reply: int = 0
    part: int = 0
    parts: int = 0


def user(step: Step, block: Block, recorded: bool = False) -> Event:
    """A block in the user's role."""
    message = {"role": "user", "content": [dict(block.data)]}
    return Event(step.index, "user", block.type, {"type": "user", "message": message}, recorded)


def retry(step: Step, status: int | None, error: str, failed: RequestError | None = None) -> Event:
    """A request failed and was tried again; ``failed`` where the loop got to know of it."""
    line = {"type": "system", "subtype": "api_retry", "error_status": status, "error": error}
    if failed is not None and failed.retry_after is not None:
        line["retry_delay_ms"] = round(1000 * failed.retry_after)
    return Event(step.index, "system", "api_retry", line, failed is None)


def raw(step: Step, kind: str, number: int, **more: Any) -> Event:
    """A raw event of a reply (its number from 0)."""
    line = {"type": "stream_event", "event": {"type": kind, **more}}
    return Event(step.index, "stream_event", kind, line, False, number + 1)


def delta_of(block: Block) -> dict[str, Any]:
    """All of a block in one piece: a recording does not say in how many it came."""
    if block.type == "text":
        return {"type": "text_delta", "text": block.text}
    if block.type == "tool_use":
        return {"type": "input_json_delta", "partial_json": json.dumps(block.input, default=repr)}
    return {"type": f"{block.type}_delta"}


def kind_of(error: Mapping[str, Any]) -> str:
    """The type of an error body, ``""`` where it says none."""
    inner = error.get("error", error)
    kind = inner.get("type") if isinstance(inner, Mapping) else inner
    return kind if isinstance(kind, str) else ""
