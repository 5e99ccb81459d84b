"""What the Claude Code client prints: streams, lists, wrapped lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.made import jsonl, text_block, tool_result, tool_use
from tests.made_outside import (
    Session,
    Stream,
    calls_of,
    flags,
    small_session,
    small_stream,
    started,
)
from visualizer.engine import replay
from visualizer.formats import Unreadable, read
from visualizer.loading import load_transcript
from visualizer.run.timeline import Run


def replayed(made: Session, folder: Path, name: str = "stream.jsonl") -> Run:
    """The default loop over the first run of a recording."""
    path = folder / name
    path.write_bytes(made.text())
    return replay(load_transcript(path))


def test_session_and_stream_of_a_run_agree(tmp_path: Path) -> None:
    """The same calls, tool calls and results from both files of one run."""
    runs = [replayed(small_session(), tmp_path), replayed(small_stream(), tmp_path)]
    seen = [
        (
            [call.reply and call.reply.to_json() for call in run.calls],
            [step.result for step in run.steps if step.phase == "execute"],
            (run.model_calls, run.tool_calls, run.result, run.terminal_reason),
        )
        for run in runs
    ]
    assert seen[0] == seen[1]


def test_the_prompt_is_marked_not_recorded() -> None:
    """A stream does not hold what was asked; a block says so, and it is counted."""
    outside = small_stream().read()
    assert (outside.format, outside.prompts) == ("stream-json", 1)
    assert outside.runs[0].request.messages[0]["content"] == [{"type": "not_recorded"}]
    assert outside.findings.number("format.not_recorded") == 1


def test_the_result_line_says_how_the_last_reply_stopped(tmp_path: Path) -> None:
    """Lines have no stop reason; the last reply's is that of the result, not inferred."""
    made = Stream()
    made.init()
    made.reply("m1", text_block("Searching."))
    made.end(stop_reason="pause_turn")
    turn = made.read().runs[0].takes[0].turns[0]
    assert turn.inferred == []
    assert replayed(made, tmp_path).terminal_reason == "paused"


@pytest.mark.parametrize(
    "errors", [["Reached maximum number of turns (2)"], []], ids=["named", "not named"]
)
def test_a_cut_off_run_ends_in_max_turns(errors: list[str], tmp_path: Path) -> None:
    """The cap stands in the error; where it does not, it is the number of calls."""
    made = Stream()
    made.init()
    for name in ("a", "b"):
        made.reply(f"m-{name}", tool_use(name))
        made.result(name)
    made.end("error_max_turns", errors=errors, num_turns=3, stop_reason="tool_use")
    outside = made.read()
    recorded = outside.runs[0].recorded or {}
    assert (recorded["subtype"], recorded["num_turns"]) == ("error_max_turns", 3)
    assert outside.findings.number("format.cap_inferred") == (0 if errors else 1)
    run = replayed(made, tmp_path)
    assert (run.model_calls, run.terminal_reason, run.max_turns) == (2, "max_turns", 2)


def test_what_an_earlier_stretch_used_counts_for_the_cap(tmp_path: Path) -> None:
    """A cap of 2 is spent by one call in each of two stretches: the second has 1 left."""
    made = Stream()
    made.init()
    made.reply("m1", text_block("It is long"), flag="max_tokens")
    made.user([text_block("Go on.")], isSynthetic=True)
    made.reply("m2", tool_use("a"))
    made.result("a")
    made.end("error_max_turns", errors=["Reached maximum number of turns (2)"])
    outside = made.read()
    assert [run.max_turns for run in outside.runs] == [None, 1]
    path = tmp_path / "stream.jsonl"
    path.write_bytes(made.text())
    assert replay(load_transcript(path), run="2").terminal_reason == "max_turns"


def test_a_killed_run_has_no_result_line(tmp_path: Path) -> None:
    """What is there is run, to where it ends."""
    made = small_stream()
    del made.lines[-2:]
    assert made.read().runs[0].recorded is None
    assert replayed(made, tmp_path).terminal_reason == "recording_ended"


