"""A run, computed to its end: all steps, and the state at any of them.

Nothing here changes after the run. A snapshot is a number of messages in a list that only
grows, so going to a step costs the same forward, back or by a jump. A loop that rewrites
its messages starts a new list (a *history*).
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from visualizer.errors import PlaceError
from visualizer.messages import Block, Message
from visualizer.protocol import Violation

Phase = Literal["start", "call", "check", "execute", "append", "rewrite", "end"]
"""``rewrite`` is what an append is not: messages taken out, replaced, moved or edited."""

PLACE = re.compile(r"start|end|t\d+\.[a-z]+(?:\.\d+)?|\d+", re.ASCII)


class Step(NamedTuple):
    """One stop of the visualizer. Counts are totals up to and including this step.

    ``line`` is the line (1-based, in the loop's file) on which the phase ran,
    ``last_line`` the last one that had an effect in this step. ``parts`` is the way there:
    (function, line), innermost last. ``sent`` is how many messages the latest call sent.
    ``log_end`` and ``saw_end`` are where the line log stood after its last effect.
    """

    index: int  # type: ignore[assignment] # hides tuple.index, which no one needs here
    turn: int | None
    phase: Phase
    place: str
    line: int
    last_line: int
    parts: tuple[tuple[str, int], ...]
    stop_reason: str | None
    messages: int
    history: int
    model_calls: int
    tool_rounds: int
    tool_calls: int
    sent: int
    log_end: int
    saw_end: int
    request: Block | None = None
    result: Block | None = None


class Call(NamedTuple):
    """One model call that got a reply, or was the last one tried (``reply`` is None).

    ``sent`` messages of ``history`` went out. ``repeated`` counts how often this very reply
    had been given before. ``violations`` are protocol rules that the request breaks.
    """

    turn: int
    step: int
    history: int
    sent: int
    reply: Message | None
    stop_reason: str | None
    usage: dict[str, Any] | None
    parameters: dict[str, Any]
    take: str | None = None
    repeated: int = 0
    violations: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing sent that was not recorded.

    ``where`` is ``messages``, ``parameters`` or ``tool``; ``message`` the index in what was
    sent, ``field`` a JSON pointer inside it. ``recorded`` and ``sent`` are the two values;
    ``ABSENT`` where one side has nothing there.
    """

    where: Literal["messages", "parameters", "tool"]
    message: int | None
    field: str
    recorded: Any
    sent: Any


ABSENT = "<absent>"


@dataclass(frozen=True, slots=True)
class Stop:
    """Why the visualizer, not the loop, ended a run.

    ``reason`` is the terminal reason. ``detail`` tells causes of one reason apart:
    ``no_more_calls`` or ``no_result`` (recording_ended); ``calls``, ``steps``, ``lines`` or
    ``time`` (step_cap), with the cap in ``cap``.
    """

    reason: str
    detail: str = ""
    difference: Difference | None = None
    violations: tuple[Violation, ...] = ()
    cap: int | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception that left the loop: the type's name and its text."""

    type: str
    text: str


class Saw(NamedTuple):
    """What one execution of a line was seen to do. Which fields count depends on ``kind``.

    ``sent``: messages ``start`` to ``stop - 1`` went to the model; ``messages``: the list
    now holds ``stop``; ``flag``: stop_reason was read as ``value``; ``asked``: tool calls
    were read (ids in ``ids``); ``ran``: a tool call was executed; ``set``: the variable
    ``name`` became ``value`` (a number, a short text, a bool or None); ``returned``:
    ``value`` was returned.
    """

    kind: Literal["sent", "messages", "flag", "asked", "ran", "set", "returned"]
    start: int = 0
    stop: int = 0
    name: str = ""
    value: Any = None
    ids: tuple[str, ...] = ()


class LineLog:
    """Every line of the loop's function in the order it ran, and what was seen on them.

    ``saws`` holds (position in ``lines``, what), in the order it was seen.
    """

    def __init__(self) -> None:
        self.lines = array("I")
        self.saws: list[tuple[int, Saw]] = []

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LineLog) and self.lines == other.lines and self.saws == other.saws
        )

    __hash__ = None  # type: ignore[assignment] # it grows while the run goes on

    def size(self) -> tuple[int, int]:
        """How many lines and how many saws there are."""
        return len(self.lines), len(self.saws)

    def between(
        self, start: tuple[int, int], stop: tuple[int, int]
    ) -> Iterator[tuple[int, list[Saw]]]:
        """(line, what was seen on it) for the executions from ``start`` to ``stop``."""
        seen: dict[int, list[Saw]] = {}
        for position, what in self.saws[start[1] : stop[1]]:
            seen.setdefault(position, []).append(what)
        for position in range(start[0], stop[0]):
            yield self.lines[position], seen.get(position, [])


@dataclass(frozen=True, slots=True)
class LoopSource:
    """The source that ran: the loop's file as it was read, and where the function is in it.

    ``functions`` maps the names of the file's functions to (first, last) line, 1-based.
    ``takes_max_turns`` says whether the loop has a cap at all.
    """

    name: str
    function: str
    file: str
    file_lines: tuple[str, ...]
    functions: dict[str, tuple[int, int]]
    takes_max_turns: bool

    @property
    def first_line(self) -> int:
        """The line of the loop's ``def``."""
        return self.functions[self.function][0]

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the loop's function."""
        return self.lines_of(self.function)

    def lines_of(self, function: str) -> tuple[str, ...]:
        """The lines of a function of the loop's file, empty for an unknown one."""
        first, last = self.functions.get(function, (1, 0))
        return self.file_lines[first - 1 : last]

    def line(self, number: int) -> str:
        """The text of a line by its number in the file, ``""`` outside it."""
        return self.file_lines[number - 1] if 0 < number <= len(self.file_lines) else ""


