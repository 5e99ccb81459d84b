"""What takes room in a request, part by part, and how much of it was sent before like this.

All numbers are estimates in tokens (see ``sizes``). What is the same as in the call before, up
to the first difference, is what a server could keep: the cached prefix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from visualizer.describe.phrases import kept
from visualizer.describe.sizes import HEAD, Spans, head_weight, sizes_of, spans_of
from visualizer.run.timeline import Call, Run

Part = Literal["tools", "system", "history", "results"]
PARTS: tuple[Part, ...] = ("tools", "system", "history", "results")


@dataclass(frozen=True, slots=True)
class Room:
    """One request. ``same`` is how many of its first messages the call before sent like this.

    ``unchanged`` are the tokens of its whole unchanged beginning, 0 in a first call.
    """

    tools: int
    system: int
    history: int
    results: int
    unchanged: int
    same: int
    _spans: Spans
    _head: tuple[float, float]

    @property
    def total(self) -> int:
        """All of it."""
        return self.tools + self.system + self.history + self.results

    @property
    def largest(self) -> Part:
        """The part that takes the most; of equal ones the first."""
        return max(PARTS, key=self.size)

    def size(self, part: Part) -> int:
        """The tokens of one part."""
        sizes: dict[Part, int] = {
            "tools": self.tools,
            "system": self.system,
            "history": self.history,
            "results": self.results,
        }
        return sizes[part]

    def part_at(self, position: float) -> Part:
        """Which part stands that many tokens behind the beginning."""
        for part, size in zip(PARTS, self._head, strict=False):
            if position < size:
                return part
            position -= size
        return "results" if self._spans.in_result(position) else "history"


def room_of(run: Run, call: Call) -> Room:
    """What a call's request is made of."""
    number = _number(run, call)
    before = run.calls[number - 1] if number else None
    same, unchanged = 0, 0.0
    spans = spans_of(run, call)
    head = [head_weight(run, call, name)[1] for name in HEAD]
    if before is not None:
        same = unchanged_messages(run, before, call)
        unchanged = _unchanged_head(run, before, call)
        if unchanged == sum(head):
            unchanged += spans.until(same)
    return Room(
        **sizes_of(run, call)._asdict(),
        unchanged=round(unchanged),
        same=same,
        _spans=spans,
        _head=(head[0], head[1]),
    )


def unchanged_messages(run: Run, before: Call, call: Call) -> int:
    """How many messages at the beginning of a request an earlier one had, too."""
    most = min(before.sent, call.sent)
    if before.history == call.history:
        return most
    old, new = (run.histories[one.history] for one in (before, call))
    for position in range(most):
        one, other = old[position], new[position]
        if one is not other and one != other:
            return position
    return most


def _number(run: Run, call: Call) -> int:
    """The number of a call, without looking through all of them."""
    numbers = kept(run, "_call_numbers", lambda _: {one.step: n for n, one in enumerate(run.calls)})
    return numbers[call.step]


def _unchanged_head(run: Run, before: Call, call: Call) -> float:
    """The weight of what goes before the messages, up to the first difference."""
    weight = 0.0
    for name in HEAD:
        old, new = (head_weight(run, one, name) for one in (before, call))
        if old is not new and old[0] != new[0]:
            return weight
        weight += new[1]
    return weight
