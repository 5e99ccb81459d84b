"""Changed observations: which tool result a reader may change here, and the run that follows."""

from __future__ import annotations

from visualizer.app.session import Session
from visualizer.loading import Scenario
from visualizer.messages import Block
from visualizer.run.timeline import Observed, Step
from visualizer.transcript.world import WorldTools

MOST = 2_000
"""Characters of a result that are offered for editing; a longer one is written anew."""

_SIGNS = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def result_here(session: Session, selected: int | None = None) -> Step | None:
    """The step whose result can be changed here: of the selected message, else the latest."""
    run, step = session.run, session.run.step(session.index)
    if selected is not None and selected < step.messages:
        answered = {one.tool_use_id for one in run.message(step.index, selected).results}
        return next((one for one in _results(session) if _id(one) in answered), None)
    if step.phase == "end" and run.observations:
        return run.step(run.locate(run.observations[-1][0]))
    if step.turn is None:
        return None
    here = run.steps[run.turn_start(step.index) - 1 : step.index]
    return next((one for one in reversed(here) if one.phase == "execute" and one.result), None)


def changed_before(session: Session) -> bool:
    """Whether an observation was changed at this step, or before it."""
    observations = session.run.observations
    return bool(observations) and session.run.locate(observations[0][0]) <= session.index


def recorded(step: Step) -> Block | None:
    """The result of a step as it was recorded, or looked up."""
    return step.about.recorded if isinstance(step.about, Observed) else step.result


def typed_form(text: str) -> str:
    """A text as one line to edit: line breaks as ``\\n``. What is too long is written anew."""
    line = "".join(_SIGNS.get(char, char) for char in text)
    return line if len(line) <= MOST else ""


def typed_text(line: str) -> str:
    """The text that was typed as a line."""
    back = {sign: char for char, sign in _SIGNS.items()}
    found, at = "", 0
    while at < len(line):
        taken = back.get(line[at : at + 2])
        found += line[at] if taken is None else taken
        at += 1 if taken is None else 2
    return found


def observing(session: Session, place: str, text: str | None) -> Scenario:
    """The scenario with another text in one result; None: the recorded one again.

    What was changed later is dropped: in the run that follows there may be other calls.
    """
    run, here = session.run, session.run.locate(place)
    kept = {at: said for at, said in run.observations if run.locate(at) < here}
    return session.scenario.observing(kept if text is None else {**kept, place: text})


def query_of(session: Session, step: Step) -> tuple[str, str] | None:
    """The tool of the recording's world that a step used, and what it was asked; None without."""
    world, request = session.scenario.world, step.request
    tool = world.tools.get(request.name) if world is not None and request is not None else None
    if request is None or tool is None:
        return None
    asked = request.input.get(tool.argument) if isinstance(request.input, dict) else None
    return request.name, asked if isinstance(asked, str) else ""


def world_says(scenario: Scenario, tool: str, query: str) -> str | None:
    """What the recording's world gives for a query; None where it has no such tool."""
    return None if scenario.world is None else WorldTools(scenario.world).ask(tool, query)


def _results(session: Session) -> list[Step]:
    steps = session.run.steps[: session.index]
    return [one for one in steps if one.phase == "execute" and one.result is not None]


def _id(step: Step) -> str:
    return step.result.tool_use_id if step.result is not None else ""
