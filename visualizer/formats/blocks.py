"""Messages, replies and blocks as readers of outside files need them."""

from __future__ import annotations

from typing import Any

from visualizer.transcript.records import ApiObject, Turn

NOT_RECORDED: ApiObject = {"role": "user", "content": [{"type": "not_recorded"}]}
"""Stands for a message that was sent and that the file does not hold."""

STOP = "/response/stop_reason"

CUT_OFF = "cut_off"
"""The ``status`` of a reply that was streamed, and whose end was not recorded."""


def returns(turn: Turn) -> bool:
    """Whether the loop would be over after a turn."""
    return turn.response is None or turn.response.get("stop_reason") != "tool_use"


def pauses(turn: Turn) -> bool:
    """Whether a reply is sent back as it is, to be gone on with."""
    return (turn.response or {}).get("stop_reason") in ("pause_turn", "compaction")


def with_stop_reason(message: dict[str, Any]) -> tuple[ApiObject, list[str]]:
    """A Message object whose stop reason is inferred where it says none, and what was."""
    if isinstance(message.get("stop_reason"), str):
        return message, []
    asks = any(block.get("type") == "tool_use" for block in message["content"])
    return {**message, "stop_reason": "tool_use" if asks else "end_turn"}, [STOP]


def blocks_of(content: Any) -> list[ApiObject]:
    """A message's content as blocks; what is no block is left out."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return []
    return [one for one in content if isinstance(one, dict) and isinstance(one.get("type"), str)]


def entry(value: Any) -> dict[str, Any]:
    """An object, an empty one where it is none."""
    return value if isinstance(value, dict) else {}


def entries(value: Any) -> list[dict[str, Any]]:
    """The objects in a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
