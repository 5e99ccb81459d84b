"""Messages of the AI SDK: a model's and a page's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.made import tool_result
from tests.made_outside import QUESTION, calls_of
from visualizer.collection.recordings import counts_of
from visualizer.formats import Outside, detect, read

Entry = dict[str, Any]
ASK: Entry = {"role": "user", "content": QUESTION}


def call(name: str, **more: Any) -> Entry:
    return {"type": "tool-call", "toolCallId": name, "toolName": "look", **more}


def came(name: str, **more: Any) -> Entry:
    return {"type": "tool-result", "toolCallId": name, "toolName": "look", **more}


def said(role: str, *parts: Entry) -> Entry:
    return {"role": role, "content": list(parts)}


def text(words: str) -> Entry:
    return {"type": "text", "text": words}


MODEL = [
    {"role": "system", "content": "Be brief."},
    ASK,
    said("assistant", text("I look."), call("a", input={"log": 3}), call("b", args={"log": 4})),
    said("tool", came("b", output={"type": "json", "value": {"fog": True}})),
    said("tool", came("a", output={"type": "error-text", "value": "torn"})),
    said("assistant", text("Whitby.")),
]


def part(name: str, state: str, **more: Any) -> Entry:
    return {"type": "tool-look", "toolCallId": name, "state": state, "input": {"log": 3}, **more}


PAGE = [
    {"id": "1", "role": "user", "parts": [text(QUESTION)]},
    {
        "id": "2",
        "role": "assistant",
        "parts": [
            {"type": "step-start"},
            {"type": "reasoning", "text": "Hm."},
            part("a", "output-available", output="log 3"),
            part("b", "output-error", errorText="torn"),
            {"type": "step-start"},
            text("Whitby."),
        ],
    },
]


def read_it(value: Any) -> Outside:
    return read(json.dumps(value).encode())


@pytest.mark.parametrize("value", [MODEL, PAGE, {"messages": MODEL}, {"id": "c", "messages": PAGE}])
def test_a_round_and_an_answer(value: Any) -> None:
    """Two calls of one reply, one of which failed, and the answer."""
    assert detect(json.dumps(value).encode()) == "vercel-ai"
    outside = read_it(value)
    assert (calls_of(outside), outside.prompts) == ([2], 1)
    assert counts_of(outside.runs)[:3] == (2, 1, 2)
    results = outside.runs[0].takes[0].turns[0].results or []
    assert sorted(str(one["content"]) for one in results if one.get("is_error")) == ["torn"]
    assert list(outside.findings.faults()) == []


def test_arguments_values_and_instructions() -> None:
    """Both names of arguments, values as JSON, the system message as instructions."""
    run = read_it(MODEL).runs[0]
    turn = run.takes[0].turns[0]
    assert turn.response is not None
    assert [one.get("input") for one in turn.response["content"][1:]] == [{"log": 3}, {"log": 4}]
    assert turn.results is not None
    assert turn.results[0] == tool_result("b", '{"fog": true}')
    assert run.request.system == "Be brief."


def test_tools_of_the_provider_and_calls_that_wait() -> None:
    """What the provider ran is no round of the loop; a call without an output has no result."""
    parts = [
        part("s", "output-available", output=[], providerExecuted=True),
        text("I look."),
        part("a", "input-available"),
    ]
    outside = read_it([PAGE[0], {"role": "assistant", "parts": parts}])
    assert counts_of(outside.runs)[:3] == (1, 0, 0)
    assert outside.findings.number("format.unanswered") == 1


def test_older_parts_and_steps_without_a_mark() -> None:
    """An invocation holds its result; words behind it are the next reply."""
    old = {"state": "result", "toolCallId": "a", "toolName": "look", "args": {}, "result": "log 3"}
    parts = [{"type": "tool-invocation", "toolInvocation": old}, text("Whitby.")]
    outside = read_it([PAGE[0], {"role": "assistant", "parts": parts}])
    assert counts_of(outside.runs)[:3] == (2, 1, 1)


NOT_OURS: dict[str, Any] = {
    "a chat": [ASK, {"role": "assistant", "content": "x"}, {"role": "tool", "content": "y"}],
    "contents": [{"role": "user", "parts": [{"text": "x"}]}],
    "messages": [ASK, said("assistant", {"type": "tool_use", "id": "a", "name": "b", "input": {}})],
}


@pytest.mark.parametrize("name", NOT_OURS)
def test_what_only_looks_alike_is_not_claimed(name: str) -> None:
    """Other formats have roles, contents and parts too."""
    assert detect(json.dumps(NOT_OURS[name]).encode()) != "vercel-ai"
