"""Experiments: recognised when they are done, and only then; each can be solved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from visualizer import load_transcript, replay
from visualizer.i18n import texts
from visualizer.lessons.goals import State, first_step_with, is_met, sentence, solve, start_of
from visualizer.lessons.model import Goal
from visualizer.lessons.puzzle import judge, ordered_lines, shuffled_lines


def state(where: str = "start", name: str = "aurora-run", **asked: object) -> State:
    scenario = load_transcript(name)
    observed = asked.pop("observations", {})
    assert isinstance(observed, dict)
    scenario = scenario.observing(observed)
    run = replay(scenario, **asked)  # type: ignore[arg-type]
    return State(scenario, run, run.locate(where))


def changed(where: str = "start", text: str = "No page.") -> State:
    return state(where, observations={"t0.execute": text})


DONE: list[tuple[Goal, State, State]] = [
    (Goal("cut_off"), state(), state(max_turns=2)),
    (Goal("ends", reason="request_refused"), state(), state(loop="forgets")),
    (Goal("returns", text="1974"), state("end", max_turns=2), state("end", max_turns=5)),
    (Goal("returns", text="1974"), state("t2.check"), state("end")),
    (
        Goal("returns", text="1974", smallest=True),
        state("end", max_turns=5),
        state("end", max_turns=3),
    ),
    (Goal("reach_text", text="1951"), state("t0.append"), state("t0.execute")),
    (Goal("reach_text", text="Mara Voss"), state("t1.call"), state("t0.execute")),
    (Goal("reach_text", text="Aurora Run"), state("t0.call"), state("start")),
    (Goal("reach_place", place="t1.execute.1"), state("t1.check"), state("t1.execute")),
    (Goal("reach_turn", turn=1), state("t0.append"), state("t1.call")),
    (Goal("scenario", scenario="paris"), state(), state(name="paris")),
    (Goal("diverges"), changed(), changed("end")),
    (Goal("diverges"), state("end"), changed("end")),
    (Goal("restores"), changed(), state()),
    (
        Goal("asks_world", text="Mara Voss"),
        changed(),
        changed(text="Mara Voss is a Norwegian film director, born in 1974."),
    ),
    (Goal("loop", loop="production"), state(), state(loop="production")),
    (
        Goal("decide", choice="deny"),
        state("t1.approve", "approval"),
        state("end", "approval", decisions={"t1.approve": "deny"}),
    ),
    (
        Goal("decide", choice="allow"),
        state("end", "approval", decisions={"t1.approve": "deny"}),
        state("end", "approval", decisions={"t1.approve": "allow"}),
    ),
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


def test_shuffled_lines_can_be_put_in_order() -> None:
    """The shuffle is not solved; the order of the file is; so is one that does the same."""
    goal = Goal("order", loop="agent_loop")
    here = state()
    start = start_of(goal, here.scenario, here.run, here.index)
    assert sorted(start.lines) == sorted(ordered_lines("agent_loop"))
    assert not is_met(goal, start)
    done = solve(goal, start)
    assert done is not None
    assert done.lines == ordered_lines("agent_loop")
    same = list(done.lines)
    same.insert(1, same.pop(same.index("        results = []")))
    assert is_met(goal, replace(start, lines=tuple(same)))


def test_an_order_is_judged_by_running_it() -> None:
    """Below the append the check is too late, on each scenario; no loop at all says why."""
    lines = list(ordered_lines("agent_loop"))
    at = lines.index('        if reply.stop_reason != "tool_use":')
    late = [*lines[:at], *lines[at + 2 : -1], *lines[at : at + 2], lines[-1]]
    verdicts = {one.scenario: one for one in judge("agent_loop", late)}
    assert not verdicts["truncated"].right
    assert verdicts["truncated"].made is not None
    assert all(one.error for one in judge("agent_loop", shuffled_lines("agent_loop")))
    with pytest.raises(ValueError, match="agent_loop"):
        next(judge("agent_loop", [*lines, "import os"]))


IMPOSSIBLE = [
    Goal("returns", text="1951"),
    Goal("reach_text", text="2042"),
    Goal("reach_turn", turn=7),
    Goal("reach_place", place="t1.execute.2"),
    Goal("scenario", scenario="nowhere"),
    Goal("loop", loop="nothing"),
    Goal("ends", reason="budget_exhausted"),
    Goal("order", loop="nothing"),
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
