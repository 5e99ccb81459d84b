"""Calls that wait for a person: what can be decided at a step, and the run that follows."""

from __future__ import annotations

from visualizer.app.session import Session, Shown, compute
from visualizer.loading import Scenario
from visualizer.run.timeline import Approval
from visualizer.transcript.settings import Choice


def asked_here(session: Session) -> str:
    """The place of the decision that this step is about; ``""`` where nobody is asked."""
    run, step = session.run, session.run.step(session.index)
    if step.phase == "end" and run.stop is not None and run.stop.reason == "undecided":
        return run.stop.detail
    return step.place if isinstance(step.about, Approval) and step.about.asked else ""


def why_not(session: Session) -> str:
    """Why there is nothing to decide here: the ``policy`` decides, or ``nothing`` waits."""
    about = session.run.step(session.index).about
    return "policy" if isinstance(about, Approval) else "nothing"


def deciding(session: Session, place: str, choice: Choice) -> Scenario:
    """The scenario with one more decision. What was decided on later calls is dropped:

    in the run that follows they may be other calls.
    """
    here = session.run.locate(place)
    places = {step.place for step in session.run.steps[: here - 1]}
    decided = session.scenario.decided
    kept = {at: made for at, made in decided.items() if at in places}
    return session.scenario.deciding({**kept, place: choice})


def decided(session: Session, scenario: Scenario) -> Shown:
    """The run of the scenario so decided, by the same loop under the same cap."""
    return Shown(scenario, compute(scenario, session.loop, session.max_turns)).settle()


def show(session: Session, shown: Shown, place: str) -> None:
    """Change over to a run with another decision, and stand where that was made."""
    session.scenario, session.shown = shown.scenario, shown
    session.index = shown.run.locate(place)
