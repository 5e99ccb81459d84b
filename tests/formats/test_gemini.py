"""Calls of the Gemini API: contents, requests with responses, responses alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.made import jsonl
from tests.made_outside import QUESTION, calls_of, flags, started
from visualizer.formats import Outside, detect, read

Entry = dict[str, Any]
Change = Callable[[list[Entry]], list[Entry]]


def content(role: str, *parts: Entry) -> Entry:
    return {"role": role, "parts": list(parts)}


def called(name: str, known: str | None = None, **given: Any) -> Entry:
    call = {"name": name, "args": given}
    return {"functionCall": call if known is None else {**call, "id": known}}


def came(name: str, known: str | None = None, **response: Any) -> Entry:
    made = {"name": name, "response": response}
    return {"functionResponse": made if known is None else {**made, "id": known}}


def response(*parts: Entry, flag: str | None = "STOP") -> Entry:
    candidate: Entry = {"content": content("model", *parts), "index": 0}
    return {"candidates": [candidate if flag is None else {**candidate, "finishReason": flag}]}


ASK = content("user", {"text": QUESTION})
LOOK = content("model", {"text": "Hm.", "thought": True}, called("look", "a"), called("look", "b"))
FOUND = content("user", came("look", "b", error="Gone."), came("look", "a", output="log 3"))
DONE = content("model", {"text": "Whitby."})
CONTENTS = [ASK, LOOK, FOUND, DONE]
EXCHANGES = [
    {"request": {"contents": CONTENTS[:1]}, "response": response(*LOOK["parts"])},
    {"request": {"contents": CONTENTS[:3]}, "response": response(*DONE["parts"])},
]


def read_it(value: Any) -> Outside:
    return read(json.dumps(value).encode())


def test_bare_contents() -> None:
    """Responses are paired by id, an error is one, a thought is a thought."""
    assert detect(json.dumps(CONTENTS).encode()) == "gemini"
    outside = read_it(CONTENTS)
    first = outside.runs[0].takes[0].turns[0]
    assert first.response is not None
    assert (calls_of(outside), outside.prompts) == ([2], 1)
    assert flags(outside) == [["tool_use", "end_turn"]]
    assert first.inferred == ["/response/stop_reason"]
    assert first.response["content"][0] == {"type": "thinking", "thinking": "Hm."}
    results = [(one["content"], one.get("is_error", False)) for one in first.results or []]
    assert results == [("Gone.", True), ("log 3", False)]
    assert list(outside.findings.problems()) == []


def test_calls_without_ids() -> None:
    """A response answers the first call of its name that waits, and that is marked."""
    asks = content("model", called("look"), called("list"), called("look"))
    gave = content("user", *(came(name, output=name) for name in ("list", "look", "look")))
    outside = read_it([ASK, asks, gave, DONE])
    turn = outside.runs[0].takes[0].turns[0]
    answered = [one["tool_use_id"] for one in turn.results or []]
    assert answered == [f"call-{number}" for number in (2, 1, 3)]
    assert {f"/results/{number}/tool_use_id" for number in range(3)} <= set(turn.inferred)
    assert "/response/content/0/id" in turn.inferred


def test_requests_with_responses() -> None:
    """A request that begins as the one before goes on with it; nothing is inferred."""
    first, last = EXCHANGES
    about = {"systemInstruction": {"parts": [{"text": "You are a sailor."}]}, "model": "model-x"}
    declared = [{"functionDeclarations": [{"name": "look", "parameters": {"type": "object"}}]}]
    asked = {**first["request"], **about, "tools": declared}
    outside = read_it([{**first, "request": asked}, last])
    run = outside.runs[0]
    assert (calls_of(outside), flags(outside)) == ([2], [["tool_use", "end_turn"]])
    assert [turn.inferred for turn in run.takes[0].turns] == [[], []]
    assert (run.request.system, run.request.model) == ("You are a sailor.", "model-x")
    assert run.request.tools == [{"name": "look", "input_schema": {"type": "object"}}]
    other = read_it([*EXCHANGES, {"contents": [content("user", {"text": "Else?"})]}])
    assert calls_of(other) == [2, 0]


def test_responses_alone() -> None:
    """Streams are put together; what was sent is not in the file."""
    pieces = [response({"text": "Whit"}, flag=None), response({"text": "by."})]
    usage = {"promptTokenCount": 20, "candidatesTokenCount": 4, "thoughtsTokenCount": 1}
    pieces[1]["usageMetadata"] = {**usage, "cachedContentTokenCount": 8}
    lines = [
        {"method": "generateContent", "response": response(called("look"))},
        {"method": "generateContentStream", "response": pieces},
    ]
    outside = read(jsonl(lines))
    assert outside.format == "gemini"
    assert (calls_of(outside), started(outside)) == ([1, 1], ["prompt", "continued"])
    last = outside.runs[1].takes[0].turns[0].response
    assert last is not None
    assert last["content"] == [{"type": "text", "text": "Whitby."}]
    tokens = {"input_tokens": 12, "output_tokens": 5, "cache_read_input_tokens": 8}
    assert last["usage"] == tokens
    assert outside.findings.number("format.not_recorded") == 2


def test_flags_and_errors() -> None:
    """Blocked prompts and replies are refusals, an error is a failed request."""
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}}
    long = response({"text": "Whit"}, flag="MAX_TOKENS")
    for made, flag in ((blocked, "refusal"), (long, "max_tokens")):
        assert flags(read_it({"contents": [ASK], "response": made})) == [[flag]]
    error = {"error": {"code": 429, "message": "Slowly."}}
    outside = read_it([{"contents": [ASK], "response": error}])
    assert outside.runs[0].takes[0].turns[0].attempts[0].status == 429


def test_what_the_command_line_client_puts_in() -> None:
    """Its setting and a snapshot are context, its canned answer is no call of the model."""
    texts = ("<session_context>\nMonday", "<state_snapshot>\nAt sea.")
    put = [content("user", {"text": text}) for text in texts]
    canned = content("model", {"text": "Got it. Thanks for the additional context!"})
    outside = read_it([*put, canned, *CONTENTS])
    assert (calls_of(outside), outside.prompts, started(outside)) == ([2], 1, ["compaction"])
    assert outside.findings.number("format.synthetic") == 1


def test_a_response_without_a_call() -> None:
    """One that answers nothing in the file is counted, and shown where it stood."""
    outside = read_it([ASK, DONE, content("user", came("look", "x", output="log")), DONE])
    assert calls_of(outside) == [1, 1]
    assert outside.findings.number("format.orphan_result") == 1


def http(exchange: Entry, as_stream: bool) -> Entry:
    """An exchange as a recorder of HTTP keeps it."""
    uri = "https://gemini.example/v1beta/models/model-x:"
    asked, given = json.dumps(exchange["request"]), json.dumps(exchange["response"])
    if as_stream:
        uri, given = uri + "streamGenerateContent?alt=sse", f"data: {given}\r\n\r\n"
    else:
        uri += "generateContent"
    return {"request": {"uri": uri, "body": asked}, "response": {"body": {"string": given}}}


@pytest.mark.parametrize("as_stream", [False, True])
def test_recorded_http(as_stream: bool) -> None:
    """Bodies are unpacked, the model is in the address; calls of another API are counted."""
    other = {"request": {"uri": "https://x.example/count", "body": "{}"}, "response": {}}
    kept = [http(one, as_stream) for one in EXCHANGES]
    outside = read_it({"interactions": [kept[0], other, kept[1]]})
    assert (outside.format, calls_of(outside)) == ("gemini", [2])
    assert outside.runs[0].request.model == "model-x"
    assert outside.findings.number("format.other_provider") == 1


def test_conversations_side_by_side() -> None:
    """Each request goes on with the one that it begins with, whoever called in between."""
    aside = {
        "request": {"contents": [content("user", {"text": "A title?"})]},
        "response": response({"text": "Harbours"}),
    }
    outside = read_it([EXCHANGES[0], aside, EXCHANGES[1]])
    assert calls_of(outside) == [2, 1]


def test_ids_that_the_client_gave() -> None:
    """A reply without ids that is sent back with some: the responses name those."""
    bare = [{"functionCall": {"name": "look", "args": {}}} for _ in range(2)]
    sent = content("model", {"text": ""}, called("look", "x"), called("look", "y"))
    gave = content("user", came("look", "y", output="chart 7"), came("look", "x", output="log 3"))
    first = {"request": {"contents": [ASK]}, "response": response(*bare)}
    last = {"request": {"contents": [ASK, sent, gave]}, "response": response(*DONE["parts"])}
    outside = read_it([first, last])
    turn = outside.runs[0].takes[0].turns[0]
    answered = [(one["tool_use_id"][-1], one["content"]) for one in turn.results or []]
    assert answered == [("2", "chart 7"), ("1", "log 3")]
    assert calls_of(outside) == [2]


def test_words_with_underscores() -> None:
    """Some clients write function_call and function_response."""
    asks = content("model", {"function_call": {"name": "look", "args": {}}})
    gave = content("user", {"function_response": {"name": "look", "response": {"output": "log"}}})
    outside = read_it([ASK, asks, gave, DONE])
    assert (calls_of(outside), flags(outside)) == ([2], [["tool_use", "end_turn"]])
    assert outside.findings.number("format.unanswered") == 0


def test_parts_of_another_kind() -> None:
    """They are kept under the name that they have, whatever else is in them."""
    picture = {"inlineData": {"mimeType": "image/png"}, "type": None, "thoughtSignature": "x"}
    outside = read_it([content("user", picture), content("model", picture, {"text": "A map."})])
    run = outside.runs[0]
    kept = {"inlineData": {"mimeType": "image/png"}, "type": "inlineData"}
    assert run.request.messages[0]["content"] == [kept]
    response = run.takes[0].turns[0].response
    assert response is not None
    assert response["content"][0] == kept


def test_the_same_request_again_is_another_conversation() -> None:
    """Asked three times, answered three times: nothing was sent that is not in the file."""
    one = {"request": {"contents": [ASK]}, "response": response({"text": "Whitby."})}
    outside = read_it([one, one, one])
    assert (outside.prompts, calls_of(outside)) == (3, [1, 1, 1])
    assert [len(run.request.messages) for run in outside.runs] == [1, 1, 1]
    assert list(outside.findings.problems()) == []


def test_which_of_several_conversations_goes_on() -> None:
    """The one whose reply is sent back, not the first that began alike."""
    texts = ("Whitby.", "Hull.", "Dover.")
    same = [{"contents": [ASK], "response": response({"text": text})} for text in texts]
    said = content("model", {"text": "Hu"}, {"text": "ll."})
    more = {"contents": [ASK, said, content("user", {"text": "Sure?"})]}
    outside = read_it([*same, {**more, "response": response({"text": "Yes."})}])
    assert calls_of(outside) == [1, 1, 1, 1]
    sent = outside.runs[3].request.messages
    assert sent[1]["content"] == [{"type": "text", "text": "Hull."}]


def test_a_history_that_was_rewritten() -> None:
    """The client sends other messages than it did: they were counted when they were said."""
    short = content("model", {"text": "I looked."})
    last = {"contents": [ASK, short, content("user", {"text": "So?"})]}
    outside = read_it([*EXCHANGES, {**last, "response": response({"text": "Whitby."})}])
    assert (outside.prompts, calls_of(outside)) == (1, [2, 1])
    assert started(outside) == ["prompt", "rewritten"]
    assert len(outside.runs[1].request.messages) == 3


def test_a_failed_request_that_was_sent_again() -> None:
    """It is an attempt of the call that was answered, not a run."""
    busy = {"contents": [ASK], "response": {"error": {"code": 503, "message": "Slowly."}}}
    good = {"contents": [ASK], "response": response({"text": "Whitby."})}
    outside = read_it([busy, busy, good])
    assert (outside.prompts, calls_of(outside)) == (1, [1])
    attempts = outside.runs[0].takes[0].turns[0].attempts
    assert [(one.status, one.handled) for one in attempts] == [(503, True), (503, True)]


def test_ids_that_only_the_responses_have() -> None:
    """A client made them: by name, then in their order, they answer calls without ids."""
    asks = content("model", called("look"), called("list"), called("look"))
    gave = [
        came("list", "2", output="c"),
        came("look", "1", output="a"),
        came("look", "3", output="b"),
    ]
    outside = read_it([ASK, asks, content("user", *gave), DONE])
    turn = outside.runs[0].takes[0].turns[0]
    told = [(one["tool_use_id"][-1], one["content"]) for one in turn.results or []]
    assert told == [("2", "c"), ("1", "a"), ("3", "b")]
    assert list(outside.findings.problems()) == []


def replies(count: int) -> list[Entry]:
    """Rounds, each with a text and a call, then an answer: what the model said."""
    said = [
        content("model", {"text": f"Page {at}. "}, called("look", page=at)) for at in range(count)
    ]
    return [*said, DONE]


def found(at: int, text: str) -> Entry:
    return content("user", came("look", output=f"{text} {at}"))


def recorded(change: Change, count: int = 3) -> Outside:
    """A run whose client changed each request in some way before it sent it."""
    sent, exchanges = [ASK], []
    for at, said in enumerate(replies(count)):
        asked = {"contents": change(list(sent)), "systemInstruction": "You are a sailor."}
        exchanges.append({"request": asked, "response": response(*said["parts"])})
        sent += [said, found(at, "log")]
    return read_it(exchanges)


def reminded(sent: list[Entry]) -> list[Entry]:
    return [*sent, content("user", {"text": f"Reminder: {len(sent)} messages."})]


def reminded_first(sent: list[Entry]) -> list[Entry]:
    return [content("user", {"text": f"It is {len(sent)} o'clock."}), *sent]


def cleared(sent: list[Entry]) -> list[Entry]:
    old = [found(at, "cleared") if at % 2 == 0 and at else one for at, one in enumerate(sent[:-1])]
    return [*old, *sent[-1:]]


def window(sent: list[Entry]) -> list[Entry]:
    return sent[-3:]


def first_and_last(sent: list[Entry]) -> list[Entry]:
    return [*sent[:1], *sent[1:][-2:]]


def trimmed(sent: list[Entry]) -> list[Entry]:
    def stripped(part: Entry) -> Entry:
        return {**part, "text": part["text"].strip()} if "text" in part else part

    return [content(one["role"], *map(stripped, one["parts"])) for one in sent]


@pytest.mark.parametrize(
    ("change", "kind", "number"),
    [
        (reminded, "not_kept", 4),
        (reminded_first, "not_kept", 4),
        (cleared, "changed_message", 2),
        (window, "left_out", 4),
        (first_and_last, "left_out", 4),
        (trimmed, "changed_reply", 3),
    ],
)
def test_a_client_that_changes_what_it_sends(change: Change, kind: str, number: int) -> None:
    """It is one run, each result stands with its call, and what was changed is said."""
    outside = recorded(change)
    turns = outside.runs[0].takes[0].turns
    assert (outside.prompts, calls_of(outside)) == (1, [4])
    told = [[one["content"] for one in turn.results or []] for turn in turns]
    assert told == [["log 0"], ["log 1"], ["log 2"], []]
    assert outside.findings.number(f"format.{kind}") == number
    assert list(outside.findings.faults()) == []


def test_ids_in_what_a_client_changed() -> None:
    """A changed message names the calls as the run does, though the file has no ids."""
    changed = recorded(trimmed).runs[0].takes[0].turns[2].changed
    asked = [[block.get("id") for block in one.messages[0]["content"]] for one in changed]
    assert asked == [[None, "call-1"], [None, "call-2"]]


def test_words_put_into_the_models_mouth() -> None:
    """A model's content at the end of a request is no reply: that came after it."""
    begun = content("model", {"text": "It is"})
    one = {"contents": [ASK, begun], "response": response({"text": " Whitby."})}
    whole = content("model", {"text": "It is Whitby."})
    last = {"contents": [ASK, whole, content("user", {"text": "Sure?"})]}
    outside = read_it([one, {**last, "response": response({"text": "Yes."})}])
    assert (outside.prompts, calls_of(outside)) == (2, [1, 1])


