"""Calls of the Responses API: whole requests, chains on the server, calls in the background."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.made import text_block, tool_result
from tests.made_outside import QUESTION, calls_of, flags, started
from visualizer.engine import replay
from visualizer.formats import detect, read
from visualizer.loading import load_transcript
from visualizer.transcript.world import UNPARSED

Item = dict[str, Any]
SYSTEM: Item = {"role": "developer", "content": [{"type": "input_text", "text": "Be brief."}]}
ASK: Item = {"role": "user", "content": QUESTION}
THOUGHT: Item = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [{"type": "summary_text", "text": "Hm."}, {"type": "summary_text", "text": "So."}],
    "encrypted_content": "gAAA",
}


def message(*parts: Item, **more: Any) -> Item:
    made = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
    return {**made, "content": list(parts), **more}


def text(said: str) -> Item:
    return {"type": "output_text", "text": said, "annotations": []}


def call(name: str, arguments: str = "{}", **more: Any) -> Item:
    made = {"type": "function_call", "id": f"fc_{name}", "call_id": name, "name": "look"}
    return {**made, "arguments": arguments, **more}


def output(name: str, given: Any = "found") -> Item:
    return {"type": "function_call_output", "call_id": name, "output": given}


def response(name: str, *items: Item, status: str = "completed", **more: Any) -> Item:
    usage = {
        "input_tokens": 20,
        "input_tokens_details": {"cached_tokens": 8},
        "output_tokens": 5,
        "total_tokens": 25,
    }
    made = {"id": name, "object": "response", "status": status, "output": list(items)}
    return {**made, "usage": usage, **more}


def body(*items: Item, **more: Any) -> Item:
    return {"model": "model-y", "instructions": "Be kind.", "input": list(items), **more}


DONE = message(text("Whitby."))
LOOK = [THOUGHT, message(text("I look.")), call("a", '{"place": "log"}'), call("b")]
FOUND = [output("b", "chart 7"), output("a", [{"type": "input_text", "text": "log 3"}])]
ALL = [SYSTEM, ASK, *LOOK, *FOUND]
ROUND: list[Item] = [
    {"request": body(SYSTEM, ASK), "response": response("r1", *LOOK)},
    {"request": body(*ALL), "response": response("r2", DONE)},
]
CHAIN: list[Item] = [
    ROUND[0],
    {"request": body(*FOUND, previous_response_id="r1"), "response": response("r2", DONE)},
]


def data_of(value: Any) -> bytes:
    return json.dumps(value).encode()


def http(entry: Item, path: str = "", as_text: bool = False) -> Item:
    asked, came = entry["request"], entry["response"]
    uri = {"uri": f"https://api.example/v1/responses{path}"}
    if as_text:
        came = {"body": {"string": json.dumps(came)}, "status": {"code": 200}}
        return {"request": {**uri, "body": json.dumps(asked)}, "response": came}
    return {"request": {**uri, "parsed_body": asked}, "response": {"parsed_body": came}}


CONTAINERS = {
    "a list": data_of(ROUND),
    "lines": b"".join(data_of(one) + b"\n" for one in ROUND),
    "HTTP with parsed bodies": data_of({"interactions": [http(one) for one in ROUND]}),
    "HTTP with texts": data_of({"interactions": [http(one, "", True) for one in ROUND]}),
    "bodies with responses": data_of([{**e["request"], "response": e["response"]} for e in ROUND]),
    "the last call only": data_of(ROUND[1]),
    "a chain": data_of(CHAIN),
    "a chain in a cassette": data_of({"interactions": [http(one, "", True) for one in CHAIN]}),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_round_and_an_answer(name: str, tmp_path: Path) -> None:
    """Every container gives the same run: two calls, two results paired by ``call_id``."""
    path = tmp_path / "calls.json"
    path.write_bytes(CONTAINERS[name])
    assert detect(CONTAINERS[name]) == "openai-responses"
    scenario = load_transcript(path)
    assert len(scenario.runs) == 1
    run = replay(scenario)
    assert (run.model_calls, run.tool_rounds, run.tool_calls) == (2, 1, 2)
    assert (run.result, run.terminal_reason) == ("Whitby.", "completed")
    request = scenario.runs[0].request
    assert request.messages == [{"role": "user", "content": QUESTION}]
    assert request.system == [text_block("Be kind."), text_block("Be brief.")]


def test_a_reply_is_all_items_in_a_row() -> None:
    """Thoughts, words and calls are one reply; what the server encrypted stays with it."""
    turn = read(data_of(ROUND)).runs[0].takes[0].turns[0]
    assert turn.response is not None
    thought, said, first, _ = turn.response["content"]
    assert (thought["thinking"], thought["encrypted_content"]) == ("Hm.\n\nSo.", "gAAA")
    assert (said["text"], first["input"]) == ("I look.", {"place": "log"})
    assert turn.results == [
        tool_result("b", "chart 7"),
        {"type": "tool_result", "tool_use_id": "a", "content": [text_block("log 3")]},
    ]
    assert (turn.response["stop_reason"], turn.response["status"]) == ("tool_use", "completed")
    assert turn.inferred == ["/response/stop_reason"]
    assert turn.response["usage"]["cache_read_input_tokens"] == 8


REFUSAL = message({"type": "refusal", "refusal": "I can't."})


@pytest.mark.parametrize(
    ("items", "status", "reason", "flag"),
    [
        ([DONE], "completed", None, "end_turn"),
        ([call("a")], "completed", None, "tool_use"),
        ([DONE], "incomplete", "max_output_tokens", "max_tokens"),
        ([DONE], "incomplete", "content_filter", "refusal"),
        ([DONE], "incomplete", "steered", "steered"),
        ([REFUSAL], "completed", None, "refusal"),
    ],
)
def test_the_reason_comes_from_status_and_items(
    items: list[Item], status: str, reason: str | None, flag: str
) -> None:
    """This API has no word for asking for tools; the raw status and details are kept."""
    details = None if reason is None else {"reason": reason}
    came = response("r1", *items, status=status, incomplete_details=details)
    outside = read(data_of([{"request": body(ASK), "response": came}]))
    assert flags(outside) == [[flag]]
    reply = outside.runs[0].takes[0].turns[0].response
    assert reply is not None
    assert (reply["status"], reply.get("incomplete_details")) == (status, details)


def test_items_alone() -> None:
    """A list of items is a run; the API is asked again when results are followed by more."""
    found = [output("c", {"content": "no", "success": False}), output("d", {"type": "screenshot"})]
    items = [*ALL, call("c", "{"), call("d"), *found, DONE]
    for data in (data_of(items), data_of({"object": "list", "data": items})):
        outside = read(data)
        assert (outside.format, calls_of(outside)) == ("openai-responses", [3])
        second = outside.runs[0].takes[0].turns[1]
        assert second.response is not None
        assert second.response["content"][0]["input"] == {UNPARSED: "{"}
        assert second.results == [
            tool_result("c", "no", is_error=True),
            {"type": "tool_result", "tool_use_id": "d", "content": [{"type": "screenshot"}]},
        ]


def test_calls_of_other_kinds() -> None:
    """What the client carries out is a request; what the server did stays an item."""
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
    shell = {"type": "local_shell_call", "call_id": "s", "action": {"command": ["ls"]}}
    custom = {"type": "custom_tool_call", "call_id": "p", "name": "patch", "input": "*** Begin"}
    done = {"type": "shell_call", "call_id": "x", "action": {"commands": ["ls"]}}
    gave = {"type": "shell_call_output", "call_id": "x", "output": []}
    came = response("r1", search, shell, custom, done, gave)
    turn = read(data_of([{"request": body(ASK), "response": came}])).runs[0].takes[0].turns[0]
    assert turn.response is not None
    asked = [one for one in turn.response["content"] if one["type"] == "tool_use"]
    assert [(one["name"], one["input"]) for one in asked] == [
        ("local_shell", {"action": {"command": ["ls"]}}),
        ("patch", {"input": "*** Begin"}),
    ]
    assert [one for one in turn.response["content"] if one not in asked] == [search, done, gave]


def test_a_chain_whose_beginning_is_missing() -> None:
    """What the server still knew and the file does not is said to be missing."""
    outside = read(data_of([CHAIN[1]]))
    assert calls_of(outside) == [1]
    assert outside.findings.number("format.not_recorded") == 1
    assert outside.findings.number("format.orphan_result") == 2


def test_a_chain_that_was_gone_on_with_twice() -> None:
    """A second request after the same response is a fork of the conversation."""
    again = {
        "request": body({"role": "user", "content": "And?"}, previous_response_id="r2"),
        "response": response("r3", DONE),
    }
    other = {**again, "response": response("r4", DONE)}
    other["request"] = body({"role": "user", "content": "Or?"}, previous_response_id="r2")
    outside = read(data_of([*CHAIN, again, other]))
    assert started(outside) == ["prompt", "prompt", "fork"]
    assert len(outside.runs[2].request.messages) == len(outside.runs[1].request.messages) == 5


def test_a_conversation_on_the_server() -> None:
    """Requests name the conversation; each holds only what is new, its first included."""
    talk = {"conversation": {"id": "conv_1"}}
    calls = [
        {"request": body(ASK, **talk), "response": response("r1", *LOOK)},
        {"request": body(*FOUND, conversation="conv_1"), "response": response("r2", DONE)},
    ]
    outside = read(data_of(calls))
    assert (calls_of(outside), list(outside.findings.problems())) == ([2], [])


def test_responses_alone_are_chained() -> None:
    """Without the requests, what was sent in between is not recorded."""
    came = [response("r1", *LOOK), response("r2", DONE, previous_response_id="r1")]
    outside = read(data_of(came))
    assert (outside.format, calls_of(outside)) == ("openai-responses", [1, 1])
    assert started(outside) == ["prompt", "continued"]


def test_a_call_in_the_background_is_one_call() -> None:
    """It is asked after until it is done: the last answer counts, the others are counted."""
    waiting = response("r1", status="queued")
    calls = [http({"request": ROUND[0]["request"], "response": waiting})]
    for state in (waiting, {**waiting, "status": "in_progress"}, response("r1", *LOOK)):
        calls.append(http({"request": None, "response": state}, "/r1", as_text=True))
    outside = read(data_of({"interactions": [*calls, http(CHAIN[1])]}))
    assert (calls_of(outside), flags(outside)) == ([2], [["tool_use", "end_turn"]])
    assert outside.findings.number("format.polled") == 3
    assert list(outside.findings.faults()) == []
    unfinished = read(data_of({"interactions": calls[:3]}))
    assert (calls_of(unfinished), unfinished.prompts) == ([0], 1)
    gone = http({"request": None, "response": {**waiting, "status": "cancelled"}}, "/r1/cancel")
    turn = read(data_of({"interactions": [*calls[:2], gone]})).runs[0].takes[0].turns[0]
    assert turn.attempts[0].error["error"]["type"] == "cancelled"


def test_clients_that_send_the_items_id_back() -> None:
    """Some send a call's item id in place of its ``call_id``: still the same call."""
    echo = [{**one, "call_id": "fc_" + one["call_id"]} for one in [*LOOK[2:], *FOUND]]
    calls = [ROUND[0], {**ROUND[1], "request": body(SYSTEM, ASK, *LOOK[:2], *echo)}]
    outside = read(data_of(calls))
    assert (calls_of(outside), list(outside.findings.problems())) == ([2], [])


