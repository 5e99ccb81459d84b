"""What OpenAI's two APIs say, in the words of the Messages API.

What has no counterpart is kept as it was: a part of a message of another type, the raw reason
why the model stopped, the token counts that are told apart otherwise.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import STOP, with_stop_reason
from visualizer.formats.decoding.json_text import parse_text, strict
from visualizer.formats.telling.replies import count_of
from visualizer.transcript.records import ApiObject
from visualizer.transcript.world import UNPARSED

MADE = "function_call-"
"""How the ids begin that are made for calls which have none."""

_TEXTS = ("text", "input_text", "output_text", "summary_text", "reasoning_text")
_STOPS = {
    "stop": "end_turn",
    "completed": "end_turn",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "length": "max_tokens",
    "max_output_tokens": "max_tokens",
    "content_filter": "refusal",
}
_INSIDE = ("parsed_body", "body", "json", "string", "text")
_CACHED = ("prompt_tokens_details", "input_tokens_details")
_PARAMETERS = ("max_completion_tokens", "max_tokens", "max_output_tokens")


def arguments_of(given: Any) -> ApiObject:
    """A call's arguments as an object; text that is none is kept under a key of its own."""
    if isinstance(given, dict):
        return given
    if given is None or given == "":
        return {}
    text = given if isinstance(given, str) else str(given)
    try:
        value = strict(text)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {UNPARSED: text}


def parts_of(content: Any) -> list[ApiObject]:
    """A message's content as blocks; what is no text is kept as it was."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    found: list[ApiObject] = []
    for part in content if isinstance(content, list) else []:
        if isinstance(part, str):
            found.append({"type": "text", "text": part})
        elif isinstance(part, dict):
            found += _part(part)
    return found


def _part(part: dict[str, Any]) -> list[ApiObject]:
    kind = part.get("type", "text")
    for names, key in ((_TEXTS, "text"), (("refusal",), "refusal")):
        if kind in names and isinstance(part.get(key), str):
            return [{"type": "text", "text": part[key]}]
    return [part] if isinstance(part.get("type"), str) else []


def text_of(parts: Any) -> str:
    """The texts in a list of parts, a paragraph each."""
    texts = (one.get("text") for one in parts_of(parts) if one["type"] == "text")
    return "\n\n".join(text for text in texts if isinstance(text, str))


def sent(content: Any) -> str | list[ApiObject]:
    """What a user or a tool sent: a text stays one."""
    return content if isinstance(content, str) else parts_of(content)


def stop_reason(raw: Any, asks: bool, refused: bool) -> str:
    """Why the model stopped, in the Messages API's words.

    Whether it asks for tools is seen from its calls: the raw reason does not always say.
    """
    mapped = _STOPS.get(raw) if isinstance(raw, str) else None
    if refused or mapped == "refusal":
        return "refusal"
    if asks:
        return "max_tokens" if mapped == "max_tokens" else "tool_use"
    if mapped in (None, "tool_use"):
        return raw if mapped is None and isinstance(raw, str) else "end_turn"
    return str(mapped)


def finish(message: ApiObject) -> tuple[ApiObject, list[str]]:
    """A Message object with its stop reason, and what in it is not the recording's own word."""
    whole, _ = with_stop_reason(message)
    inferred = [] if whole["stop_reason"] == whole.get("finish_reason") else [STOP]
    for at, block in enumerate(whole["content"]):
        if str(block.get("id", "")).startswith(MADE):
            inferred.append(f"/response/content/{at}/id")
    return whole, inferred


def usage_of(raw: Any) -> ApiObject | None:
    """Token counts: here the tokens sent include those read from the cache, there not."""
    if not isinstance(raw, dict):
        return None
    details: ApiObject = next((raw[at] for at in _CACHED if isinstance(raw.get(at), dict)), {})
    cached = count_of(details.get("cached_tokens", raw.get("cached_input_tokens")))
    whole = count_of(raw.get("prompt_tokens", raw.get("input_tokens")))
    received = count_of(raw.get("completion_tokens", raw.get("output_tokens")))
    told = {"input_tokens": max(whole - cached, 0), "output_tokens": received}
    return {**raw, **told, "cache_read_input_tokens": cached}


def error_of(body: Any) -> ApiObject | None:
    """An error's body, None where it is none."""
    said = body.get("error") if isinstance(body, dict) else None
    if isinstance(said, str) and said:
        said = {"message": said}
    if not isinstance(said, dict):
        return None
    kind = next((said[name] for name in ("type", "code") if isinstance(said.get(name), str)), None)
    message = said.get("message")
    told = {"type": kind or "api_error", "message": message if isinstance(message, str) else ""}
    return {"type": "error", "error": {**said, **told}}


def parameters_of(body: dict[str, Any]) -> ApiObject:
    """What a request says beside its messages."""
    found: ApiObject = {"model": body.get("model")}
    found["max_tokens"] = next((body[name] for name in _PARAMETERS if body.get(name)), None)
    if isinstance(tools := body.get("tools"), list):
        found["tools"] = [_tool(one) for one in tools if isinstance(one, dict)]
    return found


def _tool(one: dict[str, Any]) -> ApiObject:
    inner = one.get("function") if isinstance(one.get("function"), dict) else one
    if one.get("type") != "function" or not isinstance(inner, dict):
        return one
    made = {name: inner[name] for name in ("name", "description") if inner.get(name) is not None}
    return {**made, "input_schema": inner.get("parameters") or {"type": "object"}}


def system_of(blocks: list[ApiObject]) -> str | list[ApiObject] | None:
    """Instructions as a request holds them."""
    if len(blocks) == 1 and blocks[0]["type"] == "text" and "text" in blocks[0]:
        return str(blocks[0]["text"])
    return blocks or None


def payload(value: Any, is_it: Any, assembled: Any) -> ApiObject | None:
    """The body in an HTTP request or response, whatever it was kept as.

    ``is_it`` recognises it, ``assembled`` puts a stream together.
    """
    for _ in range(5):
        if isinstance(value, str):
            value = assembled(value) if "data:" in value[:4096] else _parsed(value)
        if not isinstance(value, dict):
            return None
        if is_it(value) or error_of(value):
            return value
        value = next((value[name] for name in _INSIDE if value.get(name)), None)
    return None


def _parsed(text: str) -> Any:
    try:
        return parse_text(text)
    except ValueError:
        return None


def path_of(asked: dict[str, Any]) -> str | None:
    """Where an HTTP request goes, None where it does not say."""
    where = asked.get("uri", asked.get("url"))
    return where.partition("?")[0].rstrip("/") if isinstance(where, str) else None
