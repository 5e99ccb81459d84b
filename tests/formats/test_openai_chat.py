"""Calls of the Chat Completions API, in the containers that people keep them in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.made import text_block, tool_result, write
from tests.made_outside import QUESTION, calls_of, flags, started
from visualizer.engine import replay
from visualizer.errors import TranscriptError
from visualizer.formats import detect, read
from visualizer.loading import load_transcript
from visualizer.transcript.records import Turn
from visualizer.transcript.world import UNPARSED

Message = dict[str, Any]
SYSTEM: Message = {"role": "system", "content": "Be brief."}
ASK: Message = {"role": "user", "content": QUESTION}


def call(name: str, arguments: str = "{}") -> Message:
    return {"id": name, "type": "function", "function": {"name": "look", "arguments": arguments}}


def tool(name: str, content: Any = "found") -> Message:
    return {"role": "tool", "tool_call_id": name, "content": content}


def said(content: Any, *calls: Message, **more: Any) -> Message:
    made: Message = {"role": "assistant", "content": content, **more}
    return {**made, "tool_calls": list(calls)} if calls else made


def completion(message: Message, reason: Any = "stop", **more: Any) -> Message:
    usage = {
        "prompt_tokens": 20,
        "completion_tokens": 5,
        "total_tokens": 25,
        "prompt_tokens_details": {"cached_tokens": 8},
    }
    choice = {"index": 0, "message": message, "finish_reason": reason}
    return {"id": "c1", "object": "chat.completion", "choices": [choice], "usage": usage, **more}


def body(*messages: Message, **more: Any) -> Message:
    return {"model": "model-y", "max_completion_tokens": 99, "messages": list(messages), **more}


LOOK = said(None, call("a", '{"place": "log"}'), call("b", '{"place": "chart"}'))
FOUND = (tool("b", "chart 7"), tool("a", "log 3"))
ALL = [SYSTEM, ASK, LOOK, *FOUND]
ROUND: list[Message] = [
    {"request": body(SYSTEM, ASK), "response": completion(LOOK, "tool_calls")},
    {"request": body(*ALL), "response": completion(said("Whitby."))},
]


def data_of(value: Any) -> bytes:
    return json.dumps(value).encode()


def http(entry: Message, as_text: bool) -> Message:
    asked, came = entry["request"], entry["response"]
    uri = {"uri": "https://api.example/v1/chat/completions", "method": "POST"}
    if as_text:
        came = {"body": {"string": json.dumps(came)}, "status": {"code": 200}}
        return {"request": {**uri, "body": json.dumps(asked)}, "response": came}
    return {"request": {**uri, "parsed_body": asked}, "response": {"parsed_body": came}}


def turns_of(*entries: Message) -> list[Turn]:
    return read(data_of(list(entries))).runs[0].takes[0].turns


def reply_to(message: Message, reason: Any = "stop") -> Message:
    """The one reply in a call, as the loop gets it."""
    turns = turns_of({"request": body(SYSTEM, ASK), "response": completion(message, reason)})
    assert turns[0].response is not None
    return turns[0].response


CONTAINERS = {
    "a list": data_of(ROUND),
    "lines": b"".join(data_of(one) + b"\n" for one in ROUND),
    "bodies with responses": data_of([{**e["request"], "response": e["response"]} for e in ROUND]),
    "HTTP with parsed bodies": data_of({"interactions": [http(e, False) for e in ROUND]}),
    "HTTP with texts": data_of({"http_interactions": [http(e, True) for e in ROUND]}),
    "the last call only": data_of(ROUND[1]),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_round_and_an_answer(name: str, tmp_path: Path) -> None:
    """Every container gives the same run: two calls, two results paired by id."""
    path = tmp_path / "calls.json"
    path.write_bytes(CONTAINERS[name])
    assert detect(CONTAINERS[name]) == "openai-chat"
    scenario = load_transcript(path)
    run = replay(scenario)
    assert (run.model_calls, run.tool_rounds, run.tool_calls) == (2, 1, 2)
    assert (run.result, run.terminal_reason) == ("Whitby.", "completed")
    request = scenario.runs[0].request
    assert (request.model, request.system, request.max_tokens) == ("model-y", "Be brief.", 99)


def test_a_reason_is_mapped_and_kept_beside() -> None:
    """The loop compares the Messages API's word; it is marked, the raw one stands beside it."""
    first, last = turns_of(*ROUND)
    assert first.response is not None
    assert last.response is not None
    assert (first.response["stop_reason"], first.response["finish_reason"]) == (
        "tool_use",
        "tool_calls",
    )
    assert (last.response["stop_reason"], last.response["finish_reason"]) == ("end_turn", "stop")
    assert first.inferred == last.inferred == ["/response/stop_reason"]


