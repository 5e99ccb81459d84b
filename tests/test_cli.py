"""The commands: what they print, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import made
from visualizer.cli import commands, options
from visualizer.cli.main import language_in, main
from visualizer.text import display_safe

Output = pytest.CaptureFixture[str]
HOSTILE = "x\x1b]0;owned\x07\u202e\u200b"


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUALIZER_LANG", "en")
    monkeypatch.setenv("COLUMNS", "80")


def call(*arguments: str) -> int:
    """Run a command in this process; its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def complaint(capsys: Output, *arguments: str) -> str:
    """The one line on stderr of a command that can't be done, without its prefix."""
    assert call(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert display_safe(captured.err[:-1]) == captured.err[:-1]
    assert captured.err.startswith("visualizer: ")
    return captured.err.removeprefix("visualizer: ").strip()


def test_run_prints_every_step(capsys: Output) -> None:
    """``run`` prints the steps as text, and is done (0) also for a run that was cut off."""
    assert call("run", "paris") == 0
    assert "t0.check" in capsys.readouterr().out
    assert call("run", "aurora-run-cutoff") == 0
    assert "Returned None. terminal_reason: max_turns" in capsys.readouterr().out


def test_run_as_json(capsys: Output) -> None:
    """``run --json`` prints ASCII with the fields of the contract."""
    assert call("run", "aurora-run", "--json", "--lang", "ja") == 0
    text = capsys.readouterr().out
    assert text.isascii()
    data = json.loads(text)
    assert (data["scenario"], data["result"], len(data["steps"])) == ("aurora-run", "1974", 12)


def test_max_turns_loop_and_file(capsys: Output, tmp_path: Path) -> None:
    """The cap, the loop and a file instead of a name; a file is called by its stem."""
    assert call("run", "aurora-run", "--max-turns", "2", "--loop", "agent_loop", "--json") == 0
    assert json.loads(capsys.readouterr().out)["terminal_reason"] == "max_turns"
    path = made.write(tmp_path / "mine.json", made.transcript(made.round_of("t1"), made.answer()))
    assert call("run", str(path), "--json") == 0
    assert json.loads(capsys.readouterr().out)["scenario"] == "mine"


@pytest.mark.parametrize(
    "arguments",
    [["aurora-run@t1.check"], ["aurora-run", "--at", "7"], ["aurora-run@7", "--at", "7"]],
)
def test_a_place_leaves_one_step(capsys: Output, arguments: list[str]) -> None:
    """A place, as a locator or an option, prints that step only, in text and in JSON."""
    assert call("run", *arguments, "--json") == 0
    steps = json.loads(capsys.readouterr().out)["steps"]
    assert [step["place"] for step in steps] == ["t1.check"]
    assert call("run", *arguments) == 0
    assert "t1.execute" not in capsys.readouterr().out


def test_a_locator_carries_settings(capsys: Output) -> None:
    """``NAME@PLACE,max_turns=2`` is run under that cap."""
    assert call("run", "aurora-run@end,max_turns=2,loop=agent_loop", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["max_turns"], data["result"], len(data["steps"])) == (2, None, 1)


def test_a_file_name_may_hold_an_at_sign(
    capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that exists is never taken apart as a locator."""
    monkeypatch.chdir(tmp_path)
    made.write(tmp_path / "a@end", made.transcript(made.answer()))
    assert call("run", "a@end", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["steps"]) > 1
    assert call("run", "a@end@start", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["steps"]) == 1


def test_list(capsys: Output) -> None:
    """``list`` names the scenarios and says what they are; ``--json`` for programs."""
    assert call("list") == 0
    assert "aurora-run: Aurora Run (reconstructed)" in capsys.readouterr().out
    assert call("list", "--json") == 0
    entries = {one["name"]: one for one in json.loads(capsys.readouterr().out)["scenarios"]}
    assert {"aurora-run", "aurora-run-cutoff", "paris"} <= entries.keys()
    assert entries["aurora-run-cutoff"]["max_turns"] == 2
    assert entries["paris"]["loop"] == "agent_loop"
    assert entries["paris"]["provenance"]["kind"] == "reconstructed"


def test_list_goes_on_after_a_broken_file(
    capsys: Output, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that can't be used is a line on stderr; the others are listed."""
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    monkeypatch.setenv("VISUALIZER_TRANSCRIPTS", str(tmp_path))
    assert call("list") == 0
    captured = capsys.readouterr()
    assert "paris" in captured.out
    assert "broken" in captured.err


def test_check(capsys: Output, tmp_path: Path) -> None:
    """The shipped files are fine (0); a broken one and an empty folder are not (1)."""
    assert call("check") == 0
    assert capsys.readouterr().out == ""
    (tmp_path / "broken.json").write_text('{"format_version": 2}', encoding="utf-8")
    (tmp_path / "empty").mkdir()
    assert call("check", str(tmp_path), str(tmp_path / "empty"), str(tmp_path / "nothing")) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any("broken.json: /format_version: " in line for line in lines)
    assert any("empty: " in line for line in lines)
    assert any("nothing: " in line for line in lines)


def test_schema(capsys: Output) -> None:
    """``schema`` prints a JSON Schema that names the version of the format."""
    assert call("schema") == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["properties"]["format_version"] == {
        "const": 1,
        "title": "Format Version",
        "type": "integer",
    }


@pytest.mark.parametrize("shell", commands.SHELLS)
def test_completion_scripts(capsys: Output, shell: str) -> None:
    """Each shell gets a script that calls the program back."""
    assert call("completion", shell) == 0
    assert "_VISUALIZER_COMPLETE" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("visualizer ru", "run"),
        ("visualizer run aur", "aurora-run-cutoff"),
        ("visualizer run paris --loop ag", "agent_loop"),
        ("visualizer open paris --at t0.c", "t0.check"),
        ("visualizer open paris --th", "--theme"),
        ("visualizer open paris --theme l", "light"),
    ],
)
def test_completions(
    capsys: Output, monkeypatch: pytest.MonkeyPatch, typed: str, expected: str
) -> None:
    """Commands, scenario names, loops, places and values are completed."""
    monkeypatch.setenv("_VISUALIZER_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    call()
    assert expected in capsys.readouterr().out


def test_version(capsys: Output) -> None:
    """``--version`` names the program and nothing else."""
    assert call("--version") == 0
    assert capsys.readouterr().out.startswith("visualizer")


@pytest.mark.parametrize("command", ["", "open", "run", "list", "check", "schema", "completion"])
@pytest.mark.parametrize(("language", "usage"), [("en", "Usage:"), ("ja", "使い方:")])
def test_help(capsys: Output, command: str, language: str, usage: str) -> None:
    """Every command has a help page in both languages, at most 80 cells wide."""
    assert call(*command.split(), "--help", "--lang", language) == 0
    page = capsys.readouterr().out
    assert page.startswith(usage)
    words = ("Options:", "Show this") if language == "ja" else ("オプション", "表示")
    assert not any(word in page for word in words)
    if command in ("", "open", "run", "completion"):
        assert ("Examples:" if language == "en" else "例:") in page


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "arora-run"], "aurora-run"),
        (["run", "nothing/like/it.json"], "no such file"),
        (["run", "."], "director"),
        (["run", "paris@t9.call"], "t9.call"),
        (["run", "paris", "--at", "nowhere"], "nowhere"),
        (["run", "paris", "--max-turns", "0"], "x>=1"),
        (["run", "paris", "--max-turns", "many"], "many"),
        (["run", "paris", "--loop", "agentloop"], "agent_loop"),
        (["run", "paris", "--loop", "missing.py"], "missing.py"),
        (["run", "paris@end,max_turns=2", "--max-turns", "3"], "different things"),
        (["run", "paris@end,max_turns=0"], "0"),
        (["run"], "NAME_OR_FILE"),
        (["run", "paris", "extra"], "extra"),
        (["runn", "paris"], "'run'"),
        (["run", "paris", "--jason"], "'--json'"),
        (["run", "paris", "--lang", "fr"], "fr"),
        (["completion", "tcsh"], "bash"),
        (["open", "paris", "--max-turns", "2"], "visualizer run paris --max-turns 2"),
        (["open", "aurora-run"], "visualizer run aurora-run"),
        ([], "visualizer list"),
    ],
)
def test_what_cannot_be_done_is_one_line(capsys: Output, arguments: list[str], words: str) -> None:
    """Bad usage and unusable input: exit code 2 and one line that says what is wrong."""
    assert words in complaint(capsys, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", HOSTILE],
        ["run", f"{HOSTILE}.json"],
        ["run", "paris", "--at", HOSTILE],
        ["run", "paris", "--loop", HOSTILE],
        ["run", "paris", f"--{HOSTILE}"],
        [HOSTILE],
        ["run", "paris", "--max-turns", HOSTILE],
        ["open", HOSTILE],
        ["run", "a\nb"],
        ["run", "n" * 5000],
    ],
)
def test_arguments_cannot_steer_the_terminal(capsys: Output, arguments: list[str]) -> None:
    """What was typed is repeated with its control characters made visible, on one line."""
    complaint(capsys, *arguments)


