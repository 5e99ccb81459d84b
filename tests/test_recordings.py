"""Recordings of other programs on the command line: run, list, check, convert."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.made import answer, text_block, tool_result, tool_use, transcript, write
from tests.made_outside import QUESTION, Session, small_session, small_stream
from visualizer.cli import commands
from visualizer.cli.main import main
from visualizer.collection.folders import files_in
from visualizer.collection.recordings import converted
from visualizer.engine import replay
from visualizer.formats import Outside
from visualizer.i18n import LANGUAGES
from visualizer.loading import Scenario, load_transcript
from visualizer.transcript.schema import to_json

Output = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUALIZER_LANG", "en")
    monkeypatch.setenv("COLUMNS", "80")


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def kept(folder: Path, made: Session, name: str = "session.jsonl") -> Path:
    path = folder / name
    path.write_bytes(made.text())
    return path


def two_runs() -> Session:
    """The small session, and a second prompt with what a host does beside it."""
    made = small_session()
    made.user("And where did it go?")
    made.line("attachment", attachment={"type": "date"}, rendered=[{"content": "Monday"}])
    made.line("system", subtype="api_error", error={"status": 529, "message": "Overloaded"})
    made.reply("m3", text_block("To Bergen."), flag="end_turn")
    return made


def outside_of(scenario: Scenario) -> Outside:
    assert scenario.outside is not None
    return scenario.outside


def run_json(capsys: Output, *arguments: str) -> dict[str, Any]:
    assert call("run", "--json", *arguments) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_run_as_json_gives_every_run(capsys: Output, tmp_path: Path) -> None:
    """``{file, format, runs}``, each run as for a scenario with what the file says of it."""
    path = kept(tmp_path, two_runs())
    data = run_json(capsys, str(path))
    assert (data["file"], data["format"], data["prompts"]) == (str(path), "claude-code", 2)
    first, second = data["runs"]
    assert (first["run"], first["started_by"], first["recorded"]) == ("1", "prompt", None)
    assert (first["result"], first["model_calls"], first["tool_calls"]) == ("Whitby.", 2, 2)
    assert (second["run"], second["result"], second["parent"]) == ("2", "To Bergen.", None)
    assert [step["phase"] for step in second["steps"]] == ["start", "call", "check", "end"]


def test_one_run_is_chosen_by_its_number(capsys: Output, tmp_path: Path) -> None:
    """``--run`` leaves the others out; a place is looked up in that run, else in the first."""
    path = str(kept(tmp_path, two_runs()))
    assert [one["run"] for one in run_json(capsys, path, "--run", "2")["runs"]] == ["2"]
    at = run_json(capsys, f"{path}@t0.check")["runs"]
    assert [len(one["steps"]) for one in at] == [1]
    assert call("run", path, "--run", "7") == 2
    assert "'7'" in capsys.readouterr().err


def test_the_cap_and_the_loop_can_be_others(capsys: Output, tmp_path: Path) -> None:
    """A recording is driven like a scenario."""
    path = str(kept(tmp_path, two_runs()))
    data = run_json(capsys, path, "--run", "1", "--max-turns", "1", "--loop", "several_messages")
    first = data["runs"][0]
    assert (first["terminal_reason"], first["loop"]) == ("max_turns", "several_messages")


def test_a_run_that_goes_another_way_says_what_is_recorded(capsys: Output, tmp_path: Path) -> None:
    """A cap cuts the loop off; the recording's own numbers are told beside the run's."""
    path = str(kept(tmp_path, small_session()))
    assert call("run", path, "--max-turns", "1") == 0
    out = capsys.readouterr().out
    assert "\n1 model call, 1 tool round, 2 tool calls.\n" in out
    assert "holds for this run: 2 model calls, 1 tool round, 2 tool calls." in out
    one = run_json(capsys, path, "--max-turns", "1")["runs"][0]
    assert (one["model_calls"], one["recorded_counts"]["calls"]) == (1, 2)
    assert call("run", path) == 0
    assert "holds for this run" not in capsys.readouterr().out


def test_what_files_of_a_format_never_hold_is_told(capsys: Output, tmp_path: Path) -> None:
    """A session has no system prompt and no tools; that is said, not shown as none."""
    path = str(kept(tmp_path, small_session()))
    assert run_json(capsys, path)["not_kept"] == ["system", "tools", "max_tokens"]
    assert call("run", path) == 0
    assert "do not keep" in capsys.readouterr().out


@pytest.mark.parametrize("language", ["en", "ja"])
def test_run_as_text(language: str, capsys: Output, tmp_path: Path) -> None:
    """The file, what was odd, the list of runs, every step, and what stood beside the loop."""
    made = two_runs()
    made.bare("a-type-of-tomorrow")
    path = kept(tmp_path, made)
    assert call("run", str(path), "--lang", language) == 0
    out = capsys.readouterr().out
    for part in ("claude-code", "a-type-of-tomorrow 1", "Monday", "529", "t0.execute.2", "Bergen"):
        assert part in out


def test_a_file_of_our_own_takes_run_too(capsys: Output, tmp_path: Path) -> None:
    """``--run`` names a run of a transcript; an unknown one is refused."""
    path = str(write(tmp_path / "mine.json", transcript(answer("fin"))))
    assert run_json(capsys, path, "--run", "main")["result"] == "fin"
    assert call("run", path, "--run", "other") == 2
    capsys.readouterr()


def test_list_gives_a_line_a_recording(capsys: Output, tmp_path: Path) -> None:
    """Folders inside are looked through; a damaged file is said on stderr, others are counted."""
    kept(tmp_path, two_runs())
    inner = tmp_path / "inner"
    inner.mkdir()
    kept(inner, small_stream(), "stream.jsonl")
    write(tmp_path / "mine.json", transcript(answer("fin")))
    (tmp_path / "bad.json").write_text('{"format_version": 1, ', encoding="utf-8")
    (tmp_path / "notes.json").write_text("no recording", encoding="utf-8")
    (inner / "again").symlink_to(tmp_path)
    assert call("list", str(tmp_path)) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "mine.json",
        "session.jsonl",
        str(Path("inner", "stream.jsonl")),
    ]
    assert "2 prompts, 2 runs; 3 model calls, 1 tool round, 2 tool calls" in lines[1]
    said = captured.err.splitlines()
    assert len(said) == 2
    assert "bad.json" in said[0]
    assert said[1].endswith("left out: 1 file that is no recording in a format that is read")
    assert call("list", str(tmp_path), "--json") == 0
    found = json.loads(capsys.readouterr().out)["recordings"]
    assert [one.get("format") for one in found] == [None, "claude-code", "stream-json"]
    assert (found[1]["calls"], found[1]["tokens_out"], found[2]["end"]) == (3, 15, "success")


@pytest.mark.parametrize("language", LANGUAGES)
def test_list_leaves_out_what_is_no_recording(
    language: str, capsys: Output, tmp_path: Path
) -> None:
    """A project's other files are counted in one line, with the folders not looked through."""
    kept(tmp_path, two_runs())
    for number in range(20):
        (tmp_path / f"{number}.json").write_text('{"name": "x"}', encoding="utf-8")
    (tmp_path / "tsconfig.json").write_text("{ // a comment", encoding="utf-8")
    (tmp_path / "empty.jsonl").write_bytes(b"")
    for name, mark in (("node_modules", "a.json"), ("env", "pyvenv.cfg"), ("kept", "CACHEDIR.TAG")):
        inner = tmp_path / name / "deep"
        inner.mkdir(parents=True)
        (inner.parent / mark).write_bytes(b"")
        kept(inner, two_runs())
    assert call("list", str(tmp_path), "--lang", language) == 0
    captured = capsys.readouterr()
    assert [line.partition(":")[0] for line in captured.out.splitlines()] == ["session.jsonl"]
    (said,) = captured.err.splitlines()
    assert all(part in said for part in ("22", "3", "env", "kept", "node_modules"))
    assert "pydantic-ai" not in said
    assert call("list", str(tmp_path), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["left_out"] == {"files": 22, "folders": ["env", "kept", "node_modules"]}
    assert [path.name for path in files_in(tmp_path / "env")] == ["session.jsonl"]


def test_a_folder_that_can_not_be_read_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: Output, tmp_path: Path
) -> None:
    """The others are listed."""
    kept(tmp_path, two_runs())
    (tmp_path / "barred").mkdir()
    real = os.scandir

    def scandir(path: Any) -> Any:
        if str(path).endswith("barred"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert call("list", str(tmp_path)) == 0
    captured = capsys.readouterr()
    assert captured.out.count("\n") == 1
    assert "barred: Permission denied" in captured.err


def test_list_takes_a_file(capsys: Output, tmp_path: Path) -> None:
    """Its line, or why there is none."""
    path = kept(tmp_path, two_runs())
    assert call("list", str(path)) == 0
    assert capsys.readouterr().out.startswith(f"{path}: claude-code; 2 prompts, 2 runs")
    assert call("list", str(path), "--json") == 0
    (found,) = json.loads(capsys.readouterr().out)["recordings"]
    assert (found["file"], found["calls"]) == (str(path), 3)
    path.write_bytes(b"no recording")
    assert call("list", str(path)) == 2
    assert "is not a recording" in capsys.readouterr().err


def test_check_tells_what_is_wrong_with_a_recording(capsys: Output, tmp_path: Path) -> None:
    """What does not fit is named once; a request that was answered breaks no rule."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("a"), flag="tool_use")
    made.user([tool_result("zz")])
    made.user("Go on.")
    made.reply("m2", text_block("Whitby."))
    made.user("And then?")
    made.reply("m3", text_block("Bergen."))
    path = kept(tmp_path, made)
    assert call("check", str(path)) == 1
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 1
    assert "results that answer no request" in out[0]
    assert call("check", str(kept(tmp_path, small_session(), "fine.jsonl"))) == 0
    capsys.readouterr()


@pytest.mark.parametrize("make", [small_session, small_stream, two_runs])
def test_a_converted_recording_shows_the_same_runs(make: Any, tmp_path: Path) -> None:
    """Round trip: every step of every run is the same, and converting again changes nothing."""
    scenario = load_transcript(kept(tmp_path, make()))
    path = tmp_path / "converted.json"
    path.write_text(to_json(converted(scenario)), encoding="utf-8")
    again = load_transcript(path)
    assert again.outside is None
    for run in outside_of(scenario).runs:
        left, right = replay(scenario, run=run.id), replay(again, run=run.id)
        assert left.steps == right.steps
        assert (left.terminal_reason, left.max_turns) == (right.terminal_reason, right.max_turns)
        assert again.run(run.id).recorded == run.recorded
    assert to_json(converted(again)) == path.read_text(encoding="utf-8")


def test_convert_writes_a_file_and_keeps_one_that_is_there(capsys: Output, tmp_path: Path) -> None:
    """Without ``-o`` it is printed; only ``--force`` replaces a file."""
    path, out = str(kept(tmp_path, two_runs())), tmp_path / "out.json"
    assert call("convert", path) == 0
    printed = capsys.readouterr().out
    assert call("convert", path, "-o", str(out)) == 0
    assert out.read_text(encoding="utf-8") == printed
    out.write_text("mine", encoding="utf-8")
    assert call("convert", path, "-o", str(out)) == 2
    assert "--force" in capsys.readouterr().err
    assert out.read_text(encoding="utf-8") == "mine"
    assert call("convert", path, "-o", str(out), "--force", "--run", "2") == 0
    assert [run.id for run in load_transcript(out).runs] == ["2"]
    assert call("check", str(out)) == 0


def test_open_takes_a_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The stepper is given the recording with the chosen run in front."""
    seen: list[Any] = []
    monkeypatch.setattr(commands, "on_a_terminal", lambda: True)

    def show(texts: Any, screen: Any, opening: Any) -> int:
        seen.append(opening.scenario)
        return 0

    monkeypatch.setattr(commands, "_show", show)
    path = str(kept(tmp_path, two_runs()))
    assert call("open", path, "--run", "2") == 0
    assert replay(load_transcript(seen[0])).result == "To Bergen."
    assert call("open", path) == 0
    assert seen[1].path == Path(path)


def test_open_elsewhere_says_what_to_do(capsys: Output, tmp_path: Path) -> None:
    """Without a terminal the command for the same run is named."""
    path = str(kept(tmp_path, two_runs()))
    assert call("open", path, "--run", "2") == 2
    assert "--run 2" in capsys.readouterr().err