@pytest.mark.parametrize(
    ("reason", "message", "flag"),
    [
        ("stop", LOOK, "tool_use"),
        ("length", LOOK, "max_tokens"),
        ("length", said("Whit"), "max_tokens"),
        ("content_filter", said(""), "refusal"),
        ("tool_calls", said("None after all."), "end_turn"),
        (None, said("Whit"), "end_turn"),
        ("eos_by_vendor", said("Whitby."), "eos_by_vendor"),
    ],
)
def test_calls_decide_whether_tools_are_asked_for(reason: Any, message: Message, flag: str) -> None:
    """A forced call comes with ``stop``; an unknown word is not turned into an end."""
    assert reply_to(message, reason)["stop_reason"] == flag


def test_token_counts_are_told_apart() -> None:
    """Here the tokens sent include those from the cache, in the Messages API they do not."""
    usage = reply_to(said("Whitby."))["usage"]
    assert (usage["input_tokens"], usage["cache_read_input_tokens"]) == (12, 8)
    assert (usage["output_tokens"], usage["prompt_tokens"]) == (5, 20)


def test_a_refusal_is_a_text_and_a_reason() -> None:
    """``message.refusal`` says that the model refused, whatever ``finish_reason`` says."""
    reply = reply_to(said(None, refusal="I can't help with that."))
    assert reply["content"] == [text_block("I can't help with that.")]
    assert (reply["stop_reason"], reply["refusal"]) == ("refusal", "I can't help with that.")


@pytest.mark.parametrize("text", ['{"place": "lo', "[1]", '{"n": NaN}', "7", '"\\ud83d"'])
def test_arguments_that_are_no_object_are_kept_as_text(text: str) -> None:
    """The model wrote them; what does not parse is shown as it was."""
    assert reply_to(said(None, call("a", text)))["content"][0]["input"] == {UNPARSED: text}


def test_calls_of_other_shapes() -> None:
    """Flat calls with an object or no arguments, calls with a text, old ones without an id."""
    flat = {"id": "a", "name": "look", "arguments": {"place": "log"}}
    custom = {"id": "b", "type": "custom", "custom": {"name": "patch", "input": "*** Begin"}}
    old = {"name": "look", "arguments": ""}
    turn = turns_of(
        {
            "request": body(SYSTEM, ASK),
            "response": completion(said(None, flat, custom, function_call=old)),
        }
    )[0]
    assert turn.response is not None
    blocks = [(one["id"], one["name"], one["input"]) for one in turn.response["content"]]
    assert blocks[:2] == [("a", "look", {"place": "log"}), ("b", "patch", {"input": "*** Begin"})]
    assert blocks[2][1:] == ("look", {})
    assert turn.inferred == ["/response/stop_reason", "/response/content/2/id"]


def test_an_old_call_and_its_result() -> None:
    """A call without an id has one result, in the message after it."""
    first = said(None, function_call={"name": "look", "arguments": '{"place": "log"}'})
    found = {"role": "function", "name": "look", "content": "log 3"}
    second = said(None, function_call={"name": "look", "arguments": "{}"})
    calls = [
        {"request": body(ASK), "response": completion(first, "function_call")},
        {"request": body(ASK, first, found), "response": completion(second, "function_call")},
        {
            "request": body(ASK, first, found, second, found),
            "response": completion(said("Whitby.")),
        },
    ]
    outside = read(data_of(calls))
    assert (calls_of(outside), flags(outside)) == ([3], [["tool_use", "tool_use", "end_turn"]])
    assert list(outside.findings.problems()) == []


def test_bare_messages() -> None:
    """A list of messages is a run; results of one reply are one message of the loop."""
    bare = [*ALL, said("Whitby.")]
    for data in (data_of(bare), data_of({"messages": bare}), data_of([body(*bare)])):
        outside = read(data)
        assert (outside.format, calls_of(outside)) == ("openai-chat", [2])
        assert outside.runs[0].takes[0].turns[0].results == [
            tool_result("b", "chart 7"),
            tool_result("a", "log 3"),
        ]


