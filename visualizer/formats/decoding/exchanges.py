"""Requests and responses of the Messages API, out of what they were kept in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from visualizer.formats.decoding.json_text import parse_text
from visualizer.formats.decoding.sse import assembled, is_stream
from visualizer.transcript.records import ApiObject

# fmt: off
_OTHERS_KEYS = frozenset(
    ("tool_calls", "function_call", "tool_call_id", "parts", "name", "refusal")
)
"""What messages of other APIs have. Clients keep things of their own beside ours (``ts``)."""

_BODY = frozenset(
    (
        "model", "messages", "system", "tools", "max_tokens", "temperature", "top_p", "top_k",
        "stream", "stop_sequences", "metadata", "thinking", "tool_choice", "betas", "container",
        "context_management", "mcp_servers", "service_tier", "output_config", "output_format",
        "cache_control", "inference_geo", "speed", "anthropic_version", "anthropic_beta",
        "user_profile_id", "response", "id", "timestamp", "error",
    )
)
_OTHERS_BODY = frozenset(
    (
        "functions", "n", "stop", "seed", "response_format", "parallel_tool_calls", "logprobs",
        "frequency_penalty", "presence_penalty", "max_completion_tokens", "stream_options",
        "reasoning_effort", "input", "info", "trajectory_format", "choices", "output", "runs",
    )
)
"""What bodies of other APIs, and files of other programs, have."""
# fmt: on
_OTHERS_BLOCKS = ("input_", "output_text", "image_url", "refusal", "function")
_CONTAINERS = ("interactions", "http_interactions", "exchanges")
_INSIDE = ("parsed_body", "body", "body_raw", "json", "string", "text")


@dataclass(slots=True)
class Exchange:
    """One call: the request's body and the reply, or the error, that came back.

    Where the server keeps the conversation, ``continues`` is the name of what a request goes
    on with (``begins`` where it may be the first of that name), and ``names`` are those that
    later requests may give this call. The first ``compacted`` messages stand for others.
    ``aside`` counts further replies to the same request, which the caller may have chosen from.
    ``hosts`` has the places of messages that the client wrote in the user's name or the
    model's, with how a run begins that begins there.
    """

    body: ApiObject | None
    response: ApiObject | None = None
    error: ApiObject | None = None
    status: int | None = None
    continues: str | None = None
    begins: bool = False
    names: tuple[str, ...] = ()
    compacted: int = 0
    aside: int = 0
    hosts: dict[int, str] = field(default_factory=dict)


def entries(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The single entries of a file, out of the list that an object may keep them in."""
    if len(items) == 1:
        for name in _CONTAINERS:
            if isinstance(kept := items[0].get(name), list):
                return [one for one in kept if isinstance(one, dict)]
    return items


def exchange_of(entry: dict[str, Any]) -> Exchange | None:
    """An entry as an exchange, None where it is none of the Messages API."""
    if is_reply(entry):
        return Exchange(None, entry)
    if is_body(entry):
        return _answered(entry, entry.get("response") or entry.get("error"), None)
    asked, came = entry.get("request"), entry.get("response")
    if isinstance(asked, dict):
        body = inner(asked)
        if body is None or not is_body(body) or not _is_call(asked):
            return None
        return _answered(body, came, status_of(came))
    found = inner(entry)
    if found is not None and is_reply(found):
        return Exchange(None, found)
    return None if inner(came) is None else _answered(None, came, status_of(came))


def is_body(value: dict[str, Any]) -> bool:
    """Whether something is the body of a request to the Messages API."""
    messages = value.get("messages")
    if not isinstance(messages, list) or not _may_be_body(value):
        return False
    return are_messages(messages)


def _may_be_body(value: dict[str, Any]) -> bool:
    """Whether all keys are known, or what must be there is there: new ones come all the time."""
    if value.keys() <= _BODY:
        return True
    sure = isinstance(value.get("model"), str) and isinstance(value.get("max_tokens"), int)
    return sure and not value.keys() & _OTHERS_BODY


def are_messages(values: list[Any]) -> bool:
    """Whether something is a list of messages, as this API takes them."""
    if not values or not all(map(_is_message, values)):
        return False
    return bool(values[0]["role"] != "system")


def is_reply(value: Any) -> bool:
    """Whether something is a Message object."""
    if not isinstance(value, dict) or not isinstance(value.get("content"), list):
        return False
    if value.get("type") != "message" or value.get("role") != "assistant":
        return False
    kinds = [one.get("type") for one in value["content"] if isinstance(one, dict)]
    return not any(isinstance(kind, str) and kind.startswith(_OTHERS_BLOCKS) for kind in kinds)


def inner(value: Any) -> ApiObject | None:
    """The body in an HTTP request or response, whatever it was kept as."""
    for _ in range(4):
        if isinstance(value, str):
            value = _parsed(value)
        if not isinstance(value, dict):
            return None
        if "messages" in value or is_reply(value) or value.get("type") == "error":
            return value
        value = next((value[name] for name in _INSIDE if value.get(name)), None)
    return None


def _answered(body: ApiObject | None, came: Any, status: int | None) -> Exchange | None:
    if came is None:
        return Exchange(body, status=status)
    found = inner(came)
    if found is not None and is_reply(found):
        return Exchange(body, found, status=status)
    error = found if found is not None and found.get("type") == "error" else None
    if error is None and (status is None or status < 400):
        return None
    return Exchange(body, error=error or {"type": "error", "error": {}}, status=status)


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or value.keys() & _OTHERS_KEYS:
        return False
    if value.get("role") not in ("user", "assistant", "system"):
        return False
    content = value.get("content")
    return isinstance(content, str) or (isinstance(content, list) and all(_blocks(content)))


def _blocks(content: list[Any]) -> Iterator[bool]:
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        yield isinstance(kind, str) and not kind.startswith(_OTHERS_BLOCKS)


def _is_call(asked: dict[str, Any]) -> bool:
    """Whether an HTTP request goes to where messages are created."""
    where = asked.get("uri", asked.get("url"))
    if not isinstance(where, str):
        return True
    path = where.partition("?")[0].rstrip("/")
    return not path.endswith(("/count_tokens", "/chat/completions", "/responses"))


def status_of(came: Any) -> int | None:
    """The HTTP status in a recorded response."""
    if not isinstance(came, dict):
        return None
    value = came.get("status", came.get("status_code"))
    if isinstance(value, dict):
        value = value.get("code")
    return value if isinstance(value, int) else None


def _parsed(text: str) -> Any:
    if is_stream(text):
        return assembled(text)
    try:
        return parse_text(text)
    except ValueError:
        return None
