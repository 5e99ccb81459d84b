"""Messages of Pydantic AI: what stands in their parts, and which runs there are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.made import jsonl
from tests.made_outside import QUESTION, calls_of, flags, started
from visualizer.engine import replay
from visualizer.formats import Outside, detect, read
from visualizer.loading import load_transcript

Entry = dict[str, Any]


def part(kind: str, content: Any = None, **more: Any) -> Entry:
    return {"part_kind": kind, "content": content, **more}


def request(*parts: Entry, **more: Any) -> Entry:
    return {"kind": "request", "parts": list(parts), **more}


def response(*parts: Entry, **more: Any) -> Entry:
    return {"kind": "response", "parts": list(parts), "model_name": "model-x", **more}


def call(name: str | None, args: Any = None, called: str = "look") -> Entry:
    return {"part_kind": "tool-call", "tool_name": called, "args": args, "tool_call_id": name}


def back(name: str | None, content: Any, outcome: str = "success") -> Entry:
    return part("tool-return", content, tool_name="look", tool_call_id=name, outcome=outcome)


def retry(content: Any, **more: Any) -> Entry:
    return part("retry-prompt", content, **more)


USAGE = {"input_tokens": 30, "output_tokens": 5, "cache_read_tokens": 10, "details": {}}
SYSTEM = part("system-prompt", "You are a sailor.")
ASKED = part("user-prompt", QUESTION)
ASK = request(SYSTEM, ASKED, instructions="Be brief.")
LOOK = response(
    part("thinking", "Hm.", signature="s"),
    part("text", "I look."),
    call("a", {"place": "log"}),
    call("b", '{"place": "chart"}'),
    usage=USAGE,
    finish_reason="tool_call",
)
FOUND = request(
    retry("No such chart.", tool_name="look", tool_call_id="b"),
    back("a", {"page": 3, "by": "Åse"}),
    instructions="Be brief.",
)
DONE = response(part("text", "Whitby."), finish_reason="stop", usage={"request_tokens": 40})
ALL = [ASK, LOOK, FOUND, DONE]
SERVED = {"tool_name": "search", "tool_call_id": "s"}
MUCH = [
    *ALL,
    request(part("user-prompt", ["And where to?", {"kind": "image-url", "url": "x"}])),
    response(call(None), part("builtin-tool-return", {"hits": 1}, **SERVED), state="suspended"),
    request(back(None, "log 3"), part("user-prompt", "See it."), part("compaction", "They sail.")),
    response(part("text", "To Hull."), failed_attempts=[{"outcome": "error", "error": "x"}]),
    request(retry("Again.")),
]
"""A bit of everything."""


def read_it(*messages: Entry) -> Outside:
    return read(json.dumps(list(messages)).encode())


@pytest.mark.parametrize(
    "data",
    [json.dumps(ALL).encode(), jsonl(ALL), json.dumps({"message_history": ALL}).encode()],
    ids=["list", "lines", "object"],
)
def test_a_round_and_an_answer(data: bytes, tmp_path: Path) -> None:
    """Arguments as text or object, results by id, a retry as an error, nothing inferred."""
    path = tmp_path / "messages.json"
    path.write_bytes(data)
    assert detect(data) == "pydantic-ai"
    scenario = load_transcript(path)
    run = replay(scenario)
    assert (run.model_calls, run.tool_calls, run.result) == (2, 2, "Whitby.")
    recorded = scenario.runs[0]
    assert recorded.request.system == "You are a sailor.\n\nBe brief."
    assert recorded.request.model == "model-x"
    first, last = recorded.takes[0].turns
    assert first.response is not None
    assert first.response["content"] == [
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "a", "name": "look", "input": {"place": "log"}},
        {"type": "tool_use", "id": "b", "name": "look", "input": {"place": "chart"}},
    ]
    results = [(one["content"], one.get("is_error")) for one in first.results or []]
    assert results == [("No such chart.", True), ('{"page":3,"by":"Åse"}', None)]
    usage = {"input_tokens": 20, "output_tokens": 5, "cache_read_input_tokens": 10}
    assert first.response["usage"] == usage
    assert first.inferred == last.inferred == []
    assert last.response is not None
    assert last.response["usage"] == {"input_tokens": 40, "output_tokens": 0}


OWN = {"finish_reason": "stop", "provider_details": {"finish_reason": "stop_sequence"}}
REASONS = [
    ({"finish_reason": "length"}, "max_tokens", False),
    ({"finish_reason": "content_filter"}, "refusal", False),
    (OWN, "stop_sequence", False),
    ({"finish_reason": "stop", "vendor_details": {"finish_reason": "odd"}}, "end_turn", False),
    ({"finish_reason": "error"}, "end_turn", True),
    ({}, "end_turn", True),
]


@pytest.mark.parametrize(("told", "flag", "inferred"), REASONS)
def test_why_the_model_stopped(told: Entry, flag: str, inferred: bool) -> None:
    """The provider's own word, where it is known, before the one that stands for it."""
    outside = read_it(ASK, response(part("text", "Whitby."), **told))
    assert flags(outside) == [[flag]]
    turn = outside.runs[0].takes[0].turns[0]
    assert ("/response/stop_reason" in turn.inferred) == inferred


