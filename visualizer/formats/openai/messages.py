"""Messages of the Chat Completions API, as messages of the Messages API."""

from __future__ import annotations

from typing import Any

from visualizer.formats.openai.words import (
    MADE,
    arguments_of,
    parts_of,
    sent,
    stop_reason,
    usage_of,
)
from visualizer.transcript.records import ApiObject

_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_RESULTS = ("tool", "function")
_SYSTEM = ("system", "developer")


def message_like(value: Any) -> bool:
    """Whether something can be read as a message."""
    if not isinstance(value, dict) or value.get("role") not in _ROLES:
        return False
    return isinstance(value.get("content"), str | list | None)


def are_messages(values: list[Any]) -> bool:
    """Whether something is a list of messages that only this API has."""
    if not values or not all(map(message_like, values)):
        return False
    return any(
        one["role"] not in ("user", "assistant")
        or isinstance(one.get("tool_calls"), list)
        or isinstance(one.get("function_call"), dict)
        for one in values
    )


def messages_of(values: list[Any]) -> tuple[list[ApiObject], list[ApiObject], int]:
    """The instructions, the messages, and how many old calls (without ids) are among them."""
    system: list[ApiObject] = []
    found: list[ApiObject] = []
    calls = 0
    answers = False
    for value in values:
        if not message_like(value):
            continue
        role, before = value["role"], answers
        answers = role in _RESULTS
        if role in _SYSTEM and not found:
            system += parts_of(value.get("content"))
        elif role in _SYSTEM:
            found.append({"role": "system", "content": parts_of(value.get("content"))})
        elif role == "assistant":
            found.append(assistant(value, calls))
            calls += isinstance(value.get("function_call"), dict)
        elif answers:
            if not before:
                found.append({"role": "user", "content": []})
            found[-1]["content"].append(_result(value, calls))
        else:
            found.append({"role": "user", "content": sent(value.get("content") or "")})
    return system, found, calls


def assistant(message: dict[str, Any], calls: int) -> ApiObject:
    """What the model said; ``calls`` old calls came before it."""
    thoughts = message.get("reasoning_content", message.get("reasoning"))
    content: list[ApiObject] = []
    if isinstance(thoughts, str) and thoughts:
        content.append({"type": "thinking", "thinking": thoughts})
    content += parts_of(message.get("content"))
    made: ApiObject = {"role": "assistant", "content": content}
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        content.append({"type": "text", "text": refusal})
        made |= {"refusal": refusal, "stop_reason": "refusal"}
    asked = message.get("tool_calls")
    for call in asked if isinstance(asked, list) else []:
        if isinstance(call, dict):
            content.append(_request(call, call.get("id")))
    if isinstance(old := message.get("function_call"), dict):
        content.append(_request(old, f"{MADE}{calls + 1}"))
    return made


def _request(call: dict[str, Any], name: Any) -> ApiObject:
    """A call: nested under its type, or flat as some agents keep it."""
    inner = next(
        (call[at] for at in ("function", "custom") if isinstance(call.get(at), dict)), call
    )
    given = inner.get("arguments")
    if given is None and isinstance(inner.get("input"), str):
        given = {"input": inner["input"]}
    called = inner.get("name") if isinstance(inner.get("name"), str) else "?"
    return {"type": "tool_use", "id": name, "name": called, "input": arguments_of(given)}


def _result(message: dict[str, Any], calls: int) -> ApiObject:
    answers = message.get("tool_call_id", message.get("id"))
    if message["role"] == "function":
        answers = f"{MADE}{calls}"
    content = sent(message.get("content") or "")
    made: ApiObject = {"type": "tool_result", "tool_use_id": answers, "content": content}
    return {**made, "is_error": True} if message.get("error") is True else made


def reply_of(completion: dict[str, Any], calls: int) -> ApiObject:
    """A chat completion as a Message object; the first choice is what the caller goes on with."""
    choice = completion["choices"][0]
    made = assistant(choice["message"], calls)
    asks = any(block["type"] == "tool_use" for block in made["content"])
    raw = choice.get("finish_reason")
    reason = stop_reason(raw, asks, refused="stop_reason" in made)
    told = {name: completion[name] for name in ("id", "model", "status") if completion.get(name)}
    if (usage := usage_of(completion.get("usage"))) is not None:
        told["usage"] = usage
    return {**told, **made, "stop_reason": reason, "finish_reason": raw}
