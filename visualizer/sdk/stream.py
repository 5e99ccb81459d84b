"""The lines of a run's stream: which there would be, and to which step of the loop each belongs.

A reply gives one assistant line a content block, a tool's result one user line. The check and
the append give none. Nothing is listed by hand: other runs give other lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from visualizer.errors import PlaceError
from visualizer.messages import Block
from visualizer.run.replay_match import matched
from visualizer.run.timeline import Approval, Call, Compaction, Cut, Run, Step
from visualizer.sdk.ending import result_line, said_of
from visualizer.sdk.lines import KINDS, Event, Kind, delta_of, kind_of, raw, retry, user
from visualizer.sdk.stretch import ALONE, Stretch, stretch_of
from visualizer.transcript.records import Turn

if TYPE_CHECKING:
    from visualizer.loading import Scenario


class Row(NamedTuple):
    """A step of the loop beside a line of the stream; None where the step gives no line."""

    step: int
    event: Event | None


@dataclass(frozen=True)
class Stream:
    """All lines of a run, in order. ``said`` is the client's own result line, where there is one.

    The steps of a run that is not seen to its end give no result.
    """

    run: Run
    events: tuple[Event, ...]
    said: Mapping[str, Any] | None
    stretch: Stretch = ALONE

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The lines beside the steps: each step has one row at least."""
        found: list[Row] = []
        at = 0
        for step in self.run.steps:
            first = at
            while at < len(self.events) and self.events[at].step == step.index:
                found.append(Row(step.index, self.events[at]))
                at += 1
            if at == first:
                found.append(Row(step.index, None))
        return tuple(found)

    def rows_of(self, event: Event) -> Row:
        """The row of a line."""
        return Row(event.step, event)

    @cached_property
    def result(self) -> Event | None:
        """The result line."""
        return next((one for one in self.events if one.kind == "result"), None)

    def count(self, kind: Kind) -> int:
        """How many lines there are of a kind."""
        return self._counts[kind]

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(one.kind for one in self.events)

    @cached_property
    def message_ids(self) -> int:
        """How many replies the stream shows: distinct message ids of its assistant lines."""
        return len({one.reply for one in self.events if one.kind == "assistant"})

    @property
    def num_turns(self) -> int | None:
        """What the result line gives as ``num_turns``; None without one."""
        value = self.result.line.get("num_turns") if self.result is not None else None
        return value if isinstance(value, int) else None


def stream_of(run: Run, scenario: Scenario, partial: bool = False) -> Stream:
    """The stream of a run; with ``partial`` the raw events of each reply, too."""
    made = _Writer(run, scenario, partial)
    said = said_of(run, scenario) if run.steps[-1].phase == "end" else None
    return Stream(run, tuple(made.events(said)), said, made.stretch)


