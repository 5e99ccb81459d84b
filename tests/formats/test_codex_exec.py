"""What the Codex client prints: items by their ids, turns without their prompts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.made import jsonl, text_block, tool_result
from tests.made_outside import calls_of, flags, started
from visualizer.collection.recordings import counts_of
from visualizer.engine import replay
from visualizer.formats import detect, read
from visualizer.loading import load_transcript

Line = dict[str, Any]
NOT_RECORDED = {"role": "user", "content": [{"type": "not_recorded"}]}


def item(kind: str, name: str, state: str = "completed", **more: Any) -> Line:
    return {"type": f"item.{state}", "item": {"id": name, "type": kind, **more}}


def command(name: str, state: str, **more: Any) -> Line:
    return item("command_execution", name, state, command=f"look {name}", **more)


def done(name: str, output: str, code: int = 0) -> Line:
    status = "failed" if code else "completed"
    given = {"aggregated_output": output, "exit_code": code, "status": status}
    return command(name, "completed", **given)


BEGIN: list[Line] = [{"type": "thread.started", "thread_id": "t1"}, {"type": "turn.started"}]
USAGE = {"input_tokens": 20, "cached_input_tokens": 8, "output_tokens": 5}
SPENT = {**USAGE, "input_tokens": 12, "cache_read_input_tokens": 8}
END: Line = {"type": "turn.completed", "usage": USAGE}
ANSWER = item("agent_message", "i4", text="Whitby.")
ROUND: list[Line] = [
    *BEGIN,
    item("reasoning", "i0", text="Hm."),
    command("i1", "started", aggregated_output="", status="in_progress"),
    command("i2", "started", aggregated_output="", status="in_progress"),
    done("i2", "no such chart", 1),
    done("i1", "log 3"),
    ANSWER,
    END,
]


def test_a_round_and_an_answer(tmp_path: Path) -> None:
    """Start and end of an item are one call; two that ran at once are of one reply."""
    path = tmp_path / "printed.jsonl"
    path.write_bytes(jsonl(ROUND))
    assert detect(jsonl(ROUND)) == "codex-exec"
    scenario = load_transcript(path)
    run = replay(scenario)
    assert (run.model_calls, run.tool_rounds, run.tool_calls) == (2, 1, 2)
    assert (run.result, run.terminal_reason) == ("Whitby.", "completed")
    recorded = scenario.runs[0]
    assert recorded.request.messages == [NOT_RECORDED]
    assert recorded.recorded == {"end": "turn.completed", "usage": SPENT}
    first = recorded.takes[0].turns[0]
    assert first.inferred == ["/response/stop_reason"]
    assert first.results == [
        tool_result("i2", "no such chart", is_error=True),
        tool_result("i1", "log 3"),
    ]


def test_calls_of_other_kinds() -> None:
    """Tools of servers give content or an error, a search is the server's own."""
    server: Line = {"server": "s", "tool": "look", "arguments": {"place": "log"}}
    content = {"content": [text_block("log 3")]}
    lines = [
        *BEGIN,
        item("mcp_tool_call", "i1", **server, result=content, status="completed"),
        item("mcp_tool_call", "i2", **server, error={"message": "No."}, status="failed"),
        item("file_change", "i3", changes=[{"path": "a", "kind": "add"}], status="completed"),
        item("web_search", "i5", query="Petrel"),
        item("todo_list", "i6", items=[]),
        ANSWER,
    ]
    outside = read(jsonl(lines))
    turns = outside.runs[0].takes[0].turns
    results = [turn.results[0]["content"] for turn in turns if turn.results]
    assert results == [[text_block("log 3")], "No.", "completed"]
    last = turns[-1].response
    assert last is not None
    assert [block["type"] for block in last["content"]] == ["web_search", "text"]
    assert outside.findings.number("format.other_line") == 1


def test_turns_are_runs() -> None:
    """A second turn has a prompt that is not printed; a new start of the client counts anew."""
    outside = read(jsonl([*ROUND, {"type": "turn.started"}, ANSWER, END, *ROUND]))
    assert (calls_of(outside), started(outside)) == ([2, 1, 2], ["prompt"] * 3)
    assert outside.findings.number("format.double_request") == 0
    assert outside.findings.number("format.not_recorded") == 3


def test_a_killed_client_and_failed_turns() -> None:
    """A command that did not end has no result; errors are failed calls."""
    outside = read(jsonl(ROUND[:4]))
    assert (flags(outside), outside.findings.number("format.unanswered")) == ([["tool_use"]], 1)
    retry = {"type": "error", "message": "Reconnecting 1/5"}
    failed = {"type": "turn.failed", "error": {"message": "Usage limit reached"}}
    turn = read(jsonl([*BEGIN, retry, failed])).runs[0].takes[0].turns[0]
    said = [(one.handled, one.error["error"]["message"]) for one in turn.attempts]
    assert said == [(True, "Reconnecting 1/5"), (False, "Usage limit reached")]


def test_what_only_looks_alike_is_not_claimed() -> None:
    """Other programs have turns too."""
    assert detect(jsonl([{"type": "turn.started"}, {"type": "item", "item": {}}])) is None


def test_a_nonzero_exit_code_is_an_error_whatever_the_status() -> None:
    """The client may call a command completed that failed."""
    ended = command("i1", "completed", aggregated_output="", exit_code=1, status="completed")
    outside = read(jsonl([*BEGIN, ended, ANSWER, END]))
    assert [one["is_error"] for one in outside.runs[0].takes[0].turns[0].results or []] == [True]


def test_tokens_are_those_of_the_turn() -> None:
    """The client tells the sum of the thread: it is counted once, and anew for another thread."""
    more = {"input_tokens": 50, "cached_input_tokens": 8, "output_tokens": 9}
    again: list[Line] = [*ROUND, *BEGIN, ANSWER, {"type": "turn.completed", "usage": more}]
    counts = counts_of(read(jsonl(again)).runs)
    assert (counts.tokens_in, counts.tokens_out) == (50, 9)
    other = [{"type": "thread.started", "thread_id": "t2"}, *again[-3:]]
    counts = counts_of(read(jsonl([*ROUND, *other])).runs)
    assert (counts.tokens_in, counts.tokens_out) == (70, 14)


@pytest.mark.parametrize("name", ["data", "event", "line", "deeper"])
def test_lines_inside_those_of_another_program(name: str) -> None:
    """A program that starts the client may put its own line around each, as an object or a text."""
    wrapped: list[Line] = [{"log": "start", name: {}}]
    for one in ROUND:
        told: Any = json.dumps(one) if name == "line" else one
        wrapped.append({"log": "tool", name: {"event": told} if name == "deeper" else told})
    assert detect(jsonl(wrapped)) == "codex-exec"
    outside = read(jsonl(wrapped))
    assert calls_of(outside) == calls_of(read(jsonl(ROUND)))
    assert outside.findings.number("format.other_line") == 1