def test_messages_of_a_simulation() -> None:
    """A benchmark's file holds the messages deeper down, calls flat, and says what failed."""
    flat = {"id": "a", "name": "look", "arguments": {}, "requestor": "assistant"}
    failed = {"role": "tool", "id": "a", "content": "no such place", "error": True}
    messages = [said("Hello."), ASK, said(None, flat), failed, said("Nowhere.", tool_calls=None)]
    outside = read(data_of({"task": {}, "simulation_run": {"messages": messages}}))
    assert calls_of(outside) == [1, 2]
    assert outside.runs[1].takes[0].turns[0].results == [
        tool_result("a", "no such place", is_error=True)
    ]
    trial = {"task_id": 0, "reward": 0.0, "traj": [*ALL, said("Whitby.")]}
    trials = read(data_of([trial, {**trial, "trial": 1}]))
    assert (calls_of(trials), started(trials)) == ([2, 2], ["prompt", "prompt"])


def test_a_trial_without_messages_has_nothing_to_run(tmp_path: Path) -> None:
    """It failed before its first call: the line says that there is nothing, not what it is."""
    path = write(tmp_path / "trials.json", [{"task_id": 0, "reward": 0.0, "traj": []}])
    with pytest.raises(TranscriptError, match="openai-chat"):
        load_transcript(path)


def test_orphans_and_requests_without_results() -> None:
    """Pairs are made by id: what answers nothing is counted, as what was never answered."""
    outside = read(data_of([ASK, LOOK, tool("a"), tool("z"), said("Whitby.")]))
    assert outside.findings.number("format.orphan_result") == 1
    assert outside.findings.number("format.unanswered") == 1


def test_instructions_in_the_middle_are_inserted() -> None:
    """A developer's message between others is what the host put into one request."""
    more = {"role": "developer", "content": [{"type": "text", "text": "Be quick."}]}
    outside = read(data_of([*ALL, more, said("Whitby.")]))
    turn = outside.runs[0].takes[0].turns[1]
    assert [put.content for put in turn.inserted] == [[text_block("Be quick.")]]


def test_thoughts_and_parts_of_other_kinds_are_kept() -> None:
    """Vendors give thoughts a key of their own; a picture stays what it was."""
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    asked = {"role": "user", "content": [{"type": "text", "text": QUESTION}, picture]}
    outside = read(data_of([asked, said("Whitby.", reasoning_content="Hm."), tool("x")]))
    assert outside.runs[0].request.messages == [asked]
    reply = outside.runs[0].takes[0].turns[0].response
    assert reply is not None
    assert reply["content"] == [{"type": "thinking", "thinking": "Hm."}, text_block("Whitby.")]


def test_clients_that_send_thoughts_back_as_text_go_on() -> None:
    """What is sent back with its thoughts in the text continues the conversation."""
    echo = said("<think>\nHm.\n</think>", *LOOK["tool_calls"])
    calls = [ROUND[0], {**ROUND[1], "request": body(SYSTEM, ASK, echo, *FOUND)}]
    assert calls_of(read(data_of(calls))) == [2]


