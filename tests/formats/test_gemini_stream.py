"""What the Gemini CLI prints with its stream of events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.made import jsonl
from tests.made_outside import QUESTION, calls_of, flags, started
from visualizer.collection.recordings import counts_of
from visualizer.engine import replay
from visualizer.formats import detect, read
from visualizer.loading import load_transcript

Line = dict[str, Any]


def said(role: str, text: str, **more: Any) -> Line:
    return {"type": "message", "role": role, "content": text, **more}


def call(name: str) -> Line:
    return {"type": "tool_use", "tool_name": "look", "tool_id": name, "parameters": {"at": name}}


def gave(name: str, status: str = "success", **more: Any) -> Line:
    return {"type": "tool_result", "tool_id": name, "status": status, **more}


INIT: Line = {"type": "init", "session_id": "s", "model": "model-x"}
STATS = {"input_tokens": 30, "output_tokens": 9, "cached": 10, "input": 20, "tool_calls": 2}
END: Line = {"type": "result", "status": "success", "stats": STATS}
GONE = gave("b", "error", error={"type": "x", "message": "Gone."})
ROUND: list[Line] = [
    INIT,
    said("user", QUESTION),
    said("assistant", "I ", delta=True),
    said("assistant", "look.", delta=True),
    call("a"),
    call("b"),
    GONE,
    gave("a", output="log 3"),
    said("assistant", "Whit", delta=True),
    said("assistant", "by.", delta=True),
    END,
]


def test_a_round_and_an_answer(tmp_path: Path) -> None:
    """Pieces of words are put together; two calls that ran at once are of one reply."""
    path = tmp_path / "printed.jsonl"
    path.write_bytes(jsonl(ROUND))
    assert detect(jsonl(ROUND)) == "gemini-stream"
    scenario = load_transcript(path)
    run = replay(scenario)
    assert (run.model_calls, run.tool_rounds, run.tool_calls) == (2, 1, 2)
    assert (run.result, run.terminal_reason) == ("Whitby.", "completed")
    outside = scenario.outside
    assert outside is not None
    assert (outside.prompts, flags(outside)) == (1, [["tool_use", "end_turn"]])
    results = outside.runs[0].takes[0].turns[0].results or []
    assert [(one["content"], one.get("is_error", False)) for one in results] == [
        ("Gone.", True),
        ("log 3", False),
    ]
    assert outside.runs[0].request.model == "model-x"
    assert list(outside.findings.problems()) == []


def test_tokens_of_the_whole_run() -> None:
    """No reply has its own; those of the run are counted, and are not taken for a call's."""
    outside = read(jsonl(ROUND))
    counts = counts_of(outside.runs)
    assert (counts.tokens_in, counts.tokens_out, counts.end) == (30, 9, "success")
    turns = outside.runs[0].takes[0].turns
    assert all("usage" not in (turn.response or {}) for turn in turns)


def test_what_a_terminal_adds() -> None:
    """Lines before the first one that are no JSON are named; an unknown one is counted."""
    noise = b"Loaded cached credentials.\n"
    warned = {"type": "error", "severity": "warning", "message": "Slowly."}
    outside = read(noise + jsonl([*ROUND[:-1], warned, {"type": "new"}, END]))
    assert (outside.format, calls_of(outside)) == ("gemini-stream", [2])
    assert [one.values["line"] for one in outside.findings.damaged] == [1]
    assert outside.findings.number("format.other_line") == 2


def test_a_client_that_was_ended_and_one_that_failed() -> None:
    """A call without a result waits for ever; an error is the end of the run."""
    outside = read(jsonl(ROUND[:5]))
    assert (calls_of(outside), outside.findings.number("format.unanswered")) == ([1], 1)
    error = {"type": "FatalError", "message": "Quota."}
    failed: Line = {"type": "result", "status": "error", "error": error, "stats": {}}
    outside = read(jsonl([*ROUND[:2], failed]))
    attempt = outside.runs[0].takes[0].turns[0].attempts[0]
    assert attempt.error["error"]["message"] == "Quota."
    assert outside.runs[0].recorded == {"end": "error"}


def test_several_runs_in_one_file() -> None:
    """The same session goes on, another one begins without its messages."""
    more = [INIT, said("user", "And the Gull?"), said("assistant", "Hull."), END]
    other = [{**INIT, "session_id": "t"}, *more[1:]]
    outside = read(jsonl([*ROUND, *more, *other]))
    assert (calls_of(outside), started(outside)) == ([2, 1, 1], ["prompt"] * 3)
    assert [len(run.request.messages) for run in outside.runs] == [1, 5, 1]
