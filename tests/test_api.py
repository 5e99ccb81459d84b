"""The package as a library: what is public, and what importing it brings in."""

from __future__ import annotations

import doctest
import inspect
import json
import pydoc
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


def test_the_documentation_of_the_package_holds() -> None:
    """Every example in it gives what it says."""
    found = doctest.testmod(visualizer)
    assert found.attempted >= 4
    assert found.failed == 0


def test_help_lists_what_there_is() -> None:
    """Lazy as it is: each public function and class stands in ``help`` with its first line."""
    shown = pydoc.plain(pydoc.render_doc(visualizer))
    for name in visualizer.__all__:
        assert name in dir(visualizer)
        kind = "class " if isinstance(getattr(visualizer, name), type) else ""
        assert f"    {kind}{name}(" in shown
    members = dict(inspect.getmembers(visualizer, inspect.isfunction))
    assert {"compare", "load_transcript", "replay", "scenario_names"} <= members.keys()
    assert "Drive a loop over a scenario's recording" in shown


def test_a_run_says_how_it_ended_in_a_few_lines() -> None:
    """As the command line does: what came of it, the counts, why, and where."""
    run = visualizer.replay("aurora-run", max_turns=2)
    said = str(run).splitlines()
    assert said[:3] == [
        "aurora-run: agent_loop, max_turns 2",
        "Returned None. terminal_reason: max_turns",
        "2 model calls, 2 tool rounds, 2 tool calls.",
    ]
    assert "\n".join(said[3:]) == run.explain()
    assert "call 3 was not allowed" in said[3]
    assert said[4].startswith("At aurora-run@end (agent_loop.py, line ")
    assert run.explain("ja").endswith("行目）")
    assert "max_turns, returned None; 2 model calls" in repr(run)


def test_a_stopped_run_gives_the_reason_and_the_place() -> None:
    """The sentence of the broken rule, the call it happened in, the line of the loop."""
    run = visualizer.replay("two-birth-years", loop="one_by_one")
    assert run.stop is not None
    text = "has no result in the next user message"
    assert text in run.explain()
    assert text in str(run)
    assert text in repr(run)
    assert "At two-birth-years@t1.call (" in run.explain()
    line = int(run.explain().rpartition("line ")[2].rstrip(")."))
    assert "model(messages)" in run.loop.line(line)


@pytest.mark.parametrize("name", ["aurora-run", "flood", "approval", "client-denied", "repeat"])
def test_nothing_prints_a_wall(name: str) -> None:
    """What a failing test shows of a run and its parts stays short."""
    run = visualizer.replay(name)
    other = visualizer.replay(name, max_turns=1)
    parts = [*run.steps, *run.calls, *run.messages, run.stop, run.loop, run.log]
    for part in (visualizer.load_transcript(name), *parts):
        assert len(repr(part)) < 500
    assert len(repr(run)) <= 240
    assert len(repr(visualizer.compare(run, other))) <= 600
    assert "\n" not in repr(run)


def test_a_comparison_says_where_two_runs_part() -> None:
    """Whether the outcomes agree, the two places and the reason, in both languages."""
    left, right = (visualizer.replay("aurora-run", max_turns=cap) for cap in (None, 2))
    comparison = visualizer.compare(left, right)
    assert "They part at t2.call (left) and end (right)." in comparison.explain()
    assert str(comparison).endswith(comparison.explain())
    assert "t2.call" in comparison.explain("ja")
    assert "never part" in repr(visualizer.compare(left, left))


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
    from visualizer.transcript.schema import json_schema

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
