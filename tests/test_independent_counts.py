"""The numbers of recordings, proved by counting again: by other rules, from the bytes alone.

Every recording goes through the program and through ``tests.independent``, and all places that
count in it (``list``, ``run``, their JSON, the screens, what it converts to) must agree with one
another and with the bytes. A folder of recordings is checked the same way, by hand::

    RECORDINGS=~/.claude/projects pytest tests/test_independent_counts.py -k folder

What the program refuses to read is passed over there.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.formats import (
    test_codex_rollout,
    test_mutated_cassettes,
    test_mutated_openai,
    test_mutated_trajectories,
    test_mutations,
    test_openai_responses,
)
from tests.independent.agreement import contradictions, differing
from tests.independent.counter import counted, counts_of
from tests.independent.oddities import EXCHANGES, SESSIONS, as_lines
from tests.independent.raw import Count
from tests.tui.screens import opened
from visualizer import recordings
from visualizer.engine import replay
from visualizer.errors import TranscriptError
from visualizer.i18n import texts
from visualizer.loading import Scenario, load_file

FOLDER = os.environ.get("RECORDINGS", "")
FILES = list(recordings.files_in(Path(FOLDER).expanduser())) if FOLDER else []
# Of the formats below, the mutations begin with what is no recording of one client any more.
MADE: dict[str, tuple[list[Any], bool]] = {
    **test_mutations.RECORDINGS,
    **test_mutated_openai.RECORDINGS,
    **{name: (data, True) for name, data in test_mutated_trajectories.RECORDINGS.items()},
    "openai-responses": (test_openai_responses.ROUND, True),
    "openai-responses-lines": (test_openai_responses.CHAIN, True),
    "codex-rollout": (test_codex_rollout.AFTER, True),
    "codex-rollout, counted before": (test_codex_rollout.BEFORE, True),
    "cassette": ([{"interactions": test_mutated_cassettes.CALLS[:2]}], True),
    **{f"exchanges: {name}": (data, True) for name, data in EXCHANGES.items()},
}


def kept(folder: Path, data: bytes) -> Path:
    path = folder / "recording.jsonl"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", MADE)
def test_what_is_told_of_a_recording_is_in_its_bytes(name: str, tmp_path: Path) -> None:
    """The recordings that the formats' own tests are about, and recorded calls of all kinds."""
    data, lines = MADE[name]
    text = as_lines(data) if lines else json.dumps(data).encode()
    assert contradictions(kept(tmp_path, text), tmp_path) == []


@pytest.mark.parametrize("name", SESSIONS)
def test_what_is_told_of_an_odd_session_is_in_its_bytes(name: str, tmp_path: Path) -> None:
    """Sessions with something odd in each: nothing is told twice, left out or made up."""
    assert contradictions(kept(tmp_path, SESSIONS[name]().text()), tmp_path) == []


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_folder_of_recordings(path: Path, tmp_path: Path) -> None:
    """Every file in the folder that ``RECORDINGS`` names; without one there is nothing to do."""
    try:
        found = contradictions(path, tmp_path)
    except TranscriptError as error:
        pytest.skip(str(error))
    assert found == []


def test_the_counter_counts_what_a_reader_sees() -> None:
    """The proof of the proof, on files small enough to count by eye."""
    made = {name: counted(list(make().lines)) for name, make in SESSIONS.items()}
    assert made["half_a_round"] == Count(2, 2, 1, 0, 2, 0, 10, 0)
    assert made["nobody_asked"] == Count(2, 1, 1, 1, 1, 0, 10, 0)
    assert made["failures"] == Count(2, 0, 0, 0, 3, 2, 10, 0)
    assert made["commands"] == Count(2, 0, 0, 0, 2, 0, 10, 0)
    assert made["doubled"] == Count(2, 2, 2, 0, 1, 0, 10, 7)
    assert counted(list(EXCHANGES["a round"])) == Count(2, 1, 1, 0, None, 0, 8)
    assert counted(list(EXCHANGES["a failure"])) == Count(1, 0, 0, 0, None, 1, 4)
    assert counted(list(EXCHANGES["replies from before"])) == Count(2, 1, 1, 0, None, 0, 4)


def test_every_format_has_a_counter(tmp_path: Path) -> None:
    """What the formats' own tests are about is known to the counter, and much of it counted."""
    unknown = []
    for name, (data, lines) in MADE.items():
        path = kept(tmp_path, as_lines(data) if lines else json.dumps(data).encode())
        found = counts_of(path)
        if found is None or (found.replies is None and found.asked is None):
            unknown.append(name)
    assert unknown == [
        "codex-agents",  # sessions of several agents in one file
        "langchain",  # three ways to keep a message in one list
        "langchain-states",  # the same messages again after each step
        "langchain-pieces",  # parts of messages
        "pydantic-ai-lists",  # two lists
    ]
