"""Two runs side by side: where they part, each mistake for its own reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests import made_runs as made
from tests import odd_loops as odd
from tests.made import answer, response, round_of, scenario, text_block
from visualizer import compare, load_transcript, replay
from visualizer.comparison import Comparison
from visualizer.engine import RequestFailed
from visualizer.loading import Scenario
from visualizer.loops import tool_results


def compared(name: str, left: str, right: str, **more: Any) -> Comparison:
    """Two loops on a scenario by its name."""
    one = load_transcript(name)
    return compare(replay(one, loop=left), replay(one, loop=right, **more))


SIX = {  # loop: scenario, kind, place, where the right one stands
    "looks_finished": ("aurora-run-talkative", "request_ignored", "end", "t1.check"),
    "hard_coded": ("aurora-run", "answer_not_from_model", "end", "t1.call"),
    "forgets": ("aurora-run", "request_refused", "t1.call", "t1.call"),
    "runs_then_checks": ("truncated", "executed_unasked", "t0.execute", "t0.call"),
    "one_by_one": ("two-birth-years", "request_refused", "t1.call", "t1.call"),
    "no_bound": ("repeat", "does_not_end", "t10.call", "end"),
}


@pytest.mark.parametrize("loop", SIX)
def test_each_mistake_parts_from_the_right_loop_for_its_own_reason(loop: str) -> None:
    """The first place where it goes another way than agent_loop, and why."""
    name, kind, place, beside = SIX[loop]
    found = compared(name, "agent_loop", loop)
    parting = found.parting
    assert parting is not None
    assert (parting.kind, parting.side, parting.place) == (kind, "right", place)
    assert found.right.step(parting.right_step).place == place
    assert found.left.step(parting.left_step).place == beside


def evidence(loop: str) -> Any:
    parting = compared(SIX[loop][0], "agent_loop", loop).parting
    assert parting is not None
    return parting.right


def test_the_evidence_tells_the_mistakes_apart() -> None:
    """Two refusals by their rules, the others by what they ignored, ran, returned."""
    assert [one.code for one in evidence("forgets").violations] == ["orphan_result"]
    assert [one.code for one in evidence("one_by_one").violations] == ["missing_result"]
    assert [one.input for one in evidence("looks_finished").requests] == [{"query": "Mara Voss"}]
    assert [one.input for one in evidence("runs_then_checks").requests] == [{"query": "Mar"}]
    assert evidence("runs_then_checks").flag == "max_tokens"
    assert evidence("hard_coded").message == 2
    assert evidence("no_bound").stop.cap == 50


HIDDEN = {
    "looks_finished": ("aurora-run", False),
    "hard_coded": ("paris", True),
    "forgets": ("paris", True),
    "runs_then_checks": ("aurora-run", False),
    "one_by_one": ("aurora-run", True),
    "no_bound": ("aurora-run", True),
    "several_messages": ("two-birth-years", False),
}


@pytest.mark.parametrize("loop", HIDDEN)
def test_where_a_mistake_stays_hidden_the_outcomes_agree(loop: str) -> None:
    """No parting; only another order of phases is reported, apart, where there is one."""
    name, same_order = HIDDEN[loop]
    found = compared(name, "agent_loop", loop)
    assert found.outcomes_agree
    assert found.parting is None
    assert found.same_order is same_order


EDGES: dict[str, str | None] = {
    "nothing-found": None,
    "two-birth-years": None,
    "unknown-tool": None,
    "bad-arguments": None,
    "aurora-run-talkative": None,
    "repeat": None,
    "truncated": "taken_for_answer",
    "refusal": "taken_for_answer",
    "pause": "taken_for_answer",
}


@pytest.mark.parametrize("name", EDGES)
def test_production_parts_from_the_simple_loop_where_that_takes_no_answer_for_one(
    name: str,
) -> None:
    """Both do the same on tools; the simple loop alone returns what is cut short or paused."""
    found = compared(name, "production", "agent_loop")
    kind = EDGES[name]
    assert found.outcomes_agree is (kind is None)
    assert found.same_order
    if kind is None:
        assert found.parting is None
    else:
        assert found.parting is not None
        assert (found.parting.kind, found.parting.side) == (kind, "right")


def test_two_caps_part_where_the_lower_one_cuts_off() -> None:
    """max_turns 10 against 2: the end of one stands beside the third call of the other."""
    found = compared("aurora-run", "agent_loop", "agent_loop", max_turns=2)
    parting = found.parting
    assert parting is not None
    assert (parting.kind, parting.side, parting.turn) == ("cut_off", "right", 1)
    assert (parting.left_step, parting.right_step) == (10, 10)
    assert found.positions[9] == (10, 10)
    assert found.left.step(10).place == "t2.call"
    assert all(line.change == "equal" for line in found.code)


def test_steps_at_the_same_place_stand_together() -> None:
    """Phases in another order: what is the same is on one row, each run in its own order."""
    found = compared("aurora-run", "agent_loop", "runs_then_checks")
    assert found.steps[:7] == ((1, 1), (2, 2), (3, None), (4, 3), (5, 4), (None, 5), (6, 6))
    assert found.order is not None
    assert found.order.right == ("call", "execute", "append", "check")
    assert found.index_of("right", 5) == 5
    with pytest.raises(ValueError, match="99"):
        found.index_of("left", 99)


# other reasons, on recordings made here


def strips(model: Any, tools: Any, messages: Any, max_turns: int = 10) -> Any:
    return model(messages).text.strip(" .")


def invents(model: Any, tools: Any, messages: Any, max_turns: int = 10) -> Any:
    model(messages)
    return 42


def nothing(model: Any, tools: Any, messages: Any, max_turns: int = 10) -> Any:
    return None


def skips_one(model: Any, tools: Any, messages: Any, max_turns: int = 10) -> Any:
    reply = model(messages)
    messages.append(reply.as_message())
    messages.append(tool_results([tools(reply.tool_calls[0])]))
    return model(messages).text


def insists(model: Any, tools: Any, messages: Any, max_turns: int = 10) -> Any:
    return model(messages, max_tokens=2).text


def gives_up(model: Any, tools: Any, messages: Any, max_turns: int = 10) -> Any:
    reply = model(messages)
    return None if reply.stop_reason == "tool_use" else {"flag": reply.stop_reason}


def retries(model: Any, tools: Any, messages: Any, max_turns: int = 10) -> Any:
    try:
        return model(messages).text
    except RequestFailed:
        return model(messages).text


def goes_on(model: Any, tools: Any, messages: Any, max_turns: int = 10) -> Any:
    messages.append(model(messages).as_message())
    messages.append({"role": "user", "content": "Go on."})
    return model(messages).text


def asks_twice(model: Any, tools: Any, messages: Any, max_turns: int = 10) -> Any:
    model(messages)
    return model(messages).text


def hangs(model: Any, tools: Any, messages: Any, max_turns: int = 10) -> Any:
    model(messages)
    while True:
        pass


FAILED = {"status": 529, "error": {"type": "overloaded_error", "message": "Overloaded"}}
PAUSED = {"response": response(text_block("So far"), stop_reason="pause_turn")}
LIMITS = [
    {"response": response(text_block("one")), "request": {"max_tokens": 1}},
    {
        "response": response(text_block("two")),
        "request": {"max_tokens": 2},
        "history": [{"role": "user", "content": "Look into it."}],
    },
]
TWO_TOOLS = scenario(round_of("a", "b"), answer())

OTHERS: dict[str, tuple[Scenario, Callable[..., Any], str]] = {
    "a rewritten question": (made.aurora(), odd.shortens, "diverged"),
    "a call after the end": (scenario(answer()), goes_on, "recording_ended"),
    "a call after the answer": (scenario(answer()), asks_twice, "went_on"),
    "an exception": (made.aurora(), odd.raises, "raised"),
    "a failed request": (scenario(answer(attempts=[FAILED])), retries, "raised"),
    "no end": (scenario(answer()), hangs, "does_not_end"),
    "the reply, reworked": (scenario(answer("done.")), strips, "other_result"),
    "a number from nowhere": (scenario(answer()), invents, "answer_not_from_model"),
    "no call at all": (scenario(answer()), nothing, "returned_early"),
    "None on tool_use": (made.aurora(), gives_up, "returned_early"),
    "a dict on a pause": (scenario(PAUSED), gives_up, "taken_for_answer"),
    "a dict on an answer": (scenario(answer()), gives_up, "other_result"),
    "a dropped result": (TWO_TOOLS, skips_one, "request_refused"),
    "other parameters": (scenario(*LIMITS), insists, "other_reply"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_reasons_to_part(name: str) -> None:
    """Whatever a loop does, it parts from the right one for a reason that was observed."""
    recorded, loop, kind = OTHERS[name]
    found = compare(replay(recorded), replay(recorded, loop=loop, contained=False))
    assert found.parting is not None
    assert found.parting.kind == kind


def test_a_recording_may_hold_what_one_loop_left_out() -> None:
    """Both got a reply after executing different tools: that is where they part."""
    one, both = round_of("a", "b"), round_of("a", "b")
    one["results"] = one["results"][:1]
    takes = [
        {"name": "both", "turns": [both, answer("same")]},
        {"name": "one", "turns": [one, answer("same")]},
    ]
    recorded = scenario(takes=takes)
    found = compare(replay(recorded), replay(recorded, loop=skips_one, contained=False))
    assert found.outcomes_agree
    assert found.parting is not None
    assert (found.parting.kind, found.parting.place) == ("other_requests", "t0.execute.2")


def test_two_refusals_for_different_rules_part_at_the_call() -> None:
    """Both are stopped at call 2: one for a missing result, one for a stray one."""
    runs = [replay(TWO_TOOLS, loop=loop, contained=False) for loop in (skips_one, odd.forgets)]
    parting = compare(*runs).parting
    assert parting is not None
    assert (parting.kind, parting.side, parting.place) == ("request_refused", "both", "t1.call")
