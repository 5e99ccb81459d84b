"""Mutated recordings: a clear line or a correct run, never a traceback, never a hang.

A hundred of each format in every run of the tests; 2,000 with ``MUTATIONS=2000`` in the
environment. Hypothesis prints the seed and the example of a failure.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.formats.test_messages_api import ROUND
from tests.made_outside import Session, small_session, small_stream
from visualizer import recordings
from visualizer.check import outside_problems
from visualizer.engine import replay
from visualizer.errors import TranscriptError
from visualizer.i18n import texts
from visualizer.loading import Scenario, load_transcript
from visualizer.plain import json_lines
from visualizer.schema import to_json

EXAMPLES = int(os.environ.get("MUTATIONS", "100"))

Data = list[Any]
ODD: list[Any] = [
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "x",
    "\x1b]0;t\x07\u202e",
    [],
    {},
    [[]],
    {"type": None},
    {"type": "text"},
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
    if as_lines:
        text = b"".join(json.dumps(line).encode() + b"\n" for line in data)
    else:
        text = json.dumps(data).encode()
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
    list(json_lines(recordings.json_of(scenario, outside, scenario.runs, english)))
    for line in recordings.text_of(scenario, outside, list(scenario.runs), japanese):
        assert line.isprintable()
    list(outside_problems(scenario.runs))
    path = folder / "converted.json"
    path.write_text(to_json(recordings.converted(scenario)), encoding="utf-8")
    again = load_transcript(path)
    for run in scenario.runs:
        left, right = replay(scenario, run=run.id), replay(again, run=run.id)
        assert (left.steps, left.terminal_reason) == (right.steps, right.terminal_reason)


RECORDINGS: dict[str, tuple[Data, bool]] = {
    "claude-code": (whole_session().lines, True),
    "stream-json": (small_stream().lines, True),
    "stream-json-list": (small_stream().lines, False),
    "messages-api": (ROUND, False),
    "messages-api-lines": (ROUND, True),
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
    try:
        scenario = load_transcript(path)
    except TranscriptError as error:
        said = str(error)
        assert said.isprintable()
        return
    use(scenario, folder)


@pytest.mark.parametrize("name", RECORDINGS)
def test_mutated_recordings_are_a_clear_line_or_a_run(name: str, tmp_path: Path) -> None:
    """Whatever was cut, swapped, doubled, nested or of another type: no traceback, no hang."""
    data, as_lines = RECORDINGS[name]

    @MUCH
    @given(mutated(data, as_lines))
    def holds(text: bytes) -> None:
        open_and_use(text, tmp_path)

    holds()