def test_a_stream_without_any_reply_is_refused() -> None:
    """A client that was killed at its start left nothing to run."""
    made = Stream()
    made.init()
    with pytest.raises(Unreadable, match=r"format\.nothing"):
        made.read()


def test_two_result_lines_are_two_runs() -> None:
    """A background task woke the client again; the second run is called continued."""
    made = small_stream()
    made.reply("m3", text_block("The task is done."))
    made.end()
    outside = made.read()
    assert (calls_of(outside), started(outside)) == ([2, 1], ["prompt", "continued"])
    assert [(run.recorded or {})["subtype"] for run in outside.runs] == ["success", "success"]


def test_a_start_after_a_result_is_a_prompt() -> None:
    """The client starts anew for a prompt that the stream does not hold."""
    made = small_stream()
    made.init()
    made.reply("m3", text_block("To Bergen."))
    made.end()
    outside = made.read()
    assert (started(outside), outside.prompts) == (["prompt", "prompt"], 2)


def test_a_result_before_its_replys_last_line() -> None:
    """A reply is whole before its results are taken, whatever the order of the lines."""
    made = Stream()
    made.init()
    made.reply("m1", tool_use("a"))
    made.result("a")
    made.reply("m1", tool_use("b"))
    made.result("b")
    made.reply("m2", text_block("Whitby."))
    assert calls_of(made.read()) == [2]


def test_retries_are_kept_beside_the_reply() -> None:
    """A line says that a request was tried again: one call, one failed attempt."""
    made = Stream()
    made.init()
    made.line("system", subtype="api_retry", error_status=529, error="overloaded")
    made.reply("m1", text_block("Whitby."))
    outside = made.read()
    assert [one.status for one in outside.runs[0].takes[0].turns[0].attempts] == [529]
    assert calls_of(outside) == [1]


def test_subagents_are_told_apart_by_their_parent() -> None:
    """Lines that name a tool request are that subagent's run."""
    made = Stream()
    made.init()
    made.reply("m1", tool_use("task", prompt="Ask."))
    made.user([text_block("Ask.")], parent_tool_use_id="task")
    made.reply("s1", text_block("Whitby."), parent_tool_use_id="task")
    made.result("task")
    made.reply("m2", text_block("Whitby."))
    outside = made.read()
    assert calls_of(outside) == [2, 1]
    parent = outside.runs[1].parent
    assert parent is not None
    assert (parent.run, parent.tool_use_id) == ("1", "task")


def test_what_the_client_says_by_itself_is_put_in(tmp_path: Path) -> None:
    """A synthetic user line beside results is no prompt."""
    made = Stream()
    made.init()
    made.reply("m1", tool_use("a"))
    made.result("a")
    made.user([text_block("A reminder.")], isSynthetic=True)
    made.reply("m2", text_block("Whitby."))
    outside = made.read()
    assert (calls_of(outside), outside.prompts) == ([2], 1)
    assert [put.origin for put in outside.runs[0].takes[0].turns[1].inserted] == ["meta"]
    assert replayed(made, tmp_path).result == "Whitby."


def wrapped(lines: list[dict[str, Any]]) -> bytes:
    """Each line inside another, with a time."""
    made = [{"type": "line", "timestamp": "now", "data": line} for line in lines]
    return jsonl(made)


def directed(lines: list[dict[str, Any]]) -> bytes:
    """All lines in one object, each with who sent it."""
    prompt = {"type": "user", "message": {"role": "user", "content": "Which harbour?"}}
    sent = [{"direction": "send", "message": prompt}]
    kept = [{"direction": "recv", "message": line} for line in lines]
    return json.dumps({"metadata": {}, "messages": sent + kept}, indent=2).encode()


def test_other_containers() -> None:
    """One list, wrapped lines, or a protocol's record: the same run."""
    lines = small_stream().lines
    whole = flags(small_stream().read())
    assert flags(read(json.dumps(lines, indent=2).encode())) == whole
    assert flags(read(wrapped(lines))) == whole
    outside = read(directed(lines))
    assert flags(outside) == whole
    assert outside.runs[0].request.messages == [{"role": "user", "content": "Which harbour?"}]


