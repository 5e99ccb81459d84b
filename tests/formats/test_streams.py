"""Streams of events as they came, and results of batches: replies without their requests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.made import jsonl
from tests.made_outside import calls_of, flags
from visualizer.formats import Outside, detect, read

Event = dict[str, Any]


def streamed(*events: Event, named: bool = True, end: str = "\n") -> str:
    """Events as a server sends them."""
    lines = []
    for event in events:
        if named and "type" in event:
            lines.append(f"event: {event['type']}")
        lines += [f"data: {json.dumps(event, ensure_ascii=False)}", ""]
    return "".join(f"{line}{end}" for line in lines)


def message(text: str, name: str = "m1") -> list[Event]:
    """A reply of the Messages API."""
    start = {"id": name, "type": "message", "role": "assistant", "model": "x", "content": []}
    return [
        {"type": "message_start", "message": start},
        {"type": "ping"},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
        {"type": "message_stop"},
    ]


def chunk(name: str, text: str, reason: str | None = None) -> Event:
    """A piece of a chat completion."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": reason}
    return {"id": name, "object": "chat.completion.chunk", "choices": [choice]}


def responded(name: str, text: str) -> list[Event]:
    """A response of the Responses API."""
    item = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": text}],
    }
    begun = {"id": name, "object": "response", "status": "in_progress", "output": []}
    return [
        {"type": "response.created", "response": begun},
        {
            "type": "response.completed",
            "response": {**begun, "status": "completed", "output": [item]},
        },
    ]


def piece(text: str, reason: str | None = None) -> Event:
    """A piece of a response of Gemini."""
    content = {"role": "model", "parts": [{"text": text}]}
    return {"candidates": [{"content": content, "finishReason": reason}]}


DONE = "data: [DONE]\n\n"
STREAMS = {
    "messages-api": streamed(*message("Whit\u2028by.")),
    "messages-api, as Windows prints it": streamed(*message("Whit\u2028by."), end="\r\n"),
    "messages-api, without names": streamed(*message("Whit\u2028by."), named=False),
    "messages-api, behind a comment": ": go\n\nretry: 5\n" + streamed(*message("Whit\u2028by.")),
    "openai-chat": streamed(chunk("1", "Whit\u2028"), chunk("1", "by.", "stop")) + DONE,
    "openai-responses": streamed(*responded("r1", "Whit\u2028by.")),
    "gemini": streamed(piece("Whit\u2028"), piece("by.", "STOP")),
}


def texts_of(outside: Outside) -> list[str]:
    """What each reply says."""
    return [
        "".join(str(block.get("text")) for block in turn.response["content"])
        for run in outside.runs
        for turn in run.takes[0].turns
        if turn.response
    ]


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_as_it_came_is_a_reply(name: str) -> None:
    """What a client prints of a call; nothing but a line feed ends a line of it."""
    data = STREAMS[name].encode()
    assert detect(data) == name.partition(",")[0]
    outside = read(data)
    assert (texts_of(outside), flags(outside)) == (["Whit\u2028by."], [["end_turn"]])
    assert outside.findings.number("format.not_recorded") == 1


SEVERAL = {
    "messages": streamed(*message("a"), *message("b")[:5], *message("c")),
    "chunks": streamed(chunk("1", "a", "stop")) + DONE + streamed(chunk("2", "b"), chunk("3", "c")),
    "responses": streamed(*responded("1", "a"), *responded("2", "b"), *responded("3", "c")),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_streams_one_after_another_are_a_reply_each(name: str) -> None:
    """Also where one was cut off, or its end is not told."""
    assert texts_of(read(SEVERAL[name].encode())) == ["a", "b", "c"]


def test_a_stream_of_an_error_is_a_failed_request() -> None:
    """The reply behind it is one."""
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    outside = read(streamed(error, *message("a")).encode())
    assert calls_of(outside) == [0, 1]
    (attempt,) = outside.runs[0].takes[0].turns[0].attempts
    assert attempt.error == error


def test_other_events_are_no_recording() -> None:
    """Whatever else a server sends."""
    assert detect(streamed({"type": "price", "value": 5}).encode()) is None


ODD: list[Any] = [{}, [], "0", 10**30, -1, None, True, 1.5]


@pytest.mark.parametrize("index", ODD, ids=repr)
def test_an_index_that_is_none_is_left_out(index: Any) -> None:
    """The rest of the reply is there."""
    events = message("Hull.")
    events.insert(3, {**events[3], "index": index})
    events.insert(2, {**events[2], "index": index})
    outside = read(streamed(*events).encode())
    assert "Hull." in texts_of(outside)[0]


def results(*given: dict[str, Any]) -> bytes:
    """Lines of a batch, each by a name of its own."""
    lines = [{"custom_id": f"r{number}", **one} for number, one in enumerate(given)]
    return jsonl(lines)


REPLY = {
    "id": "m1",
    "type": "message",
    "role": "assistant",
    "content": [{"type": "text", "text": "Whitby."}],
    "stop_reason": "end_turn",
}
COMPLETION = {
    "id": "c1",
    "object": "chat.completion",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "Whitby."},
            "finish_reason": "stop",
        }
    ],
}
LATE = {"response": None, "error": {"code": "batch_expired", "message": "Too late."}}
REFUSED = {"response": {"status_code": 429, "body": {"error": {"message": "No."}}}, "error": None}


def test_results_of_message_batches() -> None:
    """Each is a conversation of its own, whatever the id; what failed is a failed request."""
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": "No."}}
    outside = read(
        results(
            {"result": {"type": "succeeded", "message": REPLY}},
            {"result": {"type": "succeeded", "message": REPLY}},
            {"result": {"type": "errored", "error": error}},
            {"result": {"type": "errored", "error": {"type": "invalid_request"}}},
            {"result": {"type": "expired"}},
            {"result": {"type": "canceled"}},
        )
    )
    assert (outside.format, calls_of(outside)) == ("messages-api", [1, 1, 0, 0, 0, 0])
    kinds = [
        attempt.error["error"]["type"]
        for run in outside.runs
        for turn in run.takes[0].turns
        for attempt in turn.attempts
    ]
    assert kinds == ["invalid_request_error", "invalid_request", "expired", "canceled"]


@pytest.mark.parametrize(
    ("format_", "body"),
    [
        ("openai-chat", COMPLETION),
        ("openai-responses", responded("r1", "Whitby.")[1]["response"]),
    ],
)
def test_results_of_openai_batches(format_: str, body: dict[str, Any]) -> None:
    """The same for the two APIs that such a batch may be of."""
    answered = {"response": {"status_code": 200, "body": body}, "error": None}
    again = {"response": {"status_code": 200, "body": {**body, "id": "other"}}, "error": None}
    outside = read(results(answered, again, REFUSED, LATE))
    assert (outside.format, calls_of(outside)) == (format_, [1, 1, 0, 0])
    statuses = [run.takes[0].turns[0].attempts[0].status for run in outside.runs[2:]]
    assert statuses == [429, None]
