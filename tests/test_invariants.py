"""What holds for every run of agent_loop, whatever was recorded."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.made import answer, round_of, scenario
from visualizer.engine import replay
from visualizer.loading import Scenario
from visualizer.run.timeline import Run, keep_place

MOST_ROUNDS = 6

caps = st.integers(min_value=1, max_value=MOST_ROUNDS + 3)


@st.composite
def recordings(draw: st.DrawFn, answered: bool | None = None) -> Scenario:
    """Rounds of one to four tool requests each, with an answer at the end or without one."""
    sizes = draw(st.lists(st.integers(min_value=1, max_value=4), max_size=MOST_ROUNDS))
    turns: list[dict[str, Any]] = [
        round_of(*(f"t{turn}_{number}" for number in range(size)))
        for turn, size in enumerate(sizes)
    ]
    ends = draw(st.booleans()) if answered is None else answered
    if ends or not turns:
        turns.append(answer(draw(st.sampled_from(["1974", "", "日本語", "two\nlines"]))))
    return scenario(*turns)


def numbers(run: Run) -> tuple[Any, ...]:
    return run.result, run.terminal_reason, run.model_calls, run.tool_rounds, run.tool_calls


@given(recordings(), caps)
def test_calls_never_exceed_the_cap(recorded: Scenario, cap: int) -> None:
    """However long the recording is, there are at most max_turns model calls."""
    assert replay(recorded, max_turns=cap).model_calls <= cap


@given(recordings(answered=True))
def test_n_rounds_and_an_answer_make_n_plus_1_calls(recorded: Scenario) -> None:
    """Answered means calls = rounds + 1, and no step is missing between them."""
    run = replay(recorded, max_turns=MOST_ROUNDS + 3)
    assert run.terminal_reason == "completed"
    assert run.model_calls == run.tool_rounds + 1
    assert len(run.steps) == 2 + 2 * run.model_calls + run.tool_calls + run.tool_rounds


@given(recordings(answered=True))
def test_every_request_is_answered_once_and_a_round_in_one_message(recorded: Scenario) -> None:
    """Each tool request has exactly one result, in the message right after it."""
    messages = replay(recorded, max_turns=MOST_ROUNDS + 3).messages
    asked = Counter(block.id for message in messages for block in message.tool_calls)
    answered = Counter(block.tool_use_id for message in messages for block in message.results)
    assert asked == answered
    assert set(answered.values()) <= {1}
    for request, reply in pairwise(messages):
        if request.tool_calls:
            ids = [block.tool_use_id for block in reply.results]
            assert ids == [block.id for block in request.tool_calls]


@given(recordings(), caps)
def test_a_cutoff_returns_none_and_leaves_the_last_results_unread(
    recorded: Scenario, cap: int
) -> None:
    """At the cap nothing is returned, and the last message was sent by no call."""
    run = replay(recorded, max_turns=cap)
    if run.terminal_reason == "max_turns":
        assert run.result is None
        assert run.model_calls == cap == run.tool_rounds
        last = len(run.messages) - 1
        assert run.messages[last].results
        assert not run.readers(len(run.steps), last)


@given(recordings(), caps)
def test_two_replays_are_equal(recorded: Scenario, cap: int) -> None:
    """Same input, same run: steps, calls, messages, what every line saw."""
    assert replay(recorded, max_turns=cap) == replay(recorded, max_turns=cap)


@given(recordings(), st.data())
def test_the_state_at_a_step_is_the_same_however_it_is_reached(
    recorded: Scenario, data: st.DataObject
) -> None:
    """Forward, back and by a jump: the same messages, in hand and lines."""
    run = replay(recorded, max_turns=MOST_ROUNDS + 3)

    def state(index: int) -> tuple[Any, ...]:
        return (
            run.step(index),
            run.messages_at(index),
            run.in_hand(index),
            list(run.lines_at(index)),
            run.call_at(index),
        )

    forward = [state(index) for index in range(1, len(run.steps) + 1)]
    for index in reversed(range(1, len(run.steps) + 1)):
        assert state(index) == forward[index - 1]
    jump = data.draw(st.integers(min_value=1, max_value=len(run.steps)))
    assert state(jump) == forward[jump - 1]
    assert run.locate(run.step(jump).place) == jump


@given(recordings(), caps, caps)
def test_a_run_under_a_lower_cap_is_a_prefix(recorded: Scenario, one: int, other: int) -> None:
    """Without its end, a run under a lower cap is how the run under a higher one begins."""
    low, high = sorted((one, other))
    short, long = replay(recorded, max_turns=low), replay(recorded, max_turns=high)
    begun = short.steps[:-1]
    assert long.steps[: len(begun)] == begun
    for index in range(1, len(begun) + 1):
        assert keep_place(short, index, long) == index


@given(recordings(), caps)
def test_messages_only_grow_and_calls_send_all_of_them(recorded: Scenario, cap: int) -> None:
    """Each call sends everything so far; counts never go down."""
    run = replay(recorded, max_turns=cap)
    counts = [step.messages for step in run.steps]
    assert counts == sorted(counts)
    for call in run.calls:
        assert call.sent == run.step(call.step - 1).messages
        assert run.request(call) == run.messages[: call.sent]


@given(recordings())
def test_in_hand_are_the_results_that_ran_and_are_not_appended(recorded: Scenario) -> None:
    """Results stand apart from execute to append, and nowhere else."""
    run = replay(recorded, max_turns=MOST_ROUNDS + 3)
    for step in run.steps:
        waiting = run.in_hand(step.index)
        held = {block.tool_use_id for m in run.messages_at(step.index) for block in m.results}
        assert all(one.result and one.result.tool_use_id not in held for one in waiting)
        assert bool(waiting) == (step.phase == "execute")


@given(recordings(), st.randoms(use_true_random=False))
def test_results_in_another_order_are_the_same_context(recorded: Scenario, random: Any) -> None:
    """A loop may give a round's results back in any order: the next reply is still given."""

    def shuffles(model: Any, tools: Any, messages: Any, max_turns: int = 9) -> Any:
        for _ in range(max_turns):
            reply = model(messages)
            messages.append(reply.as_message())
            if reply.stop_reason != "tool_use":
                return reply.text
            results = [tools(call) for call in reply.tool_calls]
            random.shuffle(results)
            messages.append({"role": "user", "content": results})
        return None

    shuffled = replay(recorded, loop=shuffles, max_turns=9, contained=False)
    assert numbers(shuffled) == numbers(replay(recorded, max_turns=9))
