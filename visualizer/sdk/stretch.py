"""One query of a client may be several runs of a loop: where the client went on by itself.

After a reply that was cut short, say, it adds a note and calls again, where a loop returns.
The recording then has a run that was ``continued``; both belong to one stream.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from visualizer.messages import Block, Message
from visualizer.transcript.history import SharedRequest
from visualizer.transcript.records import ApiObject, RecordedRun

if TYPE_CHECKING:
    from visualizer.loading import Scenario

CONTINUED = "continued"


class Stretch(NamedTuple):
    """What came before a run in its stream, and whether something comes after it.

    ``note`` is what the client added to go on, ``users`` how many user lines there were
    before, ``spent`` the usage of the replies before; ``goes_on`` says that the stream's result
    stands in a later run.
    """

    note: tuple[Block, ...] = ()
    users: int = 0
    is_first: bool = True
    goes_on: bool = False
    spent: tuple[ApiObject, ...] = ()


ALONE = Stretch()
"""A run that is a stream by itself."""


def stretch_of(scenario: Scenario, recorded: RecordedRun) -> Stretch:
    """Where a run stands in the stream that it is a part of."""
    side = [one for one in scenario.runs if _conversation(one) == _conversation(recorded)]
    at = next(number for number, one in enumerate(side) if one is recorded)
    after = side[at + 1] if at + 1 < len(side) else None
    goes_on = after is not None and after.started_by == CONTINUED and not _has_result(recorded)
    first = at
    while first > 0 and side[first].started_by == CONTINUED and not _has_result(side[first - 1]):
        first -= 1
    users = sum(
        _users(one) + len(_note(side[first + n + 1])) for n, one in enumerate(side[first:at])
    )
    if first == at:
        return Stretch(goes_on=goes_on)
    note = _note(recorded)
    spent = tuple(usage for one in side[first:at] for usage in _usages(one))
    return Stretch(note, users - len(note), False, goes_on, spent)


def _conversation(recorded: RecordedRun) -> tuple[str, str | None] | None:
    """Which conversation a run is of: the main one, or that of a subagent."""
    parent = recorded.parent
    return None if parent is None else (parent.run, parent.tool_use_id)


def _has_result(recorded: RecordedRun) -> bool:
    return isinstance((recorded.recorded or {}).get("subtype"), str)


def _users(recorded: RecordedRun) -> int:
    """The user lines of a run: its results, and the notes put into its requests."""
    turns = recorded.takes[0].turns
    notes = sum(len(put.content) for one in turns for put in one.inserted if put.origin == "meta")
    return notes + sum(len(one.results or ()) for one in turns)


def _usages(recorded: RecordedRun) -> Iterator[ApiObject]:
    for turn in recorded.takes[0].turns:
        usage = (turn.response or {}).get("usage")
        if isinstance(usage, dict):
            yield usage


def _note(recorded: RecordedRun) -> tuple[Block, ...]:
    """The text that a continued run's request ends with."""
    request = recorded.request
    shared = request.last if isinstance(request, SharedRequest) else None
    last = shared or (request.messages[-1] if request.messages else None)
    if not isinstance(last, dict) or last.get("role") != "user":
        return ()
    return tuple(block for block in Message.of(last).blocks if block.type == "text")
