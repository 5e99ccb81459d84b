"""Messages of LangChain, whichever way they were dumped, and what they hold.

There are three ways: a type with the data beside it (``messages_to_dict``), a constructor with
its arguments (``dumpd``), and the fields alone (``model_dump``, the state of a graph).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from visualizer.formats.blocks import entries, entry
from visualizer.formats.telling import replies
from visualizer.formats.telling.replies import Draft, count_of
from visualizer.transcript.records import ApiObject

Entry = dict[str, Any]

_KINDS = ("human", "ai", "system", "tool", "function", "chat", "remove")
_STATES = ("values", "channel_values", "checkpoint", "state", "outputs", "output")
_REQUESTS = ("tool_use", "tool_call", "function_call", "invalid_tool_call", "tool_call_chunk")
_PIECES = ("input_json_delta",)
_REASONS = ("finish_reason", "stop_reason", "stopReason", "done_reason")
_MODELS = ("model_name", "model", "model_id")


class Message(NamedTuple):
    """One message; ``piece`` where it may be one of several that a reply came in."""

    kind: str
    data: Entry
    piece: bool


def message_of(one: Entry) -> Message | None:
    """A message, whichever way it was dumped; None where it is none."""
    kind, data = one.get("type"), one
    if one.get("lc") == 1 and isinstance(one.get("kwargs"), dict):
        names, data = one.get("id"), one["kwargs"]
        kind = names[-1] if isinstance(names, list) and names else None
    elif isinstance(one.get("data"), dict):
        data = one["data"]
    if not isinstance(kind, str) or not isinstance(data.get("content"), str | list):
        return None
    short = kind.removesuffix("Chunk").removesuffix("Message").lower()
    return Message(short, data, kind.endswith("Chunk")) if short in _KINDS else None


def is_surely_message(one: Entry) -> bool:
    """Whether something is a message that no other format has."""
    found = message_of(one)
    return found is not None and found.kind in ("human", "ai")


def state_of(one: Entry, depth: int = 3) -> list[Entry] | None:
    """The messages in the state of a graph, None where there are none."""
    kept = entries(one.get("messages"))
    if kept and (all(map(message_of, kept)) or any(map(is_surely_message, kept))):
        return kept
    inner = (one[name] for name in _STATES if depth and isinstance(one.get(name), dict))
    return next((found for at in inner if (found := state_of(at, depth - 1)) is not None), None)


def blocks_of(content: Any) -> list[ApiObject]:
    """A message's content as blocks; an empty text is none."""
    parts = replies.parts_of(content)
    if isinstance(parts, str):
        return [{"type": "text", "text": parts}] if parts else []
    return [_block(part) for part in parts if part["type"] not in _PIECES]


def _block(part: ApiObject) -> ApiObject:
    kind = part["type"]
    if kind in ("text", "refusal") and isinstance(part.get(kind), str):
        return {"type": "text", "text": part[kind]}
    if kind == "reasoning":
        text = part.get("reasoning")
        said = text if isinstance(text, str) else replies.text_of(part.get("summary"))
        return {"type": "thinking", "thinking": said}
    return part


def draft_of(data: Entry, made: str) -> Draft:
    """What the model said. Calls may stand in the content, beside it, or in both."""
    draft = Draft()
    beside = entry(data.get("additional_kwargs"))
    draft.think(beside.get("reasoning_content"))
    calls = _calls(data, beside)
    for block in blocks_of(data["content"]):
        if block["type"] in _REQUESTS:
            _ask(draft, _taken(calls, block), made)
        else:
            draft.content.append(block)
    for call in calls:
        _ask(draft, call, made)
    draft.say(beside.get("refusal"))
    return draft


def _ask(draft: Draft, call: Entry, made: str) -> None:
    number = len(draft.requests) + 1
    draft.ask(call.get("name"), call.get("args"), call.get("id"), f"{made}-call-{number}")


def _calls(data: Entry, beside: Entry) -> list[Entry]:
    """The calls beside the content: read, or unreadable, or as old versions kept them."""
    found = [*entries(data.get("tool_calls")), *entries(data.get("invalid_tool_calls"))]
    if not found:
        for old in entries(beside.get("tool_calls")):
            inner = entry(old.get("function"))
            found.append({**inner, "args": inner.get("arguments"), "id": old.get("id")})
    old = entry(beside.get("function_call"))
    if old and not found:
        found.append({"name": old.get("name"), "args": old.get("arguments")})
    return found


def _taken(calls: list[Entry], block: ApiObject) -> Entry:
    """The call that a block in the content stands for; where there is none beside, the block."""
    name = block.get("call_id", block.get("id"))
    for at, call in enumerate(calls):
        if call.get("id") == name and (name is not None or call.get("name") == block.get("name")):
            return calls.pop(at)
    given = next((block[at] for at in ("args", "input", "arguments") if at in block), None)
    return {"name": block.get("name"), "args": given, "id": name}


def is_refused(data: Entry) -> bool:
    """Whether the model declines in so many words."""
    said = entry(data.get("additional_kwargs")).get("refusal")
    content = data["content"] if isinstance(data["content"], list) else []
    return bool(said) or any(one.get("type") == "refusal" for one in entries(content))


def is_summary(data: Entry) -> bool:
    """Whether a message stands for earlier ones that were left out."""
    return entry(data.get("additional_kwargs")).get("lc_source") == "summarization"


def reason_of(data: Entry) -> Any:
    """The provider's word for why the model stopped, None where there is none."""
    told = entry(data.get("response_metadata"))
    said = next((told[name] for name in _REASONS if isinstance(told.get(name), str)), None)
    if said is None and told.get("status") == "incomplete":
        return entry(told.get("incomplete_details")).get("reason")
    return said if said is not None else told.get("status")


def model_of(data: Entry) -> str | None:
    """The model that replied."""
    told = entry(data.get("response_metadata"))
    return next((told[name] for name in _MODELS if isinstance(told.get(name), str)), None)


def usage_of(data: Entry) -> ApiObject | None:
    """Token counts: LangChain's own, where cached ones are among those sent, or the provider's."""
    said = entry(data.get("usage_metadata"))
    if said:
        details = entry(said.get("input_token_details"))
        cached = (details.get("cache_read"), details.get("cache_creation"))
        return replies.tokens_of(said.get("input_tokens"), said.get("output_tokens"), *cached)
    told = entry(data.get("response_metadata"))
    own = entry(told.get("usage"))
    if count_of(own.get("input_tokens")) or count_of(own.get("output_tokens")):
        return own
    return replies.usage_of(told.get("token_usage"))
