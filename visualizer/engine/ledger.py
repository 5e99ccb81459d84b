"""What the loop's list of messages holds: read after each line, frozen when first seen.

Reading costs what is new. Whether an *old* message was edited can't be seen that cheaply, so
a long list is compared in full only now and then and at the end. When that finds an edit,
``EditMissed`` is raised and the run is done again with ``strict``, where everything is
compared before every call: a run is deterministic, and only loops that edit pay for it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from visualizer.engine.context import Context
from visualizer.messages import Block, Message, freeze_block
from visualizer.protocol import Checker

SHORT = 256
"""Messages up to which every look compares the whole list."""

WINDOW = 8
"""Messages at the end of a long list that are compared before each call."""


class Depth(Enum):
    """How closely a look compares a list longer than ``SHORT`` with what was seen."""

    END = "its length and its last message"
    WINDOW = "its last few messages"
    ALL = "all of it"


class EditMissed(BaseException):
    """An old message of a long list was edited some time ago: do the run again, strictly.

    Not an ``Exception``: it passes through the loop, whose handlers must not get it.
    """


class Change(NamedTuple):
    """What one look found: messages added at the end, or (``rewrite``) anything else."""

    added: list[Message]
    rewrite: bool


class Ledger:
    """The histories of one run: a list per rewrite, each of them growing only."""

    def __init__(self, new_context: Callable[[], Context], strict: bool = False) -> None:
        self.histories: list[list[Message]] = [[]]
        self.history = 0
        self.context = new_context()
        self.checker = Checker()
        self._new_context = new_context
        self._strict = strict
        self._shadow: list[dict[str, Any]] = []
        self._last: object = None
        self._known: dict[object, Block] = {}

    @property
    def messages(self) -> list[Message]:
        """The messages as last seen; grows, never changes otherwise."""
        return self.histories[self.history]

    def expect(self, *blocks: Block) -> None:
        """Blocks the loop was given and may put into messages: then they need no copy."""
        for block in blocks:
            self._known[_handle(block.data)] = block

    def forget_expected(self) -> None:
        """Drop what ``expect`` holds (once a turn, or it would grow with the run)."""
        self._known.clear()

    def begin(self, current: list[Any], frozen: list[Message], context: Context) -> None:
        """The first look, at a copy of messages that are known as values, and their context."""
        self._shadow = [_shadow(*pair) for pair in zip(current, frozen, strict=True)]
        self.messages.extend(frozen)
        self.context = context
        for message in frozen:
            self.checker.feed(message)
        self._last = current[-1] if current else None

    def look(self, current: list[Any], depth: Depth = Depth.END) -> Change | None:
        """Compare with what was last seen; None where nothing changed."""
        seen = len(self._shadow)
        if (
            len(current) >= seen
            and (not seen or current[seen - 1] is self._last)
            and self._seems_same(current, seen, depth)
        ):
            return self._append(current, seen)
        common = self._common(current)
        if common == seen:
            return self._append(current, seen)
        self._rewrite(current, common)
        return Change([], rewrite=True)

    def sent_elsewhere(self, messages: list[Any]) -> tuple[int, Context, Checker]:
        """A history for messages that are sent and are not what the loop holds.

        Gives its number, its context and its checker. What the loop holds stays as it is.
        """
        frozen = [Message.of(message, self._freeze) for message in messages]
        context, checker = self._judged(frozen)
        self.histories.append(frozen)
        return len(self.histories) - 1, context, checker

    def holds(self, messages: list[Any]) -> bool:
        """Whether ``messages`` are, one by one, what was last seen."""
        return len(messages) == len(self._shadow) and self._same(messages, 0)

    def continued_by(self, messages: list[Any]) -> bool:
        """Whether ``messages`` are what was last seen, the assistant's next one, and maybe more."""
        seen = len(self._shadow)
        if len(messages) <= seen or not self._same(messages, 0):
            return False
        following = messages[seen]
        return isinstance(following, dict) and following.get("role") == "assistant"

    def _seems_same(self, current: list[Any], seen: int, depth: Depth) -> bool:
        if seen <= SHORT:
            return self._same(current, 0)
        if depth is Depth.END:
            return True
        if self._strict:
            return self._same(current, 0)
        same = self._same(current, seen - WINDOW)
        if same and depth is Depth.ALL and not self._same(current, 0):
            raise EditMissed
        return same

    def _same(self, current: list[Any], start: int) -> bool:
        seen = len(self._shadow)
        if start == 0:
            return (current if len(current) == seen else current[:seen]) == self._shadow
        return current[start:seen] == self._shadow[start:]

    def _append(self, current: list[Any], seen: int) -> Change | None:
        if len(current) == seen:
            return None
        added = [self._take_in(message) for message in current[seen:]]
        self.messages.extend(added)
        for message in added:
            self.context.feed(message)
            self.checker.feed(message)
        self._last = current[-1]
        return Change(added, rewrite=False)

    def _rewrite(self, current: list[Any], common: int) -> None:
        kept = self.messages[:common]
        del self._shadow[common:]
        kept += [self._take_in(message) for message in current[common:]]
        self.histories.append(kept)
        self.history = len(self.histories) - 1
        self.context, self.checker = self._judged(kept)
        self._last = current[-1] if current else None

    def _judged(self, messages: list[Message]) -> tuple[Context, Checker]:
        context, checker = self._new_context(), Checker()
        for message in messages:
            context.feed(message)
            checker.feed(message)
        return context, checker

    def _common(self, current: list[Any]) -> int:
        count = 0
        for one, other in zip(current, self._shadow, strict=False):
            if one != other:
                break
            count += 1
        return count

    def _take_in(self, data: Any) -> Message:
        message = Message.of(data, self._freeze)
        self._shadow.append(_shadow(data, message))
        return message

    def _freeze(self, data: Any) -> Block:
        if isinstance(data, dict):
            known = self._known.get(_handle(data))
            if known is not None and known.data == data:
                return known
        return freeze_block(data)


def _handle(block: Any) -> object:
    """A cheap name for a block: ids for requests and results, else its text."""
    handle = block.get("tool_use_id") or block.get("id") or block.get("text")
    return handle if isinstance(handle, str) else None


def _shadow(data: Any, message: Message) -> Any:
    """What ``data`` must stay equal to: itself, over frozen blocks."""
    if not isinstance(data, dict):
        value = message.blocks[0].data.get("value")
        return tuple(value or ()) if isinstance(data, tuple) else value
    content = data.get("content")
    if isinstance(content, (list, tuple)):
        items = [
            b.data["value"] if b.type == "?" and "value" in b.data else b.data
            for b in message.blocks
        ]
        return {**data, "content": items if isinstance(content, list) else tuple(items)}
    if isinstance(content, str) or content is None:
        return dict(data)
    return {**data, "content": message.blocks[0].data.get("value")}
