"""What lessons say about a run, computed: counts, claims, the lines of a loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from visualizer.comparison.caps import CapRow
from visualizer.describe.arguments import tools_at
from visualizer.describe.endings import never_sent
from visualizer.describe.fingerprint import fingerprint
from visualizer.describe.host import amount, limits_at
from visualizer.describe.phrases import kept, value_text
from visualizer.describe.room import room_of
from visualizer.engine import replay
from visualizer.errors import VisualizerError
from visualizer.lessons.prose import Quote
from visualizer.loading import Scenario, load_transcript
from visualizer.locator import Decisions, Locator, Observations
from visualizer.loops.registry import cap_families, loop_function, loop_names
from visualizer.run.timeline import Call, LoopSource, Run, common_steps
from visualizer.sdk import Stream, chain_of, stream_of
from visualizer.transcript.takes import longest_take

MOST_CAPS = 60
"""Largest ``max_turns`` that is tried out."""


@dataclass(frozen=True, slots=True)
class Place:
    """A step of a run of a scenario."""

    scenario: Scenario
    run: Run
    index: int


class Stage:
    """Looks places up, driving each run once."""

    def __init__(self) -> None:
        self.scenario = cache(load_transcript)
        self._runs = cache(self._drive)

    def run(
        self,
        name: str,
        loop: str | None = None,
        max_turns: int | None = None,
        decisions: Decisions = (),
        observations: Observations = (),
    ) -> Run:
        """The run of a scenario. Raises ``NotFoundError``, ``TranscriptError``, ``LoopError``."""
        return self._runs(Locator(name, None, max_turns, loop, decisions, observations))

    def at(self, locator: Locator, default: str = "start") -> Place:
        """Where a locator leads; raises ``PlaceError`` too."""
        run = self._runs(locator._replace(place=None))
        index = run.locate(locator.place or default)
        return Place(self.decided(locator), run, index)

    def decided(self, locator: Locator) -> Scenario:
        """The scenario of a locator, with its decisions and changed observations."""
        return locator.applied(self.scenario(locator.name))

    def _drive(self, locator: Locator) -> Run:
        locator.require_loop()  # all that is looked up here was written in files
        scenario = self.decided(locator)
        return replay(scenario, loop=locator.loop, max_turns=locator.max_turns)


def answers(run: Run) -> bool:
    """Whether a run came to an answer."""
    return run.terminal_reason == "completed" and run.result is not None


def caps_to_try(scenario: Scenario, run: Run) -> range:
    """The caps under which a run may go differently.

    A cap family may count more than calls: the steps of a graph are two a turn.
    """
    recorded = scenario.run(run.recorded_run)
    turns = longest_take(recorded)
    counted = 2 if run.loop.name in cap_families() else 1
    return range(1, min(counted * max(turns, run.model_calls) + 2, MOST_CAPS))


def smallest_max_turns(scenario: Scenario, run: Run) -> int | None:
    """The smallest cap that gives an answer, found by replaying; None where there is none."""

    def search(run: Run) -> int | None:
        if not run.loop.takes_max_turns or run.loop.name not in loop_names():
            return None
        for cap in caps_to_try(scenario, run):
            if answers(replay(scenario, loop=run.loop.name, max_turns=cap)):
                return cap
        return None

    return kept(run, "_smallest_max_turns", search)


def same_steps(scenario: Scenario, run: Run) -> int:
    """How many first steps are the same when the recording is driven again as it is."""
    cap = run.max_turns if run.loop.takes_max_turns else None
    again = replay(scenario.plain, loop=run.loop.name, max_turns=cap, run=run.recorded_run)
    return common_steps(again, run)


def call_before(run: Run, call: Call) -> Call | None:
    """The call before another one."""
    return run.call_at(call.step - 1) if call.step > 1 else None


def new_messages(run: Run, call: Call) -> int | None:
    """How many messages a call sent for the first time; None after a rewrite."""
    before = call_before(run, call)
    if before is None:
        return call.sent
    return call.sent - before.sent if before.history == call.history else None


def sent_in_all(run: Run) -> int:
    """Messages sent by all calls that got a reply, together."""
    return sum(call.sent for call in run.calls if call.reply is not None)


def fact(name: str, place: Place) -> Any:
    """The value of a claim's fact. Raises ``KeyError`` for an unknown name."""
    return FACTS[name](place)


def as_said(value: Any) -> set[str]:
    """The ways in which a text may state a value, in either language."""
    said = {value_text(value), str(value)}
    if type(value) is int and 0 <= value < len(_ENGLISH):
        said |= {_ENGLISH[value], _ENGLISH[value].capitalize(), _JAPANESE[value]}
    return said


def quoted_lines(quote: Quote, run: Run | None, stage: Stage) -> tuple[str, ...]:
    """The lines of a quotation, dedented where it is one line; empty where there is none.

    A phase's line is where it ran in ``run``, or in the run that the loop makes of it.
    """
    if quote.loop not in loop_names():
        return ()
    from visualizer.engine.sources import loop_source  # noqa: PLC0415 - next to its only use

    source = loop_source(quote.loop, loop_function(quote.loop))
    if not quote.part:
        return source.lines
    number = line_of(quote.part, source, run, stage)
    return (source.line(number).strip(),) if number else ()