def test_a_loop_without_a_cap_refuses_one(capsys: Output, tmp_path: Path) -> None:
    """``--max-turns`` for a loop that has none is an error, not ignored."""
    loop = tmp_path / "mine.py"
    loop.write_text(
        "def mine(model, tools, messages):\n    return model(messages).text\n", encoding="utf-8"
    )
    assert call("run", "paris", "--loop", str(loop), "--json") == 0
    assert json.loads(capsys.readouterr().out)["max_turns"] is None
    assert "mine" in complaint(capsys, "run", "paris", "--loop", f"{loop}:mine", "--max-turns", "2")


def test_the_language_is_found_anywhere() -> None:
    """``--lang`` counts before and after a command, in both spellings, the last one."""
    assert language_in(["--lang", "ja", "list"]) == "ja"
    assert language_in(["run", "paris", "--lang=en"]) == "en"
    assert language_in(["--lang", "ja", "run", "x", "--lang", "en"]) == "en"
    assert language_in(["run", "--", "--lang=ja"]) is None
    assert language_in(["--lang", "fr"]) is None
    assert language_in(["--lang"]) is None


def test_errors_are_in_the_language_asked_for(capsys: Output) -> None:
    """Japanese errors, also those of the library that reads the arguments."""
    assert "シナリオ" in complaint(capsys, "run", "arora", "--lang", "ja")
    assert "オプション" in complaint(capsys, "run", "paris", "--jason", "--lang", "ja")
    assert "範囲" in complaint(capsys, "run", "paris", "--max-turns", "0", "--lang", "ja")


def test_the_themes_are_those_of_the_screens() -> None:
    """``--theme`` takes just the themes that there are."""
    from visualizer.tui.themes import PALETTES

    assert tuple(PALETTES) == options.THEMES
