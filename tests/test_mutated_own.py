"""Mutated transcripts of our own format: a clear line or a run, whatever is of another type.

A few of each in every run of the tests; 3,000 with ``MUTATIONS=3000`` in the environment.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.test_mutations import CHANGES, MUCH, ODD, at, cut, places
from tests.made_whole import IN_A_WORLD, WHOLE
from visualizer.check import check_paths
from visualizer.collection import recordings
from visualizer.comparison import compare
from visualizer.describe.plain import json_lines, text_lines, to_json
from visualizer.engine import replay
from visualizer.errors import LoopError, TranscriptError
from visualizer.files.resources import find_transcript
from visualizer.i18n import Texts, texts
from visualizer.loading import Scenario, load_file, scenario_of
from visualizer.sdk import stream_of

SHIPPED = (
    "aurora-run",
    "retry-529",
    "approval",
    "budget",
    "compaction",
    "subagent",
    "fork",
    "pause",
)
LOOPS = (None, "agent_loop", "production", "context", "one_by_one")
NUMBERS = [math.inf, -math.inf, math.nan, 1e308, 10**400, -(10**400), 0.1, 2**63, 0]
"""What JSON has no number for, and numbers that are hard to count with."""
STRINGS = ["\ud800", "a\0b", "../x", "{0}", "%s", "t0.check", "tool_use", "x" * 5_000]


def shipped(name: str) -> Any:
    """A transcript that comes with the program, as JSON data."""
    path = find_transcript(name)
    assert path is not None
    return json.loads(path.read_text(encoding="utf-8"))


TRANSCRIPTS = {
    "everything": WHOLE,
    "a world": IN_A_WORLD,
    **{name: shipped(name) for name in SHIPPED},
}


def leaves(data: Any) -> list[tuple[Any, ...]]:
    """The ways to what is no object and no list, and to what the Messages API calls an object."""
    found = places(data)
    return [way for way in found if not isinstance(at(data, way), (dict, list))] or found


@st.composite
def mutated(draw: st.DrawFn, transcript: Any) -> bytes:
    """A transcript with up to four values of another type, and perhaps a change in its bytes."""
    data = json.loads(json.dumps([transcript]))
    for _ in range(draw(st.integers(1, 4))):
        ways = draw(st.sampled_from([places(data), leaves(data)]))
        if not ways:
            break
        way = draw(st.sampled_from(ways))
        if draw(st.integers(0, 3)):
            value = draw(st.sampled_from([*ODD, *NUMBERS, *STRINGS]))
            at(data, way[:-1])[way[-1]] = copy.deepcopy(value)
        else:
            draw(st.sampled_from(CHANGES))(draw, data, way)
    text = json.dumps(data[0] if data else None).encode()
    text = text.replace(b"Infinity", draw(st.sampled_from([b"Infinity", b"1e400"])))
    return cut(draw, text) if draw(st.integers(0, 5)) == 0 else text


def words_of(scenario: Scenario, language: Texts) -> Iterator[str]:
    """What is listed of a scenario."""
    yield scenario.title(language.language)
    yield scenario.summary(language.language)
    for run in scenario.runs:
        place = scenario.provenance(f"/runs/{run.id}")
        yield place.source.in_language(language.language) if place else ""


def drive(scenario: Scenario, run_id: str, loop: str | None) -> None:
    """One loop over one run, told as text and as JSON in both languages."""
    try:
        run = replay(scenario, run=run_id, loop=loop)
    except LoopError as error:
        said = str(error)
        assert said.isprintable()
        return
    for language in map(texts, ("en", "ja")):
        assert all(line.isprintable() for line in text_lines(run, scenario, language, None))
        told = "\n".join(json_lines(to_json(run, scenario, language, None)))
        json.loads(told, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    stream_of(run, scenario)
    compare(run, replay(scenario, run=run_id, loop="hard_coded"))


def use(path: Path) -> None:
    """Everything that the program does with a transcript; refused in a line, or all of it done."""
    lines = list(check_paths([str(path)], texts("en")))
    assert all(line.isprintable() and "\n" not in line for line in lines)
    try:
        scenario = load_file(path)
    except TranscriptError as error:
        said = str(error)
        assert said.isprintable()
        assert lines, "check finds nothing in what can't be loaded"
        return
    for language in map(texts, ("en", "ja")):
        list(words_of(scenario, language))
    for run in scenario.runs:
        for loop in LOOPS:
            drive(scenario, run.id, loop)
    again = scenario_of(recordings.converted(scenario), "again")
    left, right = replay(scenario), replay(again)
    assert (left.steps, left.terminal_reason) == (right.steps, right.terminal_reason)


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_mutated_transcripts_are_a_clear_line_or_a_run(name: str, tmp_path: Path) -> None:
    """Whatever has another type, is missing, doubled, infinite or huge: no traceback."""
    path = tmp_path / "mutated.json"

    @MUCH
    @given(mutated(TRANSCRIPTS[name]))
    def holds(text: bytes) -> None:
        path.write_bytes(text)
        use(path)

    holds()


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_what_is_mutated_is_fine_at_first(name: str, tmp_path: Path) -> None:
    """Nothing to report on what the mutations begin with."""
    path = tmp_path / "fine.json"
    path.write_text(json.dumps(TRANSCRIPTS[name]), encoding="utf-8")
    assert list(check_paths([str(path)], texts("en"))) == []
    use(path)
