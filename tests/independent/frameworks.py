"""Messages that LangChain (with LangGraph) and Pydantic AI dump.

LangChain: a message of the type ``ai`` is a *reply* with its ``tool_calls``; one of the type
``tool`` is a result, by the id it names. States that were kept after each step hold the earlier
messages again, and pieces of a stream are parts of one message: unknown where a file has more
than one list, or pieces.

Pydantic AI: a message of the kind ``response`` is a *reply*; ``tool-call`` parts are requests,
``tool-return`` parts and ``retry-prompt`` parts with a tool's name the results. Unknown where
a file has more than one list.
"""

from __future__ import annotations

from typing import Any

from tests.independent.raw import Count, Object, each, obj, whole

_TYPES = ("human", "ai", "system", "tool", "function", "chat")
_LISTS = ("messages", "message_history", "all_messages", "new_messages", "history")


def is_langchain(found: list[Any]) -> bool:
    """Messages in LangChain's words, or states of them."""
    return any(_type(one) in ("ai", "human", "tool") for one in _messages(found))


def langchain(found: list[Any]) -> Count:
    """One list of messages."""
    messages = _messages(found)
    types = [_type(one) for one in messages]
    lists = [one for one in _entries(found) if _inside(one)]
    pieces = any("Chunk" in str(one.get("type", one.get("id"))) for one in messages)
    if len(lists) > 1 or (lists and len(_entries(found)) > 1) or pieces:
        return Count()
    if any(one not in _TYPES for one in types):
        return Count()
    bodies = [_body(one) for one in messages]
    said = [one for one, kind in zip(bodies, types, strict=True) if kind == "ai"]
    calls = [
        call.get("id")
        for one in said
        for call in (
            each(one.get("tool_calls")) or each(obj(one.get("additional_kwargs")).get("tool_calls"))
        )
    ]
    given = [
        one.get("tool_call_id") for one, kind in zip(bodies, types, strict=True) if kind == "tool"
    ]
    prompts = types.count("human")
    if len(calls) != len(set(calls)) or None in calls or None in given:
        return Count(len(said), prompts=prompts)
    answered = len(set(calls) & set(given))
    orphans = sum(one not in calls for one in given)
    return Count(len(said), len(calls), answered, orphans, prompts, 0)


def _entries(found: list[Any]) -> list[Object]:
    if len(found) == 1 and isinstance(found[0], list):
        return each(found[0])
    return [one for one in found if isinstance(one, dict)]


def _inside(one: Object) -> list[Object]:
    values = obj(one.get("values")) or obj(one.get("channel_values")) or one
    return each(values.get("messages"))


def _messages(found: list[Any]) -> list[Object]:
    entries = _entries(found)
    return [message for one in entries for message in (_inside(one) or [one])]


def _type(one: Object) -> str:
    if one.get("type") == "constructor":
        name = str((one.get("id") or [""])[-1]).removesuffix("Chunk").removesuffix("Message")
        return name.lower()
    body = obj(one.get("data")) if isinstance(one.get("data"), dict) else one
    return str(one.get("type")) if "content" in body else "?"


def _body(one: Object) -> Object:
    return obj(one.get("kwargs")) or obj(one.get("data")) or one


def is_pydantic(found: list[Any]) -> bool:
    """Messages of a kind, made of parts of a kind."""
    return any(
        isinstance(part.get("part_kind"), str)
        for one in _pydantic(found)
        for part in each(one.get("parts"))
    )


def _pydantic(found: list[Any]) -> list[Object]:
    messages = []
    for one in _entries(found):
        lists = [each(one[name]) for name in _LISTS if isinstance(one.get(name), list)]
        messages += lists[0] if lists else [one]
    return messages


def pydantic(found: list[Any]) -> Count:
    """One list of messages."""
    messages = _pydantic(found)
    said = [one for one in messages if one.get("kind") == "response"]
    spent = [obj(one.get("usage")) for one in said]
    if len(messages) != len(_entries(found)) and len(_entries(found)) > 1:
        return Count()
    parts = [part for one in messages for part in each(one.get("parts"))]
    calls = [one.get("tool_call_id") for one in parts if one.get("part_kind") == "tool-call"]
    given = [
        one.get("tool_call_id")
        for one in parts
        if one.get("part_kind") == "tool-return"
        or (one.get("part_kind") == "retry-prompt" and one.get("tool_name"))
    ]
    tokens = sum(whole(one.get("output_tokens", one.get("response_tokens"))) for one in spent)
    known = tokens if any(spent) else None
    if len(calls) != len(set(calls)) or None in calls or None in given:
        return Count(len(said), tokens_out=known)
    answered = len(set(calls) & set(given))
    orphans = sum(one not in calls for one in given)
    return Count(len(said), len(calls), answered, orphans, None, None, known)
