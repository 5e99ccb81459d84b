"""The rules that a Messages endpoint enforces on ``messages``, each with a code of our own.

``CODES`` lists them. The rules follow the public description of tool use; vendors reword
their errors, so nothing here depends on the wording. Neighbours of one role are one turn, as
the endpoint merges them. A system message never parts a request from its result: where it
may not stand, that is its own finding.

One fault is one finding: what only follows from another finding is left out. So a request
is not called unanswered when its result is malformed or stands in the wrong message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from visualizer.messages import Block, Message

CODES = (
    "no_messages",  # the list is empty
    "missing_result",  # tool requests without a result in the next user turn
    "orphan_result",  # a result for nothing that the assistant turn just before asked for
    "double_result",  # a second result for one request
    "results_not_first",  # something stands before a result in the turn that answers requests
    "duplicate_id",  # a tool request's id was used before
    "empty_text",  # a text block holds ""
    "blank_text",  # a text block holds only white space
    "empty_message",  # no content, and not the final assistant message
    "result_in_assistant",  # a tool result in an assistant message
    "request_in_user",  # a tool request in a user message
    "missing_tool_use_id",  # a tool result that does not say which request it answers
    "bad_id",  # a tool request's id is absent or has characters other than A-Za-z0-9_-
    "input_not_object",  # a tool request's input is not an object
    "empty_name",  # a tool request has no name
    "unknown_role",  # a role other than user, assistant, system
    "system_first",  # a system message at the start
    "system_misplaced",  # a system message where none may stand
    "ends_with_assistant",  # the last message is the assistant's, and nothing is left to resume
    "bad_block",  # a content block without a type, or a text block without a text
    "duplicate_tool_name",  # two tools of one name
)

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_SERVER_REQUESTS = frozenset({"server_tool_use", "mcp_tool_use"})


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: its code, a JSON pointer into the request, the request ids concerned.

    The pointer names the block, or the message where no block is at fault; where the
    content is a string, ``…/content`` stands for the block.
    """

    code: str
    pointer: str
    ids: tuple[str, ...] = ()


_Place = tuple[int, int, str]  # message and block (-1: the message itself), JSON pointer
_Found = tuple[int, int, int, Violation]  # message, block, number of the rule: reading order


@dataclass(slots=True)
class _Exchange:
    """An assistant turn and the user turn that follows it, as far as they were fed."""

    requested: bool = False
    unanswered: dict[str, _Place] = field(default_factory=dict)  # by request id
    due: dict[str, int] = field(default_factory=dict)  # results still allowed, by request id
    nameless: int = 0  # requests without an id
    excused: bool = False  # something malformed stands where results should be
    obstacle: _Place | None = None  # the first block that is no result
    displaced: list[str] = field(default_factory=list)  # requests answered behind it
    server_waiting: set[str] = field(default_factory=set)
    last_type: str = ""  # of the last block in the last assistant message

    def findings(self) -> Iterator[_Found]:
        """What is wrong if the exchange ends here."""
        if self.unanswered and not self.excused:
            place = next(iter(self.unanswered.values()))
            yield _found("missing_result", place, *self.unanswered)
        if self.obstacle and self.displaced:
            yield _found("results_not_first", self.obstacle, *self.displaced)

    def may_resume(self) -> bool:
        """Whether the request may end here with the assistant's turn, as after a pause."""
        return (
            self.requested  # the results that are missing are the fault then
            or bool(self.server_waiting)
            or self.last_type in _SERVER_REQUESTS
            or self.last_type.endswith("tool_result")
            or self.last_type == "compaction"
        )


