"""Sessions of the Gemini CLI, as a document and as lines."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest

from tests.made import jsonl
from tests.made_outside import QUESTION, calls_of, flags, started
from visualizer.formats import Outside, Unreadable, detect, read

Entry = dict[str, Any]
_NUMBERS = count(1)
SPENT = {"input": 20, "output": 4, "cached": 8, "thoughts": 1, "tool": 0, "total": 25}


def message(kind: str, content: str = "", **more: Any) -> Entry:
    common = {"id": f"m{next(_NUMBERS)}", "timestamp": "2030-01-01T00:00:00Z", "type": kind}
    return {**common, "content": content, **more}


def call(name: str, status: str = "success", **response: Any) -> Entry:
    gave = [{"functionResponse": {"id": name, "name": "look", "response": response}}]
    made = {"id": name, "name": "look", "args": {}, "status": status}
    return {**made, "result": gave if response else None}


def reply(content: str = "", *calls: Entry, **more: Any) -> Entry:
    thoughts = [{"subject": "Log", "description": "I look."}]
    made = {"thoughts": thoughts, "tokens": SPENT, "model": "model-x", **more}
    return message("gemini", content, toolCalls=list(calls), **made)


def session(*messages: Entry) -> Entry:
    return {"sessionId": "s", "projectHash": "p", "messages": list(messages)}


ASK = message("user", QUESTION)
LOOK = reply("", call("a", output="log 3"), call("b", "error", error="Gone."))
DONE = reply("Whitby.")
ROUND = session(ASK, LOOK, DONE)


def read_it(*messages: Entry) -> Outside:
    return read(json.dumps(session(*messages)).encode())


@pytest.mark.parametrize(
    "data",
    [
        json.dumps(ROUND).encode(),
        json.dumps(ROUND, indent=2).encode(),
        jsonl([{"sessionId": "s", "projectHash": "p"}, ASK, LOOK, DONE]),
        jsonl({**one, "sessionId": "s"} for one in (ASK, LOOK, DONE)),
    ],
)
def test_a_round_and_an_answer(data: bytes) -> None:
    """A document (whatever its file is called) and lines are the same; results sit in calls."""
    assert detect(data) == "gemini-cli"
    outside = read(data)
    run = outside.runs[0]
    first = run.takes[0].turns[0]
    assert first.response is not None
    assert (calls_of(outside), outside.prompts) == ([2], 1)
    assert flags(outside) == [["tool_use", "end_turn"]]
    results = [(one["content"], one.get("is_error", False)) for one in first.results or []]
    assert results == [("log 3", False), ("Gone.", True)]
    assert first.response["content"][0]["thinking"] == "Log\nI look."
    tokens = {"input_tokens": 12, "output_tokens": 5, "cache_read_input_tokens": 8}
    assert (first.response["usage"], run.request.model) == (tokens, "model-x")
    assert list(outside.findings.problems()) == []


def test_a_single_message() -> None:
    """An excerpt of one reply is a run whose prompt is not recorded."""
    outside = read(json.dumps(LOOK).encode())
    assert (outside.format, calls_of(outside)) == ("gemini-cli", [1])
    assert outside.findings.number("format.not_recorded") == 1


def test_a_call_in_a_message_of_its_own_belongs_to_the_reply_before() -> None:
    """It has no words and no tokens: the user was asked in between."""
    asks = message("gemini", toolCalls=[call("a", output="log 3")], thoughts=[], tokens=None)
    outside = read_it(ASK, reply("I look."), message("info", "An update!"), asks, DONE)
    assert (calls_of(outside), flags(outside)) == ([2], [["tool_use", "end_turn"]])
    assert outside.findings.number("format.other_line") == 1


def test_a_call_that_was_stopped_has_no_result() -> None:
    """It is unanswered, and the next prompt begins a run."""
    outside = read_it(ASK, reply("", call("a", "cancelled")), message("user", "Else?"), DONE)
    assert calls_of(outside) == [1, 1]
    assert outside.findings.number("format.unanswered") == 1


def test_errors_of_the_api_are_failed_requests() -> None:
    """Other errors and warnings take no part."""
    failed = message("error", "[API Error: Overloaded]")
    outside = read_it(ASK, message("warning", "Careful."), failed)
    assert calls_of(outside) == [0]
    assert len(outside.runs[0].takes[0].turns[0].attempts) == 1


def test_lines_that_say_again_and_rewind() -> None:
    """The last word on a message holds; after a rewind the conversation is forked."""
    empty = {**LOOK, "toolCalls": []}
    other = message("user", "And the Gull?")
    tail = [{"$set": {"lastUpdated": "x"}}, {"$rewindTo": ASK["id"]}, other, reply("Hull.")]
    outside = read(jsonl([{"sessionId": "s", "projectHash": "p"}, ASK, empty, LOOK, DONE, *tail]))
    assert (calls_of(outside), started(outside)) == ([2, 1], ["prompt", "fork"])
    assert [one["content"] for one in outside.runs[1].request.messages] == ["And the Gull?"]


def test_a_session_of_warnings_only() -> None:
    """There is nothing to run in it, and the line says so."""
    with pytest.raises(Unreadable) as caught:
        read_it(message("warning", "Careful."))
    assert caught.value.key == "format.nothing"


HEAD: Entry = {"sessionId": "s", "projectHash": "p", "kind": "main"}
SETTING = message("user", "<session_context>\nMonday\n</session_context>")


def sent_all(*messages: Entry) -> Entry:
    """A note that says all messages which are sent from now on."""
    return {"$set": {"messages": list(messages), "lastUpdated": "x"}}


def said_in(outside: Outside, run: int) -> list[str]:
    """The texts of the messages that a run began with."""
    texts = []
    for one in outside.runs[run].request.messages:
        held = one["content"]
        texts.append(held if isinstance(held, str) else held[0].get("text", held[0]["type"]))
    return texts


@pytest.mark.parametrize(
    "lines",
    [
        [HEAD, sent_all(ASK, LOOK, DONE)],
        [HEAD, sent_all(ASK), LOOK, DONE],
        [HEAD, ASK, sent_all(ASK, LOOK), DONE, sent_all(ASK, LOOK, DONE)],
        [HEAD, ASK, {"$push": {"messages": LOOK}}, {"$push": {"messages": {"$each": [DONE]}}}],
        [HEAD, ASK, message("info", "Hi"), {**LOOK, "toolCalls": []}, sent_all(ASK, LOOK), DONE],
        [sent_all(ASK, LOOK, DONE)],
    ],
    ids=["all at once", "the first", "again and again", "pushed", "filled in", "without a head"],
)
def test_messages_in_notes(lines: list[Entry]) -> None:
    """Where a note only adds to what was said, it is as if the messages had lines of their own."""
    assert detect(jsonl(lines)) == "gemini-cli"
    outside = read(jsonl(lines))
    assert (outside.prompts, calls_of(outside), started(outside)) == (1, [2], ["prompt"])
    assert [len(turn.results or []) for turn in outside.runs[0].takes[0].turns] == [2, 0]
    assert list(outside.findings.faults()) == []


def test_fields_of_a_message_that_come_later() -> None:
    """An update names the message and holds what is new in it."""
    bare = {name: value for name, value in DONE.items() if name != "tokens"}
    update = {"type": "message_update", "id": DONE["id"], "tokens": SPENT}
    last = read(jsonl([HEAD, ASK, bare, update])).runs[0].takes[0].turns[0].response
    assert last is not None
    assert last["usage"]["output_tokens"] == 5
    unknown = read(jsonl([HEAD, ASK, bare, {**update, "id": "x"}]))
    assert unknown.findings.number("format.other_line") == 1


def test_a_summary_in_place_of_the_history() -> None:
    """What was said stays in its run; the next begins with the summary, which is no call."""
    summary = message("user", "<state_snapshot>At sea.</state_snapshot>")
    canned = message("gemini", "Got it. Thanks for the additional context!")
    after = [message("user", "And then?"), reply("Hull.")]
    outside = read(jsonl([HEAD, ASK, LOOK, DONE, sent_all(summary, canned), *after]))
    assert (outside.prompts, calls_of(outside)) == (2, [2, 1])
    assert started(outside) == ["prompt", "compaction"]
    assert said_in(outside, 1) == [summary["content"], canned["content"], "And then?"]


def test_results_that_were_taken_out_later() -> None:
    """The call keeps what it gave; what is sent from then on is the shorter one, told once."""
    hidden = {**LOOK, "toolCalls": [call("a", output="(hidden)"), LOOK["toolCalls"][1]]}
    after = [sent_all(ASK, hidden, DONE), message("user", "And then?"), reply("Hull.")]
    again = [sent_all(ASK, hidden, DONE, *after[1:]), message("user", "So?"), reply("Hull.")]
    outside = read(jsonl([HEAD, ASK, LOOK, DONE, *after, *again]))
    assert (outside.prompts, calls_of(outside)) == (3, [2, 1, 1])
    assert started(outside) == ["prompt", "rewritten", "prompt"]
    results = outside.runs[0].takes[0].turns[0].results
    assert results is not None
    assert results[0]["content"] == "log 3"
    sent = outside.runs[1].request.messages[2]["content"]
    assert [one["content"] for one in sent] == ["(hidden)", "Gone."]


def test_what_the_client_says_in_the_users_name_is_no_prompt() -> None:
    """It is sent, and counted as nothing that a user asked."""
    outside = read(jsonl([HEAD, sent_all(SETTING), ASK, LOOK, DONE]))
    assert (outside.prompts, calls_of(outside)) == (1, [2])
    assert said_in(outside, 0) == [SETTING["content"], QUESTION]


def test_results_that_are_written_again_as_what_a_user_sent() -> None:
    """The call holds them already: no prompt, and nothing twice."""
    gave = [part for one in LOOK["toolCalls"] for part in one["result"]]
    row = message("user", "")
    outside = read(jsonl([HEAD, ASK, LOOK, {**row, "content": gave}, DONE]))
    assert (outside.prompts, calls_of(outside), started(outside)) == (1, [2], ["prompt"])
    assert list(outside.findings.problems()) == []


@pytest.mark.parametrize("missing", [(), ("id",), ("id", "name")])
def test_results_that_only_the_users_row_holds(missing: tuple[str, ...]) -> None:
    """They answer the calls, by their ids or else by name and order, or by their order alone."""
    asks = reply("", *({**one, "result": None} for one in LOOK["toolCalls"]))
    parts = [dict(part["functionResponse"]) for one in LOOK["toolCalls"] for part in one["result"]]
    for part in parts:
        for name in missing:
            del part[name]
    row = {**message("user", ""), "content": [{"functionResponse": part} for part in parts]}
    outside = read(jsonl([HEAD, ASK, asks, row, DONE]))
    assert (outside.prompts, calls_of(outside)) == (1, [2])
    results = outside.runs[0].takes[0].turns[0].results or []
    assert [one["content"] for one in results] == ["log 3", "Gone."]
    assert list(outside.findings.faults()) == []


def test_calls_among_the_parts_of_a_reply() -> None:
    """They are those that the message lists as calls, too; one that it does not list is asked."""
    parts = [{"text": "Hm.", "thought": True}, {"text": "I look."}]
    parts += [{"functionCall": {"id": name, "name": "look", "args": {}}} for name in "ab"]
    both = {**LOOK, "content": parts}
    outside = read(jsonl([HEAD, ASK, both, DONE]))
    first = outside.runs[0].takes[0].turns[0].response
    assert first is not None
    kinds = ["thinking", "text", "tool_use", "tool_use"]
    assert [one["type"] for one in first["content"]] == kinds
    bare = {**both, "toolCalls": LOOK["toolCalls"][:1]}
    outside = read(jsonl([HEAD, ASK, bare, DONE]))
    assert outside.findings.number("format.unanswered") == 1


def test_thoughts_that_the_client_left_out() -> None:
    """Its counts say that the model thought; that the words are gone is said."""
    outside = read_it(ASK, reply("Whitby.", thoughts=[]))
    assert [one.key for one in outside.findings.problems()] == ["format.thoughts_left_out"]
    assert list(outside.findings.faults()) == []


@pytest.mark.parametrize("as_documents", [True, False])
def test_several_sessions_in_one_file(as_documents: bool) -> None:
    """Each begins without the messages of the one before."""
    other = {**HEAD, "sessionId": "t"}
    more = [message("user", "And the Gull?"), reply("Hull.")]
    lines = [HEAD, ASK, LOOK, DONE, other, sent_all(*more)]
    if as_documents:
        lines = [session(ASK, LOOK, DONE), {**other, "messages": more}]
    outside = read(jsonl(lines))
    assert (outside.prompts, calls_of(outside)) == (2, [2, 1])
    assert said_in(outside, 1) == ["And the Gull?"]
