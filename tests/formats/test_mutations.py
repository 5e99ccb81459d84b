"""Mutated recordings: a clear line or a correct run, never a traceback, never a hang.

A few of each format in every run of the tests; 3,000 with ``MUTATIONS=3000`` in the
environment. Hypothesis prints the seed and the example of a failure.
"""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.formats import test_streams
from tests.formats.looked_at import look
from tests.formats.test_messages_api import ROUND
from tests.made_outside import Session, small_session, small_stream
from visualizer.app.glance import glance
from visualizer.check import outside_problems
from visualizer.collection import folders, recordings
from visualizer.describe.plain import json_lines
from visualizer.engine import replay
from visualizer.errors import TranscriptError
from visualizer.i18n import texts
from visualizer.loading import Scenario, load_transcript
from visualizer.redact import redacted
from visualizer.sdk import report, stream_of
from visualizer.transcript.schema import to_json

EXAMPLES = int(os.environ.get("MUTATIONS", "15"))

Data = list[Any]


class Raw(str):
    """Stands for a number as it is written, which Python could not hold."""

    __slots__ = ()


NUMBERS = ["1e999", "-1E+400", "NaN", "Infinity", "9" * 400, "-" + "9" * 400, "9" * 5000, "1e-999"]
ODD: list[Any] = [
    None,
    True,
    False,
    -1,
    0,
    10**30,
    -(10**30),
    2**63,
    10**400,
    1.5,
    -0.5,
    1e308,
    *map(Raw, NUMBERS),
    "",
    "x",
    "0",
    "-1",
    "1e999",
    "2026-01-02",
    "12:59:59",
    "\x1b]0;t\x07\u202e",
    "a\u2028b\x85c\x0bd",
    "data: {}\n\n",
    "{}",
    "[1e999]",
    "\ud800",
    [],
    {},
    [[]],
    [None, 1, "x", {}],
    {"0": "x"},
    {"": {"": 1e308}},
    {"type": None},
    {"type": {}},
    {"type": "text"},
    {"type": "text", "text": {"a": 1}},
    {"type": "tool_use", "id": [1], "name": {}, "input": []},
    {"type": "tool_result", "tool_use_id": {"a": 1}},
    [{"type": "tool_result"}],
]


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to everything inside a value."""
    found = [way] if way else []
    if isinstance(value, dict):
        inner = list(value.items())
    else:
        inner = list(enumerate(value)) if isinstance(value, list) else []
    for key, item in inner:
        found += places(item, (*way, key))
    return found


def at(data: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        data = data[key]
    return data


def other_type(draw: st.DrawFn, data: Data, way: tuple[Any, ...]) -> None:
    """The same, or nearly, as another type: a text for a number, a list for an object."""
    holder = at(data, way[:-1])
    value = holder[way[-1]]
    if isinstance(value, dict):
        made = draw(
            st.sampled_from([list(value.items()), list(value.values()), [value], str(value)])
        )
    elif isinstance(value, list):
        made = {str(number): one for number, one in enumerate(value)}
    elif isinstance(value, bool):
        made = int(value)
    elif isinstance(value, (int, float)):
        made = draw(st.sampled_from([str(value), bool(value), [value], -value, {"value": value}]))
    elif isinstance(value, str):
        made = draw(st.sampled_from([[value], {value: value}, len(value), bool(value), value * 3]))
    else:
        made = [value]
    holder[way[-1]] = copy.deepcopy(made)


def change_key(draw: st.DrawFn, data: Data, way: tuple[Any, ...]) -> None:
    """A name that something goes by becomes another one."""
    holder = at(data, way[:-1])
    if isinstance(holder, dict):
        holder[draw(st.sampled_from(["", "0", "type", "id", "content", "x\u202e"]))] = holder.pop(
            way[-1]
        )


def change_type(draw: st.DrawFn, data: Data, way: tuple[Any, ...]) -> None:
    at(data, way[:-1])[way[-1]] = copy.deepcopy(draw(st.sampled_from(ODD)))


def leave_out(draw: st.DrawFn, data: Data, way: tuple[Any, ...]) -> None:
    del at(data, way[:-1])[way[-1]]


def swap(draw: st.DrawFn, data: Data, way: tuple[Any, ...]) -> None:
    other = draw(st.sampled_from([one for one in places(data) if len(one) == len(way)]))
    here, there = at(data, way[:-1]), at(data, other[:-1])
    here[way[-1]], there[other[-1]] = there[other[-1]], here[way[-1]]


def duplicate(draw: st.DrawFn, data: Data, way: tuple[Any, ...]) -> None:
    holder = at(data, way[:-1])
    if isinstance(holder, list):
        holder.insert(way[-1], copy.deepcopy(holder[way[-1]]))
    else:
        data.append(copy.deepcopy(data[way[0]]))


def nest(draw: st.DrawFn, data: Data, way: tuple[Any, ...]) -> None:
    holder = at(data, way[:-1])
    value = holder[way[-1]]
    for _ in range(draw(st.sampled_from([1, 3, 120]))):
        value = [value] if draw(st.booleans()) else {"type": "x", "content": value}
    holder[way[-1]] = value


CHANGES: list[Callable[[st.DrawFn, Data, tuple[Any, ...]], None]] = [
    change_type,
    change_type,
    other_type,
    change_key,
    leave_out,
    swap,
    duplicate,
    nest,
]


def cut(draw: st.DrawFn, text: bytes) -> bytes:
    """Some bytes taken out, or others put in, anywhere."""
    start = draw(st.integers(0, len(text)))
    stop = draw(st.integers(start, len(text)))
    middle = draw(st.sampled_from([b"", b"\n", b"\xff", b"\\ud800", b"{", b"]", b"\0", b'"']))
    return text[:start] + middle + text[stop if draw(st.booleans()) else start :]


def written(draw: st.DrawFn, data: Data, as_lines: bool) -> bytes:
    """A recording as it is written: compact or pretty, with numbers that Python has not."""
    indent = draw(st.sampled_from([None, None, None, 1]))
    if as_lines:
        text = "".join(dumped(line, indent) + "\n" for line in data)
    else:
        text = dumped(data, indent)
    return text.encode()


def dumped(value: Any, indent: int | None = None) -> str:
    """JSON in which what is ``Raw`` stands as it is."""
    text = json.dumps(marked(value), indent=indent)
    return re.sub(rf'"{MARK}([^"]*)"', r"\1", text)


MARK = "as it is: "


def marked(value: Any) -> Any:
    """A value in which what is ``Raw`` can be told."""
    if isinstance(value, dict):
        return {key: marked(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [marked(one) for one in value]
    return MARK + value if isinstance(value, Raw) else value


def changed(draw: st.DrawFn, data: Data) -> Data:
    """The objects of a recording with up to four changes inside."""
    data = json.loads(json.dumps(data))  # nothing in it is shared
    for _ in range(draw(st.integers(0, 4))):
        if ways := places(data):
            draw(st.sampled_from(CHANGES))(draw, data, draw(st.sampled_from(ways)))
    return data


@st.composite
def mutated(draw: st.DrawFn, data: Data, as_lines: bool) -> bytes:
    """A recording with up to four changes inside, and perhaps one in its bytes."""
    data = changed(draw, data)
    text = written(draw, data, as_lines)
    return cut(draw, text) if draw(st.integers(0, 2)) == 0 else text


def whole_session() -> Session:
    """A session with a bit of everything in it."""
    made = small_session()
    made.user("A reminder.", isMeta=True)
    made.line("attachment", attachment={"type": "date"}, rendered=[{"content": "Monday"}])
    made.line("system", subtype="api_error", error={"status": 529, "message": "Overloaded"})
    made.user("And then?", isSidechain=True, agentId="agent-1", parent=None)
    made.user("And then?")
    made.reply("m3", {"type": "tool_use", "id": "c", "name": "look", "input": {"prompt": "x"}})
    made.result("c", toolUseResult={"agentId": "agent-1"})
    made.line("attachment", attachment={"type": "max_turns_reached", "maxTurns": 1})
    made.line("system", subtype="compact_boundary", parent=None)
    made.user("A summary.", isCompactSummary=True)
    made.reply("m4", {"type": "text", "text": "Bergen."}, flag="end_turn")
    return made


def use(scenario: Scenario, folder: Path) -> None:
    """Everything that the program does with a recording."""
    outside = scenario.outside
    if outside is None:
        replay(scenario)
        return
    english, japanese = texts("en"), texts("ja")
    for language in (english, japanese):
        assert folders.entry_of(scenario, "recording", language)[1].isprintable()
        assert all(one.text(language).isprintable() for one in outside.findings.problems())
        assert all(recordings.run_line(run, language).isprintable() for run in scenario.runs)
    json.dumps(recordings.file_json(scenario, outside), allow_nan=False)
    list(json_lines(recordings.json_of(scenario, outside, scenario.runs, english)))
    for line in recordings.text_of(scenario, outside, list(scenario.runs), japanese):
        assert line.isprintable()
    list(outside_problems(scenario.runs))
    for one in scenario.runs:
        stream = stream_of(replay(scenario, run=one.id), scenario)
        assert all(line.isprintable() for line in report.text_lines(stream, scenario, japanese))
        list(json_lines(report.to_json(stream, scenario)))
    for name in {scenario.runs[0].id, scenario.runs[-1].id}:
        look(scenario, name)
    path = folder / "converted.json"
    made = recordings.converted(scenario)
    path.write_text(to_json(made), encoding="utf-8")
    to_json(redacted(made)[0])
    again = load_transcript(path)
    for run in scenario.runs:
        left, right = replay(scenario, run=run.id), replay(again, run=run.id)
        assert (left.steps, left.terminal_reason) == (right.steps, right.terminal_reason)


def batch(*results: dict[str, Any]) -> Data:
    """Lines of a batch."""
    return [{"custom_id": f"r{number}", **one} for number, one in enumerate(results)]


BATCH = batch(
    {"result": {"type": "succeeded", "message": test_streams.REPLY}},
    {"result": {"type": "errored", "error": {"type": "error", "error": {"type": "x"}}}},
    {"result": {"type": "expired"}},
)
OPENAI_BATCH = batch(
    {"response": {"status_code": 200, "body": test_streams.COMPLETION}, "error": None},
    test_streams.REFUSED,
    test_streams.LATE,
)
RESPONDED = test_streams.responded("r1", "Whitby.")[1]["response"]
RESPONSES_BATCH = batch(
    {"response": {"status_code": 200, "body": RESPONDED}, "error": None},
    test_streams.LATE,
)
RECORDINGS: dict[str, tuple[Data, bool]] = {
    "claude-code": (whole_session().lines, True),
    "stream-json": (small_stream().lines, True),
    "stream-json-list": (small_stream().lines, False),
    "messages-api": (ROUND, False),
    "messages-api-lines": (ROUND, True),
    "message-batches": (BATCH, True),
    "openai-batches": (OPENAI_BATCH, True),
    "responses-batches": (RESPONSES_BATCH, True),
    "two formats": ([*whole_session().lines, *small_stream().lines], True),
}


MUCH = settings(
    max_examples=EXAMPLES,
    deadline=60_000,  # a hang, on the slowest of machines
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)


def open_and_use(text: bytes, folder: Path) -> None:
    """Either it is refused in a line, or all that can be done with it can be done."""
    path = folder / "recording.jsonl"
    path.write_bytes(text)
    with suppress(TranscriptError):
        glance(path, 0, "ja", lambda seen: None)
    found, line = next(folders.listed([(path, path.name)], texts("ja"), lambda shown: None))
    assert line.isprintable()
    if found is not None:
        use(load_transcript(path), folder)


@pytest.mark.parametrize("name", RECORDINGS)
def test_mutated_recordings_are_a_clear_line_or_a_run(name: str, tmp_path: Path) -> None:
    """Whatever was cut, swapped, doubled, nested or of another type: no traceback, no hang."""
    data, as_lines = RECORDINGS[name]

    @MUCH
    @given(mutated(data, as_lines))
    def holds(text: bytes) -> None:
        open_and_use(text, tmp_path)

    holds()
