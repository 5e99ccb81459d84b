"""The loop that makes room: old results cleared, then a summary; what is gone is said."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made import answer, round_of, scenario
from tests.tui.screens import opened
from visualizer import load_transcript, replay
from visualizer.describe import describe
from visualizer.describe.rewritten import replaced
from visualizer.i18n import texts
from visualizer.loading import Scenario
from visualizer.loops.context import CLEAR_AT, CLEARED, without_results
from visualizer.run.timeline import Run


def used(turn: dict[str, Any], tokens: int) -> dict[str, Any]:
    turn["response"]["usage"] = {"input_tokens": tokens, "output_tokens": 0}
    return turn


def filling(rounds: int, limit: int) -> Scenario:
    """Rounds that hold 100 tokens more each, an answer; recorded with and without clearing."""
    turns = [used(round_of(f"t{at}"), 100 * (at + 1)) for at in range(rounds)]
    whole = {"name": "whole", "turns": [*turns, used(answer("all there"), 10)]}
    messages: list[Any] = [{"role": "user", "content": "Look into it."}]
    for turn in turns:
        messages.append({"role": "assistant", "content": turn["response"]["content"]})
        messages.append({"role": "user", "content": turn["results"]})
    history = [*without_results(messages[:-1]), messages[-1]]  # type: ignore[no-untyped-call]
    last = {**used(answer("cleared"), 10), "history": history}
    cleared = {"name": "cleared", "base": "whole", "after": rounds, "turns": [last]}
    return scenario(takes=[whole, cleared], settings={"limits": {"context_tokens": limit}})


def places(run: Run, *phases: str) -> list[str]:
    return [step.place for step in run.steps if step.phase in phases]


@given(st.integers(2, 8))
def test_near_the_limit_all_results_but_the_last_are_cleared(rounds: int) -> None:
    """Above the share, once: requests stay, a line stands in place of each result read."""
    limit = int(100 * rounds / CLEAR_AT)
    run = replay(filling(rounds, limit), loop="context")
    assert places(run, "rewrite", "compact") == [f"t{rounds - 1}.rewrite"]
    step = run.step(run.locate(f"t{rounds - 1}.rewrite"))
    assert replaced(run, step) == tuple(range(2, 2 * rounds, 2))
    told = [block.result_text for message in run.messages for block in message.results]
    assert told == [CLEARED] * (rounds - 1) + [f"result of t{rounds - 1}"]
    assert (run.result, run.terminal_reason) == ("cleared", "completed")
    before = run.messages_at(step.index - 1)
    assert len(before) == step.messages
    assert before[2].results[0].result_text == "result of t0"


@given(st.integers(2, 8), st.booleans())
def test_below_the_share_and_without_a_limit_nothing_is_changed(rounds: int, asks: bool) -> None:
    """With room left the loop is the plain one."""
    recorded = filling(rounds, int(100 * rounds / CLEAR_AT) + 2)
    if not asks:
        recorded = scenario(*(round_of(f"t{at}") for at in range(rounds)), answer("all there"))
    run = replay(recorded, loop="context")
    assert places(run, "rewrite", "compact", "limit") == []
    assert run.result == "all there"
    assert len(run.calls) == rounds + 1


def test_a_full_window_is_summarised_and_not_only_cleared() -> None:
    """``compaction``: one call takes the context past both marks; the summary wins."""
    run = replay(load_transcript("compaction"), loop="context")
    assert places(run, "rewrite", "compact") == ["t3.compact"]
    assert run.model_calls == 6


def test_clearing_makes_the_next_request_smaller_and_its_beginning_shorter() -> None:
    """``clearing``: fewer tokens than the call before, and only two messages unchanged."""
    recorded = load_transcript("clearing")
    run = replay(recorded)
    assert places(run, "rewrite") == ["t2.rewrite"]
    used = [call.usage["input_tokens"] for call in run.calls if call.usage]
    assert used[3] < used[2] < replay(recorded, loop="agent_loop").calls[3].usage["input_tokens"]  # type: ignore[index]
    assert replay(recorded, loop="agent_loop").result == run.result


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_sentence_says_which_messages_were_replaced(language: str) -> None:
    """Their numbers, and how much of the results is gone."""
    run = replay(load_transcript("clearing"))
    said = describe(run, run.locate("t2.rewrite"), texts(language)).happened
    assert "2, 4" in said
    assert "743" in said


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("size", "old"), [((80, 24), False), ((140, 45), True)])
async def test_what_was_replaced_is_marked(language: str, size: tuple[int, int], old: bool) -> None:
    """At the step a word stands beside the new text, above it the old one where it fits."""
    async with opened("clearing", size, language, "t2.rewrite") as driven:
        assert CLEARED in driven.text
        assert driven.app.texts("window.replaced") in driven.text
        assert ("x2 user" in driven.text) is old
        await driven.press("right")
        assert driven.app.texts("window.replaced") not in driven.text
