"""Limits as objects: what is configured, used and left, and runs that end for them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made import answer, response, round_of, scenario, text_block, tool_use
from visualizer import load_transcript, replay
from visualizer.describe import describe
from visualizer.describe.plain import to_json
from visualizer.errors import TranscriptError
from visualizer.i18n import texts
from visualizer.run.limits import BILLION, Budget
from visualizer.run.timeline import LimitCheck, Run, keep_place
from visualizer.transcript.settings import Limits, Prices

COUNTS = st.integers(0, 10**7)
USAGES = st.lists(
    st.fixed_dictionaries(
        {"input_tokens": COUNTS, "output_tokens": COUNTS},
        optional={"cache_read_input_tokens": COUNTS, "cache_creation_input_tokens": COUNTS},
    ),
    max_size=8,
)
PRICE = st.integers(0, 10**5).map(lambda n: n / 1000)


def spending(tokens: int, *turns: dict[str, Any], **settings: Any) -> Run:
    """The run of the production loop with that many tokens in and out a turn."""
    for turn in turns:
        turn["response"]["usage"] = {"input_tokens": tokens - 1, "output_tokens": 1}
    return replay(scenario(*turns, settings=settings), loop="production")


def checks(run: Run) -> list[LimitCheck]:
    return [step.about for step in run.steps if isinstance(step.about, LimitCheck)]


@given(USAGES, PRICE, PRICE, st.integers(1, 10**6), st.integers(1, 10**7))
def test_what_is_used_and_what_is_left_add_up(
    usages: list[dict[str, int]], price: float, other: float, cents: int, tokens: int
) -> None:
    """After every reply, for every limit: used + left = configured, and nothing is given back."""
    limits = Limits(max_budget_usd=cents / 100, max_total_tokens=tokens)
    budget = Budget(limits, Prices(price, other), max_turns=4)
    before = budget.uses
    for usage in usages:
        hit = budget.hit(usage)
        after = budget.uses
        assert all(use.used + use.left == use.configured for use in after)
        assert all(old.used <= new.used for old, new in zip(before, after, strict=True))
        over = [use.name for use in after if use.left <= 0 and use.name != "max_turns"]
        assert (hit in over) if over else hit is None
        before = after


def test_money_is_counted_at_the_scenarios_prices() -> None:
    """A million of each at 3, 15, 3.75 and 0.3 dollars: 22.05; unsaid, cached is input."""
    million = 1_000_000
    usage = {
        "input_tokens": million,
        "output_tokens": million,
        "cache_creation_input_tokens": million,
        "cache_read_input_tokens": million,
    }
    limits = Limits(max_budget_usd=100.0)
    for prices, dollars in ((Prices(3, 15, 3.75, 0.3), 22.05), (Prices(3, 15), 24)):
        budget = Budget(limits, prices)
        budget.hit(usage)
        assert budget.uses[0].used == round(dollars * BILLION)


def test_a_reply_that_uses_a_limit_up_ends_the_run_before_its_tools_run() -> None:
    """Three replies of 400 tokens, a thousand allowed: the third reply's tool is not run."""
    turns = (round_of("a"), round_of("b"), round_of("c"), answer())
    run = spending(400, *turns, limits={"max_total_tokens": 1000})
    assert (run.result, run.terminal_reason) == ({"limit": "max_total_tokens"}, "budget_exhausted")
    assert (run.model_calls, run.tool_calls) == (3, 2)
    assert [check.hit for check in checks(run)] == [None, None, "max_total_tokens"]
    assert [one.used for one in checks(run)[-1].uses] == [1200, 3]
    assert [step.place for step in run.steps[-3:]] == ["t2.limit", "t2.check", "end"]


def test_an_answer_that_uses_a_limit_up_is_an_answer() -> None:
    """The last reply passes the budget and is there all the same."""
    run = spending(600, round_of("a"), answer(), limits={"max_total_tokens": 1000})
    assert (run.result, run.terminal_reason) == ("done", "completed")
    assert checks(run)[-1].hit == "max_total_tokens"