def chunks(*deltas: Message, reason: str | None = "tool_calls") -> str:
    """A stream of pieces, the counts in a last one without a choice."""
    made: list[Message] = [{"choices": [{"index": 0, "delta": one}]} for one in deltas]
    made.append({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
    made.append({"id": "c1", "choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}})
    lines = [json.dumps(one, ensure_ascii=False) for one in made]
    return "".join(f"data: {line}\r\n\r\n" for line in [*lines, "[DONE]"])


def piece(index: int, arguments: str, **more: Any) -> Message:
    inner = {"arguments": arguments, **{k: v for k, v in more.items() if k == "name"}}
    outer = {"id": more["id"]} if "id" in more else {}
    return {"tool_calls": [{"index": index, **outer, "function": inner}]}


STREAM = chunks(
    {"role": "assistant", "content": "I look\u2028up."},
    piece(0, "", id="a", name="look"),
    piece(0, '{"pla'),
    piece(1, "{}", id="b", name="look"),
    piece(0, 'ce": "log"}'),
)


def test_streamed_replies_are_put_together() -> None:
    """Pieces of two calls come in turn; each goes where its index says."""
    asked = {"uri": "https://api.example/chat/completions?v=1", "body": data_of(body(ASK)).decode()}
    entry = {"request": asked, "response": {"status": 200, "body": {"string": STREAM}}}
    turn = turns_of(entry)[0]
    assert turn.response is not None
    inputs = [block.get("input", block.get("text")) for block in turn.response["content"]]
    assert inputs == ["I look\u2028up.", {"place": "log"}, {}]
    assert turn.response["usage"]["input_tokens"] == 7
    assert turn.response["stop_reason"] == "tool_use"


def test_a_stream_that_fails_or_is_cut_off() -> None:
    """An error in a stream is a failed call; a cut off one goes as far as it does."""
    failed = 'data: {"error": {"message": "Tool call failed", "type": "server_error"}}\n\n'
    turn = turns_of({"request": body(SYSTEM, ASK), "response": {"body": failed}})[0]
    assert turn.response is None
    assert turn.attempts[0].error["error"]["message"] == "Tool call failed"
    cut = STREAM[: STREAM.index('ce\\"')]
    turn = turns_of({"request": body(SYSTEM, ASK), "response": {"body": cut}})[0]
    assert turn.response is not None
    assert turn.response["content"][1]["input"] == {UNPARSED: '{"pla'}
    assert "/response/usage/output_tokens" in turn.inferred


def test_parameters_that_came_later_are_read() -> None:
    """A body is known by what must be there."""
    outside = read(data_of({**body(SYSTEM, ASK, LOOK, *FOUND, said("Whitby.")), "new_one": {}}))
    assert calls_of(outside) == [2]


def test_a_refused_request_that_is_sent_again(tmp_path: Path) -> None:
    """The same request failed twice and then came through: one run, two attempts."""
    failed = http(ROUND[0], False)
    failed["response"] = {"status": {"code": 429}, "body": {"string": '{"error": "Slow down"}'}}
    data = {"interactions": [failed, failed, http(ROUND[0], False), http(ROUND[1], True)]}
    scenario = load_transcript(write(tmp_path / "calls.json", data))
    attempts = scenario.runs[0].takes[0].turns[0].attempts
    assert [(one.status, one.handled) for one in attempts] == [(429, True)] * 2
    assert replay(scenario).result == "Whitby."
    only = {"interactions": [failed, failed]}
    assert replay(load_transcript(write(tmp_path / "x.json", only))).terminal_reason == "raised"


def test_other_calls_in_a_cassette_are_left_out() -> None:
    """Another provider, a search, an embedding: counted. A title is a run of its own."""
    search = {"request": {"uri": "https://search.example/s", "body": "q=x"}, "response": {}}
    other = {
        "request": {"uri": "https://api.example/v1/embeddings", "parsed_body": {"input": "x"}},
        "response": {"parsed_body": {"data": []}},
    }
    title = {"request": body({**ASK, "content": "A title?"}), "response": completion(said("Sea"))}
    calls = [search, http(ROUND[0], True), other, http(title, False), http(ROUND[1], True)]
    outside = read(data_of({"interactions": calls}))
    assert (calls_of(outside), started(outside)) == ([2, 1], ["prompt", "prompt"])
    assert outside.findings.number("format.other_provider") == 2
    assert detect(data_of([search, other])) is None


@pytest.mark.parametrize(
    "value",
    [
        {"messages": ALL, "info": {}, "trajectory_format": "t"},
        [{"role": "user", "content": "x"}],
        {"choices": []},
        {"messages": [{"role": "tool"}, 7], "model": "m"},
    ],
    ids=repr,
)
def test_what_only_looks_alike_is_not_claimed(value: Any) -> None:
    """Trajectories hold such messages too, with more around them."""
    assert detect(data_of(value)) != "openai-chat"


def test_a_reply_alone() -> None:
    """A bare completion is a run whose request is not recorded."""
    outside = read(data_of(completion(said("Whitby."))))
    assert (outside.format, calls_of(outside)) == ("openai-chat", [1])
    assert outside.findings.number("format.not_recorded") == 1


def test_half_a_character_in_arguments() -> None:
    """It is made good and counted before the arguments are looked at."""
    broken = said(None, call("a", "@@"))
    entry = {"request": body(SYSTEM, ASK), "response": completion(broken, "tool_calls")}
    outside = read(data_of([entry]).replace(b"@@", rb"\ud800{}"))
    reply = outside.runs[0].takes[0].turns[0].response
    assert reply is not None
    assert reply["content"][0]["input"] == {UNPARSED: "\ufffd{}"}
    assert outside.findings.number("format.repaired") == 1


def test_further_choices_are_counted() -> None:
    """The run goes on with the first; how many were left aside is said, and is no fault."""
    reply = completion(said("Whitby."))
    reply["choices"] += [{"message": said("Hull."), "finish_reason": "stop"}] * 2
    outside = read(
        data_of([{"request": body(ROUND[0]["request"]["messages"][0]), "response": reply}])
    )
    assert outside.findings.number("format.other_choices") == 2
    assert list(outside.findings.faults()) == []
    other = {"choices": [{"index": 1, "delta": {"content": "Hull."}}]}
    streamed = STREAM.replace("data: ", f"data: {json.dumps(other)}\n\ndata: ", 1)
    outside = read(data_of([{"request": body(), "response": {"body": streamed}}]))
    assert outside.findings.number("format.other_choices") == 1