def line_of(part: str, source: LoopSource, run: Run | None, stage: Stage) -> int | None:
    """The number of the line of a phase, or of the only line that holds a text."""
    if part in ("call", "check", "execute", "append"):
        if run is None or run.loop.name != source.name:
            name = run.scenario if run else "aurora-run"
            run = stage.run(name, source.name)
        return next((step.line for step in run.steps if step.phase == part), None)
    first = source.first_line
    lines = [number for number, line in enumerate(source.lines, first) if part in line]
    return lines[0] if len(lines) == 1 else None


def try_at(stage: Stage, locator: Locator, default: str = "start") -> Place | VisualizerError:
    """The place, or why there is none."""
    try:
        return stage.at(locator, default)
    except VisualizerError as error:
        return error


def _latest(place: Place) -> Call | None:
    return place.run.call_at(place.index)


def _new(place: Place) -> int | None:
    call = _latest(place)
    return new_messages(place.run, call) if call else 0


def _tools_offered(place: Place) -> int | None:
    tools = tools_at(place.run, place.run.step(place.index))
    return len(tools) if isinstance(tools, list) else None


def _turn_phases(place: Place) -> int:
    turn = place.run.step(place.index).turn
    return len({step.phase for step in place.run.steps if step.turn == turn})


def _never_read(place: Place) -> Any:
    last = place.run.steps[-1]
    unread = never_sent(place.run, last)
    return unread[0] if len(unread) == 1 else len(unread) or None


def _stream(place: Place) -> Stream:
    return stream_of(place.run, place.scenario)


def _subtype(place: Place) -> str | None:
    result = _stream(place).result
    return None if result is None else result.name


def _result_field(place: Place, name: str) -> Any:
    result = _stream(place).result
    return None if result is None else result.line.get(name)


def _limit(place: Place, name: str, left: bool = False) -> str | None:
    """What is used of a limit at a place, or left; None where it is not configured."""
    checked = limits_at(place.run, place.index)
    for use in checked.uses if checked is not None else ():
        if use.name == name:
            return amount(use, use.left if left else use.used)
    return None


def _limit_hit(place: Place) -> str | None:
    checked = limits_at(place.run, place.index)
    return checked.hit if checked is not None else None


def _of_room(place: Place, name: str) -> Any:
    """Of the request of the latest call: its estimated tokens, its unchanged messages."""
    call = _latest(place)
    return None if call is None else getattr(room_of(place.run, call), name)


FACTS: dict[str, Callable[[Place], Any]] = {
    "model_calls": lambda place: place.run.model_calls,
    "tool_rounds": lambda place: place.run.tool_rounds,
    "tool_calls": lambda place: place.run.tool_calls,
    "max_turns": lambda place: place.run.max_turns,
    "result": lambda place: place.run.result,
    "terminal_reason": lambda place: place.run.terminal_reason,
    "loop_lines": lambda place: len(place.run.loop.lines),
    "steps": lambda place: len(place.run.steps),
    "sent_in_all": lambda place: sent_in_all(place.run),
    "smallest_max_turns": lambda place: smallest_max_turns(place.scenario, place.run),
    "never_read": _never_read,
    "same_steps": lambda place: same_steps(place.scenario, place.run),
    "world_pages": lambda place: len(place.scenario.world.pages) if place.scenario.world else None,
    "fingerprint": lambda place: fingerprint(place.run, place.index),
    "turn": lambda place: place.run.step(place.index).turn,
    "messages": lambda place: place.run.step(place.index).messages,
    "sent": lambda place: place.run.step(place.index).sent,
    "new": _new,
    "stop_reason": lambda place: place.run.step(place.index).stop_reason,
    "turn_phases": _turn_phases,
    "usd_used": lambda place: _limit(place, "max_budget_usd"),
    "usd_left": lambda place: _limit(place, "max_budget_usd", left=True),
    "tokens_used": lambda place: _limit(place, "max_total_tokens"),
    "tokens_left": lambda place: _limit(place, "max_total_tokens", left=True),
    "limit_hit": _limit_hit,
    "results_sent": lambda place: CapRow.of(place.run).results_sent,
    "tools_offered": _tools_offered,
    "calls_so_far": lambda place: place.run.step(place.index).model_calls,
    "num_turns": lambda place: _stream(place).num_turns,
    "assistant_lines": lambda place: _stream(place).count("assistant"),
    "user_lines": lambda place: _stream(place).count("user"),
    "message_ids": lambda place: _stream(place).message_ids,
    "subtype": _subtype,
    "is_error": lambda place: _result_field(place, "is_error"),
    "reported_reason": lambda place: _result_field(place, "terminal_reason"),
    "denials": lambda place: len(_result_field(place, "permission_denials") or ()),
    "request_tokens": lambda place: _of_room(place, "total"),
    "unchanged": lambda place: _of_room(place, "same"),
    "thread_sent_in_all": lambda place: sum(one.sent for one in chain_of(place.run, {})),
}
"""The facts that a claim can name. A place that is not given is the end."""

_ENGLISH = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
_JAPANESE = ("ゼロ", *"一二三四五六七八九十", "十一", "十二")
