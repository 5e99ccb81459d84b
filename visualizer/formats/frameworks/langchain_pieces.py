"""The pieces that a LangChain message was streamed in, put together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.frameworks.langchain_messages import Message
from visualizer.formats.telling.replies import count_of

Entry = dict[str, Any]
_TEXTS = ("text", "thinking", "reasoning")
_COUNTS = ("input_tokens", "output_tokens")


def put_together(messages: Iterable[Message]) -> list[Message]:
    """All messages; neighbouring pieces with one id are one message."""
    found = []
    for _, group in groupby(_numbered(messages), key=lambda one: one[0]):
        pieces = [message for _, message in group]
        found.append(pieces[0] if len(pieces) == 1 else _merged(pieces))
    return found


def _numbered(messages: Iterable[Message]) -> Iterable[tuple[int, Message]]:
    """Each message with a number, which is that of the one before where both are its pieces."""
    number, before = 0, None
    for message in messages:
        name = message.data.get("id")
        mark = (message.kind, name) if message.piece and isinstance(name, str) else None
        number += mark is None or mark != before
        before = mark
        yield number, message


def _merged(pieces: list[Message]) -> Message:
    whole = dict(pieces[0].data)
    calls: list[Entry] = []
    told: Entry = {}
    for piece in pieces:
        calls += entries(piece.data.get("tool_call_chunks"))
        told |= entry(piece.data.get("response_metadata"))
    content = _joined([piece.data["content"] for piece in pieces])
    whole |= {"content": content, "response_metadata": told, "invalid_tool_calls": []}
    whole["usage_metadata"] = _added([piece.data.get("usage_metadata") for piece in pieces])
    whole["tool_calls"] = _calls(calls) if calls else _last_calls(pieces)
    return Message(pieces[0].kind, whole, True)


def _joined(contents: list[Any]) -> Any:
    """Contents, one behind the other: texts are one, and so are blocks with one index."""
    if all(isinstance(one, str) for one in contents):
        return "".join(contents)
    made: list[Entry] = []
    places: dict[str, Entry] = {}
    for content in contents:
        for block in _blocks(content):
            place = f"{block.get('type')} {block.get('index')}"
            if block.get("index") is None or place not in places:
                places[place] = dict(block)
                made.append(places[place])
            else:
                _extend(places[place], block)
    return made


def _extend(block: Entry, piece: Entry) -> None:
    for name, value in piece.items():
        if name in _TEXTS and isinstance(value, str) and isinstance(block.get(name), str):
            block[name] += value
        elif block.get(name) is None:
            block[name] = value


def _blocks(content: Any) -> list[Entry]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return entries(content)


def _calls(pieces: list[Entry]) -> list[Entry]:
    """Calls out of their pieces: those with one index belong together."""
    found: list[Entry] = []
    latest: dict[str, Entry] = {}
    for piece in pieces:
        place = str(piece.get("index"))
        known = latest.get(place)
        if known is None or (piece.get("id") and known["id"] and piece["id"] != known["id"]):
            known = latest[place] = {"id": None, "name": None, "given": []}
            found.append(known)
        known["id"] = known["id"] or piece.get("id")
        known["name"] = known["name"] or piece.get("name")
        if isinstance(piece.get("args"), str):
            known["given"].append(piece["args"])
    return [{**one, "args": "".join(one["given"]) or None} for one in found]


def _last_calls(pieces: list[Message]) -> list[Entry]:
    """The calls of the last piece that has any."""
    kept = (entries(piece.data.get("tool_calls")) for piece in reversed(pieces))
    return next((calls for calls in kept if calls), [])


def _added(usages: list[Any]) -> Entry | None:
    told = [one for one in usages if isinstance(one, dict)]
    if not told:
        return None
    details: Entry = {}
    for one in told:
        for name, value in entry(one.get("input_token_details")).items():
            details[name] = count_of(details.get(name)) + count_of(value)
    sums: Entry = {name: sum(count_of(one.get(name)) for one in told) for name in _COUNTS}
    return {**sums, "input_token_details": details}
