"""The production loop and what it takes beside model and tools: each a step, none a made-up one."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from tests.made import answer, round_of, scenario
from visualizer import load_transcript, replay
from visualizer.describe import describe
from visualizer.i18n import texts
from visualizer.loops import RequestFailed, production
from visualizer.run.timeline import Run, Wait

TWO_SCREENS = 70
FILE = Path(production.__file__)


def failed(status: int | None, **more: Any) -> dict[str, Any]:
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    return {"status": status, "error": body, **more}


def driven(*turns: dict[str, Any], **more: Any) -> Run:
    return replay(scenario(*turns, **more), loop="production")


def waits(run: Run) -> list[float]:
    return [step.about.seconds for step in run.steps if isinstance(step.about, Wait)]


def test_the_loop_comes_first_and_its_named_parts_follow_on_two_screens() -> None:
    """The file holds the loop and its helpers, without comments or type notes."""
    text = FILE.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert functions == ["production", "ask", "run_tools"]
    code = text.split('"""', 2)[2]
    assert code.count("\n") < TWO_SCREENS
    assert "#" not in code
    assert "->" not in code


def test_waits_double_and_the_steps_say_so() -> None:
    """Each failure is a call without a reply, then a wait: 1, 2, 4 seconds. No turn is used."""
    run = driven(answer(attempts=[failed(529), failed(None), failed(500)]))
    assert [step.place for step in run.steps] == [
        *("start", "t0.call", "t0.wait", "t0.call.2", "t0.wait.2", "t0.call.3", "t0.wait.3"),
        *("t0.call.4", "t0.check", "end"),
    ]
    assert waits(run) == [1, 2, 4]
    assert (run.result, run.model_calls) == ("done", 1)
    assert [call.error.status for call in run.calls if call.error] == [529, None, 500]


def test_a_wait_is_as_long_as_the_server_said() -> None:
    """A recorded ``retry_after`` is waited for; where none was recorded the waits double."""
    run = driven(answer(attempts=[failed(429, retry_after=7.5), failed(429)]))
    assert waits(run) == [7.5, 2]
    for language in ("en", "ja"):
        said = describe(run, run.locate("t0.wait"), texts(language))
        assert "7.5" in said.happened
        assert "429" in said.happened


def test_after_the_last_try_the_failure_leaves_the_loop() -> None:
    """Four tries at most: then the run ends in ``raised``, as a loop without retries does."""
    run = driven(answer(attempts=[failed(529)] * 4))
    assert run.terminal_reason == "raised"
    assert run.raised is not None
    assert run.raised.type == "RequestFailed"
    assert (len(run.calls), waits(run)) == (4, [1, 2, 4])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_what_will_not_pass_is_not_tried_again(status: int) -> None:
    """A request that is wrong in itself fails at once."""
    run = driven(answer(attempts=[failed(status)]))
    assert (run.terminal_reason, len(run.calls), waits(run)) == ("raised", 1, [])


@pytest.mark.parametrize(
    ("status", "retryable"), [(None, True), (408, True), (409, True), (429, True), (529, True)]
)
def test_a_loop_can_tell_what_may_pass_later(status: int | None, retryable: bool) -> None:
    """The error that a loop catches says itself whether to try again."""
    assert RequestFailed(status, {}).retryable is retryable


def test_the_scenario_of_retries_shows_where_the_loop_waits() -> None:
    """``retry-529``: the wait ran in the helper, called from the loop's own line."""
    run = replay(load_transcript("retry-529"))
    step = run.step(run.locate("t0.wait.2"))
    assert run.loop.line(step.line).strip() == "sleep(failure.retry_after or 2**retry)"
    assert [function for function, _ in step.parts] == ["production", "ask"]
    assert run.loop.line(step.parts[0][1]).strip().startswith("reply = ask(")


def test_existing_scenarios_have_the_four_phases_only() -> None:
    """Where a scenario says nothing of a host's gates, the loop makes no step of them."""
    for name in ("aurora-run", "two-birth-years", "truncated", "pause"):
        run = replay(load_transcript(name), loop="production")
        phases = {step.phase for step in run.steps}
        assert phases <= {"start", "call", "check", "execute", "append", "end"}


def sleeps_at_will(model: Any, tools: Any, messages: Any, sleep: Any = None) -> Any:
    sleep(-1 if messages[0]["content"] == "back" else 1e8)
    return model(messages).text


def test_no_wait_takes_time_and_none_goes_back() -> None:
    """Three years are a step like any other; a negative time is an error, as it is in sleeping."""
    run = replay(scenario(answer()), loop=sleeps_at_will, contained=False)
    assert (waits(run), run.result) == ([1e8], "done")
    back = {"messages": [{"role": "user", "content": "back"}]}
    run = replay(scenario(answer(), request=back), loop=sleeps_at_will, contained=False)
    assert run.raised is not None
    assert run.raised.type == "ValueError"


HELPED = """
def my_loop(model, tools, messages, max_turns=3, sleep=None):
    for turn in range(max_turns):
        reply = ask(model, messages, sleep)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        messages.append({"role": "user", "content": [tools(call) for call in reply.tool_calls]})


def ask(model, messages, sleep):
    count = 0
    while True:
        count += 1
        try:
            return model(messages)
        except Exception as error:
            sleep(error.retry_after or count)
"""


def test_a_loop_from_outside_gets_the_same_collaborators(tmp_path: Path) -> None:
    """In a process of its own, too, a wait is a step, and the helper's lines are kept."""
    file = tmp_path / "my_loop.py"
    file.write_text(HELPED, encoding="utf-8")
    recorded = scenario(round_of("a"), answer(attempts=[failed(429, retry_after=3)]))
    run = replay(recorded, loop=str(file))
    assert (run.result, waits(run)) == ("done", [3])
    wait = run.step(run.locate("t1.wait"))
    assert run.loop.line(wait.line).strip() == "sleep(error.retry_after or count)"
    seen = [
        (run.loop.line(line).strip(), saw.name, saw.value)
        for line, saws in run.lines_at(wait.index)
        for saw in saws
        if saw.kind == "set"
    ]
    assert ("count += 1", "count", 1) in seen


ODD_HELPERS = """
def my_loop(model, tools, messages, max_turns=5):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        found = [kept(result) for result in results_of(reply.tool_calls, tools)]
        found.sort(key=name_of)
        messages.append({"role": "user", "content": found})
        depth(3)


def results_of(calls, tools):
    for call in calls:
        yield tools(call)


def kept(result):
    return result


def name_of(result):
    return result["tool_use_id"]


def depth(left):
    if left:
        depth(left - 1)
"""


def test_helpers_may_be_generators_keys_and_call_themselves(tmp_path: Path) -> None:
    """Each execute stands on its line of the generator; the run is what it would be without."""
    file = tmp_path / "my_loop.py"
    file.write_text(ODD_HELPERS, encoding="utf-8")
    run = replay(scenario(round_of("b", "a"), answer()), loop=str(file))
    assert (run.result, run.terminal_reason) == ("done", "completed")
    executed = [step for step in run.steps if step.phase == "execute"]
    assert {run.loop.line(step.line).strip() for step in executed} == {"yield tools(call)"}
    assert {step.parts[-1][0] for step in executed} == {"results_of"}
    assert [block.tool_use_id for block in run.messages[2].results] == ["a", "b"]
