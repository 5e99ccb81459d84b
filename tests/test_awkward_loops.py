"""Loops that nobody foresaw: each is observed for what it does, and none gets away."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.made import AWKWARD, LOOPS, answer, response, round_of, scenario, tool_use
from visualizer.describe import describe
from visualizer.engine import replay
from visualizer.errors import LoopError
from visualizer.i18n import texts
from visualizer.loading import Scenario
from visualizer.run.limits import Caps
from visualizer.run.timeline import Run

TWO_ROUNDS = scenario(round_of("a", "b"), round_of("c"), answer("it is there"))
REGULAR = (
    "start t0.call t0.check t0.execute t0.execute.2 t0.append "
    "t1.call t1.check t1.execute t1.append t2.call t2.check end"
)
QUICK = Caps(calls=50, steps=1_000, lines=20_000, seconds=20.0)


def drive(loop: str, over: Scenario = TWO_ROUNDS, caps: Caps = QUICK, **more: Any) -> Run:
    return replay(over, loop=f"{AWKWARD}:{loop}", caps=caps, **more)


def places(run: Run) -> str:
    return " ".join(step.place for step in run.steps)


@pytest.mark.parametrize(
    "loop",
    [
        "rebuilds_the_list",
        "adds_in_place",
        "sends_a_new_list",
        "uses_helpers",
        "uses_threads",
        "reads_the_flag_twice",
        "is_decorated",
    ],
)
def test_a_loop_that_does_the_same_has_the_same_steps(loop: str) -> None:
    """However a loop keeps its list or splits its work, the phases are those of agent_loop."""
    run = drive(loop)
    assert places(run) == REGULAR
    assert (run.result, run.terminal_reason) == ("it is there", "completed")
    assert (run.model_calls, run.tool_rounds, run.tool_calls) == (3, 2, 3)
    counts = [step.messages for step in run.steps]
    assert counts == [1, 2, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6]


@pytest.mark.parametrize(
    ("loop", "steps", "reason"),
    [
        (
            "forgets_the_reply",
            "start t0.call t0.check t0.execute t0.execute.2 t0.append t1.call end",
            "request_refused",
        ),
        (
            "edits_in_place",
            "start t0.call t0.check t0.rewrite t0.execute t0.execute.2 t0.append t1.call end",
            "diverged",
        ),
        (
            "returns_results_one_by_one",
            "start t0.call t0.check t0.execute t0.append t0.execute.2 "
            "t0.append.2 t1.call t1.check t1.execute t1.append t2.call t2.check end",
            "completed",
        ),
        (
            "never_looks_at_the_flag",
            "start t0.call t0.execute t0.execute.2 t0.append t1.call "
            "t1.execute t1.append t2.call end",
            "completed",
        ),
        ("swallows_everything", "start t0.call t0.append t1.call end", "request_refused"),
        ("runs_for_ever", "start end", "step_cap"),
        ("raises", "start t0.call end", "raised"),
        ("leaves", "start end", "raised"),
        ("sends_a_parameter", "start t0.call end", "returned_early"),
        ("makes_up_a_call", "start t0.call t0.execute end", "diverged"),
    ],
)
def test_steps_of_a_loop_that_differs(loop: str, steps: str, reason: str) -> None:
    """Each awkward loop gives exactly the steps it took, and the reason why it ended."""
    run = drive(loop)
    assert (places(run), run.terminal_reason) == (steps, reason)


def test_a_divergence_names_message_field_and_both_values() -> None:
    """An edited question is found at the next call: message 0, its text, recorded and sent."""
    stop = drive("edits_in_place").stop
    assert stop is not None
    assert stop.difference is not None
    found = stop.difference
    assert (found.where, found.message, found.field) == ("messages", 0, "/content/0/text")
    assert (found.recorded, found.sent) == ("Look into it.", "Something else?")


def test_an_edit_does_not_reach_earlier_snapshots() -> None:
    """Before the edit the question is still what it was."""
    run = drive("edits_in_place")
    assert run.message(2, 0).text == "Look into it."
    assert run.message(len(run.steps), 0).text == "Something else?"


def test_a_refused_request_names_the_rule() -> None:
    """A result whose request was not kept is an orphan."""
    stop = drive("forgets_the_reply").stop
    assert stop is not None
    assert [violation.code for violation in stop.violations] == ["orphan_result", "orphan_result"]


def test_a_round_counts_once_however_its_results_go_back() -> None:
    """Two results in two messages are one round."""
    run = drive("returns_results_one_by_one")
    assert (run.tool_rounds, run.tool_calls, run.model_calls) == (2, 3, 3)


def test_a_made_up_call_is_not_answered() -> None:
    """Changed arguments are no recorded call: the run stops with both of them."""
    stop = drive("makes_up_a_call").stop
    assert stop is not None
    assert stop.difference is not None
    assert stop.difference.where == "tool"
    assert stop.difference.sent["input"] == {"item": "a", "path": "/etc/passwd"}


def test_a_parameter_that_differs_from_the_recorded_one_diverges() -> None:
    """A system prompt other than the recorded one is another context."""
    over = scenario(answer(), request={"system": "Answer in German."})
    stop = drive("sends_a_parameter", over).stop
    assert stop is not None
    assert stop.difference is not None
    assert (stop.difference.where, stop.difference.field) == ("parameters", "/system")


def test_asking_the_same_again_gives_the_same_reply_flagged_until_the_cap() -> None:
    """The last reply is given again, counted; the visualizer ends it after its cap of calls."""
    run = drive("asks_again", scenario(answer("yes")))
    assert (run.terminal_reason, run.model_calls) == ("step_cap", 50)
    assert run.stop is not None
    assert (run.stop.detail, run.stop.cap) == ("calls", 50)
    assert [call.repeated for call in run.calls] == list(range(50))


def test_a_loop_that_runs_on_is_stopped_by_its_lines() -> None:
    """``while True: pass`` ends at the line cap."""
    stop = drive("runs_for_ever").stop
    assert stop is not None
    assert (stop.detail, stop.cap) == ("lines", 20_000)


def test_a_loop_that_never_returns_is_given_up_with_the_steps_so_far() -> None:
    """Sleeping runs no lines: the clock of the child ends it, and the call before is kept."""
    run = drive("sleeps", caps=Caps(calls=50, steps=1_000, seconds=0.5))
    assert (places(run), run.terminal_reason) == ("start t0.call end", "step_cap")
    assert run.stop is not None
    assert run.stop.detail == "time"


def test_what_is_raised_is_kept() -> None:
    """The exception's type and text stand in the run; it does not leave replay."""
    raised = drive("raises").raised
    assert raised is not None
    assert (raised.type, raised.text) == ("ValueError", "not today")


