"""Mutated streams of events: in a file of their own, and as the body of a recorded call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats import test_openai_responses, test_streams
from tests.formats.test_mutations import MUCH, Data, changed, cut, dumped, open_and_use

ASKED = {"model": "x", "max_tokens": 9, "messages": [{"role": "user", "content": "Which?"}]}


def asking(delta: dict[str, Any]) -> Data:
    """A reply of the Messages API with a request, a thought and a text in pieces."""
    begun = [
        {"type": "thinking", "thinking": ""},
        {"type": "tool_use", "id": "a", "name": "look", "input": {}},
    ]
    starts = [
        {"type": "content_block_start", "index": at, "content_block": block}
        for at, block in enumerate(begun, 1)
    ]
    events = test_streams.message("I look.")
    pieces = [
        {"type": "content_block_delta", "index": at, "delta": one}
        for at, one in (
            (1, {"type": "thinking_delta", "thinking": "Hm."}),
            (1, {"type": "signature_delta", "signature": "s"}),
            (2, delta),
        )
    ]
    return [*events[:4], *starts, *pieces, *events[4:]]


CALL = {"index": 0, "id": "a", "type": "function", "function": {"name": "look", "arguments": '{"a'}}
CHUNKS = [
    {**test_streams.chunk("1", "I look."), "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
    {"id": "1", "choices": [{"index": 0, "delta": {"tool_calls": [CALL]}}]},
    {"id": "1", "choices": [{"index": 1, "delta": {"function_call": {"name": "look"}}}]},
    test_streams.chunk("1", "", "tool_calls"),
]
RESPONSES = test_openai_responses.STREAM
STREAMS: dict[str, tuple[Data, dict[str, Any]]] = {
    "messages": (asking({"type": "input_json_delta", "partial_json": '{"a": 1}'}), ASKED),
    "messages cited": (asking({"type": "citations_delta", "citation": {"url": "x"}}), ASKED),
    "chat": (CHUNKS, ASKED),
    "responses": ([*RESPONSES, *test_streams.responded("r2", "x")], {"input": "?"}),
    "gemini": ([test_streams.piece("Whit"), test_streams.piece("by.", "STOP")], {"contents": []}),
}


@st.composite
def streams(draw: st.DrawFn, events: Data, asked: dict[str, Any]) -> bytes:
    """A stream with changes inside, alone or in a call, and perhaps some in the text."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    lines: list[str] = []
    for event in changed(draw, events):
        name = [f"event: {event['type']}"] if isinstance(event, dict) and "type" in event else []
        lines += [*(name if draw(st.booleans()) else []), f"data: {dumped(event)}", ""]
    text = "".join(line + end for line in lines)
    if draw(st.booleans()):
        text = json.dumps([{"request": asked, "response": {"body": text}}])
    data = text.encode("utf-8", "replace")
    return cut(draw, data) if draw(st.integers(0, 2)) == 0 else data


@pytest.mark.parametrize("name", STREAMS)
def test_mutated_streams_are_a_clear_line_or_a_run(name: str, tmp_path: Path) -> None:
    """Whatever an index, a delta or a piece is: no traceback, no hang."""

    @MUCH
    @given(streams(*STREAMS[name]))
    def holds(text: bytes) -> None:
        open_and_use(text, tmp_path)

    holds()
