"""Calls of the Messages API in the containers that people keep them in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.made import answer, jsonl, response, text_block, tool_result, tool_use, transcript, write
from tests.made_outside import QUESTION, calls_of, flags, started
from visualizer.collection.recordings import file_json, file_line
from visualizer.engine import replay
from visualizer.formats import Outside, detect, read
from visualizer.formats.decoding.sse import assembled
from visualizer.i18n import Texts
from visualizer.loading import load_transcript

Messages = list[dict[str, Any]]
ASK: Messages = [{"role": "user", "content": QUESTION}]
LOOK = response(text_block("I look."), tool_use("a"), tool_use("b"))
FOUND = {"role": "user", "content": [tool_result("b", "chart"), tool_result("a", "log")]}
DONE = response(text_block("Whitby."))


def assistant(message: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": message["content"]}


def body(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"model": "model-x", "max_tokens": 512, "messages": list(messages), **more}


def exchange(request: dict[str, Any], reply: Any) -> dict[str, Any]:
    return {"request": request, "response": reply}


ROUND = [exchange(body(*ASK), LOOK), exchange(body(*ASK, assistant(LOOK), FOUND), DONE)]


def data_of(value: Any) -> bytes:
    return json.dumps(value).encode()


def http(entry: dict[str, Any], as_text: bool) -> dict[str, Any]:
    """An exchange as a recorder of HTTP keeps it."""
    asked, came = entry["request"], entry["response"]
    if as_text:
        asked, came = {"body": json.dumps(asked)}, {"body": {"string": json.dumps(came)}}
    else:
        asked, came = {"parsed_body": asked}, {"parsed_body": came}
    uri = "https://api.example/v1/messages?beta=true"
    return {"request": {"uri": uri, **asked}, "response": {"status": {"code": 200}, **came}}


CONTAINERS = {
    "a list": data_of(ROUND),
    "lines": jsonl(ROUND),
    "bodies with responses": data_of([{**e["request"], "response": e["response"]} for e in ROUND]),
    "HTTP with parsed bodies": data_of({"interactions": [http(e, False) for e in ROUND]}),
    "HTTP with texts": data_of({"http_interactions": [http(e, True) for e in ROUND]}),
    "the last exchange only": data_of(ROUND[1]),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_round_and_an_answer(name: str, tmp_path: Path) -> None:
    """Every container gives the same run: two calls, two results paired by id."""
    path = tmp_path / "calls.json"
    path.write_bytes(CONTAINERS[name])
    assert detect(CONTAINERS[name]) == "messages-api"
    scenario = load_transcript(path)
    assert len(scenario.runs) == 1
    run = replay(scenario)
    assert (run.model_calls, run.tool_rounds, run.tool_calls) == (2, 1, 2)
    assert (run.result, run.terminal_reason) == ("Whitby.", "completed")
    assert scenario.runs[0].request.model == "model-x"
    assert scenario.runs[0].request.max_tokens == 512


def test_bare_messages_have_inferred_stop_reasons(tmp_path: Path) -> None:
    """A list of messages does not say why the model stopped: requests do."""
    messages = [*ASK, assistant(LOOK), FOUND, assistant(DONE)]
    for data in (data_of(messages), data_of(body(*messages)), jsonl(messages)):
        outside = read(data)
        assert (calls_of(outside), flags(outside)) == ([2], [["tool_use", "end_turn"]])
        turns = outside.runs[0].takes[0].turns
        assert all(turn.inferred == ["/response/stop_reason"] for turn in turns)
    path = write(tmp_path / "messages.json", messages)
    assert replay(load_transcript(path)).result == "Whitby."


def test_an_unknown_container_of_a_known_reply() -> None:
    """A bare reply is a run whose request is not recorded."""
    outside = read(data_of(DONE))
    assert calls_of(outside) == [1]
    assert outside.runs[0].request.messages == [
        {"role": "user", "content": [{"type": "not_recorded"}]}
    ]


def events_of(message: Any) -> str:
    """A reply as a stream of events, its request's arguments in pieces."""
    events: list[dict[str, Any]] = [
        {
            "type": "message_start",
            "message": {
                **message,
                "content": [],
                "stop_reason": None,
                "usage": {"input_tokens": 9},
            },
        }
    ]
    for at, block in enumerate(message["content"]):
        empty: dict[str, Any] = {"text": ""} if block["type"] == "text" else {"input": {}}
        events.append({"type": "content_block_start", "index": at, "content_block": block | empty})
        whole = block.get("text") or json.dumps(block.get("input"))
        for part in (whole[:3], whole[3:]):
            kind = {"type": "text_delta", "text": part}
            if block["type"] != "text":
                kind = {"type": "input_json_delta", "partial_json": part}
            events.append({"type": "content_block_delta", "index": at, "delta": kind})
        events.append({"type": "content_block_stop", "index": at})
    flag = {"stop_reason": message["stop_reason"]}
    events.append({"type": "message_delta", "delta": flag, "usage": {"output_tokens": 4}})
    return "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)


