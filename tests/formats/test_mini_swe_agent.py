"""Trajectories of mini-swe-agent: with tool calls, with code blocks, as a bare list."""

from __future__ import annotations

import json
from typing import Any

from tests.made_outside import QUESTION, calls_of, flags, started
from visualizer.engine import replay
from visualizer.formats import Outside, detect, read
from visualizer.loading import load_transcript

Entry = dict[str, Any]
SYSTEM: Entry = {"role": "system", "content": "Answer with one mswea_bash_command block."}
ASK: Entry = {"role": "user", "content": QUESTION}
EXIT: Entry = {
    "role": "exit",
    "content": "Whitby.",
    "extra": {"exit_status": "Submitted", "submission": "Whitby."},
}


def reply(text: str, *ids: str, flag: str = "tool_calls") -> Entry:
    """A reply with a tool call for each id, as the chat that it came from has it."""
    calls = [
        {"id": name, "type": "function", "function": {"name": "bash", "arguments": "{}"}}
        for name in ids
    ]
    usage = {"prompt_tokens": 20, "completion_tokens": 5}
    usage["prompt_tokens_details"] = {"cached_tokens": 8}  # type: ignore[assignment]
    came = {"model": "model-x", "choices": [{"finish_reason": flag}], "usage": usage}
    return {"role": "assistant", "content": text, "tool_calls": calls, "extra": {"response": came}}


def ran(name: str, text: str, code: int = 0) -> Entry:
    return {"role": "tool", "tool_call_id": name, "content": text, "extra": {"returncode": code}}


def block(command: str, fence: str = "mswea_bash_command") -> Entry:
    return {"role": "assistant", "content": f"Hm.\n\n```{fence}\n{command}\n```"}


def trajectory(*messages: Entry, **info: Any) -> Entry:
    said = {"exit_status": "Submitted", "mini_version": "2.2.7", **info}
    kept = {"info": said, "messages": list(messages)}
    return {**kept, "trajectory_format": "mini-swe-agent-1.1"}


def read_it(value: Any) -> Outside:
    return read(json.dumps(value).encode())


LOOK = [reply("I look.", "a"), ran("a", "log 3", code=1)]
ROUND = trajectory(SYSTEM, ASK, *LOOK, reply("I submit.", "b"), EXIT)
BARE = [SYSTEM, ASK, block("look"), {"role": "user", "content": "log 3"}, block("end")]


def test_a_round_and_the_end() -> None:
    """Results paired by id, the chat's own flag and tokens; the exit is no message."""
    data = json.dumps(ROUND).encode()
    assert detect(data) == "mini-swe-agent"
    outside = read(data)
    run = outside.runs[0]
    first = run.takes[0].turns[0]
    assert first.response is not None
    assert (calls_of(outside), flags(outside)) == ([2], [["tool_use", "tool_use"]])
    assert [(one["content"], one["is_error"]) for one in first.results or []] == [("log 3", True)]
    assert first.inferred == []
    usage = {"input_tokens": 12, "output_tokens": 5, "cache_read_input_tokens": 8}
    assert (first.response["usage"], first.response["finish_reason"]) == (usage, "tool_calls")
    assert run.request.system == SYSTEM["content"]
    assert run.recorded == {"end": "Submitted"}
    last = run.takes[0].turns[1]
    assert [one["content"] for one in last.results or []] == ["Whitby."]
    assert last.inferred == ["/results/0/tool_use_id"]
    assert list(outside.findings.faults()) == []


def test_only_the_call_that_submits_gets_the_exit() -> None:
    """What stood before it in the same reply has no result; any other exit is none either."""
    outside = read_it(trajectory(SYSTEM, ASK, reply("Both.", "a", "b"), EXIT))
    turn = outside.runs[0].takes[0].turns[0]
    assert [one["tool_use_id"] for one in turn.results or []] == ["b"]
    assert outside.findings.number("format.unanswered") == 1
    extra = {"exit_status": "TimeExceeded"}
    over = trajectory(SYSTEM, ASK, reply("I look.", "a"), {**EXIT, "extra": extra})
    assert read_it(over).runs[0].takes[0].turns[0].results is None