class _Writer:
    """Goes through the steps of a run and says the lines of each."""

    def __init__(self, run: Run, scenario: Scenario, partial: bool) -> None:
        self.run = run
        self.partial = partial
        self.recorded = scenario.run(run.recorded_run)
        self.prices = scenario.settings.prices
        self.stretch = stretch_of(scenario, self.recorded)
        self.turns = dict(matched(self.recorded, run))
        self.numbers = {call.step: number for number, call in enumerate(run.calls)}
        self.printed = _printed(self.recorded.recorded, run)
        self.given: set[str] = set()
        self.ids: set[str] = set()
        self.denials: list[dict[str, Any]] = []
        self.requests: dict[str, Block] = {}
        self.users = self.stretch.users

    def events(self, said: Mapping[str, Any] | None) -> Iterator[Event]:
        """Every line."""
        for step in self.run.steps:
            printed = [self._printed_line(step, line) for line in self.printed.get(step.index, ())]
            made = self._step(step, said)
            for event in [*made, *printed] if step.phase == "end" else [*printed, *made]:
                self.users += event.kind == "user"
                yield event

    def _step(self, step: Step, said: Mapping[str, Any] | None) -> Iterator[Event]:
        match step.phase:
            case "start" if self.stretch.is_first:
                yield Event(step.index, "system", "init", self._init())
            case "start":
                yield from (user(step, block, True) for block in self.stretch.note)
            case "call":
                yield from self._call(step, self.numbers[step.index])
            case "execute" if step.result is not None and not self._is_cut(step):
                self.given.add(step.result.tool_use_id)
                yield user(step, step.result)
            case "approve" if isinstance(step.about, Approval) and step.about.decision == "deny":
                yield self._denied(step, step.about.call)
            case "append":
                yield from self._append(step)
            case "truncate" if isinstance(step.about, Cut):
                self.given.add(step.about.after.tool_use_id)
                yield user(step, step.about.after)
            case "compact":
                yield _compacted(step)
            case "end":
                yield from self._end(step, said)

    def _is_cut(self, step: Step) -> bool:
        """Whether the host cuts the result of a tool: the line has what is left of it."""
        after = self.run.steps[step.index] if step.index < len(self.run.steps) else None
        return after is not None and isinstance(after.about, Cut)

    def _init(self) -> dict[str, Any]:
        request = self.recorded.request
        names = [tool["name"] for tool in request.tools or [] if isinstance(tool.get("name"), str)]
        line: dict[str, Any] = {"type": "system", "subtype": "init"}
        if request.model is not None:
            line["model"] = request.model
        return {**line, "tools": names}

    def _call(self, step: Step, number: int) -> Iterator[Event]:
        call, turn = self.run.calls[number], self.turns.get(number)
        if turn is not None and call.reply is not None:
            for attempt in turn.attempts:
                if attempt.handled:
                    yield retry(step, attempt.status, kind_of(attempt.error))
            for put in turn.inserted:
                if put.origin == "meta":
                    yield from (user(step, Block(block), True) for block in put.content)
        if call.reply is not None:
            yield from self._reply(step, call, number, turn)
        elif call.error is not None and number + 1 < len(self.run.calls):
            yield retry(step, call.error.status, call.error.kind, call.error)

    def _reply(self, step: Step, call: Call, number: int, turn: Turn | None) -> Iterator[Event]:
        assert call.reply is not None
        blocks = call.reply.blocks
        name = self._id(turn, number)
        if self.partial:
            yield raw(step, "message_start", number, message={"id": name})
        for at, block in enumerate(blocks):
            if block.type == "tool_use":
                self.requests[block.id] = block
            if self.partial:
                start = {"type": block.type}
                yield raw(step, "content_block_start", number, index=at, content_block=start)
                yield raw(step, "content_block_delta", number, index=at, delta=delta_of(block))
            message = {
                "id": name,
                "role": "assistant",
                "content": [dict(block.data)],
                "stop_reason": None,
            }
            line = {"type": "assistant", "message": message}
            yield Event(
                step.index, "assistant", block.type, line, False, number + 1, at + 1, len(blocks)
            )
            if self.partial:
                yield raw(step, "content_block_stop", number, index=at)
        if self.partial:
            delta = {"stop_reason": call.stop_reason}
            yield raw(step, "message_delta", number, delta=delta)
            yield raw(step, "message_stop", number)

    def _id(self, turn: Turn | None, number: int) -> str:
        """The reply's own id; a number where it has none, or was given before."""
        own = (turn.response or {}).get("id") if turn is not None else None
        name = own if isinstance(own, str) and own not in self.ids else f"msg_{number + 1}"
        self.ids.add(name)
        return name

    def _append(self, step: Step) -> Iterator[Event]:
        """What came into the messages and is no result of a tool that ran."""
        before = self.run.step(step.index - 1) if step.index > 1 else step
        first = before.messages if before.history == step.history else step.messages
        for position in range(first, step.messages):
            message = self.run.message(step.index, position)
            for block in message.blocks if message.role == "user" else ():
                if block.type != "tool_result":
                    yield user(step, block)
                elif block.tool_use_id not in self.given:
                    self.given.add(block.tool_use_id)
                    yield user(step, block)

    def _denied(self, step: Step, call: Block) -> Event:
        line = {
            "type": "system",
            "subtype": "permission_denied",
            "tool_name": call.name,
            "tool_use_id": call.id,
        }
        self._note_denial(line)
        return Event(step.index, "system", "permission_denied", line)

    def _note_denial(self, line: Mapping[str, Any]) -> None:
        asked = line.get("tool_use_id")
        request = self.requests.get(asked) if isinstance(asked, str) else None
        self.denials.append(
            {
                "tool_name": line.get("tool_name"),
                "tool_use_id": asked,
                "tool_input": request.input if request is not None else None,
            }
        )

    def _printed_line(self, step: Step, line: Mapping[str, Any]) -> Event:
        kind, name = line.get("type"), line.get("subtype")
        if name == "permission_denied":
            self._note_denial(line)
        known: Kind = next((one for one in KINDS if one == kind), "other")
        return Event(step.index, known, str(name if isinstance(name, str) else kind), line, True)

    def _end(self, step: Step, said: Mapping[str, Any] | None) -> Iterator[Event]:
        spent = self.stretch.spent
        line = result_line(self.run, self.prices, self.users, self.denials, spent)
        if self.stretch.goes_on:
            return
        if line is not None:
            yield Event(step.index, "result", str(line["subtype"]), line)
        elif said is not None:
            yield Event(step.index, "result", str(said["subtype"]), said, True)


def _compacted(step: Step) -> Event:
    line: dict[str, Any] = {"type": "system", "subtype": "compact_boundary"}
    if isinstance(step.about, Compaction):
        line["compact_metadata"] = {"trigger": "auto", "pre_tokens": step.about.tokens}
    return Event(step.index, "system", "compact_boundary", line)


def _printed(said: Mapping[str, Any] | None, run: Run) -> dict[int, list[Mapping[str, Any]]]:
    """What else the client printed, by step: the lines of a recording that no step explains."""
    found: dict[int, list[Mapping[str, Any]]] = {}
    lines = (said or {}).get("lines")
    for one in lines if isinstance(lines, list) else ():
        if not isinstance(one, dict) or not isinstance(one.get("line"), dict):
            continue
        try:
            index = run.locate(str(one.get("at")))
        except PlaceError:
            continue
        found.setdefault(index, []).append(one["line"])
    return found