def test_a_request_without_a_response() -> None:
    """What was sent beside its contents is told all the same."""
    outside = read_it([{"contents": [ASK], "systemInstruction": "You are a sailor."}])
    assert outside.runs[0].request.system == "You are a sailor."


def test_responses_whose_calls_are_not_in_the_file() -> None:
    """They answer nothing, whatever another conversation's calls got."""
    aside = {"contents": [found(7, "log")], "response": response({"text": "Hull."})}
    outside = read_it([*EXCHANGES, aside])
    assert outside.findings.number("format.orphan_result") == 1
    assert outside.findings.number("format.double_result") == 0


def test_line_separators_in_a_stream() -> None:
    """Characters that only some programs take for the end of a line stay in the text."""
    told = "A\u2028one\u000ctwo\u0085three\u2029"
    pieces = [response({"text": told}, flag=None), response({"text": "Z"})]
    body = "".join(f"data: {json.dumps(one, ensure_ascii=False)}\r\n\r\n" for one in pieces)
    uri = "https://gemini.example/v1beta/models/model-x:streamGenerateContent?alt=sse"
    asked = {"uri": uri, "body": json.dumps({"contents": [ASK]})}
    torn = "event: message\n" + body + 'data: {"candidates": [{"con\n'
    outside = read_it([{"request": asked, "response": {"body": {"string": torn}}}])
    last = outside.runs[0].takes[0].turns[0].response
    assert last is not None
    assert last["content"] == [{"type": "text", "text": told + "Z"}]


def test_further_candidates_are_left_aside() -> None:
    """A run goes on with the first of several replies, and the others are counted."""
    made = response({"text": "Whitby."})
    made["candidates"] *= 3
    outside = read_it([{"contents": [ASK], "response": made}])
    assert calls_of(outside) == [1]
    assert outside.findings.number("format.other_choices") == 2
