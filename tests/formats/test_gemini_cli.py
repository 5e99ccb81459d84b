"""Sessions of the Gemini CLI, as a document and as lines."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest

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


def lines_of(*lines: Entry) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@pytest.mark.parametrize(
    "data",
    [
        json.dumps(ROUND).encode(),
        json.dumps(ROUND, indent=2).encode(),
        lines_of({"sessionId": "s", "projectHash": "p"}, ASK, LOOK, DONE),
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
    outside = read(lines_of({"sessionId": "s", "projectHash": "p"}, ASK, empty, LOOK, DONE, *tail))
    assert (calls_of(outside), started(outside)) == ([2, 1], ["prompt", "fork"])
    assert [one["content"] for one in outside.runs[1].request.messages] == ["And the Gull?"]


def test_a_session_of_warnings_only() -> None:
    """There is nothing to run in it, and the line says so."""
    with pytest.raises(Unreadable) as caught:
        read_it(message("warning", "Careful."))
    assert caught.value.key == "format.nothing"
