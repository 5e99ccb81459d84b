"""The other way to hold a conversation: the server keeps it, and a call names where to go on.

What a call then sends is only what the server does not have. What the model reads is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from visualizer.run.timeline import Call, Run
from visualizer.transcript.records import Turn


class Link(NamedTuple):
    """One call of a run, as it would be made on a thread that the server keeps.

    ``previous`` is the id of the reply it goes on from, None where the thread begins (anew,
    where the loop had changed what the server holds). ``first`` is the first message that is
    sent; ``read`` is how many the model reads, which the stateless call sends.
    """

    call: int
    previous: str | None
    first: int
    read: int

    @property
    def sent(self) -> int:
        """How many messages are sent."""
        return self.read - self.first

    @property
    def thread(self) -> dict[str, Any]:
        """The request's ``thread``."""
        if self.previous is None:
            return {"type": "create"}
        return {"type": "continue", "previous_message_id": self.previous}


def chain_of(run: Run, turns: Mapping[int, Turn]) -> tuple[Link, ...]:
    """The calls of a run as links. ``turns`` are the recorded turns by call, for the ids.

    A reply is on the server already, so it is never sent back. A chain can only grow: where
    the loop's list is no continuation of what the server holds, a thread begins anew.
    """
    found: list[Link] = []
    before: tuple[int, Call] | None = None
    for number, call in enumerate(run.calls):
        held = _held(run, before[1], call) if before is not None else None
        if before is None or held is None:
            found.append(Link(number, None, 0, call.sent))
        else:
            found.append(Link(number, _id(turns.get(before[0]), before[0]), held, call.sent))
        if call.reply is not None:
            before = (number, call)
    return tuple(found)


def _held(run: Run, before: Call, call: Call) -> int | None:
    """How many of a call's messages the server holds after an earlier one; None: other ones."""
    if before.history != call.history or call.sent <= before.sent:
        return None
    reply = run.histories[call.history][before.sent]
    if before.reply is None or reply.blocks != before.reply.blocks:
        return None
    return before.sent + 1


def _id(turn: Turn | None, number: int) -> str:
    own = (turn.response or {}).get("id") if turn is not None else None
    return own if isinstance(own, str) else f"msg_{number + 1}"
