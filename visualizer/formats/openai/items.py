"""Items of the Responses API, as messages of the Messages API.

An item is a message, a thought, a call or what a call gave. Those that the model made in a row
are one reply. Calls that the server itself carried out stay the items they were.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.openai.words import (
    arguments_of,
    parts_of,
    sent,
    stop_reason,
    text_of,
    usage_of,
)
from visualizer.transcript.records import ApiObject

_SURE = ("function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output")
_PARTS = ("input_text", "output_text")
_GIVEN = ("action", "actions", "operation", "operations")
_FROM_THE_USER = ("compaction", "compaction_summary", "mcp_approval_response")

Renamed = dict[str, str]
"""Ids that some clients send back in place of a call's own: the items' instead."""


def type_of(item: dict[str, Any]) -> str:
    """What kind of item it is; old ones leave out that they are messages."""
    kind = item.get("type")
    if isinstance(kind, str):
        return kind
    return "message" if isinstance(item.get("role"), str) and "content" in item else "?"


def is_surely_item(item: Any) -> bool:
    """Whether something is an item that only this API has."""
    if not isinstance(item, dict):
        return False
    kind = type_of(item)
    if kind == "reasoning":
        return isinstance(item.get("summary"), list)
    if kind == "message" and isinstance(item.get("content"), list):
        parts = item["content"]
        return any(isinstance(one, dict) and one.get("type") in _PARTS for one in parts)
    return kind in _SURE and isinstance(item.get("call_id"), str)


def role_of(item: dict[str, Any]) -> str | None:
    """Whose message an item is a part of; None where it is no item."""
    kind = type_of(item)
    if kind == "message":
        role = item.get("role")
        if role == "developer":
            return "system"
        return role if role in ("user", "assistant", "system") else None
    if is_output(item) or kind in _FROM_THE_USER:
        return "user"
    return None if kind == "?" else "assistant"


def is_output(item: dict[str, Any]) -> bool:
    """Whether an item is what a call gave."""
    return type_of(item).endswith("_output") and isinstance(item.get("call_id"), str)


def blocks_of(item: dict[str, Any], served: bool = False) -> list[ApiObject]:
    """An item as blocks; ``served`` where the server has already answered the call in it."""
    kind = type_of(item)
    if kind == "message":
        return parts_of(item.get("content"))
    if kind == "reasoning":
        kept = {name: item[name] for name in ("id", "encrypted_content") if item.get(name)}
        text = text_of(item.get("summary")) or text_of(item.get("content"))
        return [{"type": "thinking", "thinking": text, **kept}]
    if not isinstance(item.get("call_id"), str) or served:
        return [{**item, "type": kind}]
    if is_output(item):
        return [_result(item)]
    return [_request(item, kind)] if kind.endswith("_call") else [{**item, "type": kind}]


def _request(item: dict[str, Any], kind: str) -> ApiObject:
    called = item.get("name")
    name = called if isinstance(called, str) else kind.removesuffix("_call")
    if kind == "custom_tool_call":
        given: ApiObject = {"input": item.get("input")}
    elif kind == "function_call":
        given = arguments_of(item.get("arguments"))
    else:
        given = {at: item[at] for at in _GIVEN if at in item}
    made: ApiObject = {"type": "tool_use", "id": item["call_id"], "name": name, "input": given}
    return {**made, "namespace": item["namespace"]} if item.get("namespace") else made


def _result(item: dict[str, Any]) -> ApiObject:
    output = item.get("output")
    made: ApiObject = {"type": "tool_result", "tool_use_id": item["call_id"]}
    if isinstance(output, dict) and isinstance(output.get("content"), str | list):
        failed = {"is_error": True} if output.get("success") is False else {}
        return {**made, "content": sent(output["content"]), **failed}
    if isinstance(output, dict):
        return {**made, "content": parts_of([output])}
    return {**made, "content": sent(output)}


def refuses(item: dict[str, Any]) -> bool:
    """Whether the model declines in an item."""
    parts = item.get("content")
    if type_of(item) != "message" or not isinstance(parts, list):
        return False
    return any(isinstance(one, dict) and one.get("type") == "refusal" for one in parts)


def messages_of(
    items: list[Any], renamed: Renamed
) -> tuple[list[ApiObject], list[ApiObject], int, int]:
    """The instructions, the messages, how many of them a compaction left, what is no item."""
    system: list[ApiObject] = []
    found: list[ApiObject] = []
    compacted = others = 0
    before = ""
    for item in items:
        role = role_of(item) if isinstance(item, dict) else None
        if role is None:
            others += 1
            continue
        blocks = blocks_of(_renamed(item, renamed))
        kind = "output" if is_output(item) else role
        if role == "system" and not found:
            system += blocks
        elif kind == before and kind != "user":
            found[-1]["content"] += blocks
        else:
            found.append({"role": role, "content": blocks})
            if kind == "user" and isinstance(item.get("content"), str):
                found[-1]["content"] = item["content"]
        before = kind if found else ""
        if refuses(item):
            found[-1]["stop_reason"] = "refusal"
        if type_of(item) in _FROM_THE_USER[:2]:
            compacted = len(found)
    return system, found, compacted, others


def _renamed(item: dict[str, Any], renamed: Renamed) -> dict[str, Any]:
    name = item.get("call_id")
    return {**item, "call_id": renamed[name]} if isinstance(name, str) and name in renamed else item


def reply_of(response: dict[str, Any]) -> ApiObject:
    """A response as a Message object."""
    items = [one for one in response["output"] if isinstance(one, dict) and type_of(one) != "?"]
    answered = {str(one["call_id"]) for one in items if is_output(one)}
    content: list[ApiObject] = []
    for item in items:
        content += blocks_of(item, served=str(item.get("call_id")) in answered)
    details = response.get("incomplete_details")
    raw = response.get("status")
    if raw == "incomplete" and isinstance(details, dict):
        raw = details.get("reason")
    asks = any(block["type"] == "tool_use" for block in content)
    kept = ("id", "model", "status", "incomplete_details", "previous_response_id")
    made = {name: response[name] for name in kept if response.get(name) is not None}
    if (usage := usage_of(response.get("usage"))) is not None:
        made["usage"] = usage
    reason = stop_reason(raw, asks, any(map(refuses, items)))
    return {**made, "content": content, "stop_reason": reason}