def test_a_compaction_begins_a_run() -> None:
    """What stands for the messages before is where another run begins; its call is no model's."""
    summary = {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAA"}
    compact = http({"request": body(*ALL, DONE), "response": {"output": [summary]}}, "/compact")
    more = {"role": "user", "content": "And then?"}
    last = http({"request": body(summary, more), "response": response("r3", DONE)})
    outside = read(data_of({"interactions": [*map(http, ROUND), compact, last]}))
    assert (calls_of(outside), started(outside)) == ([2, 1], ["prompt", "compaction"])
    assert outside.findings.number("format.other_provider") == 1
    assert outside.prompts == 2


def test_errors_are_failed_calls() -> None:
    """A status of 400, a failed response, an error in a stream."""
    refused = http(ROUND[0])
    refused["response"] = {"status": {"code": 400}, "parsed_body": {"error": {"message": "No."}}}
    broken = response("r1", status="failed", error={"code": "server_error", "message": "Oh."})
    stream = 'data: {"type": "error", "code": "c", "message": "Cut."}\n\n'
    streamed = {"request": body(ASK), "response": {"status": 200, "body": stream}}
    for entry, said in (
        (refused, "No."),
        ({"request": body(ASK), "response": broken}, "Oh."),
        (streamed, "Cut."),
    ):
        turn = read(data_of({"interactions": [entry]})).runs[0].takes[0].turns[0]
        assert turn.response is None
        assert turn.attempts[0].error["error"]["message"] == said


def events(*values: Item) -> str:
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in values)