def test_parts_lead_through_the_helpers() -> None:
    """A step in a helper says the way there, and its line is the loop's own."""
    run = drive("uses_helpers")
    call, execute = run.steps[1], run.steps[3]
    assert [name for name, _ in call.parts] == ["uses_helpers", "answer_with_helpers"]
    assert [name for name, _ in execute.parts][-1] == "run_tools"
    assert "answer_with_helpers" in run.loop.line(call.line)


def test_calls_from_threads_stand_at_the_line_that_read_them_in_request_order() -> None:
    """Threads finish in any order; the steps are ordered as requested."""
    run = drive("uses_threads", scenario(round_of(*"abcdefgh"), answer()))
    executed = [step for step in run.steps if step.phase == "execute"]
    assert [step.request.id for step in executed if step.request] == list("abcdefgh")
    assert {run.loop.line(step.line).strip() for step in executed} == {
        "results = list(pool.map(tools, reply.tool_calls))"
    }


def test_more_calls_than_recorded_end_the_recording() -> None:
    """A loop that goes on where the recording stops is told so; no reply is made up."""
    run = replay(scenario(round_of("a")))
    assert (places(run), run.terminal_reason) == (
        "start t0.call t0.check t0.execute t0.append t1.call end",
        "recording_ended",
    )
    assert (run.model_calls, run.tool_rounds) == (1, 1)


