"""Messages of LangChain in each way in which they are dumped, and states of LangGraph."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.made import jsonl, tool_result
from tests.made_outside import QUESTION, calls_of, flags, started
from visualizer.engine import replay
from visualizer.formats import Outside, detect, read
from visualizer.loading import load_transcript

Entry = dict[str, Any]


def message(kind: str, content: Any, **more: Any) -> Entry:
    """The fields of a message, as ``model_dump`` gives them."""
    common: Entry = {"additional_kwargs": {}, "response_metadata": {}, "name": None, "id": None}
    return {**common, "content": content, "type": kind, **more}


def call(name: str, called: str = "look", **args: Any) -> Entry:
    return {"name": called, "args": args, "id": name, "type": "tool_call"}


def ai(content: Any, *calls: Entry, reason: Entry | None = None, **more: Any) -> Entry:
    more.setdefault("response_metadata", {} if reason is None else reason)
    return message("ai", content, tool_calls=list(calls), **more)


def found(answers: str | None, content: Any, status: str = "success", **more: Any) -> Entry:
    return message("tool", content, tool_call_id=answers, status=status, **more)


USAGE = {"input_tokens": 30, "output_tokens": 5, "total_tokens": 35}
CACHED = {"input_token_details": {"cache_read": 10, "cache_creation": 4}}
SYSTEM = message("system", "You are a sailor.")
ASK = message("human", QUESTION)
BLOCK = {"type": "tool_use", "id": "a", "name": "look", "input": {"place": "log"}}
LOOK = ai(
    [{"type": "text", "text": "I look."}, BLOCK],
    call("a", place="log"),
    call("b", place="chart"),
    reason={"stop_reason": "tool_use", "model": "model-x"},
    usage_metadata={**USAGE, **CACHED},
)
FOUND = [found("b", "no chart", "error"), found("a", "log 3")]
DONE = ai("Whitby.", reason={"finish_reason": "stop", "model_name": "model-x"})
ALL = [SYSTEM, ASK, LOOK, *FOUND, DONE]


def piece(name: str, content: Any = "", **more: Any) -> Entry:
    return message("AIMessageChunk", content, id=name, **more)


def args(text: str, **more: Any) -> Entry:
    return {"index": 0, "id": None, "name": None, "args": text, **more}


STREAM = [
    ASK,
    piece("r", [{"type": "text", "text": "I ", "index": 0}], usage_metadata={"input_tokens": 9}),
    piece("r", [{"type": "text", "text": "look.", "index": 0}]),
    piece("r", tool_call_chunks=[args("", id="a", name="look")], tool_calls=[call("a")]),
    piece("r", tool_call_chunks=[args('{"place": ')]),
    piece("r", tool_call_chunks=[args('"log"}')], invalid_tool_calls=[{"args": '"log"}'}]),
    piece("r", response_metadata={"finish_reason": "tool_calls"}),
    piece("r", usage_metadata={"output_tokens": 7}),
    found("a", "log 3"),
    piece("s", "Whit"),
    piece("s", "by."),
]
"""A round and an answer, each reply in the pieces that it was streamed in."""


def with_data(one: Entry) -> Entry:
    """As ``messages_to_dict`` writes a message."""
    return {"type": one["type"], "data": one}


def constructed(one: Entry) -> Entry:
    """As ``dumpd`` writes a message."""
    name = {"ai": "AI", "human": "Human", "tool": "Tool", "system": "System"}[one["type"]]
    place = ["langchain", "schema", "messages", f"{name}Message"]
    kept = {key: value for key, value in one.items() if value not in (None, {})}
    return {"lc": 1, "type": "constructor", "id": place, "kwargs": kept}


STATES = [{"values": {"messages": ALL[:count]}, "next": []} for count in range(1, 7)]
WAYS: dict[str, Callable[[], bytes]] = {
    "data": lambda: json.dumps([with_data(one) for one in ALL]).encode(),
    "constructors": lambda: json.dumps([constructed(one) for one in ALL]).encode(),
    "fields": lambda: json.dumps(ALL).encode(),
    "lines": lambda: jsonl(ALL),
    "state": lambda: json.dumps({"messages": ALL, "remaining_steps": 3}).encode(),
    "states": lambda: jsonl(STATES),
    "newest first": lambda: json.dumps(STATES[::-1]).encode(),
}


def read_it(*messages: Entry) -> Outside:
    return read(json.dumps(list(messages)).encode())


@pytest.mark.parametrize("way", WAYS)
def test_a_round_and_an_answer(way: str, tmp_path: Path) -> None:
    """Each dump gives the same: a call that stands twice is one, results are paired by id."""
    path = tmp_path / "messages.json"
    path.write_bytes(WAYS[way]())
    assert detect(path.read_bytes()) == "langchain"
    scenario = load_transcript(path)
    run = replay(scenario)
    assert (run.model_calls, run.tool_calls, run.result) == (2, 2, "Whitby.")
    recorded = scenario.runs[0]
    assert (recorded.request.system, recorded.request.model) == ("You are a sailor.", "model-x")
    first, last = recorded.takes[0].turns
    assert first.response is not None
    kinds = [(one["type"], one.get("id")) for one in first.response["content"]]
    assert kinds == [("text", None), ("tool_use", "a"), ("tool_use", "b")]
    assert first.inferred == last.inferred == []
    results = [(one["content"], one.get("is_error")) for one in first.results or []]
    assert results == [("no chart", True), ("log 3", None)]
    assert first.response["usage"] == {
        "input_tokens": 16,
        "output_tokens": 5,
        "cache_read_input_tokens": 10,
        "cache_creation_input_tokens": 4,
    }


def test_states_that_grew_are_told_once() -> None:
    """What later states repeat is counted; the states of another thread are runs of their own."""
    other = {"messages": [message("human", "And where to?"), ai("To Hull.")]}
    outside = read(jsonl([*STATES, other]))
    assert calls_of(outside) == [2, 1]
    assert outside.prompts == 2
    assert outside.findings.number("format.double_line") == 1 + 2 + 3 + 4 + 5


CUT = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
REASONS: list[tuple[Entry, str, bool]] = [
    ({"finish_reason": "length"}, "max_tokens", False),
    ({"finish_reason": "content_filter"}, "refusal", False),
    ({"stop_reason": "stop_sequence"}, "stop_sequence", False),
    ({"stopReason": "guardrail_intervened"}, "refusal", False),
    ({"done_reason": "stop"}, "end_turn", False),
    ({"status": "completed"}, "end_turn", False),
    (CUT, "max_tokens", False),
    ({"finish_reason": "tool_calls"}, "end_turn", True),
    ({"finish_reason": "stopstop"}, "end_turn", True),
    ({}, "end_turn", True),
]


@pytest.mark.parametrize(("told", "flag", "inferred"), REASONS)
def test_why_the_model_stopped(told: Entry, flag: str, inferred: bool) -> None:
    """Each provider's word has its own place; where it says nothing fitting, it is inferred."""
    outside = read_it(ASK, ai("Whitby.", reason=told))
    turn = outside.runs[0].takes[0].turns[0]
    assert flags(outside) == [[flag]]
    assert ("/response/stop_reason" in turn.inferred) == inferred


