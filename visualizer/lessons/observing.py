"""Experiments with changed observations: when they are done, and states that do them."""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.lessons.model import Goal
from visualizer.loading import Scenario
from visualizer.run.timeline import Run, Step
from visualizer.transcript.world import WorldTools

OTHER = "?"
"""A text that no shipped result has."""


def diverged(scenario: Scenario, run: Run, index: int, goal: Goal) -> bool:
    """Whether a changed observation made the run diverge. Seen at the end only."""
    return bool(run.observations) and run.terminal_reason == "diverged" and index == len(run.steps)


def restored(scenario: Scenario, run: Run, index: int, goal: Goal) -> bool:
    """Whether every observation is the recorded one."""
    return not run.observations


def asked_world(scenario: Scenario, run: Run, index: int, goal: Goal) -> bool:
    """Whether an observation is what the world says to the goal's query."""
    changed = dict(run.observations)
    return any(
        changed.get(step.place) == _says(scenario, step, goal.text or "")
        for step in run.steps
        if step.place in changed
    )


def changed_scenarios(goal: Goal, scenario: Scenario, run: Run) -> Iterator[Scenario]:
    """What a reader can make of the observations of a run that is of use for a goal."""
    if goal.kind == "restores":
        yield scenario.observing({})
    for step in run.steps:
        if step.phase == "execute" and goal.kind == "diverges":
            yield scenario.observing({step.place: OTHER})
        said = _says(scenario, step, goal.text or "")
        if goal.kind == "asks_world" and said is not None:
            yield scenario.observing({step.place: said})


def _says(scenario: Scenario, step: Step, query: str) -> str | None:
    if scenario.world is None or step.request is None:
        return None
    return WorldTools(scenario.world).ask(step.request.name, query)