def test_a_call_without_a_recorded_result_ends_the_recording() -> None:
    """A last request without its result can't be executed."""
    run = replay(scenario({"response": response(tool_use("a"))}))
    assert run.terminal_reason == "recording_ended"
    assert run.stop is not None
    assert run.stop.detail == "no_result"
    assert run.tool_calls == 0


@pytest.mark.parametrize("loop", ["keeps_a_tuple", "calls_itself", "keeps_the_list_in_an_object"])
def test_a_list_that_no_variable_shows_is_seen_when_it_is_sent(loop: str) -> None:
    """What was added since the last call is an append, found at the next one."""
    run = drive(loop)
    assert places(run) == REGULAR
    assert run.result == "it is there"
    assert (run.model_calls, run.tool_rounds, run.tool_calls) == (3, 2, 3)
    assert not any(step.phase == "rewrite" for step in run.steps)


def test_a_call_run_twice_is_not_two_requests() -> None:
    """The steps are counted; what the reply asked for is not made more."""
    run = drive("runs_everything_twice", scenario(round_of("a"), answer()))
    assert run.tool_calls == 2
    said = [describe(run, step.index, texts("en")) for step in run.steps]
    assert not any("asked for 2" in one.happened for one in said)
    assert [one.phase for one in said if one.phase.startswith("EXECUTE")] == ["EXECUTE"] * 2


def test_an_interrupt_of_the_loop_s_own_is_raised() -> None:
    """KeyboardInterrupt is what this loop raises; nobody pressed a key."""
    run = drive("is_interrupted")
    assert run.raised is not None
    assert run.raised.type == "KeyboardInterrupt"


def test_a_loop_stuck_in_c_is_killed_in_its_time() -> None:
    """No Python thread can run there: the process ends itself, and the line says so."""
    with pytest.raises(LoopError) as killed:
        drive("counts_in_c", caps=Caps(calls=50, steps=1_000, seconds=0.5))
    assert killed.value.key in ("problem.loop_killed", "problem.loop_failed")


def test_what_can_not_be_followed_is_said_in_a_line() -> None:
    """A list inside itself can't be frozen: the reason is given, not an exit code."""
    with pytest.raises(LoopError, match="holds itself"):
        drive("puts_the_list_into_itself")


def test_helpers_beside_a_loop_are_not_taken_for_it() -> None:
    """The only function with a loop's parameters is the loop."""
    run = replay(TWO_ROUNDS, loop=str(LOOPS / "with_a_helper.py"), caps=QUICK)
    assert (run.loop.function, run.model_calls) == ("answer_once", 1)


@pytest.mark.parametrize(
    ("loop", "key"),
    [
        (f"{AWKWARD}:is_a_coroutine", "problem.loop_is_coroutine"),
        (f"{AWKWARD}:is_a_generator", "problem.loop_is_generator"),
        (f"{AWKWARD}:takes_too_little", "problem.loop_parameters"),
        (f"{AWKWARD}:no_such_loop", "problem.loop_no_function"),
        (AWKWARD, "problem.loop_no_function"),
        (str(LOOPS / "no_such_file.py"), "problem.loop_no_file"),
        (str(LOOPS / "broken_file.py"), "problem.loop_file_fails"),
        (str(LOOPS / "dies.py"), "problem.loop_died"),
        ("no_such_loop", "problem.no_loop"),
    ],
)
def test_what_is_no_loop_is_refused_in_one_line(loop: str, key: str) -> None:
    """Coroutines, generators, missing files and dead processes are named, not driven."""
    with pytest.raises(LoopError) as refused:
        replay(TWO_ROUNDS, loop=loop, caps=QUICK)
    assert refused.value.key == key
    assert "\n" not in str(refused.value)


def test_a_loop_without_a_cap_refuses_max_turns() -> None:
    """``asks_again`` has no max_turns: asking for one is an error, not ignored."""
    with pytest.raises(LoopError) as refused:
        drive("asks_again", max_turns=2)
    assert refused.value.key == "problem.loop_no_cap"


def test_a_tracer_that_was_set_before_is_put_back() -> None:
    """Coverage or a debugger goes on after a replay."""

    def tracer(frame: Any, event: str, arg: Any) -> Any:
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        replay(TWO_ROUNDS)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)
