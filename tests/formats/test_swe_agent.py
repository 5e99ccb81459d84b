"""Trajectories of SWE-agent, with tool calls and with actions read out of the text."""

from __future__ import annotations

import json
from typing import Any

from tests.made_outside import QUESTION, calls_of, flags
from visualizer.formats import Outside, detect, read

Entry = dict[str, Any]
SYSTEM: Entry = {"role": "system", "content": "You are a sailor.", "agent": "main"}
ASK: Entry = {"role": "user", "content": QUESTION, "agent": "main"}


def acts(action: str, *ids: str) -> Entry:
    """A reply: with ids a tool call each, else only the action that was read from its text."""
    calls = [
        {"id": name, "type": "function", "function": {"name": action, "arguments": '{"n": 1}'}}
        for name in ids
    ]
    said = {"role": "assistant", "content": f"I {action}.", "action": action, "agent": "main"}
    return {**said, "thought": "Hm.", **({"tool_calls": calls} if ids else {})}


def saw(text: str, *ids: str) -> Entry:
    if ids:
        return {"role": "tool", "content": text, "tool_call_ids": list(ids), "agent": "main"}
    return {"role": "user", "content": text, "agent": "main"}


def step(action: str, observation: str, state: Any = "{}") -> Entry:
    return {
        "action": action,
        "observation": observation,
        "response": f"I {action}." if action else "",
        "state": state,
        "thought": "Hm.",
    }


HISTORY = [SYSTEM, ASK, acts("look"), saw("log 3"), acts("submit")]
STEPS = [step("look", "log 3"), step("submit", "Whitby.", {"working_dir": "/"})]
INFO = {"exit_status": "submitted", "model_stats": {"api_calls": 2}}
ROUND = {"trajectory": STEPS, "history": HISTORY, "info": INFO}


def read_it(**parts: Any) -> Outside:
    return read(json.dumps(parts).encode())


def results_of(outside: Outside) -> list[list[Any]]:
    """The contents of each turn's results, over all runs."""
    turns = [turn for run in outside.runs for turn in run.takes[0].turns]
    return [[one["content"] for one in turn.results or []] for turn in turns]


def test_actions_are_requests_that_are_inferred() -> None:
    """A text with an action asks for it; what follows answers it, the last from the steps."""
    data = json.dumps(ROUND).encode()
    assert detect(data) == "swe-agent"
    outside = read(data)
    run = outside.runs[0]
    assert (calls_of(outside), flags(outside)) == ([2], [["tool_use", "tool_use"]])
    assert results_of(outside) == [["log 3"], ["Whitby."]]
    for turn in run.takes[0].turns:
        assert {"/response/content/1", "/results/0/tool_use_id"} <= set(turn.inferred)
    assert run.request.system == "You are a sailor."
    assert run.recorded == {"end": "submitted", "api_calls": 2}
    assert list(outside.findings.problems()) == []


def test_only_a_history_with_tool_calls() -> None:
    """Results are paired by the ids of the calls; nothing but the stop reason is inferred."""
    answer = {**acts(""), "content": "Whitby."}
    history = [ASK, acts("look", "a"), saw("log 3", "a"), answer]
    outside = read_it(history=history)
    assert (calls_of(outside), flags(outside)) == ([2], [["tool_use", "end_turn"]])
    turn = outside.runs[0].takes[0].turns[0]
    assert turn.inferred == ["/response/stop_reason"]
    assert turn.response is not None
    assert turn.response["content"][1]["input"] == {"n": 1}


def test_steps_go_on_where_the_history_ends() -> None:
    """A step that was not sent any more is a turn; how the run ended is none."""
    steps = [step("look", "log 3"), STEPS[1], step("", "Exited")]
    outside = read_it(trajectory=steps, history=HISTORY[:4], info=INFO)
    assert calls_of(outside) == [2]
    assert results_of(outside) == [["log 3"], ["Whitby."]]


def test_only_steps() -> None:
    """Without a history the first step may say what was sent; else that is not recorded."""
    sent = [SYSTEM, ASK]
    outside = read_it(trajectory=[{**STEPS[0], "query": sent}, STEPS[1]], info=INFO)
    assert calls_of(outside) == [2]
    assert outside.runs[0].request.messages == [{"role": "user", "content": QUESTION}]
    bare = read_it(trajectory=STEPS, info=INFO)
    assert calls_of(bare) == [2]
    assert bare.findings.number("format.not_recorded") == 1


def test_a_demonstration_is_context() -> None:
    """It is sent before the prompt, and is neither a prompt nor a call."""
    demo = [{**ASK, "is_demo": True}, {**acts("look"), "is_demo": True}]
    outside = read_it(history=[SYSTEM, *demo, *HISTORY[1:]], trajectory=STEPS, info=INFO)
    assert (outside.prompts, calls_of(outside)) == (1, [2])
    assert len(outside.runs[0].request.messages) == 3


def test_calls_that_are_counted_and_not_held() -> None:
    """A file that counts 99 calls and holds two says so."""
    info = {"exit_status": "exit_cost", "model_stats": {"api_calls": 99}}
    outside = read_it(trajectory=STEPS, history=HISTORY, info=info)
    assert outside.findings.number("format.calls_missing") == 97
    assert (outside.runs[0].recorded or {})["end"] == "exit_cost"


def test_a_prompt_without_a_reply() -> None:
    """A run in which no model answered is one, without calls."""
    assert calls_of(read_it(history=[SYSTEM, ASK], info={"exit_status": "exit_api"})) == [0]


def test_agents_have_conversations_of_their_own() -> None:
    """Messages of another agent do not mix with the main one's."""
    other = [{**one, "agent": "helper"} for one in (ASK, {**acts(""), "content": "Yes."})]
    outside = read_it(history=[*HISTORY[:4], *other, HISTORY[4]], trajectory=STEPS)
    assert sorted(calls_of(outside)) == [1, 2]
    assert outside.prompts == 1


def test_an_id_that_comes_again_is_another_call() -> None:
    """Each round has its own result; the second id is told apart, marked, and counted."""
    history = [ASK]
    for text in ("log 3", "log 4"):
        history += [acts("look", "a"), saw(text, "a")]
    outside = read_it(history=history)
    assert results_of(outside) == [["log 3"], ["log 4"]]
    first, last = outside.runs[0].takes[0].turns
    assert first.inferred == ["/response/stop_reason"]
    assert {"/response/content/1/id", "/results/0/tool_use_id"} <= set(last.inferred)
    assert outside.findings.number("format.double_request") == 1
