"""What takes room in a request, part by part, and how much of it was sent before like this.

All numbers are estimates in tokens, from the lengths of texts. A request is read from its
beginning: tool definitions, the system prompt, then message by message. What is the same as in
the call before, up to the first difference, is what a server could keep: the cached prefix.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from visualizer.describe.phrases import kept
from visualizer.describe.sizes import text_weight, weight
from visualizer.timeline import Call, Run
from visualizer.transcript import Request

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
    _spans: _Spans
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
        return self._spans.part_at(position)


@dataclass(slots=True)
class _Spans:
    """The blocks of a history so far: where each ends, whether it is a result, both summed.

    ``blocks`` and ``results`` are by message: how many blocks, and the weight of results, up
    to its end.
    """

    ends: array[float] = field(default_factory=lambda: array("d"))
    is_result: bytearray = field(default_factory=bytearray)
    blocks: list[int] = field(default_factory=lambda: [0])
    results: array[float] = field(default_factory=lambda: array("d", [0.0]))

    def until(self, messages: int) -> float:
        """The weight of the first messages."""
        blocks = self.blocks[messages]
        return self.ends[blocks - 1] if blocks else 0.0

    def part_at(self, position: float) -> Part:
        """Whether a result or something else stands there."""
        block = min(bisect_right(self.ends, position), len(self.is_result) - 1)
        return "results" if block >= 0 and self.is_result[block] else "history"


def room_of(run: Run, call: Call, request: Request) -> Room:
    """What a call's request is made of. ``request`` is the recorded run's."""
    spans = _spans(run, call)
    tools, system = (_head(run, request, call, name) for name in ("tools", "system"))
    results = spans.results[call.sent]
    number = _number(run, call)
    before = run.calls[number - 1] if number else None
    same = 0 if before is None else unchanged_messages(run, before, call)
    unchanged = 0.0
    if before is not None:
        unchanged = _unchanged_head(run, request, before, call)
        if unchanged == tools[1] + system[1]:
            unchanged += spans.until(same)
    return Room(
        tools=round(tools[1]),
        system=round(system[1]),
        history=round(spans.until(call.sent) - results),
        results=round(results),
        unchanged=round(unchanged),
        same=same,
        _spans=spans,
        _head=(tools[1], system[1]),
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


def _head(run: Run, request: Request, call: Call, name: str) -> tuple[Any, float]:
    """What goes with a call under a name, as the loop passed it or as recorded; its weight."""
    given: Mapping[str, Any] = call.parameters
    value = given.get(name, getattr(request, name))
    if not value:
        return None, 0.0
    # A run and its recording keep their values, so that an id stays one value's.
    known = kept(run, "_head_weights", lambda _: dict[int, tuple[Any, float]]())
    found = known.get(id(value))
    if found is None:
        text = json.dumps(value, ensure_ascii=False, default=repr)
        found = value, text_weight(value if isinstance(value, str) else text)
        known[id(value)] = found
    return found


def _unchanged_head(run: Run, request: Request, before: Call, call: Call) -> float:
    """The weight of what goes before the messages, up to the first difference."""
    weight = 0.0
    for name in ("tools", "system"):
        old, new = (_head(run, request, one, name) for one in (before, call))
        if old is not new and old[0] != new[0]:
            return weight
        weight += new[1]
    return weight


def _spans(run: Run, call: Call) -> _Spans:
    """The blocks of the call's history, as far as it goes."""
    table = kept(run, "_room_spans", lambda _: dict[int, _Spans]())
    spans = table.setdefault(call.history, _Spans())
    history = run.histories[call.history]
    end = spans.ends[-1] if spans.ends else 0.0
    for position in range(len(spans.blocks) - 1, call.sent):
        results = spans.results[-1]
        for block in history[position].blocks:
            size = weight(block)
            end += size
            is_result = block.type == "tool_result"
            results += size if is_result else 0.0
            spans.ends.append(end)
            spans.is_result.append(is_result)
        spans.blocks.append(len(spans.ends))
        spans.results.append(results)
    return spans