class Checker:
    """Judges a growing list of messages; feeding a message costs what that message holds."""

    def __init__(self) -> None:
        self._count = 0
        self._certain: list[_Found] = []  # what no later message can mend
        self._ids: set[str] = set()
        self._stray_ids: set[str] = set()  # asked for in a way that is itself a fault
        self._exchange = _Exchange()
        self._turn = ""  # whose turn it is: user or assistant
        self._last = ""  # the role of the last message
        self._system: _Place | None = None  # a system message that what follows decides on
        self._empty: _Place | None = None  # an empty assistant message, fine while it is last

    def copy(self) -> Checker:
        """A checker that goes on from here on its own; costs the ids and findings so far."""
        other = Checker()
        other.__dict__.update(self.__dict__)
        other._certain = list(self._certain)
        other._ids = set(self._ids)
        other._stray_ids = set(self._stray_ids)
        other._exchange = deepcopy(self._exchange)
        return other

    def feed(self, message: Message) -> None:
        """Take the next message."""
        role, place = message.role, _message_place(self._count)
        self._count += 1
        if self._empty:
            self._add("empty_message", self._empty)
            self._empty = None
        if role == "system":
            self._feed_system(place)
        elif self._system:
            if role == "user":
                self._add("system_misplaced", self._system)
            self._system = None
        if role in ("user", "assistant"):
            self._take_turn(role)
        self._last = role
        if role in ("user", "assistant", "system"):
            self._feed_content(place, message)
        else:
            self._add("unknown_role", place)
            self._exchange.excused |= self._exchange.requested

    def violations(self) -> tuple[Violation, ...]:
        """Everything wrong with what was fed, taken as a whole request, in reading order."""
        if not self._count:
            return (Violation("no_messages", "/messages"),)
        found = [*self._certain, *self._exchange.findings()]
        if self._last == "assistant" and not self._exchange.may_resume():
            found.append(_found("ends_with_assistant", _message_place(self._count - 1)))
        return tuple(item[3] for item in sorted(found, key=itemgetter(0, 1, 2)))

    def _add(self, code: str, place: _Place, *ids: str) -> None:
        self._certain.append(_found(code, place, *ids))

    def _feed_system(self, place: _Place) -> None:
        exchange = self._exchange
        pausing = exchange.last_type.endswith("_tool_result") and not exchange.requested
        if self._last == "system":
            return  # one turn with the message before
        if self._count == 1:
            self._add("system_first", place)
        elif self._turn == "assistant" and not pausing:
            self._add("system_misplaced", place)
        elif self._turn:
            self._system = place

    def _take_turn(self, role: str) -> None:
        if role == "assistant":
            if self._turn == "user":
                self._certain.extend(self._exchange.findings())
                self._exchange = _Exchange()
            self._exchange.last_type = ""
        self._turn = role

    def _feed_content(self, place: _Place, message: Message) -> None:
        if not message.blocks or (message.content_is_text and not message.text):
            if message.role == "assistant":
                self._empty = place
            else:
                self._add("empty_message", place)
            return
        for index, block in enumerate(message.blocks):
            pointer = "/content" if message.content_is_text else f"/content/{index}"
            spot = (place[0], index, place[2] + pointer)
            fault = _block_fault(block)
            if fault:
                self._add(fault, spot)
            if message.role == "assistant":
                self._feed_assistant(spot, block)
            elif message.role == "user":
                self._feed_user(spot, block, sound=not fault)

    def _feed_assistant(self, place: _Place, block: Block) -> None:
        exchange, kind = self._exchange, block.type
        exchange.last_type = kind
        if kind == "tool_use":
            self._feed_request(place, block)
        elif kind == "tool_result":
            self._add("result_in_assistant", place, block.tool_use_id)
            exchange.unanswered.pop(block.tool_use_id, None)
        elif kind == "?":
            self._stray_ids.add(block.id)
        elif kind in _SERVER_REQUESTS:
            exchange.server_waiting.add(block.id)
        elif kind.endswith("_tool_result"):
            exchange.server_waiting.discard(block.tool_use_id)

    def _feed_request(self, place: _Place, block: Block) -> None:
        exchange = self._exchange
        exchange.requested = True
        if not _ID.fullmatch(block.id):
            self._add("bad_id", place, block.id)
        if not block.name:
            self._add("empty_name", place, block.id)
        if not isinstance(block.input, Mapping):
            self._add("input_not_object", place, block.id)
        if not block.id:
            exchange.nameless += 1
            return
        if block.id in self._ids:
            self._add("duplicate_id", place, block.id)
        self._ids.add(block.id)
        exchange.unanswered.setdefault(block.id, place)
        exchange.due[block.id] = exchange.due.get(block.id, 0) + 1

    def _feed_user(self, place: _Place, block: Block, sound: bool) -> None:
        exchange = self._exchange
        if block.type == "tool_result":
            self._feed_result(place, block.tool_use_id)
        elif block.type == "tool_use":
            self._add("request_in_user", place, block.id)
            self._stray_ids.add(block.id)
        elif block.type == "?":
            exchange.excused = True
        elif sound and exchange.requested and not exchange.obstacle:
            exchange.obstacle = place

    def _feed_result(self, place: _Place, answered: str) -> None:
        exchange = self._exchange
        if not answered:
            self._add("missing_tool_use_id", place)
            exchange.excused = True
        elif exchange.due.get(answered):
            exchange.due[answered] -= 1
            exchange.unanswered.pop(answered, None)
            if exchange.obstacle:
                exchange.displaced.append(answered)
        elif answered in exchange.due:
            self._add("double_result", place, answered)
        elif exchange.nameless:
            exchange.nameless -= 1
        elif answered not in self._stray_ids:
            self._add("orphan_result", place, answered)


def check(
    messages: Sequence[Message], tools: Sequence[Mapping[str, Any]] | None = None
) -> tuple[Violation, ...]:
    """Everything wrong with a request of these messages and tool definitions."""
    checker = Checker()
    for message in messages:
        checker.feed(message)
    return (*checker.violations(), *_tool_violations(tools or ()))


def _tool_violations(tools: Sequence[Mapping[str, Any]]) -> Iterator[Violation]:
    names: set[str] = set()
    for index, tool in enumerate(tools):
        name = tool.get("name") if isinstance(tool, Mapping) else None
        if isinstance(name, str) and name in names:
            yield Violation("duplicate_tool_name", f"/tools/{index}")
        elif isinstance(name, str):
            names.add(name)


def _block_fault(block: Block) -> str:
    """The code of what is wrong with a block by itself, else ``""``."""
    if block.type == "?" or (block.type == "text" and not isinstance(block.data.get("text"), str)):
        return "bad_block"
    if block.type != "text" or block.text.strip():
        return ""
    return "blank_text" if block.text else "empty_text"


def _message_place(index: int) -> _Place:
    return index, -1, f"/messages/{index}"


def _found(code: str, place: _Place, *ids: str) -> _Found:
    violation = Violation(code, place[2], tuple(item for item in ids if item))
    return place[0], place[1], CODES.index(code), violation