def test_one_word_for_answers_and_calls() -> None:
    """STOP and completed stand for a whole reply: with calls it asks for tools."""
    for told in ({"finish_reason": "STOP"}, {"status": "completed"}):
        turn = read_it(ASK, ai("", call("a"), reason=told)).runs[0].takes[0].turns[0]
        assert turn.response is not None
        assert (turn.response["stop_reason"], turn.inferred) == ("tool_use", [])


def test_calls_that_could_not_be_read_are_calls() -> None:
    """The model asked: with the text that it gave, which is marked as inferred."""
    bad = {"name": "look", "args": '{"pl', "id": "b", "error": "cut", "type": "invalid_tool_call"}
    turn = read_it(ASK, ai("", invalid_tool_calls=[bad]), DONE).runs[0].takes[0].turns[0]
    assert turn.response is not None
    assert turn.response["content"][0]["input"] == {"arguments": '{"pl'}
    assert "/response/content/0/input" in turn.inferred


def test_calls_of_old_versions_and_without_ids() -> None:
    """Calls may stand in the provider's words; without ids results belong to them by name."""
    inner = {"name": "look", "arguments": '{"place": "log"}'}
    kept = {"tool_calls": [{"id": "a", "type": "function", "function": inner}]}
    first = ai("", additional_kwargs=kept)
    second = ai("", additional_kwargs={"function_call": inner})
    named = message("function", "log 4", name="look")
    outside = read_it(ASK, first, found("a", "log 3"), second, named, DONE)
    one, two, _ = outside.runs[0].takes[0].turns
    assert one.response is not None
    assert one.response["content"][0]["input"] == {"place": "log"}
    assert [turn.results and turn.results[0]["content"] for turn in (one, two)] == [
        "log 3",
        "log 4",
    ]
    assert "/results/0/tool_use_id" in two.inferred


