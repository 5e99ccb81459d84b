"""Streamed replies of OpenAI's two APIs, put together from their events."""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import CUT_OFF
from visualizer.formats.decoding.sse import events
from visualizer.transcript.records import ApiObject

_ENDS = ("response.completed", "response.incomplete", "response.failed")
_MESSAGE = ("content", "reasoning", "reasoning_content", "refusal")


def completion(text: str) -> ApiObject | None:
    """The chat completion that chunks come to, as far as they go.

    Its first choice is put together, the others are only named.
    """
    whole: ApiObject = {}
    others: dict[str, ApiObject] = {}
    message: ApiObject = {"role": "assistant"}
    calls: dict[Any, ApiObject] = {}
    reason = None
    for chunk in events(text):
        if isinstance(chunk.get("error"), dict | str):
            return chunk
        whole |= {name: chunk[name] for name in ("id", "model", "usage") if chunk.get(name)}
        for choice in _objects(chunk.get("choices")):
            delta = choice.get("delta")
            place = choice.get("index", 0)
            if place != 0:
                others[str(place)] = {"index": place}
            if place != 0 or not isinstance(delta, dict):
                continue
            whole["choices"] = []
            _join(message, delta, _MESSAGE)
            reason = choice.get("finish_reason") or reason
            for part in _objects(delta.get("tool_calls")):
                _call(calls.setdefault(_place(part, calls), {"function": {}}), part)
            if isinstance(delta.get("function_call"), dict):
                message.setdefault("function_call", {})
                _join(message["function_call"], delta["function_call"], ("name", "arguments"))
    if "choices" not in whole:
        return None
    if calls:
        message["tool_calls"] = list(calls.values())
    first = {"message": message, "finish_reason": reason}
    whole |= {} if reason else {"status": CUT_OFF}
    return {**whole, "choices": [first, *others.values()]}


def _place(part: dict[str, Any], calls: dict[Any, ApiObject]) -> Any:
    """Which call a piece belongs to; some vendors give a whole call without an index."""
    at = part.get("index")
    if isinstance(at, int):
        return at
    named = part.get("id")
    return named if isinstance(named, str) else next(reversed(calls), 0)


def _call(call: ApiObject, part: dict[str, Any]) -> None:
    call |= {name: part[name] for name in ("id", "type") if part.get(name)}
    for kind, names in (("function", ("name", "arguments")), ("custom", ("name", "input"))):
        if isinstance(part.get(kind), dict):
            _join(call.setdefault(kind, {}), part[kind], names)


def _join(whole: ApiObject, more: dict[str, Any], names: tuple[str, ...]) -> None:
    for name in names:
        if isinstance(piece := more.get(name), str):
            whole[name] = str(whole.get(name) or "") + piece


def response(text: str) -> ApiObject | None:
    """The response that events of the Responses API come to, as far as they go."""
    whole: ApiObject | None = None
    items: dict[Any, ApiObject] = {}
    for event in events(text):
        kind, item = event.get("type"), event.get("item")
        if kind == "error":
            return {"error": event.get("error") or event}
        if isinstance(event.get("response"), dict):
            whole = event["response"]
            if kind in _ENDS:
                return whole
        elif isinstance(item, dict):
            items[str(event.get("output_index"))] = item
        elif isinstance(event.get("delta"), str):
            _add(items.get(str(event.get("output_index"))), str(kind), event["delta"])
    if whole is None:
        return None
    return {**whole, "status": CUT_OFF, "output": list(items.values())}


def _add(item: ApiObject | None, kind: str, text: str) -> None:
    """A piece of an item of which the whole may not come."""
    if item is None:
        return
    if kind == "response.function_call_arguments.delta":
        _join(item, {"arguments": text}, ("arguments",))
    elif kind == "response.output_text.delta" and isinstance(item.get("content"), list):
        item["content"] = item["content"] or [{"type": "output_text", "text": ""}]
        if isinstance(item["content"][-1], dict):
            _join(item["content"][-1], {"text": text}, ("text",))


def _objects(values: Any) -> list[dict[str, Any]]:
    return [one for one in values if isinstance(one, dict)] if isinstance(values, list) else []
