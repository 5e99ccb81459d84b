"""The stream of messages that is worked out from a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import made, made_runs
from tests import odd_loops as odd
from tests.tui.test_hostile import UNSAFE
from tests.tui.test_hostile import scenario as hostile
from visualizer.describe.plain import json_lines
from visualizer.engine import replay
from visualizer.i18n import LANGUAGES, texts
from visualizer.loading import Scenario, load_transcript, scenario_names
from visualizer.loops.registry import loop_names
from visualizer.sdk import Stream, differences, remark, stream_of
from visualizer.sdk.report import text_lines, to_json

EN = texts("en")
CLIENT = [
    name
    for name in scenario_names()
    if name.startswith("client-") and len(load_transcript(name).runs) == 1
]
FAILED = {"status": 529, "error": {"error": {"type": "overloaded_error", "message": "busy"}}}


def streamed(scenario: Scenario | str, partial: bool = False, **how: Any) -> Stream:
    """The stream of a scenario's run."""
    found = load_transcript(scenario) if isinstance(scenario, str) else scenario
    return stream_of(replay(found, **how), found, partial)


def shape(stream: Stream) -> list[tuple[str, str, str]]:
    """(place, kind, name) of each row; ``-`` where a step gives no line."""
    return [
        (stream.run.step(row.step).place, *(row.event[1:3] if row.event else ("-", "")))
        for row in stream.rows
    ]


def result_of(stream: Stream) -> dict[str, Any]:
    """The result line."""
    assert stream.result is not None
    return dict(stream.result.line)


def test_a_line_a_block_and_a_line_a_result() -> None:
    """Text and two requests are three assistant lines; two results are two user lines."""
    stream = streamed(made_runs.parallel())
    assert shape(stream) == [
        ("start", "system", "init"),
        ("t0.call", "assistant", "text"),
        ("t0.call", "assistant", "tool_use"),
        ("t0.call", "assistant", "tool_use"),
        ("t0.check", "-", ""),
        ("t0.execute", "user", "tool_result"),
        ("t0.execute.2", "user", "tool_result"),
        ("t0.append", "-", ""),
        ("t1.call", "assistant", "text"),
        ("t1.check", "-", ""),
        ("end", "result", "success"),
    ]
    messages = [one.line["message"] for one in stream.events if one.kind == "assistant"]
    assert [one["id"] for one in messages] == ["msg_1"] * 3 + ["msg_2"]
    assert {one["stop_reason"] for one in messages} == {None}
    assert (stream.count("assistant"), stream.message_ids, stream.run.model_calls) == (4, 2, 2)


def test_num_turns_counts_results() -> None:
    """It is the user lines and one, however many model calls there were."""
    assert streamed(made_runs.parallel()).num_turns == 3
    assert streamed(made_runs.aurora()).num_turns == 3
    many = made_runs.scenario(made.round_of(*"abcde"), made_runs.turn(made_runs.text("done")))
    stream = streamed(many)
    assert (stream.num_turns, stream.run.model_calls) == (6, 2)


def test_the_cap_gives_no_result() -> None:
    """At the cap the line is an error without ``result``, and num_turns is the cap and one."""
    line = result_of(streamed(made_runs.parallel(), max_turns=1))
    assert (line["subtype"], line["terminal_reason"]) == ("error_max_turns", "max_turns")
    assert line["is_error"] is True
    assert line["num_turns"] == 2
    assert line["errors"] == ["Reached maximum number of turns (1)"]
    assert line["stop_reason"] == "tool_use"
    assert "result" not in line


def test_success_has_a_result() -> None:
    """An answer is ``success`` with the text, and the flag of the last reply."""
    line = result_of(streamed("aurora-run"))
    assert (line["subtype"], line["is_error"], line["result"]) == ("success", False, "1974")
    assert line["stop_reason"] == "end_turn"
    assert "errors" not in line


