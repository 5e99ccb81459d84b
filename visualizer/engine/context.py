"""When a recorded reply may be given: only for the context it was recorded in.

A context is the messages flattened to (role, block): a string is one text block, neighbours
of one role merge, adjacent results stand in the order of their requests (and what
``Block.key`` leaves out does not count). It is kept as a running hash, so that asking costs
what is new since the last time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from visualizer.messages import Block, Message, comparable, escape_pointer, leaves
from visualizer.run.timeline import ABSENT, Difference

ROOT = bytes(16)


class Context:
    """A running hash over messages.

    ``aliases`` maps the hash of a context to the hash of the one it stands for (a turn that
    repeats leads back to its own context); ``ids`` maps a request id that the replay made
    up for a repetition to the recorded one. Both may grow while the context is in use.
    """

    def __init__(
        self, aliases: Mapping[bytes, bytes] | None = None, ids: Mapping[str, str] | None = None
    ) -> None:
        self._aliases = {} if aliases is None else aliases
        self._ids = {} if ids is None else ids
        self._hash = ROOT
        self._results: list[Block] = []
        self._order: dict[str, int] = {}
        self._in_request = False

    def feed(self, message: Message) -> None:
        """Take in one more message."""
        for block in message.blocks:
            kind = block.type
            if kind == "tool_result" and message.role == "user":
                self._results.append(block)
                continue
            self._close_results()
            if message.role != "assistant":
                self._in_request = False
            elif not self._in_request:
                self._in_request, self._order = True, {}
            if kind == "tool_use":
                self._order.setdefault(block.id, len(self._order))
            self._hash = self._next(self._hash, message.role, block)

    def copy(self) -> Context:
        """A context that goes on from here by itself."""
        made = Context(self._aliases, self._ids)
        made._hash, made._in_request = self._hash, self._in_request
        made._results, made._order = list(self._results), dict(self._order)
        return made

    def digest(self) -> bytes:
        """16 bytes that are equal for equal contexts."""
        return self._with_results()

    def _close_results(self) -> None:
        if self._results:
            self._hash = self._with_results()
            self._results = []
            self._in_request = False

    def _with_results(self) -> bytes:
        """The hash with the results seen last put in request order behind it."""
        value = self._hash
        for block in in_request_order(self._results, self._order):
            value = self._next(value, "user", block)
        return value

    def _next(self, value: bytes, role: str, block: Block) -> bytes:
        key = self._recorded(block).key
        following = blake2b(value + role.encode("utf-8", "replace") + key, digest_size=16).digest()
        return self._aliases.get(following, following)

    def _recorded(self, block: Block) -> Block:
        name = "tool_use_id" if block.type == "tool_result" else "id"
        recorded = self._ids.get(block.data.get(name, "")) if self._ids else None
        return block if recorded is None else Block({**block.data, name: recorded})


def in_request_order(results: Sequence[Block], order: Mapping[str, int]) -> list[Block]:
    """Results in the order of their requests; those that answer none come last, as they were."""
    if len(results) < 2:
        return list(results)
    return sorted(results, key=lambda block: order.get(block.tool_use_id, len(order)))


class _Item(NamedTuple):
    """One block of a flattened list, with the message it came from."""

    role: str
    block: Block
    message: int
    position: int


def flatten(messages: Iterable[Message]) -> list[_Item]:
    """Messages as the context sees them, each block with where it stood."""
    items: list[_Item] = []
    order: dict[str, int] = {}
    results: list[_Item] = []
    for number, message in enumerate(messages):
        for position, block in enumerate(message.blocks):
            item = _Item(message.role, block, number, position)
            if block.type == "tool_result" and message.role == "user":
                results.append(item)
                continue
            items += _ordered(results, order)
            results = []
            if message.role != "assistant" or (items and items[-1].role != "assistant"):
                order = {}
            if block.type == "tool_use":
                order.setdefault(block.id, len(order))
            items.append(item)
    return items + _ordered(results, order)


def _ordered(results: list[_Item], order: Mapping[str, int]) -> list[_Item]:
    return sorted(results, key=lambda item: order.get(item.block.tool_use_id, len(order)))


def is_prefix(recorded: Sequence[Message], sent: Sequence[Message]) -> bool:
    """Whether everything recorded was sent, in order, and more."""
    return common_blocks(flatten(recorded), flatten(sent)) == len(flatten(recorded))


def common_blocks(left: Sequence[_Item], right: Sequence[_Item]) -> int:
    """How many first blocks two flattened lists share."""
    count = 0
    for one, other in zip(left, right, strict=False):
        if one.role != other.role or one.block.key != other.block.key:
            break
        count += 1
    return count


def first_difference(recorded: Sequence[Message], sent: Sequence[Message]) -> Difference:
    """The first thing in ``sent`` that differs from ``recorded``: message, field, both values.

    The field is a JSON pointer inside the message, whose content is taken as blocks.
    """
    left, right = flatten(recorded), flatten(sent)
    same = common_blocks(left, right)
    if same == len(right):
        item = left[same] if same < len(left) else None
        where = len(sent)
        return Difference("messages", where, "", item.block.data if item else ABSENT, ABSENT)
    theirs = right[same]
    field = f"/content/{theirs.position}"
    if same == len(left):
        return Difference("messages", theirs.message, field, ABSENT, theirs.block.data)
    ours = left[same]
    if ours.role != theirs.role:
        return Difference("messages", theirs.message, "/role", ours.role, theirs.role)
    return _field_difference(ours.block, theirs.block, theirs.message, field)


def _field_difference(ours: Block, theirs: Block, message: int, field: str) -> Difference:
    if ours.type != theirs.type:
        return Difference("messages", message, f"{field}/type", ours.type, theirs.type)
    recorded = dict(leaves(comparable(ours.data)))
    sent = dict(leaves(comparable(theirs.data)))
    for pointer in [*recorded, *(extra for extra in sent if extra not in recorded)]:
        one, other = recorded.get(pointer, ABSENT), sent.get(pointer, ABSENT)
        if one != other:
            return Difference("messages", message, field + pointer, one, other)
    return Difference("messages", message, field, dict(ours.data), dict(theirs.data))


def parameter_difference(
    recorded: Mapping[str, object], passed: Mapping[str, object]
) -> Difference | None:
    """The first parameter that a loop passed with another value than was recorded.

    What the recording does not hold matches anything.
    """
    for name, value in passed.items():
        if name in recorded and recorded[name] != value:
            field = f"/{escape_pointer(name)}"
            return Difference("parameters", None, field, recorded[name], value)
    return None