STREAM: list[Item] = [
    {"type": "response.created", "response": response("r1", status="in_progress")},
    {"type": "response.output_item.added", "output_index": 0, "item": message()},
    {"type": "response.output_text.delta", "output_index": 0, "delta": "I lo"},
    {"type": "response.output_text.delta", "output_index": 0, "delta": "ok."},
    {"type": "response.output_item.added", "output_index": 1, "item": call("a", "")},
    {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": '{"pl'},
    {"type": "response.output_item.done", "output_index": 1, "item": call("a")},
    {"type": "response.completed", "response": response("r1", *LOOK)},
]


def test_streamed_responses() -> None:
    """The last event holds all; a stream that was cut off goes as far as it does."""
    for count, expected in ((8, ["Hm.", "I look.", {}]), (6, ["I look.", {UNPARSED: '{"pl'}])):
        stream = events(*STREAM[:count])
        entry = {"request": body(ASK), "response": {"body": {"string": stream}}}
        turn = read(data_of([entry])).runs[0].takes[0].turns[0]
        assert turn.response is not None
        assert turn.response["stop_reason"] == "tool_use"
        shown = [
            one.get("text", one.get("input", one.get("thinking")))
            for one in turn.response["content"]
        ]
        assert shown[-1] == expected[-1]
        assert expected[-2] in shown


@pytest.mark.parametrize(
    "value",
    [
        {"input": "x", "model": "embed"},
        [{"type": "message", "text": "x"}],
        {"output": []},
        [{"type": "function_call_output"}],
    ],
    ids=repr,
)
def test_what_only_looks_alike_is_not_claimed(value: Any) -> None:
    """An embedding has an input too, a chat program's log has messages."""
    assert detect(data_of(value)) is None


def test_a_text_part_without_a_text() -> None:
    """A damaged part is kept or left out; the items around it are read."""
    odd = {"type": "text"}
    items = [{**SYSTEM, "content": [odd]}, ASK, {**THOUGHT, "summary": [odd]}, DONE]
    assert calls_of(read(data_of(items))) == [1]


def test_items_that_refer_to_others() -> None:
    """A reference stands for the item of its name in an earlier call; one to none is counted."""
    names = [{"type": "item_reference", "id": one["id"]} for one in LOOK]
    names[1] = {"id": "msg_1"}
    whole = {"request": body(SYSTEM, ASK, *names, *FOUND), "response": response("r2", DONE)}
    outside = read(data_of([ROUND[0], whole]))
    assert calls_of(outside) == [2]
    assert outside.findings.number("format.not_recorded") == 0
    lost = {"type": "item_reference", "id": "msg_9"}
    outside = read(data_of([{**whole, "request": body(ASK, lost, *FOUND)}]))
    assert outside.findings.number("format.not_recorded") == 1
