"""Where two runs of one scenario part, and why: from what was observed, never from names.

Two runs agree on a turn when they got the same reply and executed the same requests; in
which order does not count. At the first turn on which they do not agree, or after which only
one of them goes on, each side gives an account of itself. The graver account names the kind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from visualizer.describe.phrases import scalar
from visualizer.messages import Block, Message
from visualizer.protocol import Violation
from visualizer.run.timeline import Call, Difference, Run, Step, Stop

Side = Literal["left", "right", "both"]

KINDS = (
    "request_refused",  # a call that an endpoint would refuse
    "diverged",  # a call or tool call that was never recorded
    "recording_ended",  # a call or tool call after the last recorded one
    "undecided",  # a tool call waits for a person
    "raised",  # an exception left the loop
    "does_not_end",  # one went on until the visualizer stopped it
    "executed_unasked",  # a tool ran although the flag was not tool_use
    "answer_not_from_model",  # what was returned stands in no reply
    "request_ignored",  # a reply's text was returned, the tools it asked for never ran
    "taken_for_answer",  # a text was returned although the reply was cut short, refused, paused
    "returned_early",  # ended on tool_use and below the cap, in another way than these
    "budget_exhausted",  # a limit beside the turns was used up
    "cut_off",  # max_turns was reached
    "went_on",  # called again where the other returned
    "other_reply",  # the replies differ
    "other_requests",  # the executed requests differ
    "other_result",  # both ended, with different results
)
"""Why runs part, the gravest first."""

ANSWERED = frozenset({"end_turn", "stop_sequence"})
_BY_STOP = {"step_cap": "does_not_end"}
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


@dataclass(frozen=True, slots=True)
class Account:
    """What one run did where it parts from the other, and what shows it.

    ``step`` is where (1-based), ``call`` the model call concerned. ``requests`` are the tool
    requests that were ignored, or executed unasked; ``message`` is the message that holds
    what was returned, None where none does.
    """

    kind: str
    step: int
    call: Call | None = None
    flag: str | None = None
    requests: tuple[Block, ...] = ()
    message: int | None = None
    stop: Stop | None = None

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The protocol rules that the refused request breaks."""
        return self.stop.violations if self.stop else ()

    @property
    def difference(self) -> Difference | None:
        """The first thing sent that was not recorded."""
        return self.stop.difference if self.stop else None


@dataclass(frozen=True, slots=True)
class Parting:
    """The first place where two runs part. ``side`` is the one that ``kind`` is about.

    ``left`` and ``right`` are the accounts of the two, None for a run that just went on or
    ended with an answer. Steps are 1-based: where each run stands then.
    """

    kind: str
    side: Side
    turn: int
    place: str
    left_step: int
    right_step: int
    left: Account | None
    right: Account | None