def test_the_limit_that_was_used_up_first_is_the_one_named() -> None:
    """Money is gone after one reply, tokens after two: a loop that goes on hears of the money."""
    limits = Limits(max_budget_usd=0.001, max_total_tokens=1500)
    budget = Budget(limits, Prices(1, 1))
    usage = {"input_tokens": 1000, "output_tokens": 0}
    assert [budget.hit(usage), budget.hit(usage)] == ["max_budget_usd"] * 2


def test_a_limit_comes_before_the_cap_where_both_are_reached() -> None:
    """The budget goes in the last turn: its tools did not run, as the cap alone would let them."""
    turns = (round_of("a"), round_of("b"), answer())
    run = spending(600, *turns, limits={"max_total_tokens": 1000}, max_turns=2)
    assert (run.terminal_reason, run.tool_calls) == ("budget_exhausted", 1)
    run = spending(400, round_of("a"), round_of("b"), limits={"max_total_tokens": 999}, max_turns=2)
    assert (run.terminal_reason, run.tool_calls) == ("max_turns", 2)


def test_a_loop_that_goes_on_all_the_same_did_not_end_for_it() -> None:
    """Asking the limits without heeding them is no end by them."""

    def heedless(model: Any, tools: Any, messages: Any, limits: Any = None) -> Any:
        reply = model(messages)
        limits.hit(reply.usage)
        for call in reply.tool_calls:
            tools(call)
        return reply.stop_reason

    turn = {
        "response": response(text_block("So"), tool_use("a"), usage={"input_tokens": 9}),
        "results": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}],
    }
    recorded = scenario(turn, settings={"limits": {"max_total_tokens": 5}})
    run = replay(recorded, loop=heedless, contained=False)
    assert run.terminal_reason == "returned_early"


def test_replies_without_usage_cost_nothing_that_is_known() -> None:
    """Where nothing was recorded nothing is counted, and no number is made up."""
    run = replay(
        scenario(round_of("a"), answer(), settings={"limits": {"max_total_tokens": 5}}),
        loop="production",
    )
    assert run.terminal_reason == "completed"
    assert checks(run)[-1].uses[0].used == 0


def test_a_loop_without_limits_is_not_asked() -> None:
    """agent_loop takes none: no step of them, and the run goes on past the budget."""
    run = replay(load_transcript("budget"), loop="agent_loop")
    assert checks(run) == []
    assert run.terminal_reason == "completed"


def test_a_budget_in_dollars_needs_prices() -> None:
    """Without prices no reply would cost anything."""
    with pytest.raises(TranscriptError) as error:
        scenario(answer(), settings={"limits": {"max_budget_usd": 1.0}})
    assert [problem.key for problem in error.value.problems] == ["problem.needs_prices"]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_sentences_say_what_is_used_and_left(language: str) -> None:
    """Dollars and turns before the end, and at the end which limit it was."""
    said = texts(language)
    run = replay(load_transcript("budget"))
    middle = describe(run, run.locate("t1.limit"), said).happened
    assert all(part in middle for part in ("0.0483", "0.10", "0.0517"))
    end = describe(run, len(run.steps), said).happened
    assert "0.1080" in end
    name = said("step.limit.name.usd")
    assert name in describe(run, run.locate("t2.check"), said).next
    assert name in end


def test_another_cap_keeps_the_place_in_a_limited_run() -> None:
    """The cap is one of the limits that a step tells of: the place is the same all the same."""
    one = load_transcript("budget")
    run, other = replay(one), replay(one, max_turns=11)
    for step in run.steps:
        assert keep_place(run, step.index, other) == step.index


def test_json_gives_dollars() -> None:
    """``run --json`` says what is configured, used and left in the limits' own units."""
    one = load_transcript("budget")
    data = to_json(replay(one), one, texts("en"))
    uses = [step["about"] for step in data["steps"] if step["phase"] == "limit"][-1]["uses"]
    money = {"name": "max_budget_usd", "configured": 0.1, "used": 0.108, "left": -0.008}
    turns = {"name": "max_turns", "configured": 10, "used": 3, "left": 7}
    assert uses == [money, turns]
