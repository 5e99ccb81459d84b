"""What a client sends back, and by what it is known again.

Clients change replies on their way back: thoughts are dropped, texts trimmed, arguments
written anew, ids replaced by their own. So a reply has several names, the strongest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from visualizer.formats.telling.tool_ids import is_placed
from visualizer.messages import canonical, comparable
from visualizer.transcript.records import ApiObject

_COMPARED = {"text": ("text",), "tool_use": ("id", "name", "input")}
_COMPARED_ELSE = ("id", "tool_use_id")
"""What is compared of a reply that was sent back, by the type of its blocks."""

_DROPPED = ("thinking", "redacted_thinking")
_SERVED = ("_call", "_call_output", "mcp_list_tools")
"""What some clients drop: thoughts, and what the server did itself."""

_THOUGHT = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
"""How some clients send thoughts back."""


def mark_of(role: str, blocks: list[ApiObject]) -> bytes:
    """16 bytes that are equal for messages that are sent back as they were."""
    seen = blake2b(role.encode("utf-8", "replace"), digest_size=16)
    for block in blocks:
        kind = block["type"]
        if kind in _DROPPED or (role == "assistant" and kind.endswith(_SERVED)):
            continue
        names = _COMPARED.get(kind, _COMPARED_ELSE if role == "assistant" else tuple(block))
        told = {
            name: block[name]
            for name in names
            if block.get(name) is not None and name != "cache_control"
        }
        if role == "assistant" and kind == "text" and isinstance(text := told.get("text"), str):
            told["text"] = _THOUGHT.sub("", text)
            if not told["text"]:
                continue
        seen.update(kind.encode("utf-8", "replace") + canonical(told))
    return seen.digest()


def after(before: bytes, mark: bytes) -> bytes:
    """The mark of messages that go on with one more."""
    return blake2b(before + mark, digest_size=16).digest()


def likeness(role: str, blocks: list[ApiObject]) -> bytes:
    """What stays of a message that a client changed: whose results, which calls, which words."""
    found: list[Any] = [role]
    results = [block.get("tool_use_id") for block in blocks if block["type"] == "tool_result"]
    if results:
        found += ["results", results]
    elif role == "assistant":
        names = names_of(blocks)
        found += ["reply", names[0].hex() if names else ""]
    else:
        found += ["words", _words(blocks)]
    return _short(found)


def names_of(blocks: list[ApiObject], begun: str = "") -> list[bytes]:
    """By what a reply can be known again, the strongest first: ids, calls, words.

    ``begun`` are the words that the request had put into the model's mouth: some clients send
    them back as the reply's own.
    """
    calls = [block for block in blocks if block["type"] == "tool_use"]
    names = []
    ids = [one.get("id") for one in calls]
    if calls and all(isinstance(one, str) and one and not is_placed(one) for one in ids):
        names.append(_short(["ids", ids]))
    if calls:
        made = [[one.get("name"), _plain(one.get("input"))] for one in calls]
        return [*names, _short(["calls", made])]
    words = _words(blocks)
    whole = " ".join(f"{begun}{_text(blocks)}".split()) if begun else words
    return [_short(["words", said]) for said in dict.fromkeys((words, whole)) if said]


def block_marks(blocks: Iterable[ApiObject]) -> list[bytes]:
    """A mark for each block of a message."""
    return [_short(comparable(block)) for block in blocks]


def _words(blocks: list[ApiObject]) -> str:
    return " ".join(_text(blocks).split())


def _text(blocks: list[ApiObject]) -> str:
    texts = [block.get("text") for block in blocks if block["type"] == "text"]
    return _THOUGHT.sub("", "\n".join(text for text in texts if isinstance(text, str)))


def _plain(value: Any) -> Any:
    """A call's arguments, however a client writes them."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return " ".join(value.split()) if isinstance(value, str) else value


def _short(value: Any) -> bytes:
    return blake2b(canonical(value), digest_size=16).digest()
