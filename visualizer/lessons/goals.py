"""Experiments: what the reader should bring about, and whether it has come about.

A goal looks only at what is shown: which scenario, its run, and the step. ``solve`` searches
for a state that meets a goal, among the things a reader can change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from visualizer.describe.phrases import kept, value_text
from visualizer.engine import replay
from visualizer.errors import LoopError, say
from visualizer.i18n import Texts
from visualizer.lessons.facts import answers, caps_to_try, smallest_max_turns
from visualizer.lessons.model import Goal, GoalKind
from visualizer.lessons.observing import asked_world, changed_scenarios, diverged, restored
from visualizer.lessons.puzzle import is_right, ordered_lines, shuffled_lines
from visualizer.loading import Scenario, load_transcript, scenario_names
from visualizer.loops.registry import loop_names
from visualizer.messages import Message, leaves
from visualizer.run.timeline import Approval, Run
from visualizer.transcript.settings import Choice

MOST_STATES = 100_000


@dataclass(frozen=True, slots=True)
class State:
    """What a reader has before them. The loop and the cap are the run's.

    ``lines`` are the lines of a loop in the reader's order, where that is the experiment.
    """

    scenario: Scenario
    run: Run
    index: int = 1
    lines: tuple[str, ...] = ()


def start_of(goal: Goal, scenario: Scenario, run: Run, index: int) -> State:
    """What a reader has before them when an experiment begins."""
    shuffle = goal.kind == "order" and goal.loop in loop_names()
    return State(scenario, run, index, shuffled_lines(goal.loop or "") if shuffle else ())


def is_met(goal: Goal, state: State) -> bool:
    """Whether an experiment is done in a state."""
    return _GOALS[goal.kind].met(goal, state)


def sentence(goal: Goal, texts: Texts) -> str:
    """What to do, in one sentence."""
    values = {name: getattr(goal, name) for name in _GOALS[goal.kind].needs}
    if goal.choice is not None:
        return texts(f"lesson.goal.decide_{goal.choice}")
    if goal.text is not None:
        values["text"] = value_text(goal.text)
    key = f"lesson.goal.{goal.kind}"
    return say(texts, f"{key}_smallest" if goal.smallest else key, values)


def missing_fields(goal: Goal) -> list[str]:
    """The fields that a goal of this kind needs and does not have."""
    return [name for name in _GOALS[goal.kind].needs if getattr(goal, name) is None]


def needless_fields(goal: Goal) -> list[str]:
    """The fields that a goal has and that mean nothing for its kind."""
    known = {"kind", *_GOALS[goal.kind].needs, *_GOALS[goal.kind].may_have}
    empty = Goal(goal.kind)
    return [
        name
        for name in Goal.__dataclass_fields__
        if name not in known and getattr(goal, name) != getattr(empty, name)
    ]


def solve(goal: Goal, start: State) -> State | None:
    """A state that meets the goal, found by trying; None where there is none."""
    tried = 0
    for state in _reachable(goal, start):
        for index in _indices(goal, state):
            tried += 1
            here = replace(state, index=index)
            if is_met(goal, here):
                return here
            if tried >= MOST_STATES:
                return None
    return None


def first_step_with(run: Run, text: str) -> int | None:
    """The first step at which a text is there: in a message, a reply or a result."""
    found: dict[str, int | None] = kept(run, "_first_steps", lambda _: {})
    if text not in found:
        found[text] = _first_step(run, text)
    return found[text]


def _indices(goal: Goal, state: State) -> range:
    """The steps that may make a difference to a goal."""
    last = len(state.run.steps)
    if goal.kind.startswith("reach_"):
        return range(1, last + 1)
    here = last if goal.kind in ("returns", "decide", "diverges") else state.index
    return range(here, here + 1)


def _reachable(goal: Goal, start: State) -> Iterator[State]:
    """The runs that a reader can make, the nearest first; each stands at its first step."""
    yield start
    if goal.kind == "order":
        lines = ordered_lines(goal.loop or "") if start.lines else ()
        yield replace(start, lines=lines)
        return
    if goal.kind == "scenario":
        names = [name for name in scenario_names() if name == goal.scenario]
        for scenario in map(load_transcript, names):
            yield State(scenario, replay(scenario))
        return
    if goal.kind == "run" and any(one.id == goal.run for one in start.scenario.runs):
        scenario = start.scenario.on_run(goal.run or "")
        yield State(scenario, replay(scenario, loop=start.run.loop.name))
    if goal.kind in ("ends", "returns", "decide"):
        yield from _decided(start)
    for changed in changed_scenarios(goal, start.scenario, start.run):
        again = replay(changed, loop=start.run.loop.name, max_turns=start.run.max_turns)
        yield State(changed, again)
    loops = [start.run.loop.name]
    if goal.kind in ("loop", "ends"):
        loops += [name for name in loop_names() if name not in loops]
    for loop in loops:
        try:
            yield State(start.scenario, replay(start.scenario, loop=loop))
            for cap in caps_to_try(start.scenario, start.run):
                yield State(start.scenario, replay(start.scenario, loop=loop, max_turns=cap))
        except LoopError:
            continue  # a loop without a cap, or one that is no longer there


def _decided(start: State) -> Iterator[State]:
    """The runs in which the first call that waits for a person is allowed, or denied."""
    waiting = (
        step.place
        for step in start.run.steps
        if isinstance(step.about, Approval) and step.about.asked
    )
    place = next(waiting, None)
    choices: tuple[Choice, ...] = ("allow", "deny") if place else ()
    for choice in choices:
        scenario = start.scenario.deciding({str(place): choice})
        cap = start.run.max_turns
        yield State(scenario, replay(scenario, loop=start.run.loop.name, max_turns=cap))


def _first_step(run: Run, text: str) -> int | None:
    seen, history = 0, 0
    for step in run.steps:
        if step.history != history:
            seen, history = 0, step.history
        messages = [run.message(step.index, at) for at in range(seen, step.messages)]
        seen = step.messages
        if any(text in words for message in messages for words in _texts(message)):
            return step.index
        if step.result is not None and text in step.result.result_text:
            return step.index
    return None


def _texts(message: Message) -> Iterator[str]:
    yield message.text
    for result in message.results:
        yield result.result_text
    for call in message.tool_calls:
        yield from (value for _, value in leaves(call.input) if isinstance(value, str))


def _returns(goal: Goal, state: State) -> bool:
    """Seen at the end only: there the reader knows what was returned."""
    at_end = state.index == len(state.run.steps)
    if not at_end or not answers(state.run) or state.run.result != goal.text:
        return False
    smallest = smallest_max_turns(state.scenario, state.run) if goal.smallest else None
    return not goal.smallest or state.run.max_turns == smallest


def _decide(goal: Goal, state: State) -> bool:
    """Seen at the end only: there the reader knows what came of it."""
    at_end = state.index == len(state.run.steps)
    chosen = [choice for _, choice in state.run.decisions]
    return at_end and state.run.stop is None and goal.choice in chosen


def _place(goal: Goal, state: State) -> bool:
    return state.run.step(state.index).place == (goal.place or "").removesuffix(".1")


def _order(goal: Goal, state: State) -> bool:
    return bool(state.lines) and goal.loop is not None and is_right(goal.loop, state.lines)


def _of_run(met: Callable[[Scenario, Run, int, Goal], bool]) -> Callable[[Goal, State], bool]:
    return lambda goal, state: met(state.scenario, state.run, state.index, goal)


@dataclass(frozen=True, slots=True)
class _Kind:
    met: Callable[[Goal, State], bool]
    needs: tuple[str, ...] = ()
    may_have: tuple[str, ...] = ()


_GOALS: dict[GoalKind, _Kind] = {
    "cut_off": _Kind(lambda goal, state: state.run.terminal_reason == "max_turns"),
    "ends": _Kind(lambda goal, state: state.run.terminal_reason == goal.reason, ("reason",)),
    "returns": _Kind(_returns, ("text",), ("smallest",)),
    "reach_text": _Kind(
        lambda goal, state: first_step_with(state.run, goal.text or "") == state.index, ("text",)
    ),
    "reach_place": _Kind(_place, ("place",)),
    "reach_turn": _Kind(
        lambda goal, state: state.run.step(state.index).turn == goal.turn, ("turn",)
    ),
    "scenario": _Kind(lambda goal, state: state.scenario.name == goal.scenario, ("scenario",)),
    "loop": _Kind(lambda goal, state: state.run.loop.name == goal.loop, ("loop",)),
    "order": _Kind(_order, ("loop",)),
    "diverges": _Kind(_of_run(diverged)),
    "restores": _Kind(_of_run(restored)),
    "asks_world": _Kind(_of_run(asked_world), ("text",)),
    "decide": _Kind(_decide, ("choice",)),
    "run": _Kind(lambda goal, state: state.run.recorded_run == goal.run, ("run",)),
}