def test_a_budget_ends_with_its_own_subtype() -> None:
    """Where the dollars are used up the line says which limit it was, and what was spent."""
    line = result_of(streamed("client-budget"))
    assert line["subtype"] == "error_max_budget_usd"
    assert line["errors"] == ["Reached maximum budget ($0.5)"]
    assert line["total_cost_usd"] == pytest.approx(1.68)


def test_a_failed_last_call_is_a_success_that_is_an_error() -> None:
    """Every attempt failed: subtype success, is_error true, terminal_reason api_error."""
    failing = made_runs.scenario({"response": None, "attempts": [FAILED]})
    stream = streamed(failing)
    line = result_of(stream)
    assert (line["subtype"], line["is_error"]) == ("success", True)
    assert (line["terminal_reason"], line["api_error_status"]) == ("api_error", 529)
    assert remark(stream.run) == "api_error"


def test_a_retry_is_a_line_and_no_turn() -> None:
    """A failed request that is tried again gives a system line; num_turns does not count it."""
    tried = made_runs.scenario(made_runs.turn(made_runs.text("ok"), attempts=[FAILED]))
    stream = streamed(tried, loop="production")
    assert [one.name for one in stream.events] == ["init", "api_retry", "text", "success"]
    assert stream.num_turns == 1


def test_a_run_that_was_stopped_has_no_result() -> None:
    """Where the visualizer ended the run, no line claims to know how it would have ended."""
    scenario = made_runs.aurora()
    stream = stream_of(made_runs.driven(scenario, odd.forgets), scenario)
    assert stream.run.stop is not None
    assert stream.result is None
    assert stream.num_turns is None
    assert EN("sdk.about.no_result") in list(text_lines(stream, scenario, EN))


@pytest.mark.parametrize("name", CLIENT)
def test_what_is_worked_out_is_what_the_client_said(name: str) -> None:
    """Each recording of the client keeps its own result line; no field differs from ours."""
    stream = streamed(name)
    assert stream.said is not None
    assert differences(result_of(stream), stream.said) == []
    assert set(stream.said) >= {"subtype", "num_turns", "is_error", "terminal_reason"}


def test_what_an_earlier_run_spent_is_in_the_result() -> None:
    """Where the client went on, its result has the cost and the tokens of both runs."""
    scenario = load_transcript("client-longer")
    first, last = (stream_of(replay(scenario, run=one.id), scenario) for one in scenario.runs)
    assert first.result is None
    assert last.said is not None
    assert differences(result_of(last), last.said) == []
    assert result_of(last)["usage"]["input_tokens"] == 700


def test_another_cap_is_not_compared_with_the_recording() -> None:
    """The client's own line holds for its own cap only; a difference would be named."""
    assert streamed("client-cutoff", max_turns=1).said is None
    line = result_of(streamed("client-cutoff"))
    assert differences({**line, "num_turns": 2}, line) == [("num_turns", 2, 3)]


def test_a_denial_is_in_the_result() -> None:
    """The tool that was not allowed is named, with its arguments; the refusal was its result."""
    line = result_of(streamed("client-denied"))
    assert [one["tool_name"] for one in line["permission_denials"]] == ["Bash"]
    assert line["permission_denials"][0]["tool_input"]["command"] == "rm -rf build"


def test_a_host_that_denies_says_so() -> None:
    """The line stands at the step that asks; the result the model gets is a user line as ever."""
    stream = streamed("policy-denied")
    found = shape(stream)
    at = found.index(("t0.approve.2", "system", "permission_denied"))
    assert found[at + 1] == ("t0.append", "user", "tool_result")
    assert len(result_of(stream)["permission_denials"]) == 1
    assert stream.num_turns == stream.run.model_calls + 1


def test_a_result_that_is_cut_has_its_line_when_it_is_cut() -> None:
    """The line has what is left of the result; it counts once, as any other."""
    stream = streamed("flood")
    found = [one for one in shape(stream) if one[0] in ("t0.execute", "t0.truncate")]
    assert found == [("t0.execute", "-", ""), ("t0.truncate", "user", "tool_result")]
    sent = next(block for message in stream.run.messages for block in message.results)
    lines = [one.line["message"]["content"] for one in stream.events if one.kind == "user"]
    assert lines == [[dict(sent.data)]]
    assert stream.num_turns == 2