def test_streamed_replies_are_put_together() -> None:
    """A body of events is the reply they come to, token counts and all."""
    reply = response(text_block("I look."), tool_use("a", place="log"))
    entry = {"request": body(*ASK), "response": {"status": 200, "body": events_of(reply)}}
    made = read(data_of([entry])).runs[0].takes[0].turns[0].response
    assert made is not None
    assert made["content"] == reply["content"]
    assert made["stop_reason"] == "tool_use"
    assert made["usage"] == {"input_tokens": 9, "output_tokens": 4}


def test_a_streamed_request_without_arguments() -> None:
    """An empty piece of arguments leaves the empty object that the block began with."""
    reply = assembled(
        'data: {"type": "message_start", "message": {"role": "assistant", "type": "message"}}\n'
        'data: {"type": "content_block_start", "index": 0, "content_block":'
        ' {"type": "tool_use", "id": "a", "name": "look", "input": {}}}\n'
        'data: {"type": "content_block_delta", "index": 0, "delta":'
        ' {"type": "input_json_delta", "partial_json": ""}}\n'
    )
    assert reply is not None
    assert reply["content"][0]["input"] == {}


def test_a_stream_that_was_cut_off_goes_as_far_as_it_does() -> None:
    """Arguments that end in the middle stay the text they were; the reason is inferred."""
    text = events_of(response(tool_use("a", place="log")))
    entry = {"request": body(*ASK), "response": {"body": text[: text.index("content_block_stop")]}}
    turn = read(data_of([entry])).runs[0].takes[0].turns[0]
    assert turn.response is not None
    assert turn.response["content"][0]["id"] == "a"
    assert turn.inferred == ["/response/stop_reason", "/response/usage/output_tokens"]


def test_tokens_of_a_reply_whose_end_is_missing_are_at_least_those(tmp_path: Path) -> None:
    """The count at a stream's beginning is not that of the whole reply: list and run say so."""
    text = events_of({**LOOK, "usage": {}}).replace('"input_tokens": 9', '"output_tokens": 2')
    for cut, whole in ((text[: text.index("event: message_delta")], False), (text, True)):
        path = write(tmp_path / "calls.json", [{"request": body(*ASK), "response": {"body": cut}}])
        scenario = load_transcript(path)
        assert scenario.outside is not None
        line = file_line(scenario, scenario.outside, Texts("en"))
        assert ("at least 2 out" in line) is not whole
        assert file_json(scenario, scenario.outside)["at_least"] is not whole


def test_keys_that_clients_keep_beside_a_message() -> None:
    """They refuse no message and no body, and are not sent."""
    kept = {"ts": 1, "modelInfo": {"id": "model-x"}, "metrics": {}}
    messages = [{**one, **kept} for one in (*ASK, assistant(LOOK), FOUND, assistant(DONE))]
    for value in (messages, body(*messages, new_parameter=1), {"messages": messages}):
        assert detect(data_of(value)) == "messages-api"
        outside = read(data_of(value))
        assert calls_of(outside) == [2]
        assert outside.runs[0].request.messages == ASK


def test_a_retried_request_is_one_call(tmp_path: Path) -> None:
    """The same request failed and was sent again: the loop sees the reply only."""
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    failed = {"request": body(*ASK), "response": {"status": 529, "body": error}}
    path = write(tmp_path / "calls.json", [failed, exchange(body(*ASK), DONE)])
    scenario = load_transcript(path)
    attempts = scenario.runs[0].takes[0].turns[0].attempts
    assert [(one.status, one.handled) for one in attempts] == [(529, True)]
    run = replay(scenario)
    assert (run.model_calls, run.result) == (1, "Whitby.")