@dataclass(frozen=True)
class Run:
    """One drive of one loop over one recorded stretch, computed to its end."""

    scenario: str
    recorded_run: str
    loop: LoopSource
    max_turns: int | None
    result: Any
    raised: Raised | None
    terminal_reason: str
    stop: Stop | None
    steps: tuple[Step, ...]
    calls: tuple[Call, ...]
    histories: tuple[Sequence[Message], ...]
    log: LineLog

    @property
    def model_calls(self) -> int:
        """Replies given."""
        return self.steps[-1].model_calls

    @property
    def tool_rounds(self) -> int:
        """Turns whose results were appended."""
        return self.steps[-1].tool_rounds

    @property
    def tool_calls(self) -> int:
        """Tool calls executed."""
        return self.steps[-1].tool_calls

    @property
    def messages(self) -> list[Message]:
        """The messages at the end."""
        return self.messages_at(len(self.steps))

    def step(self, index: int) -> Step:
        """The step with a 1-based index. Raises ``IndexError`` outside the run."""
        if not 1 <= index <= len(self.steps):
            raise IndexError(index)
        return self.steps[index - 1]

    def messages_at(self, index: int) -> list[Message]:
        """All messages at a step, as a new list (long for a long run)."""
        step = self.step(index)
        return list(self.histories[step.history][: step.messages])

    def message(self, index: int, position: int) -> Message:
        """Message ``position`` (0-based) as it was at a step, in constant time."""
        step = self.step(index)
        if not 0 <= position < step.messages:
            raise IndexError(position)
        return self.histories[step.history][position]

    def call_at(self, index: int) -> Call | None:
        """The latest call at a step, None before the first."""
        position = bisect_right(self._call_steps, index) - 1
        return self.calls[position] if position >= 0 else None

    def request(self, call: Call) -> list[Message]:
        """The messages that a call sent."""
        return list(self.histories[call.history][: call.sent])

    def readers(self, index: int, position: int) -> range:
        """The numbers (1-based) of the calls so far that sent message ``position``.

        Exact for loops that keep one list, where a message once sent is sent ever after.
        """
        step = self.step(index)
        first = bisect_right(self._sent_counts, position)
        last = bisect_right(self._call_steps, index)
        if step.history != 0:
            first = max(first, self._history_starts.get(step.history, 0))
        return range(first + 1, last + 1) if first < last else range(0)

    def in_hand(self, index: int) -> list[Step]:
        """The execute steps of this turn whose results are not in messages yet."""
        step = self.step(index)
        waiting: list[Step] = []
        for earlier in reversed(self._turn_until(index)):
            if earlier.turn != step.turn or earlier.phase in ("append", "rewrite", "start"):
                break
            if earlier.phase == "execute":
                waiting.append(earlier)
        return waiting[::-1] if step.phase != "end" or self.stop else []

    def turn_start(self, index: int) -> int:
        """The index of the first step of the turn that a step belongs to (1 before turn 0)."""
        turn = self.step(index).turn
        while index > 1 and self.steps[index - 2].turn == turn:
            index -= 1
        return index

    def lines_at(self, index: int) -> Iterator[tuple[int, list[Saw]]]:
        """What the lines saw in the turn of a step, up to and including that step.

        At the end of a run: what its last turn's lines saw too.
        """
        step = self.step(index)
        first = self.turn_start(index - 1 if step.phase == "end" and index > 1 else index)
        before = self.steps[first - 2] if first > 1 else None
        start = (before.log_end, before.saw_end) if before else (0, 0)
        return self.log.between(start, (step.log_end, step.saw_end))

    def locate(self, place: str) -> int:
        """The index of a place: a step number, ``start``, ``t1.check``, ``end`` …

        Raises ``PlaceError`` where the run has no such place.
        """
        if place.isascii() and place.isdigit():
            if 1 <= (index := int(place[:12])) <= len(self.steps):
                return index
        elif (found := self._places.get(place.removesuffix(".1"))) is not None:
            return found
        raise PlaceError("problem.no_place", place=place, last=len(self.steps))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {step.place: step.index for step in self.steps}

    @cached_property
    def _call_steps(self) -> list[int]:
        return [call.step for call in self.calls]

    @cached_property
    def _sent_counts(self) -> list[int]:
        return [call.sent for call in self.calls]

    @cached_property
    def _history_starts(self) -> dict[int, int]:
        starts: dict[int, int] = {}
        for number, call in enumerate(self.calls):
            starts.setdefault(call.history, number)
        return starts

    def _turn_until(self, index: int) -> tuple[Step, ...]:
        return self.steps[self.turn_start(index) - 1 : index]


def common_steps(left: Run, right: Run) -> int:
    """How many first steps of two runs are the same (ends, being last, seldom are)."""
    count = 0
    for one, other in zip(left.steps, right.steps, strict=False):
        if one != other:
            break
        count += 1
    return count


def keep_place(old: Run, index: int, new: Run) -> int:
    """Where to stand in ``new`` after standing at ``index`` in ``old``.

    The same step while both runs agree up to it, else the last step on which they agree.
    """
    if old.steps[: index + 1] == new.steps[: index + 1]:
        return min(index, len(new.steps))
    return min(index, max(1, common_steps(old, new)))
