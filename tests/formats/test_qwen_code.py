"""Sessions of Qwen Code: lines in a tree, with messages in Gemini's words."""

from __future__ import annotations

from typing import Any

from tests.made import jsonl
from tests.made_outside import QUESTION, calls_of, flags, started
from visualizer.formats import detect, read

Line = dict[str, Any]
USAGE = {"promptTokenCount": 20, "candidatesTokenCount": 4, "cachedContentTokenCount": 8}


def line(number: int, kind: str, *parts: Line, **more: Any) -> Line:
    """A line that follows the one before it, unless it says otherwise."""
    role = "model" if kind == "assistant" else "user"
    place = {"uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number > 1 else None}
    return {**place, "type": kind, "message": {"role": role, "parts": list(parts)}, **more}


def call(name: str) -> Line:
    return {"functionCall": {"id": name, "name": "look", "args": {}}}


def gave(name: str, **response: Any) -> Line:
    return {"functionResponse": {"id": name, "name": "look", "response": response}}


ROUND: list[Line] = [
    line(1, "user", {"text": QUESTION}),
    {"uuid": "u2", "parentUuid": "u1", "type": "system", "subtype": "ui_telemetry"},
    line(3, "assistant", call("a"), call("b"), model="model-x", usageMetadata=USAGE),
    line(4, "tool_result", gave("b", error="Gone.")),
    line(5, "tool_result", gave("a", output="log 3")),
    line(6, "assistant", {"text": "Whitby."}, model="model-x"),
]


def test_a_round_and_an_answer() -> None:
    """It looks like another client's session, and is none; results have lines of their own."""
    assert detect(jsonl(ROUND)) == "qwen-code"
    outside = read(jsonl(ROUND))
    run = outside.runs[0]
    assert (outside.prompts, calls_of(outside)) == (1, [2])
    assert flags(outside) == [["tool_use", "end_turn"]]
    first = run.takes[0].turns[0]
    assert first.response is not None
    assert first.response["usage"]["cache_read_input_tokens"] == 8
    assert [one.get("is_error", False) for one in first.results or []] == [True, False]
    assert run.request.model == "model-x"
    assert outside.findings.number("format.other_line") == 1
    assert list(outside.findings.faults()) == []


def test_ids_that_begin_anew() -> None:
    """An id that comes again in a later reply is told apart, and its result goes to that one."""
    more = [
        line(7, "user", {"text": "And the Gull?"}),
        line(8, "assistant", call("a")),
        line(9, "tool_result", gave("a", output="log 4")),
        line(10, "assistant", {"text": "Hull."}),
    ]
    outside = read(jsonl([*ROUND, *more]))
    assert calls_of(outside) == [2, 2]
    results = outside.runs[1].takes[0].turns[0].results or []
    assert [one["content"] for one in results] == ["log 4"]
    assert list(outside.findings.faults()) == []


def test_a_way_on_from_an_earlier_line() -> None:
    """The user went back: both ways are kept."""
    back = line(7, "user", {"text": "And the Gull?"}, parentUuid=None)
    side = line(8, "user", {"text": "Sure?"}, parentUuid="u6")
    outside = read(jsonl([*ROUND, side, line(9, "assistant", {"text": "Yes."}, parentUuid="u8")]))
    assert started(outside) == ["prompt", "prompt"]
    other = {**back, "parentUuid": "u1", "uuid": "u9"}
    outside = read(jsonl([*ROUND, other, line(10, "assistant", {"text": "Hull."})]))
    assert (started(outside), calls_of(outside)) == (["prompt", "fork"], [2, 1])
    assert len(outside.runs[1].request.messages) == 2


def test_a_summary_in_place_of_the_history() -> None:
    """What comes next is sent with the summary, not with all that was said."""
    kept: list[Line] = [{"role": "user", "parts": [{"text": "A summary."}]}]
    kept.append({"role": "model", "parts": [{"text": "Got it."}]})
    note: Line = {"uuid": "u7", "parentUuid": "u6", "type": "system"}
    note |= {"subtype": "chat_compression", "systemPayload": {"compressedHistory": kept}}
    after = [line(8, "user", {"text": "So?"}), line(9, "assistant", {"text": "Hull."})]
    outside = read(jsonl([*ROUND, note, *after]))
    assert (started(outside), calls_of(outside)) == (["prompt", "compaction"], [2, 1])
    assert len(outside.runs[1].request.messages) == 3
