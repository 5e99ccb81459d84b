"""What the recorded model gives: takes, failed attempts, repetitions, rewritten histories."""

from __future__ import annotations

from typing import Any

import pytest

from tests.made import answer, response, round_of, scenario, text_block, tool_result, tool_use
from visualizer.engine import RequestFailed, replay
from visualizer.errors import NotFoundError


def patient(model: Any, tools: Any, messages: Any, max_turns: int = 10) -> Any:
    """A loop that tries again when a request fails."""
    for _ in range(max_turns):
        while True:
            try:
                reply = model(messages)
                break
            except RequestFailed:
                continue
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        messages.append({"role": "user", "content": [tools(c) for c in reply.tool_calls]})
    return None


def unbounded(model: Any, tools: Any, messages: Any) -> Any:
    while True:
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        messages.append({"role": "user", "content": [tools(c) for c in reply.tool_calls]})


ATTEMPT = {"status": 529, "error": {"type": "overloaded_error", "message": "Overloaded"}}


def test_a_failed_attempt_is_raised_and_the_reply_given_when_asked_again() -> None:
    """A loop that retries gets the reply; the failed request is a call step, and not counted."""
    recorded = scenario(answer("at last", attempts=[ATTEMPT]))
    run = replay(recorded, loop=patient, contained=False)
    assert [step.place for step in run.steps] == [
        "start",
        "t0.call",
        "t0.call.2",
        "t0.check",
        "end",
    ]
    assert (run.result, run.model_calls) == ("at last", 1)
    assert run.calls[0].reply is None


def test_a_loop_that_does_not_retry_raises_the_recorded_error() -> None:
    """agent_loop handles no errors: the run ends in ``raised``, with the recorded status."""
    run = replay(scenario(answer("at last", attempts=[ATTEMPT])))
    assert run.terminal_reason == "raised"
    assert run.raised is not None
    assert run.raised.type == "RequestFailed"
    assert "529" in run.raised.text


def test_a_recording_that_ends_in_failures_ends_there() -> None:
    """Attempts without a reply: after the last of them the recording is over."""
    recorded = scenario({"response": None, "attempts": [ATTEMPT]})
    run = replay(recorded, loop=patient, contained=False)
    assert (run.terminal_reason, run.model_calls) == ("recording_ended", 0)


TAKES = [
    {"name": "first", "turns": [round_of("a"), round_of("b"), answer("one")]},
    {"name": "second", "base": "first", "after": 1, "turns": [answer("two")]},
]


def test_a_scenario_follows_its_take_else_the_first() -> None:
    """Two takes share the first turn; the take asked for is given where they part."""
    recorded = scenario(takes=TAKES)
    assert replay(recorded).result == "one"
    assert replay(recorded, take="second").result == "two"
    with pytest.raises(NotFoundError, match="first, second"):
        replay(recorded, take="third")
    chosen = scenario(takes=TAKES, settings={"take": "second"})
    assert (replay(chosen).result, replay(chosen).model_calls) == ("two", 2)


def test_a_repeating_turn_is_given_again_and_the_run_is_ended_from_outside() -> None:
    """Without a bound the visualizer ends it after 50 calls; the request ids stay unique."""
    recorded = scenario(round_of("a", repeats=True))
    run = replay(recorded, loop=unbounded, contained=False)
    assert (run.terminal_reason, run.model_calls, run.tool_calls) == ("step_cap", 50, 50)
    ids = [block.id for message in run.messages for block in message.tool_calls]
    assert len(set(ids)) == 50
    assert not any(call.violations for call in run.calls)
    assert [call.repeated for call in run.calls[:3]] == [0, 1, 2]


def test_a_repeating_turn_under_a_cap_is_cut_off() -> None:
    """With a bound the same recording ends in max_turns."""
    run = replay(scenario(round_of("a", "b", repeats=True)), max_turns=7)
    assert (run.terminal_reason, run.model_calls, run.tool_calls) == ("max_turns", 7, 14)


def test_a_repeating_turn_after_others_repeats_from_its_own_context() -> None:
    """The turns before are given once, the last one for as long as it is asked."""
    run = replay(scenario(round_of("a"), round_of("b", repeats=True)), max_turns=5)
    assert [call.repeated for call in run.calls] == [0, 0, 1, 2, 3]


def test_a_repeating_turn_is_not_given_to_another_context() -> None:
    """A repetition with an added message is a context that was never recorded."""

    def adds(model: Any, tools: Any, messages: Any) -> Any:
        while True:
            reply = model(messages)
            messages.append(reply.as_message())
            results = [tools(call) for call in reply.tool_calls]
            messages.append({"role": "user", "content": [*results, text_block("Hurry.")]})

    run = replay(scenario(round_of("a", repeats=True)), loop=adds, contained=False)
    assert (run.terminal_reason, run.model_calls) == ("recording_ended", 1)


