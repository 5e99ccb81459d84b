"""Messages as values: what a run's snapshots, the context and the screens hold.

A loop works on plain dicts, as it would against an API. What has been sent or shown is
kept here, frozen, so that later edits can't reach it. The shapes are those of the
Messages API: ``{"role": …, "content": str | [block, …]}``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

JsonObject = Mapping[str, Any]


SHOWN = 400
"""Characters of a value that a ``repr`` shows."""


class Block:
    """One content block, read-only. ``data`` is the block as it was, without additions."""

    __slots__ = ("_key", "data")

    def __init__(self, data: JsonObject) -> None:
        self.data = data
        self._key: bytes | None = None

    @property
    def type(self) -> str:
        """``text``, ``tool_use``, ``tool_result`` … or ``"?"`` where the block has none."""
        kind = self.data.get("type")
        return kind if isinstance(kind, str) else "?"

    @property
    def text(self) -> str:
        """The text of a text block, else ``""``."""
        return _string(self.data.get("text")) if self.type == "text" else ""

    @property
    def id(self) -> str:
        """The id of a tool request, else ``""``."""
        return _string(self.data.get("id"))

    @property
    def name(self) -> str:
        """The tool's name in a tool request, else ``""``."""
        return _string(self.data.get("name"))

    @property
    def input(self) -> Any:
        """The arguments of a tool request."""
        return self.data.get("input")

    @property
    def tool_use_id(self) -> str:
        """Which request a tool result answers, else ``""``."""
        return _string(self.data.get("tool_use_id"))

    @property
    def is_error(self) -> bool:
        """Whether a tool result reports an error (absent means no)."""
        return self.data.get("is_error") is True

    @property
    def result_text(self) -> str:
        """The text of a tool result, its text blocks joined by newlines."""
        content = self.data.get("content")
        if isinstance(content, str):
            return content
        if not isinstance(content, list):
            return ""
        parts = [
            _string(part.get("text")) if part.get("type") == "text" else f"[{part.get('type')}]"
            for part in content
            if isinstance(part, Mapping)
        ]
        return "\n".join(parts)

    @property
    def key(self) -> bytes:
        """What makes two blocks the same context: 16 bytes over all but host details.

        ``cache_control`` does not change what a model reads, and an absent ``is_error``
        means false, so neither counts.
        """
        if self._key is None:
            self._key = blake2b(canonical(comparable(self.data)), digest_size=16).digest()
        return self._key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Block) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Block({short_repr(dict(self.data))})"


class Message:
    """One message, read-only: a role and its blocks.

    A string content is one text block; ``content_is_text`` remembers the form, so that
    ``to_json`` gives back exactly what was sent.
    """

    __slots__ = ("blocks", "content_is_text", "role")

    def __init__(self, role: str, blocks: tuple[Block, ...], content_is_text: bool = False) -> None:
        self.role = role
        self.blocks = blocks
        self.content_is_text = content_is_text

    @classmethod
    def of(cls, data: Any, freeze: Callable[[Any], Block] | None = None) -> Message:
        """Freeze a message; ``data`` may be changed afterwards without effect.

        Malformed content is kept as it is in a block of type ``"?"``: what a loop sends
        is shown and judged by the protocol rules, never refused here. ``freeze`` makes the
        blocks, for callers that already hold frozen ones.
        """
        freeze = freeze or freeze_block
        if not isinstance(data, Mapping):
            return cls("", (freeze(data),))
        role = data.get("role")
        content = data.get("content")
        if isinstance(content, str):
            return cls(_string(role), (Block({"type": "text", "text": content}),), True)
        items = content if isinstance(content, (list, tuple)) else [content]
        return cls(_string(role), tuple(map(freeze, items)))

    @property
    def text(self) -> str:
        """All text blocks, joined."""
        return "".join(block.text for block in self.blocks)

    @property
    def tool_calls(self) -> tuple[Block, ...]:
        """The tool requests in this message, in order."""
        return tuple(block for block in self.blocks if block.data.get("type") == "tool_use")

    @property
    def results(self) -> tuple[Block, ...]:
        """The tool results in this message, in order."""
        return tuple(block for block in self.blocks if block.data.get("type") == "tool_result")

    def to_json(self) -> dict[str, Any]:
        """The message as the API takes it, freshly built."""
        if self.content_is_text:
            return {"role": self.role, "content": self.blocks[0].data["text"]}
        return {"role": self.role, "content": [copy_json(block.data) for block in self.blocks]}

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Message) and self.role == other.role and self.blocks == other.blocks
        )

    def __hash__(self) -> int:
        return hash((self.role, self.blocks))

    def __repr__(self) -> str:
        return f"Message({self.role!r}, {short_repr(list(self.blocks))})"


def kept_block(data: Any) -> Block:
    """A block over recorded data, which nobody changes: it needs no copy."""
    return Block(data) if isinstance(data, Mapping) else freeze_block(data)


def freeze_block(data: Any) -> Block:
    """A block that later changes of ``data`` don't reach; type ``"?"`` for what is no object."""
    copied = copy_json(data)
    return Block(copied if isinstance(data, Mapping) else {"type": "?", "value": copied})


def comparable(data: JsonObject) -> dict[str, Any]:
    """A block without what does not count for the context (see ``Block.key``)."""
    kept = {key: value for key, value in data.items() if key != "cache_control"}
    if kept.get("is_error") is False:
        del kept["is_error"]
    return kept


def canonical(value: Any) -> bytes:
    """JSON text that is equal exactly where the values are (keys sorted, lone surrogates kept)."""
    return _encode(value).encode("ascii")


_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=repr).encode


def leaves(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every scalar in ``value`` with its JSON pointer, in order."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from leaves(item, f"{pointer}/{escape_pointer(str(key))}")
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from leaves(item, f"{pointer}/{index}")
    else:
        yield pointer, value


def escape_pointer(key: str) -> str:
    """A key as a step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def short_repr(value: Any) -> str:
    """``repr``, of a long value its beginning and how long it is."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}... ({len(text):,} characters)"


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def copy_json(value: Any) -> Any:
    """A deep copy of plain JSON data; any other value stays what it is."""
    kind = type(value)
    if kind is str or kind is int:
        return value
    if isinstance(value, Mapping):
        return {key: copy_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [copy_json(item) for item in value]
    return value
