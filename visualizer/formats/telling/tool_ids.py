"""Ids of tool requests as a run needs them: each there once.

Some models and gateways number the calls of every reply anew (``call_0``), or give no ids at
all. A result then answers the nearest request before it that waits, in order. Requests get
ids of their own here, so that everything behind can go by ids.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from visualizer.transcript.history import History
from visualizer.transcript.records import ApiObject, Parent

MADE = "call"
"""How ids begin that are made for requests which have none."""

_PLACE = "request "
"""How ids begin that only say where in its reply a request stands."""


class Asked(NamedTuple):
    """The requests of a reply: its content, each request's id, and which ids were made up.

    ``ids`` has the file's id (``""`` for none) by the one that the request goes by; ``made``
    are places in the content; ``again`` counts those whose id was used before.
    """

    content: list[ApiObject]
    ids: dict[str, str]
    made: list[int]
    again: int


def placed(number: int) -> str:
    """What stands for the id of a reply's request that has none, by its number from 1.

    A reader that knows which request a result answers says so by it. It is no id to know a
    reply by, and none that a run shows.
    """
    return f"{_PLACE}{number}"


def is_placed(name: Any) -> bool:
    """Whether an id only says where in its reply a request stands."""
    return isinstance(name, str) and name.startswith(_PLACE)


def with_ids(content: Any, ids: list[str]) -> Any:
    """A message's content, with the ``ids`` of a reply's requests for their places in it."""
    names = {placed(number): name for number, name in enumerate(ids, start=1)}
    return [_with_id(one, names) for one in content] if isinstance(content, list) else content


def _with_id(block: Any, names: dict[str, str]) -> Any:
    key = "id" if _is_request(block) else "tool_use_id"
    known = block.get(key) if isinstance(block, dict) else None
    return {**block, key: names[known]} if isinstance(known, str) and known in names else block


class ToolIds:
    """The ids that were used so far in messages that share a beginning."""

    def __init__(self, messages: Iterable[ApiObject] = ()) -> None:
        self._used: set[str] = set()
        self._numbers: dict[str, int] = {}
        for message in messages:
            content = message.get("content")
            if message.get("role") == "assistant" and isinstance(content, list):
                self._used.update(map(_id_of, filter(_is_request, content)))

    def asked(self, content: list[ApiObject]) -> Asked:
        """A reply's requests, told apart from each other and from earlier ones.

        The content is the very list that was given where nothing in it had to be changed.
        """
        ids: dict[str, str] = {}
        made: list[int] = []
        again = 0
        for place, block in enumerate(content):
            if not _is_request(block):
                continue
            known = name = _id_of(block)
            unnamed = not known or is_placed(known)
            if unnamed or known in self._used:
                again += not unnamed
                name = self._new("" if unnamed else known)
                content = content if made else list(content)
                content[place] = {**block, "id": name}
                made.append(place)
            self._used.add(name)
            ids[name] = known
        return Asked(content, ids, made, again)

    def _new(self, known: str) -> str:
        """An id that none of the requests has: numbered behind the one that is used."""
        base = known or MADE
        number = self._numbers.get(base, int(known != ""))
        while True:
            number += 1
            if (name := f"{base}-{number}") not in self._used:
                self._numbers[base] = number
                return name


class AllToolIds:
    """The ids of all conversations of a file: those with a common beginning share theirs.

    ``asked`` are the file's own ids of all requests, ``answered`` of those that have a result.
    """

    def __init__(self) -> None:
        self.asked: set[str] = set()
        self.answered: set[str] = set()
        self._known: dict[int, tuple[History, ToolIds]] = {}
        self._homes: dict[str, tuple[str, str]] = {}

    def of(self, history: History) -> ToolIds:
        """The ids in a conversation."""
        root = history.root
        if id(root) not in self._known:
            self._known[id(root)] = root, ToolIds(history.first(len(history)))
        return self._known[id(root)][1]

    def remember(self, asked: Asked, run: str) -> None:
        """The requests of a reply, and the run that it is in."""
        self.asked.update(asked.ids.values())
        self._homes.update((known, (run, name)) for name, known in asked.ids.items())

    def parent(self, starter: str | None) -> Parent | None:
        """The run, and the request in it, that started a subagent, by the file's own id."""
        run, name = self._homes.get(starter or "", ("", ""))
        return Parent(run, name) if run else None

    def stray(self, answers: Any) -> str:
        """What kind of result it is that answers no request that waits for one."""
        if not isinstance(answers, str) or is_placed(answers):
            return "orphan_result"
        if answers in self.answered:
            return "double_result"
        return "late_result" if answers in self.asked else "orphan_result"


def told_apart(messages: Iterable[ApiObject]) -> list[ApiObject]:
    """Messages whose tool requests have ids of their own, and the results those of these."""
    ids = ToolIds()
    found: list[ApiObject] = []
    due: dict[str, str] = {}
    for message in messages:
        content = message["content"]
        if isinstance(content, list) and message["role"] == "assistant":
            asked = ids.asked(content)
            content, due = asked.content, asked.ids
        elif isinstance(content, list):
            content = [_answering(block, due) for block in content]
        found.append({**message, "content": content})
    return found


def answered(answers: Any, due: dict[str, str]) -> str | None:
    """Which of the requests that wait a result answers, by what it says; None for none.

    ``due`` has the file's ids by the requests' own, in order.
    """
    known = answers if isinstance(answers, str) else ""
    if known in due:
        return known
    return next((name for name, said in due.items() if said in (known, "") or not known), None)


def _answering(block: ApiObject, due: dict[str, str]) -> ApiObject:
    if block.get("type") != "tool_result":
        return block
    name = answered(block.get("tool_use_id"), due)
    if name is None:
        return block
    del due[name]
    return block if block.get("tool_use_id") == name else {**block, "tool_use_id": name}


def _is_request(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_use"


def _id_of(block: ApiObject) -> str:
    name = block.get("id")
    return name if isinstance(name, str) else ""