def test_results_that_answer_nothing() -> None:
    """A strange id is shown beside the results and counted; none answers the first that waits."""
    asks = ai("", call("a"), call("b"))
    outside = read_it(ASK, asks, found("z", "what?"), found(None, "which?"), DONE)
    assert outside.findings.number("format.orphan_result") == 1
    assert outside.findings.number("format.unanswered") == 1
    turn = outside.runs[0].takes[0].turns[0]
    assert turn.results == [tool_result("a", "which?")]
    assert "/results/0/tool_use_id" in turn.inferred


def test_several_prompts_and_late_instructions() -> None:
    """Each prompt begins a run; a system message between them is the host's."""
    later = message("system", "It is late.")
    outside = read_it(*ALL, ASK, LOOK, *FOUND, later, DONE)
    assert (calls_of(outside), started(outside)) == ([2, 2], ["prompt", "prompt"])
    assert outside.findings.number("format.double_request") == 2
    put = outside.runs[1].takes[0].turns[1].inserted
    assert [one.content[0]["text"] for one in put] == ["It is late."]


def test_a_summary_begins_anew() -> None:
    """What stands for messages that were left out is no prompt of a user."""
    summary = message("human", "They sail.", additional_kwargs={"lc_source": "summarization"})
    outside = read_it(summary, LOOK, *FOUND, DONE, ASK, DONE)
    assert (started(outside), outside.prompts) == (["compaction", "prompt"], 1)


def test_what_else_a_reply_holds() -> None:
    """Thoughts in each provider's words, a refusal, what the provider ran, an image."""
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    thoughts = [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]}]
    said = [*thoughts, search, {"type": "refusal", "refusal": "No."}]
    turn = read_it(ASK, ai(said, additional_kwargs={"reasoning_content": "Oh."})).runs[0].takes[0]
    response = turn.turns[0].response
    assert response is not None
    assert response["content"] == [
        {"type": "thinking", "thinking": "Oh."},
        {"type": "thinking", "thinking": "Hm."},
        search,
        {"type": "text", "text": "No."},
    ]
    assert response["stop_reason"] == "refusal"


def test_the_pieces_of_a_stream_are_one_reply() -> None:
    """Text, arguments and tokens of pieces with one id are put together."""
    outside = read(jsonl(STREAM))
    assert calls_of(outside) == [2]
    first, last = (turn.response for turn in outside.runs[0].takes[0].turns)
    assert first is not None
    assert last is not None
    asked = {"type": "tool_use", "id": "a", "name": "look", "input": {"place": "log"}}
    assert first["content"] == [{"type": "text", "text": "I look."}, asked]
    assert first["usage"] == {"input_tokens": 9, "output_tokens": 7}
    assert last["content"] == [{"type": "text", "text": "Whitby."}]


def test_what_is_no_message_is_counted() -> None:
    """Removals and other entries take no part; messages with a role are what the role says."""
    removed = message("remove", "", id="x")
    spoken = message("chat", "Whitby.", role="assistant")
    outside = read_it(ASK, removed, {"type": "debug"}, spoken)
    assert calls_of(outside) == [1]
    assert outside.findings.number("format.other_line") == 2


@pytest.mark.parametrize(
    "other",
    [
        {"type": "system", "content": "x", "uuid": "1"},
        {"role": "user", "content": "x"},
        {"type": "tool", "content": "x"},
        {"messages": [{"role": "user", "content": "x", "type": "message"}]},
        {"type": "ai", "data": "x"},
    ],
)
def test_other_files_are_not_claimed(other: Entry) -> None:
    """A type that others use too, or none of the fields, is not enough."""
    assert detect(json.dumps([other]).encode()) != "langchain"