def test_a_summary_is_a_boundary() -> None:
    """Where the history is replaced, a line says so, and how much there was before."""
    lines = [one.line for one in streamed("compaction").events if one.name == "compact_boundary"]
    assert len(lines) == 1
    assert lines[0]["compact_metadata"]["pre_tokens"] > 0


def test_what_the_client_put_in_has_a_line() -> None:
    """A note in the user's role is a user line before the reply, and counts for num_turns."""
    stream = streamed("client-refusal")
    names = [(one.kind, one.name, one.recorded) for one in stream.events]
    assert names[1:3] == [("system", "informational", True), ("user", "text", True)]
    assert stream.num_turns == 2


def test_lines_may_come_before_the_first_and_after_the_result() -> None:
    """A hook's line stands before init; a suggestion after the result, which is then not last."""
    lines = [
        {"at": "start", "line": {"type": "system", "subtype": "hook_started"}},
        {"at": "end", "line": {"type": "prompt_suggestion", "suggestion": "And the film?"}},
        {"at": "t9.call", "line": {"type": "system", "subtype": "status"}},
        {"at": 3},
    ]
    scenario = made_runs.scenario(made_runs.turn(made_runs.text("ok")))
    scenario.runs[0].recorded = {"subtype": "success", "lines": lines}
    stream = streamed(scenario)
    assert [one.name for one in stream.events] == [
        "hook_started",
        "init",
        "text",
        "success",
        "prompt_suggestion",
    ]
    assert "And the film?" in list(text_lines(stream, scenario, EN))[-4]


def test_partial_messages_bring_the_raw_events() -> None:
    """Each reply then begins and ends, each block too; the flag is in message_delta."""
    stream = streamed("paris", partial=True)
    names = [one.name for one in stream.events if one.kind == "stream_event"]
    assert names == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    deltas = [one.line["event"]["delta"] for one in stream.events if one.name == "message_delta"]
    assert deltas == [{"stop_reason": "end_turn"}]
    assert streamed("paris").num_turns == stream.num_turns


@pytest.mark.parametrize("name", scenario_names())
def test_every_step_stands_beside_its_lines(name: str) -> None:
    """For each loop: every step has a row, rows are in order, the counts fit the run."""
    scenario = load_transcript(name)
    for loop in loop_names():
        stream = streamed(scenario, loop=loop)
        run = stream.run
        assert sorted({row.step for row in stream.rows}) == list(range(1, len(run.steps) + 1))
        assert [row.event for row in stream.rows if row.event] == list(stream.events)
        blocks = sum(len(call.reply.blocks) for call in run.calls if call.reply)
        assert stream.count("assistant") == blocks
        without = run.stop is not None or stream.stretch.goes_on
        assert (stream.result is None) == without or stream.said is not None
        if stream.result is not None and not stream.result.recorded:
            line = result_of(stream)
            assert ("result" in line) == (line["subtype"] == "success")


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_and_json_are_whole(language: str) -> None:
    """Every scenario is printed in both languages; its JSON is valid and has the same lines."""
    for name in scenario_names():
        scenario = load_transcript(name)
        stream = streamed(scenario, partial=True)
        lines = list(text_lines(stream, scenario, texts(language)))
        assert len(lines) >= len(stream.rows) + 5
        data = json.loads("\n".join(json_lines(to_json(stream, scenario))))
        assert [one["line"]["type"] for one in data["events"]] == [
            one.line["type"] for one in stream.events
        ]
        assert data["num_turns"] == stream.num_turns


def test_nothing_of_a_transcript_steers_the_terminal(tmp_path: Path) -> None:
    """Names, ids, texts and values of a hostile recording come out made visible."""
    scenario = hostile(tmp_path, "x")
    stream = streamed(scenario, partial=True)
    for language in LANGUAGES:
        for line in text_lines(stream, scenario, texts(language)):
            assert not UNSAFE.search(line), repr(line)
