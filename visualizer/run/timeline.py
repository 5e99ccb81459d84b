"""A run, computed to its end: all steps, and the state at any of them.

Nothing here changes after the run. A snapshot is a number of messages in a list that only
grows, so going to a step costs the same forward, back or by a jump. A loop that rewrites
its messages starts a new list (a *history*).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

from visualizer.errors import PlaceError
from visualizer.i18n import texts
from visualizer.messages import Message
from visualizer.run.step_details import (
    Approval,
    Compaction,
    Cut,
    LimitCheck,
    Observed,
    RequestError,
    Wait,
)
from visualizer.run.steps import (
    ABSENT,
    PLACE,
    Call,
    Difference,
    Foreign,
    LineLog,
    LoopSource,
    Phase,
    Raised,
    Saw,
    Step,
    Stop,
)
from visualizer.transcript.records import RecordedRun
from visualizer.transcript.settings import Choice

__all__ = [
    "ABSENT",
    "PLACE",
    "Approval",
    "Call",
    "Compaction",
    "Cut",
    "Difference",
    "Foreign",
    "LimitCheck",
    "LineLog",
    "LoopSource",
    "Observed",
    "Phase",
    "Raised",
    "RequestError",
    "Run",
    "Saw",
    "Step",
    "Stop",
    "Wait",
    "common_steps",
    "keep_place",
]


@dataclass(frozen=True)
class Run:
    """One drive of one loop over one recorded stretch, computed to its end.

    ``str()`` says in a few lines how it ended, ``explain()`` why and where.
    """

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
    decisions: tuple[tuple[str, Choice], ...] = ()
    recording: RecordedRun | None = field(default=None, repr=False, compare=False)

    def explain(self, language: str = "en") -> str:
        """Why the run ended as it did and where, in plain sentences (``"en"`` or ``"ja"``)."""
        return str(_account().explanation(self, texts(language)))

    def __str__(self) -> str:
        return str(_account().account(self, texts("en")))

    def __repr__(self) -> str:
        return str(_account().in_one_line(self, texts("en")))

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

    @cached_property
    def observations(self) -> tuple[tuple[str, str], ...]:
        """The tool results that a reader changed: place and text. Most runs have none."""
        return tuple(
            (step.place, step.result.result_text)
            for step in self.steps
            if isinstance(step.about, Observed) and step.result is not None
        )

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
        """The execute steps of this turn whose results are not in messages yet.

        Where the host has cut a result, the step has that, and stands where it was cut.
        """
        step = self.step(index)
        waiting: list[Step] = []
        cut: Step | None = None
        for earlier in reversed(self._turn_until(index)):
            if earlier.turn != step.turn or earlier.phase in _TAKEN:
                break
            if earlier.phase == "execute":
                waiting.append(_as_cut(earlier, cut))
            cut = earlier if earlier.phase == "truncate" else None
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


def _account() -> Any:
    """What puts runs into words. It needs runs, not they it: imported when a run is shown."""
    return import_module("visualizer.describe.account")


_TAKEN = ("append", "rewrite", "compact", "start")
"""Steps after which results are in messages, or no longer wait for it."""


def _as_cut(step: Step, cut: Step | None) -> Step:
    """An execute step with its result as the next step has cut it."""
    if cut is None or not isinstance(cut.about, Cut):
        return step
    return step._replace(result=cut.about.after, index=cut.index)


def common_steps(left: Run, right: Run) -> int:
    """How many first steps of two runs are the same (ends, being last, seldom are)."""
    count = 0
    for one, other in zip(left.steps, right.steps, strict=False):
        if one != other and not _same_but_limits(one, other):
            break
        count += 1
    return count


def _same_but_limits(one: Step, other: Step) -> bool:
    """Whether two steps that ask the limits differ in these alone: another cap is one of them."""
    both = isinstance(one.about, LimitCheck) and isinstance(other.about, LimitCheck)
    return both and one._replace(about=None) == other._replace(about=None)


def keep_place(old: Run, index: int, new: Run) -> int:
    """Where to stand in ``new`` after standing at ``index`` in ``old``.

    The same step while both runs agree up to it, else the last step on which they agree.
    """
    if old.steps[: index + 1] == new.steps[: index + 1]:
        return min(index, len(new.steps))
    return min(index, max(1, common_steps(old, new)))
