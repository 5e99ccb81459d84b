"""The package as a library: what is public, and what importing it brings in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import visualizer
from tests.made import answer, transcript, write
from visualizer.errors import NotFoundError, PlaceError, TranscriptError, VisualizerError


def python(code: str, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    return done.stdout.strip()


def test_the_example_of_the_documentation_holds() -> None:
    """A cap of 2 cuts Aurora Run off."""
    run = visualizer.replay(visualizer.load_transcript("aurora-run"), max_turns=2)
    assert run.result is None
    assert run.terminal_reason == "max_turns"
    assert (run.model_calls, run.tool_rounds, run.tool_calls) == (2, 2, 2)


def test_everything_public_exists() -> None:
    """Each name of ``__all__`` can be imported, and no other is promised."""
    for name in visualizer.__all__:
        assert getattr(visualizer, name) is not None
    with pytest.raises(AttributeError):
        visualizer.no_such_thing  # noqa: B018


def test_importing_the_package_imports_nothing_heavy() -> None:
    """Neither Textual nor pydantic comes with the bare import."""
    code = "import sys, visualizer; print({'textual', 'pydantic'} & set(sys.modules))"
    assert python(code) == "set()"


def test_replaying_needs_no_textual_and_no_network() -> None:
    """A replay works where sockets can't be made, and draws nothing."""
    code = """
import socket, sys
def refuse(*args, **kwargs): raise AssertionError("a socket was made")
socket.socket = refuse
from visualizer import load_transcript, replay
print(replay(load_transcript("aurora-run")).result, "textual" in sys.modules)
"""
    assert python(code) == "1974 False"


def test_replaying_executes_nothing_that_was_recorded(tmp_path: Path) -> None:
    """A recorded command is text: its marker file is not made."""
    marker = tmp_path / "executed"
    command = f"touch {marker}"
    turn = {
        "response": {
            "content": [
                {"type": "tool_use", "id": "a", "name": "bash", "input": {"command": command}}
            ],
            "stop_reason": "tool_use",
        },
        "results": [{"type": "tool_result", "tool_use_id": "a", "content": "ok"}],
    }
    file = write(tmp_path / "t.json", transcript(turn, answer("ran")))
    assert visualizer.replay(visualizer.load_transcript(file)).result == "ran"
    assert not marker.exists()


def test_unknown_names_come_with_the_nearest_ones() -> None:
    """A typing error is answered with what was probably meant."""
    with pytest.raises(NotFoundError) as refused:
        visualizer.load_transcript("aurora-rum")
    assert refused.value.nearest[0] == "aurora-run"
    assert "aurora-run" in str(refused.value)


@pytest.mark.parametrize("name", ["a\0b", "", "\x1b[2J", "x" * 10_000, "../../etc", "nul\udcff"])
def test_odd_names_are_plain_errors(name: str) -> None:
    """No name makes a traceback or reaches the message unmasked."""
    with pytest.raises(VisualizerError) as refused:
        visualizer.load_transcript(name)
    assert str(refused.value).isprintable()


def test_a_folder_of_ones_own_is_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """VISUALIZER_TRANSCRIPTS adds scenarios by name; shipped names stay the shipped ones."""
    write(tmp_path / "mine.json", transcript(answer("mine")))
    write(tmp_path / "paris.json", transcript(answer("not Paris")))
    monkeypatch.setenv("VISUALIZER_TRANSCRIPTS", str(tmp_path))
    assert "mine" in visualizer.scenario_names()
    assert visualizer.replay(visualizer.load_transcript("mine")).result == "mine"
    assert visualizer.replay(visualizer.load_transcript("paris")).result == "Paris"


def test_an_unknown_place_says_what_there_is() -> None:
    """Places outside a run are refused with the range of steps."""
    run = visualizer.replay(visualizer.load_transcript("paris"))
    for place in ("t1.call", "5", "0", "-1", "middle", "9" * 50, "١"):
        with pytest.raises(PlaceError, match="1 to 4"):
            run.locate(place)
    assert (run.locate("start"), run.locate("t0.check.1"), run.locate("end")) == (1, 3, 4)


def test_the_schema_accepts_the_shipped_files_and_is_json() -> None:
    """The published schema names every key of the envelope, and closes it."""
    from visualizer.schema import json_schema

    schema = json.loads(json.dumps(json_schema()))
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == {"format_version", "title", "summary"}


def test_a_transcript_without_runs_is_refused() -> None:
    """``TranscriptError`` carries every problem with its place."""
    from visualizer.loading import parse

    with pytest.raises(TranscriptError) as refused:
        parse(b"{}", "x.json")
    assert [problem.pointer for problem in refused.value.problems] == [
        "/format_version",
        "/title",
        "/summary",
    ]