def test_a_list_that_was_cut_off_is_read_as_far_as_it_goes() -> None:
    """The client was killed while it wrote one list."""
    data = json.dumps(small_stream().lines).encode()
    outside = read(data[: data.index(b"Whitby")])
    assert calls_of(outside)[0] >= 1
    assert outside.findings.number("format.cut_short") == 1


def test_an_error_in_the_models_name_is_a_failed_request(tmp_path: Path) -> None:
    """The last request failed for good."""
    made = small_stream()
    del made.lines[-2:]
    message = {
        "role": "assistant",
        "model": "<synthetic>",
        "content": [text_block("API Error: 500")],
    }
    made.line("assistant", message=message, error="server_error")
    made.end("error_during_execution")
    run = replayed(made, tmp_path)
    assert (run.terminal_reason, run.model_calls) == ("raised", 1)


def test_doubled_results_in_a_stream() -> None:
    """A second result for a request is counted."""
    made = Stream()
    made.init()
    made.reply("m1", tool_use("a"))
    made.user([tool_result("a")])
    made.user([tool_result("a")])
    made.reply("m2", text_block("Whitby."))
    assert made.read().findings.number("format.double_result") == 1


@pytest.mark.parametrize("name", ["relay", None, ""])
def test_replies_are_told_apart_without_ids(name: str | None) -> None:
    """A gateway gives all replies one id, or none: what stands between them decides."""
    made = small_stream()
    for line in made.lines:
        if line["type"] == "assistant":
            line["message"] = {**line["message"], "id": name}
    outside = made.read()
    assert flags(outside) == [["tool_use", "end_turn"]]
    content = outside.runs[0].takes[0].turns[0].response
    assert content is not None
    assert [block["type"] for block in content["content"]] == ["text", "tool_use", "tool_use"]


def test_rounds_without_a_text_under_one_id() -> None:
    """One id for a whole thread, with results in between, is no reply's."""
    made = Stream()
    made.init()
    for name in ("a", "b"):
        made.reply("relay", tool_use(name))
        made.result(name)
    made.end("error_max_turns", errors=["Reached maximum number of turns (2)"])
    assert calls_of(made.read()) == [2]


def test_repeated_lines_of_a_stream_are_taken_once() -> None:
    """A line with a uuid that was there says nothing new, whatever it holds."""
    made = small_stream()
    made.lines = [one for line in made.lines[:-1] for one in (line, line)] + made.lines[-1:]
    outside = made.read()
    assert flags(outside) == flags(small_stream().read())
    assert outside.findings.number("format.double_result") == 0
    assert outside.findings.number("format.double_line") == 6


def test_pieces_of_a_stream_say_how_a_reply_ended() -> None:
    """Partial messages hold the last count of tokens; where they do not, it is partial."""
    made = Stream()
    made.init()
    usage = {"input_tokens": 9, "output_tokens": 1}
    made.line("stream_event", event={"type": "message_start", "message": {"id": "m1"}})
    made.reply("m1", tool_use("a"), usage=usage)
    delta = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}
    made.line("stream_event", event={**delta, "usage": {"output_tokens": 44}})
    made.result("a")
    made.line("stream_event", event={"type": "message_start", "message": {"id": "m1"}})
    made.reply("m1", text_block("Whitby."), usage=usage)
    outside = made.read()
    turns = outside.runs[0].takes[0].turns
    seen = [(turn.response or {})["usage"]["output_tokens"] for turn in turns]
    assert (seen, turns[0].inferred) == ([44, 1], [])
    assert outside.findings.number("format.partial_usage") == 1


def test_only_messages_in_envelopes() -> None:
    """Somebody kept when a line came, and its message under another key each time."""
    made = small_stream()
    kept: list[dict[str, Any]] = []
    for number, line in enumerate(made.lines[:-1]):
        held = {"metadata": line} if "message" not in line else {"content": line["message"]}
        kept.append({"type": line["type"], "timestamp": number, "data": held})
    outside = read(jsonl(kept))
    assert outside.format == "stream-json"
    assert flags(outside) == [["tool_use", "end_turn"]]
