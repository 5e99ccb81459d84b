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
from tests.independent.agreement import contradictions
from tests.independent.counter import counted, counts_of
from tests.independent.oddities import EXCHANGES, SESSIONS
from tests.independent.raw import Count
from tests.made import jsonl
from tests.tui.screens import opened
from visualizer.check import check_paths
from visualizer.collection import recordings
from visualizer.collection.folders import files_in
from visualizer.errors import TranscriptError
from visualizer.i18n import texts
from visualizer.loading import Scenario, load_file

FOLDER = os.environ.get("RECORDINGS", "")
FILES = list(files_in(Path(FOLDER).expanduser())) if FOLDER else []
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
for uncounted in (
    *("message-batches", "openai-batches", "responses-batches", "two formats"),
    "vercel-ai-page",
):
    MADE.pop(uncounted)  # several conversations, or two recordings, that the counter takes for one


def kept(folder: Path, data: bytes) -> Path:
    path = folder / "recording.jsonl"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", MADE)
def test_what_is_told_of_a_recording_is_in_its_bytes(name: str, tmp_path: Path) -> None:
    """The recordings that the formats' own tests are about, and recorded calls of all kinds."""
    data, lines = MADE[name]
    text = jsonl(data) if lines else json.dumps(data).encode()
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
        path = kept(tmp_path, jsonl(data) if lines else json.dumps(data).encode())
        found = counts_of(path)
        if found is None or (found.replies is None and found.asked is None):
            unknown.append(name)
    assert unknown == [
        "codex-agents",  # sessions of several agents in one file
        "codex-forks",  # what is copied from another session
        "codex-forks-by-time",
        "codex-events",  # told by events alone
        "gemini-cli-notes",  # what the client wrote in the user's name
        "gemini-stream",  # the counter does not know these two clients
        "qwen-code",
        "langchain-states",  # the same messages again after each step
        "langchain-pieces",  # parts of messages
        "pydantic-ai-lists",  # two lists
    ]


def scenario(folder: Path, name: str) -> Scenario:
    return load_file(kept(folder, SESSIONS[name]().text()))


@pytest.mark.parametrize("name", ["half_a_round", "interrupted"])
async def test_the_screens_show_the_same_numbers(name: str, tmp_path: Path) -> None:
    """The sheet on the file, and the list of runs, as they are painted in the terminal."""
    made = scenario(tmp_path, name)
    counts = recordings.counts_of(made.runs)
    async with opened(made, (140, 45)) as driven:
        await driven.press("!")
        rows = [line.split() for line in driven.text.split("\n")]
        assert ["model", "calls", str(counts.calls)] in rows
        assert ["tool", "rounds", str(counts.rounds)] in rows
        assert ["tool", "calls", str(counts.tool_calls)] in rows
        await driven.press("escape", "u")
        for run in made.runs:
            own = recordings.counts_of([run])
            said = [texts("en").count("screen.runs.calls", own.calls)]
            said.append(texts("en").count("screen.runs.rounds", own.rounds))
            assert ", ".join(said) in driven.text


FINE = ["waiting", "half_a_round_at_the_end", "second_of_a_round", "interrupted", "failures"]


@pytest.mark.parametrize("name", FINE)
def test_what_only_ended_early_is_no_fault(name: str, tmp_path: Path) -> None:
    """``check`` has nothing to say of a client that was stopped, or that is still at work."""
    path = kept(tmp_path, SESSIONS[name]().text() + b'{"type": "user", "mess')
    assert list(check_paths([str(path)], texts("en"))) == []


def test_findings_name_the_calls_that_they_are_about(tmp_path: Path) -> None:
    """A request without a result, and a result without a request, can be opened from the line."""
    made = scenario(tmp_path, "half_a_round")
    assert made.outside is not None
    said = [one.text(texts("en")) for one in made.outside.findings.problems()]
    assert "tool requests that have no result in the file: 1 (--run 1 --at t0.call)" in said
    made = scenario(tmp_path, "nobody_asked")
    assert made.outside is not None
    fault = next(made.outside.findings.faults()).text(texts("en"))
    assert fault == "tool results that answer no request in the file: 1 (--run 1 --at t1.call)"


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("no_reply", "no token counts in the file"),
        ("early_counts", "tokens 30 in, at least 3 out"),
        ("stream_with_a_sum", "tokens 50 in, 400 out"),
    ],
)
def test_tokens_are_told_as_far_as_they_are_known(name: str, tokens: str, tmp_path: Path) -> None:
    """None at all, the least there were, or the client's own sum: never a wrong number."""
    made = scenario(tmp_path, name)
    assert f"; {tokens}; " in recordings.file_line(made, made.outside, texts("en"))  # type: ignore[arg-type]
