"""Experiments: recognised when they are done, and only then; each can be solved."""

from __future__ import annotations

import pytest

from visualizer import load_transcript, replay
from visualizer.i18n import texts
from visualizer.lessons.goals import State, first_step_with, is_met, sentence, solve
from visualizer.lessons.model import Goal


def state(where: str = "start", name: str = "aurora-run", **asked: object) -> State:
    scenario = load_transcript(name)
    run = replay(scenario, **asked)  # type: ignore[arg-type]
    return State(scenario, run, run.locate(where))


DONE: list[tuple[Goal, State, State]] = [
    (Goal("cut_off"), state(), state(max_turns=2)),
    (Goal("ends", reason="request_refused"), state(), state(loop="forgets")),
    (Goal("returns", text="1974"), state(max_turns=2), state(max_turns=5)),
    (Goal("returns", text="1974", smallest=True), state(max_turns=5), state(max_turns=3)),
    (Goal("reach_text", text="1951"), state("t0.append"), state("t0.execute")),
    (Goal("reach_text", text="Mara Voss"), state("t1.call"), state("t0.execute")),
    (Goal("reach_text", text="Aurora Run"), state("t0.call"), state("start")),
    (Goal("reach_place", place="t1.execute.1"), state("t1.check"), state("t1.execute")),
    (Goal("reach_turn", turn=1), state("t0.append"), state("t1.call")),
    (Goal("scenario", scenario="paris"), state(), state(name="paris")),
    (Goal("loop", loop="production"), state(), state(loop="production")),
]


@pytest.mark.parametrize("case", DONE, ids=lambda case: case[0].kind)
def test_an_experiment_is_seen_when_it_is_done(case: tuple[Goal, State, State]) -> None:
    """Not before, but at the state that the reader was to bring about."""
    goal, before, done = case
    assert not is_met(goal, before)
    assert is_met(goal, done)


@pytest.mark.parametrize("case", DONE, ids=lambda case: case[0].kind)
def test_an_experiment_can_be_solved_by_search(case: tuple[Goal, State, State]) -> None:
    """The search finds a state that meets the goal, beginning where the reader begins."""
    goal, before, _ = case
    found = solve(goal, before)
    assert found is not None
    assert is_met(goal, found)


IMPOSSIBLE = [
    Goal("returns", text="1951"),
    Goal("reach_text", text="2042"),
    Goal("reach_turn", turn=7),
    Goal("reach_place", place="t1.execute.2"),
    Goal("scenario", scenario="nowhere"),
    Goal("loop", loop="nothing"),
    Goal("ends", reason="budget_exhausted"),
]


@pytest.mark.parametrize("goal", IMPOSSIBLE, ids=lambda goal: goal.kind)
def test_what_can_not_be_done_has_no_solution(goal: Goal) -> None:
    """The search ends without one."""
    assert solve(goal, state()) is None


def test_a_text_is_first_seen_where_it_comes_in() -> None:
    """A result is there when the tool has run, a request when the reply has come."""
    run = state().run
    assert first_step_with(run, "1974") == run.locate("t1.execute")
    assert first_step_with(run, "In what year") == 1
    assert first_step_with(run, "not there") is None


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_goal_is_a_sentence(language: str) -> None:
    """What is to be done names what is asked for."""
    for goal, _, _ in DONE:
        said = sentence(goal, texts(language))
        assert said.endswith("。" if language == "ja" else ".")
        for value in (goal.text, goal.place, goal.scenario, goal.loop, goal.reason):
            assert value is None or value in said