def test_a_request_that_failed_for_good(tmp_path: Path) -> None:
    """The run ends with the error, as it did."""
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": "too long"}}
    failed = {"request": body(*ASK), "response": {"status": 400, "body": error}}
    run = replay(load_transcript(write(tmp_path / "calls.json", [failed])))
    assert (run.terminal_reason, run.model_calls) == ("raised", 0)


def test_conversations_that_go_on_side_by_side() -> None:
    """Which call continues which is seen from the requests, not from their order."""
    other: Messages = [{"role": "user", "content": "A title for this?"}]
    title = response(text_block("Harbours"))
    calls = [ROUND[0], exchange(body(*other), title), ROUND[1]]
    outside = read(data_of(calls))
    assert (calls_of(outside), started(outside)) == ([2, 1], ["prompt", "prompt"])


def test_clients_that_drop_thinking_go_on_all_the_same() -> None:
    """What is sent back without thinking, or with more fields, continues the conversation."""
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    first = response(thought, *LOOK["content"])
    echo = {"role": "assistant", "content": [b | {"cache_control": None} for b in LOOK["content"]]}
    calls = [exchange(body(*ASK), first), exchange(body(*ASK, echo, FOUND), DONE)]
    assert calls_of(read(data_of(calls))) == [2]


def test_a_rewritten_history_is_a_new_run() -> None:
    """The host cleared an old result: what it then sent is where another run begins."""
    cleared = {"role": "user", "content": [tool_result("b", "[cleared]"), tool_result("a", "log")]}
    calls = [*ROUND[:1], exchange(body(*ASK, assistant(LOOK), cleared), LOOK)]
    more = body(*ASK, assistant(LOOK), FOUND, assistant(DONE), *ASK)
    outside = read(data_of([*calls, exchange(more, DONE)]))
    assert started(outside)[-1] == "rewritten"
    assert outside.runs[-1].request.messages == more["messages"]


def test_blocks_beside_results_and_other_parameters() -> None:
    """A text in the results' message was put in by the host; a higher cap is the turn's own."""
    beside = {"role": "user", "content": [*FOUND["content"], text_block("A reminder.")]}
    more = exchange(body(*ASK, assistant(LOOK), beside, max_tokens=1024), DONE)
    turn = read(data_of([ROUND[0], more])).runs[0].takes[0].turns[1]
    assert [put.content for put in turn.inserted] == [[text_block("A reminder.")]]
    assert turn.request == {"max_tokens": 1024}


def test_two_providers_in_one_file() -> None:
    """Calls of another API are counted and left out."""
    chat = {"model": "m", "messages": [{"role": "system", "content": "x"}], "n": 1}
    calls = [*ROUND, {"request": chat, "response": {"choices": []}}]
    outside = read(data_of(calls))
    assert calls_of(outside) == [2]
    assert outside.findings.number("format.other_provider") == 1


NOT_OURS: dict[str, Any] = {
    "a chat request": {"messages": [{"role": "system", "content": "x"}], "model": "m"},
    "chat messages": [{"role": "user", "content": "x"}, {"role": "tool", "content": "y"}],
    "chat tool calls": [{"role": "assistant", "content": "x", "tool_calls": []}],
    "a trajectory": {"messages": ASK, "info": {}, "trajectory_format": "t"},
    "responses items": [{"role": "user", "content": [{"type": "input_text", "text": "x"}]}],
    "one of our own": transcript(answer("fin")),
}


@pytest.mark.parametrize("name", NOT_OURS)
def test_what_only_looks_alike_is_not_claimed(name: str) -> None:
    """Other formats have messages too."""
    assert detect(data_of(NOT_OURS[name])) != "messages-api"


def test_pretty_printed_json_is_one_object() -> None:
    """Lines that are objects by themselves do not make a file one of lines."""
    outside: Outside = read(json.dumps(ROUND[1], indent=1).encode())
    assert calls_of(outside) == [2]
