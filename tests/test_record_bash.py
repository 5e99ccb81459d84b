"""The coding agent's transcripts: real outputs, authored replies, and nothing run in replay."""

from __future__ import annotations

import copy
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests import record_bash
from tests.record_bash import SETUPS, can_record, read, recorded
from visualizer import load_transcript, replay
from visualizer.loops import unbounded

SCENARIOS = [*SETUPS, "hello-py-at-once", "python-files"]


@pytest.mark.parametrize("name", SETUPS)
def test_the_commands_print_what_the_transcript_holds(name: str) -> None:
    """Run again, in a new directory, every command gives the result that is in the file."""
    if not can_record(name):
        pytest.skip("needs bash, and for one of them git")
    document = read(name)
    assert recorded(document, SETUPS[name]) == document


@pytest.mark.skipif(not can_record("hello-py"), reason="needs bash")
def test_an_output_that_was_changed_is_noticed_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The script names the file, ends with 1, and writes the real output when asked to."""
    path = tmp_path / "hello-py.json"
    right = (record_bash.FOLDER / path.name).read_text(encoding="utf-8")
    path.write_text(right.replace('"content": "Hello, World!"', '"content": "Hi"'), "utf-8")
    monkeypatch.setattr(record_bash, "FOLDER", tmp_path)
    monkeypatch.setattr(record_bash, "SETUPS", {"hello-py": SETUPS["hello-py"]})
    assert record_bash.main([]) == 1
    assert capsys.readouterr().out == "hello-py\n"
    assert record_bash.main(["--write"]) == 0
    assert path.read_text(encoding="utf-8") == right
    assert record_bash.main([]) == 0


def parts(name: str) -> Iterator[tuple[str, str]]:
    """(pointer, what it is) of every reply and every output in a transcript."""
    for number, run in enumerate(read(name)["runs"]):
        here = f"/runs/{number}"
        for at, message in enumerate(run["request"]["messages"]):
            pasted = isinstance(message["content"], str) and message["content"].startswith("$ ")
            results = isinstance(message["content"], list) and message["role"] == "user"
            if pasted or results:
                yield f"{here}/request/messages/{at}", "output"
        for place, take in enumerate(run["takes"]):
            for at, turn in enumerate(take["turns"]):
                yield f"{here}/takes/{place}/turns/{at}/response", "reply"
                if "results" in turn:
                    yield f"{here}/takes/{place}/turns/{at}/results", "output"


@pytest.mark.parametrize("name", SETUPS)
def test_the_file_says_what_is_authored_and_what_is_recorded(name: str) -> None:
    """Replies are authored (scripted where one repeats), every output is recorded."""
    scenario = load_transcript(name)
    kinds: dict[str, set[Any]] = {"reply": set(), "output": set()}
    for pointer, what in parts(name):
        found = scenario.provenance(pointer)
        kinds[what].add(found and found.kind)
    reply = "scripted" if name == "waiting" else "authored"
    assert kinds == {"reply": {reply}, "output": {"recorded"}}


def test_replay_runs_no_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The runs come to their ends without a process, and leave no file behind."""
    monkeypatch.chdir(tmp_path)

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a command was run")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr("os.system", refuse)
    for name in SCENARIOS:
        scenario = load_transcript(name)
        for run in scenario.runs:
            assert replay(scenario, run=run.id).model_calls > 0
    assert list(tmp_path.iterdir()) == []


def test_every_call_sends_the_system_prompt_and_the_tool() -> None:
    """What the loop passes is what was recorded, with all calls; another value diverges."""
    scenario = load_transcript("hello-py")
    run = replay(scenario)
    sent = {"system": unbounded.SYSTEM, "tools": unbounded.TOOLS, "max_tokens": 8000}
    assert [call.parameters for call in run.calls] == [sent] * 3
    other = copy.deepcopy(scenario)
    other.runs[0].request.max_tokens = 4000
    assert replay(other).terminal_reason == "diverged"


def test_each_pasted_run_goes_on_where_the_one_before_ended() -> None:
    """By hand: every run ends with a reply, and the next begins with it and a paste."""
    scenario = load_transcript("by-hand")
    runs = [replay(scenario, run=one.id) for one in scenario.runs]
    assert [(run.model_calls, run.tool_calls) for run in runs] == [(1, 0)] * 3
    for run, after in pairwise(runs):
        begun = after.messages[: after.calls[0].sent]
        assert list(begun[:-1]) == list(run.messages)
        assert begun[-1].text.startswith(record_bash.PROMPT)


def test_the_next_prompt_finds_all_that_came_before() -> None:
    """The second run of the session begins with every message of the first, and a question."""
    first, second = (replay(load_transcript(name)) for name in ("hello-py", "python-files"))
    begun = second.calls[0].sent
    assert begun == len(first.messages) + 1
    assert list(second.messages[: begun - 1]) == list(first.messages)