@pytest.mark.parametrize(
    ("outcome", "failed"),
    [("success", None), ("failed", True), ("retried", True), ("denied", None)],
)
def test_outcomes_of_tools(outcome: str, failed: bool | None) -> None:
    """What failed or has to be tried again is an error, a refusal of the host is a result."""
    outside = read_it(ASK, response(call("a")), request(back("a", "x", outcome)), DONE)
    results = outside.runs[0].takes[0].turns[0].results or []
    assert [one.get("is_error") for one in results] == [failed]


@pytest.mark.parametrize("again", [retry("Answer in English."), part("retry-feedback", "Again.")])
def test_another_try_that_answers_no_call(again: Entry) -> None:
    """The host's words are sent as they are; the run goes on where the loop had returned."""
    outside = read_it(ASK, DONE, request(again), DONE)
    assert (calls_of(outside), started(outside)) == ([1, 1], ["prompt", "continued"])
    sent = outside.runs[1].request.messages[-1]
    assert sent["content"] == [{"type": "text", "text": again["content"]}]
    assert outside.prompts == 1


def test_several_prompts() -> None:
    """Each begins a run; words beside results are the host's, or a new run's of the agent."""
    files = [{"kind": "image-url", "url": "x"}, {"kind": "cache-point"}]
    second = request(part("user-prompt", ["And where to?", *files]))
    mixed = request(back("c", "log 3"), part("user-prompt", "See the log."), run_id="one")
    outside = read_it(*ALL, second, response(call("c")), mixed, DONE)
    assert (calls_of(outside), outside.prompts) == ([2, 2], 2)
    sent = outside.runs[1].request.messages[-1]["content"]
    assert [one["type"] for one in sent] == ["text", "image-url"]
    began = read_it({**ASK, "run_id": "zero"}, response(call("c")), mixed, DONE)
    assert (calls_of(began), began.prompts) == ([1, 1], 2)
    same = read_it({**ASK, "run_id": "one"}, response(call("c")), mixed, DONE)
    assert [one.content[0]["text"] for one in same.runs[0].takes[0].turns[1].inserted] == [
        "See the log."
    ]


def test_results_without_ids_or_without_calls() -> None:
    """Missing ids are made, and paired by the tool's name; a strange id is an orphan."""
    asks = response(call(None), call(None, called="other"))
    outside = read_it(ASK, asks, request(back(None, "log 3"), back("z", "what?")), DONE)
    turn = outside.runs[0].takes[0].turns[0]
    assert [one["tool_use_id"] for one in turn.results or []] == ["reply-1-call-1"]
    assert {"/results/0/tool_use_id", "/response/content/0/id"} <= set(turn.inferred)
    assert outside.findings.number("format.orphan_result") == 1
    assert outside.findings.number("format.unanswered") == 1


def test_instructions_that_change() -> None:
    """The first hold for the run, others for the call that they were sent with."""
    outside = read_it(ASK, LOOK, {**FOUND, "instructions": "Be long."}, DONE)
    run = outside.runs[0]
    assert run.request.system == "You are a sailor.\n\nBe brief."
    assert run.takes[0].turns[1].request == {"system": "You are a sailor.\n\nBe long."}


def test_late_and_passing_system_prompts_are_the_hosts() -> None:
    """What holds for one request, or comes after a reply, is put into that request."""
    passing = part("system-prompt", "Two tries left.", scope="request")
    late = part("system-prompt", "It is late.")
    outside = read_it(request(ASKED, passing), LOOK, request(*FOUND["parts"], late), DONE)
    texts = [
        [one.content[0]["text"] for one in turn.inserted] for turn in outside.runs[0].takes[0].turns
    ]
    assert texts == [["Two tries left."], ["It is late."]]


def test_what_else_a_response_holds() -> None:
    """What the provider ran asks for nothing; attempts of other models failed before it."""
    ran = part("builtin-tool-return", {"hits": 1}, tool_name="web_search", tool_call_id="s")
    search = {**call("s", called="web_search"), "part_kind": "builtin-tool-call"}
    failed = {"model_name": "model-y", "outcome": "error", "error": "Overloaded"}
    outside = read_it(ASK, response(search, ran, *DONE["parts"], failed_attempts=[failed]))
    turn = outside.runs[0].takes[0].turns[0]
    assert turn.response is not None
    kinds = [one["type"] for one in turn.response["content"]]
    assert kinds == ["server_tool_use", "server_tool_result", "text"]
    assert [(one.handled, one.error["error"]["message"]) for one in turn.attempts] == [
        (True, "Overloaded")
    ]


def test_an_unfinished_end_and_a_summary() -> None:
    """A reply that was cut off is the recording's end; a summary begins anew."""
    cut = read_it(ASK, {**LOOK, "state": "interrupted"})
    assert cut.runs[0].recorded == {"end": "interrupted"}
    summary = part("compaction", "They sailed.")
    outside = read_it(*ALL, request(summary, ASKED), DONE)
    assert started(outside) == ["prompt", "compaction"]


def test_parts_of_other_kinds_are_counted() -> None:
    """Deltas of settings and the like are no messages; neither is an entry of another kind."""
    outside = read_it(ASK, {"kind": "event"}, LOOK, request(*FOUND["parts"], part("x-delta")), DONE)
    assert calls_of(outside) == [2]
    assert outside.findings.number("format.other_line") == 2


@pytest.mark.parametrize(
    "other", [{"kind": "request", "parts": [{"text": "x"}]}, {"kind": "x", "parts": [SYSTEM]}]
)
def test_other_files_are_not_claimed(other: Entry) -> None:
    """A kind without parts of this kind, or the other way round, is not enough."""
    assert detect(json.dumps([other]).encode()) != "pydantic-ai"
