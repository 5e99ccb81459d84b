"""What a Codex session says of its items in events, as items of the Responses API.

Mostly an event only says again what an item says. Some files hold the events alone: finished
items, or in older ones an event a kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.codex.exec_events import GIVEN_BACK, content_of, has_failed
from visualizer.formats.codex.lines import Line
from visualizer.formats.openai.items import role_of
from visualizer.formats.openai.words import text_of

Item = dict[str, Any]

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SAID = ("user_message", "agent_message", "reasoning")
_CALLS = ("command_execution", "file_change", "mcp_tool_call", "dynamic_tool_call")
_EVENTS = {
    "agent_message": "agent_message",
    "agent_reasoning": "reasoning",
    "exec_command_end": "command_execution",
    "patch_apply_end": "file_change",
    "mcp_tool_call_end": "mcp_tool_call",
}
_OF_THE_CLIENT = ("process_id", "parsed_cmd", "duration", "call_id", "turn_id", "formatted_output")
"""What an event says of a command that the model did not ask for."""


def source_of(lines: Iterable[Line]) -> str:
    """Where a session's replies are read: in its items, in finished ones, or in older events."""
    finished = False
    for kind, what, _ in lines:
        if kind == "response_item" and role_of(what) == "assistant":
            return "response_item"
        if kind == "event_msg" and what.get("type") == "item_completed":
            finished = finished or kind_of(entry(what.get("item"))) in (*_SAID[1:], *_CALLS)
    return "item_completed" if finished else "event"


def kind_of(item: Item) -> str:
    """The kind of a finished item, in small letters: ``AgentMessage`` is ``agent_message``."""
    kind = item.get("type")
    return _WORD.sub("_", kind).lower() if isinstance(kind, str) else "?"


def prompt_in(what: Item) -> Item | None:
    """What a user sent, as an event tells it; None where it tells something else."""
    if what.get("type") == "user_message" and isinstance(what.get("message"), str):
        return _message("user", [{"type": "input_text", "text": what["message"]}])
    item = entry(what.get("item"))
    if what.get("type") == "item_completed" and kind_of(item) == "user_message":
        return _message("user", _parts(item))
    return None


def items_in(what: Item, source: str) -> list[Item]:
    """The items that an event stands for, none where it stands for none of ``source``."""
    kind = what.get("type")
    if kind == "item_completed" and source == "item_completed":
        item = entry(what.get("item"))
        return _items(item, kind_of(item))
    if source == "event" and kind in _EVENTS:
        told = {**what, "id": what.get("call_id"), **entry(what.get("invocation"))}
        told["text"] = what.get("message", what.get("text"))
        told.setdefault("aggregated_output", what.get("stdout"))
        if what.get("success") is False:
            told["status"] = "failed"
        if isinstance(result := what.get("result"), dict):
            told["result"], told["error"] = result.get("Ok"), _error(result.get("Err"))
        return _items(told, _EVENTS[kind])
    return []


def _error(said: Any) -> Item | None:
    return {"message": said} if isinstance(said, str) else None


def _items(item: Item, kind: str) -> list[Item]:
    if kind == "agent_message":
        return [_message("assistant", _parts(item))]
    if kind == "reasoning":
        words = item.get("summary_text") or item.get("raw_content") or [item.get("text")]
        return [{"type": "reasoning", "summary": words}]
    name = item.get("id")
    if kind not in _CALLS or not isinstance(name, str):
        return []
    left_out = (*GIVEN_BACK, *_OF_THE_CLIENT, "stdout", "stderr", "success", "text", "message")
    given = {key: value for key, value in item.items() if key not in left_out}
    output = {"content": content_of(item), "success": not has_failed(item)}
    return [
        {"type": "function_call", "call_id": name, "name": kind, "arguments": given},
        {"type": "function_call_output", "call_id": name, "output": output},
    ]


def _message(role: str, parts: list[Item]) -> Item:
    return {"type": "message", "role": role, "content": parts}


def _parts(item: Item) -> list[Item]:
    """The parts of a message; their types are written large or small."""
    if isinstance(item.get("text"), str):
        return [{"type": "text", "text": item["text"]}]
    return [
        {**one, "type": one["type"].lower()}
        for one in entries(item.get("content"))
        if isinstance(one.get("type"), str)
    ]


def words_of(item: Item) -> str:
    """The words of a message, however they are cut into parts."""
    return "".join(text_of(item.get("content")).split())