def test_a_bare_list_with_code_blocks() -> None:
    """The block is a request and the next message its result, both marked as inferred."""
    data = json.dumps([*BARE, {"role": "user", "content": ""}]).encode()
    assert detect(data) == "mini-swe-agent"
    outside = read(data)
    assert (calls_of(outside), outside.prompts) == ([2], 1)
    first, last = outside.runs[0].takes[0].turns
    assert first.response is not None
    assert first.response["content"][1]["input"] == {"command": "look"}
    assert {"/response/content/1", "/results/0/tool_use_id"} <= set(first.inferred)
    assert [one["content"] for one in last.results or []] == [""]


def test_a_reply_with_no_block_or_two_asks_for_nothing() -> None:
    """What the agent then said is the host's, in a stretch that goes on."""
    bad = {"role": "assistant", "content": "```bash\na\n```\n```bash\nb\n```"}
    said = {"role": "user", "content": "One block, please."}
    outside = read_it([*BARE[:4], bad, said, block("look", "bash")])
    assert (calls_of(outside), started(outside)) == ([2, 1], ["prompt", "continued"])
    assert outside.findings.number("format.inserted") == 1


def test_actions_that_the_agent_noted() -> None:
    """Several commands of one text are several requests, answered in their order."""
    noted = [{"command": "look"}, {"command": "list"}]
    acts = {"role": "assistant", "content": "Both.", "extra": {"actions": noted}}
    outputs = [{"role": "user", "content": text, "extra": {"returncode": 0}} for text in "ab"]
    turn = read_it(trajectory(SYSTEM, ASK, acts, *outputs, EXIT)).runs[0].takes[0].turns[0]
    assert [one["content"] for one in turn.results or []] == ["a", "b"]


def test_a_run_without_a_reply_is_a_failed_request(tmp_path: Any) -> None:
    """The exit carries the exception: the loop raises, after no call."""
    extra = {"exit_status": "Timeout", "exception_str": "Timed out."}
    stats = {"api_calls": 1}
    made = trajectory(SYSTEM, ASK, {**EXIT, "extra": extra}, exit_status="Timeout")
    made["info"]["model_stats"] = stats
    path = tmp_path / "run.traj.json"
    path.write_text(json.dumps(made), encoding="utf-8")
    scenario = load_transcript(path)
    assert scenario.outside is not None
    run = replay(scenario)
    assert (run.model_calls, run.terminal_reason) == (0, "raised")
    assert scenario.runs[0].recorded == {"end": "Timeout", "api_calls": 1}
    assert list(scenario.outside.findings.problems()) == []


def test_the_agents_own_cap(tmp_path: Any) -> None:
    """A step limit that was reached is the run's cap."""
    config = {"agent": {"step_limit": 1}, "model": {"model_name": "model-x"}}
    over = {"role": "exit", "content": "", "extra": {"exit_status": "LimitsExceeded"}}
    made = trajectory(SYSTEM, ASK, *LOOK, over, exit_status="LimitsExceeded", config=config)
    path = tmp_path / "run.traj.json"
    path.write_text(json.dumps(made), encoding="utf-8")
    run = replay(load_transcript(path))
    assert (run.model_calls, run.terminal_reason) == (1, "max_turns")


def test_calls_that_are_counted_and_not_held() -> None:
    """99 calls counted and two kept is said; a user's word in between is the host's."""
    stats = {"api_calls": 99}
    said = {"role": "user", "content": "Hurry.", "extra": {"interrupt_type": "UserInterruption"}}
    outside = read_it(trajectory(SYSTEM, ASK, *LOOK, said, *LOOK[:1], EXIT, model_stats=stats))
    assert outside.findings.number("format.calls_missing") == 97
    assert calls_of(outside) == [2]