@dataclass(slots=True)
class _Turn:
    """One turn of a run: its last call, the executed steps, and the stop that ended it."""

    call: Call
    executed: list[Step]
    stop: Stop | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for turns in which the same happened, in whatever order."""
        ran = Counter((step.request, step.result) for step in self.executed)
        return self.call.reply, self.call.stop_reason, ran, self.stop


def _turns(run: Run) -> list[_Turn]:
    """The turns of a run, by their number."""
    turns: list[_Turn] = []
    for call in run.calls:
        if call.turn == len(turns):
            turns.append(_Turn(call, []))
        turns[call.turn].call = call
    for step in run.steps:
        if step.phase == "execute" and step.turn is not None:
            turns[step.turn].executed.append(step)
    if turns and run.terminal_reason != "step_cap":
        turns[-1].stop = run.stop
    return turns


def outcome(run: Run) -> tuple[object, ...]:
    """How a run ended: equal for runs that come to the same."""
    value = scalar(run.result)
    if type(value) is not type(run.result):
        value = _ADDRESS.sub("", value)  # the repr of an object says where it is in memory
    return type(value), value, run.terminal_reason, run.raised and run.raised.type


def first_parting(left: Run, right: Run) -> tuple[int, Account | None, Account | None] | None:
    """The turn in or after which two runs differ, and both accounts; None where they agree.

    At least one account is there. The turn is -1 for runs that differ without any call.
    """
    one, other = _turns(left), _turns(right)
    shared = min(len(one), len(other))
    differing = (at for at in range(shared) if one[at].key != other[at].key)
    turn = next(differing, None)
    if turn is None:
        if len(one) == len(other) and outcome(left) == outcome(right):
            return None
        turn = shared - 1
    mine, theirs = _account(left, one, other, turn), _account(right, other, one, turn)
    if mine is None and theirs is None:
        mine, theirs = _next_call(left, one, turn), _next_call(right, other, turn)
    if mine is None and theirs is None:
        mine, theirs = _neither(left, right, one, other, turn)
    return turn, mine, theirs


def _account(run: Run, own: Sequence[_Turn], theirs: Sequence[_Turn], turn: int) -> Account | None:
    """What a run did in a turn that the other did not; None where it just went on."""
    here = own[turn] if turn >= 0 else None
    if here is not None and here.call.reply is not None and here.call.stop_reason != "tool_use":
        known = [step.request for step in theirs[turn].executed]
        unasked = [step for step in here.executed if step.request not in known]
        if unasked:
            requests = tuple(step.request for step in unasked if step.request is not None)
            flag = here.call.stop_reason
            return Account("executed_unasked", unasked[0].index, here.call, flag, requests)
    if len(own) - 1 == turn:
        return _ended(run, here)
    if len(theirs) - 1 == turn and run.terminal_reason == "step_cap":
        following = own[turn + 1].call
        return Account("does_not_end", following.step, following, stop=run.stop)
    return None


def _next_call(run: Run, own: Sequence[_Turn], turn: int) -> Account | None:
    """The account of a run whose next call got no reply."""
    following = own[turn + 1].call if turn + 1 < len(own) else None
    if following is None or following.reply is not None or run.stop is None:
        return None
    return _stopped(run, run.stop, following)


def _ended(run: Run, last: _Turn | None) -> Account | None:
    """The account of a run that ended in this turn."""
    call, end = last.call if last else None, len(run.steps)
    if run.stop is not None:
        return _stopped(run, run.stop, call)
    if run.raised is not None:
        return Account("raised", end, call)
    if last is None or last.call.reply is None:
        return Account("returned_early", end)
    if type(run.result) is str and run.result == last.call.reply.text:
        return _text_returned(run, last, last.call.reply)
    return _other_returned(run, last.call)


def _other_returned(run: Run, call: Call) -> Account | None:
    """The account of a run that returned anything but the text of its last reply."""
    flag, end = call.stop_reason, len(run.steps)
    if (source := _not_from_model(run)) is not None:
        return Account("answer_not_from_model", end, call, flag, message=source[0])
    if run.terminal_reason in ("max_turns", "budget_exhausted"):
        kind = "cut_off" if run.terminal_reason == "max_turns" else run.terminal_reason
        return Account(kind, end, call, flag)
    return Account("returned_early", end, call, flag) if flag == "tool_use" else None


def _text_returned(run: Run, last: _Turn, reply: Message) -> Account | None:
    """The account of a run that returned the text of its last reply."""
    flag, end = last.call.stop_reason, len(run.steps)
    if flag in ANSWERED:
        return None
    if flag != "tool_use":
        return Account("taken_for_answer", end, last.call, flag)
    ran = {step.request.id for step in last.executed if step.request is not None}
    ignored = tuple(block for block in reply.tool_calls if block.id not in ran)
    if ignored:
        return Account("request_ignored", end, last.call, flag, ignored)
    kind = "cut_off" if run.terminal_reason == "max_turns" else "returned_early"
    return Account(kind, end, last.call, flag)


def _stopped(run: Run, stop: Stop, call: Call | None) -> Account:
    kind = _BY_STOP.get(stop.reason, stop.reason)
    at_call = call is not None and call.reply is None
    step = call.step if call is not None and at_call else len(run.steps)
    return Account(kind, step, call, stop=stop)


def _neither(
    left: Run, right: Run, one: Sequence[_Turn], other: Sequence[_Turn], turn: int
) -> tuple[Account | None, Account | None]:
    """Accounts for a parting in which neither run did anything amiss."""
    mine, theirs = one[turn], other[turn]
    calls = mine.call, theirs.call
    if (calls[0].reply, calls[0].stop_reason) != (calls[1].reply, calls[1].stop_reason):
        return _both("other_reply", calls, [call.step for call in calls])
    on = [turns[turn + 1].call if turn + 1 < len(turns) else None for turns in (one, other)]
    if on[0] is not None and on[1] is not None:
        steps = [_only_here(mine, theirs), _only_here(theirs, mine)]
        return _both("other_requests", calls, steps)
    if on[0] is None and on[1] is None:
        return _both("other_result", calls, [len(left.steps), len(right.steps)])
    went = [None if call is None else Account("went_on", call.step, call) for call in on]
    return went[0], went[1]


def _both(kind: str, calls: tuple[Call, Call], steps: list[int]) -> tuple[Account, Account]:
    return Account(kind, steps[0], calls[0]), Account(kind, steps[1], calls[1])


def _only_here(mine: _Turn, theirs: _Turn) -> int:
    """The step that executes what the other run did not; the call where there is none."""
    known = [step.request for step in theirs.executed]
    alone = (step.index for step in mine.executed if step.request not in known)
    return next(alone, mine.call.step)


def _not_from_model(run: Run) -> tuple[int | None] | None:
    """Where a result that stands in no reply does stand; None where the model said it."""
    text = _text_of(run.result)
    replies = [call.reply.text for call in run.calls if call.reply is not None]
    if not text or any(text in reply for reply in replies):
        return None
    for number, message in enumerate(run.messages):
        if any(text in block.text + block.result_text for block in message.blocks):
            return (number,)
    return (None,)


def _text_of(result: Any) -> str:
    """A result as the text it would be in a message, ``""`` for what is no text or number."""
    return str(scalar(result)).strip() if type(result) in (str, int, float) else ""