def test_cache_marks_and_absent_is_error_are_the_same_context() -> None:
    """What does not change what a model reads does not change the context."""

    def marks(model: Any, tools: Any, messages: Any) -> Any:
        reply = model(messages)
        messages.append(reply.as_message())
        result = tools(reply.tool_calls[0])
        result |= {"is_error": False, "cache_control": {"type": "ephemeral"}}
        messages.append({"role": "user", "content": [result]})
        return model(messages).text

    run = replay(scenario(round_of("a"), answer("same")), loop=marks, contained=False)
    assert run.result == "same"


def test_a_known_context_gets_its_reply_with_the_broken_rule_as_a_note() -> None:
    """A recording whose own request breaks a rule is replayed; the call step says which."""
    first = {
        "response": response(tool_use("a"), tool_use("b")),
        "results": [tool_result("a")],
    }
    recorded = scenario(first, answer("went through"))

    def drops(model: Any, tools: Any, messages: Any) -> Any:
        reply = model(messages)
        messages.append(reply.as_message())
        messages.append({"role": "user", "content": [tools(reply.tool_calls[0])]})
        return model(messages).text

    run = replay(recorded, loop=drops, contained=False)
    assert run.result == "went through"
    assert [violation.code for violation in run.calls[1].violations] == ["missing_result"]


def test_a_dropped_result_is_refused_where_it_was_not_recorded_so() -> None:
    """Two requests, one result sent back: an endpoint would refuse it, so no reply is given."""

    def drops(model: Any, tools: Any, messages: Any) -> Any:
        reply = model(messages)
        messages.append(reply.as_message())
        messages.append({"role": "user", "content": [tools(reply.tool_calls[0])]})
        return model(messages).text

    run = replay(scenario(round_of("a", "b"), answer()), loop=drops, contained=False)
    assert run.terminal_reason == "request_refused"
    assert run.stop is not None
    assert run.stop.violations[0].ids == ("b",)


def test_a_rewritten_history_is_a_context_of_its_own() -> None:
    """A turn with ``history`` answers what the host had made of the messages."""
    summary = [{"role": "user", "content": "Summary: a was found."}]
    recorded = scenario(round_of("a"), answer("from the summary", history=summary))

    def summarises(model: Any, tools: Any, messages: Any) -> Any:
        reply = model(messages)
        messages.append(reply.as_message())
        messages[:] = [{"role": "user", "content": "Summary: a was found."}]
        return model(messages).text

    run = replay(recorded, loop=summarises, contained=False)
    assert run.result == "from the summary"
    assert [step.phase for step in run.steps] == ["start", "call", "rewrite", "call", "end"]
    assert [step.messages for step in run.steps] == [1, 2, 1, 1, 1]


FLAGS = {
    "end_turn": "completed",
    "stop_sequence": "completed",
    "max_tokens": "truncated",
    "refusal": "refusal",
    "pause_turn": "paused",
    "model_context_window_exceeded": "truncated",
    "something_new": "returned_early",
}


def test_terminal_reasons_follow_the_last_flag() -> None:
    """The simple loop returns them all as answers; the terminal reason tells them apart."""
    for flag, reason in FLAGS.items():
        run = replay(scenario({"response": response(text_block("so far"), stop_reason=flag)}))
        assert (run.terminal_reason, run.result) == (reason, "so far")


def test_a_call_with_other_parameters_is_another_context() -> None:
    """The same messages sent with a higher max_tokens get the reply recorded for that."""
    question = [{"role": "user", "content": "Look into it."}]
    short = {"response": response(text_block("So f"), stop_reason="max_tokens")}
    long = {
        "response": response(text_block("So far, so good.")),
        "history": question,
        "request": {"max_tokens": 200},
    }

    def asks_for_more(model: Any, tools: Any, messages: Any) -> Any:
        reply = model(messages, max_tokens=100)
        if reply.stop_reason == "max_tokens":
            reply = model(messages, max_tokens=200)
        return reply.text

    recorded = scenario(short, long, request={"max_tokens": 100})
    run = replay(recorded, loop=asks_for_more, contained=False)
    assert (run.result, run.model_calls) == ("So far, so good.", 2)
    assert replay(recorded).result == "So f"
    assert [call.parameters for call in run.calls] == [{"max_tokens": 100}, {"max_tokens": 200}]


def test_the_same_words_in_another_role_are_another_context() -> None:
    """What the assistant said, sent back as the user's, was never recorded."""

    def mixes_up_roles(model: Any, tools: Any, messages: Any) -> Any:
        reply = model(messages)
        messages.append({**reply.as_message(), "role": "user"})
        messages.append({"role": "user", "content": "Go on."})
        return model(messages).text

    said = {"response": response(text_block("Half of it.")), "results": [text_block("Go on.")]}
    run = replay(scenario(said, answer("All of it.")), loop=mixes_up_roles, contained=False)
    assert (run.terminal_reason, run.result) == ("diverged", None)
    assert run.stop is not None
    assert run.stop.difference is not None
    assert (run.stop.difference.field, run.stop.difference.sent) == ("/role", "user")
