"""``--recent``: recordings that clients keep for their users, only when they are asked for."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.own_home import ARCHIVED, CLAUDE, CODEX, GEMINI, KEPT, home_for, keep
from tests.test_cli import call, complaint
from visualizer.cli import list_command
from visualizer.collection import places
from visualizer.collection.places import at_home, recent
from visualizer.errors import VisualizerError
from visualizer.loading import Scenario, load_file
from visualizer.tui import app as app_module

Output = pytest.CaptureFixture[str]
posix = pytest.mark.skipif(os.name == "nt", reason="links and rights as POSIX has them")


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home folder of this test alone."""
    monkeypatch.setenv("VISUALIZER_LANG", "en")
    monkeypatch.setenv("VISUALIZER_PROGRESS", str(tmp_path / "progress.json"))
    return home_for(monkeypatch, tmp_path / "home")


def names() -> list[str]:
    """The files found, as paths in the home folder, the newest first."""
    return [at_home(one.path).replace("\\", "/").removeprefix("~/") for one in recent().found]


def test_each_client_has_its_place(home: Path) -> None:
    """Sessions of all clients, the newest first; nothing else that lies there."""
    keep(home, *KEPT)
    folder = (home / CLAUDE).parent
    keep(
        home,
        ".claude/history.jsonl",
        ".claude/projects/loose.jsonl",
        ".codex/sessions/2026/11/29/notes.jsonl",
        ".codex/history.jsonl",
        ".gemini/tmp/harbour/logs.json",
    )
    keep(folder, "one/subagents/agent-1.jsonl", "sessions-index.json")
    assert names() == list(reversed(KEPT))


def test_clients_that_were_moved_are_found(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """The variables that move a client's folder are followed."""
    for variable, name in (
        ("CLAUDE_CONFIG_DIR", CLAUDE.removeprefix(".claude/")),
        ("CODEX_HOME", CODEX.removeprefix(".codex/")),
        ("GEMINI_CLI_HOME", GEMINI),
    ):
        keep(home / variable, name)
        monkeypatch.setenv(variable, str(home / variable))
    keep(home, *KEPT)
    assert {name.split("/")[0] for name in names()} == {
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "GEMINI_CLI_HOME",
    }


def test_only_so_many_are_given_and_the_rest_counted(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """The newest ones; how many more there are is said."""
    keep(home, *KEPT)
    assert recent().more == 0
    monkeypatch.setattr(places, "RECENT", 2)
    assert names() == [GEMINI, ARCHIVED]
    assert recent().more == 2


@posix
def test_links_are_not_followed(home: Path) -> None:
    """A link, a circle of links, a pipe and a folder named like a session are left out."""
    keep(home, CLAUDE)
    folder = (home / CLAUDE).parent
    (folder.parent / "again").symlink_to(folder)
    (folder.parent / "round").symlink_to(folder.parent)
    (folder / "loop.jsonl").symlink_to("loop.jsonl")
    (folder / "gone.jsonl").symlink_to("nowhere")
    (folder / "other.jsonl").symlink_to(folder / "one.jsonl")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    assert names() == [CLAUDE]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_none_is_one_line_that_names_the_places(home: Path, capsys: Output, language: str) -> None:
    """Where nothing was found, one knows where it was looked for."""
    said = complaint(capsys, "list", "--recent", "--lang", language)
    for part in ("projects", "sessions", "archived_sessions", ".gemini"):
        assert part in said
    assert str(home) not in said


def test_a_place_that_can_not_be_read_is_said(
    monkeypatch: pytest.MonkeyPatch, home: Path, capsys: Output
) -> None:
    """The other places are listed all the same; where nothing is left, the line says why."""
    keep(home, CLAUDE, CODEX)
    scan = os.scandir

    def scandir(path: Any) -> Any:
        if Path(path).name in barred:
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    barred = {"projects"}
    assert call("list", "--recent") == 0
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert "projects (Permission denied)" in captured.err
    assert "rollout-" in captured.out
    barred.add("sessions")
    with pytest.raises(VisualizerError, match="Permission denied"):
        recent()
    barred.clear()
    barred.add("-home-me-harbour")  # one project among others
    assert names() == [CODEX]


def test_without_a_home_only_what_is_named_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """A home that is no absolute path is none: nothing below the present folder is taken."""
    keep(home, CLAUDE)
    monkeypatch.chdir(home)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, ".")
    with pytest.raises(VisualizerError):
        recent()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / ".claude"))
    assert [one.path.name for one in recent().found] == ["one.jsonl"]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_list_prints_a_line_a_recording(
    monkeypatch: pytest.MonkeyPatch, home: Path, capsys: Output, language: str
) -> None:
    """The newest first, by where it is; then how many are left out. As JSON the same."""
    keep(home, CLAUDE, CODEX)
    assert call("list", "--recent", "--lang", language) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [Path(line.partition(": ")[0]).name for line in lines] == [
        Path(CODEX).name,
        Path(CLAUDE).name,
    ]
    monkeypatch.setattr(places, "RECENT", 1)
    assert call("list", "--recent", "--lang", language) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert call("list", "--recent", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert (len(data["recordings"]), data["more"], len(data["places"])) == (1, 1, 4)
    assert data["recordings"][0]["file"] == str(home / CODEX)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    "command",
    [
        ["open", "--recent", "--instructor"],
        ["--instructor", "open", "--recent"],
        ["open", "--recent", "--agenda", "class.txt"],
    ],
)
def test_never_in_class(home: Path, capsys: Output, command: list[str], language: str) -> None:
    """What is private is refused with the reason, before anything is looked for."""
    keep(home, CLAUDE)
    said = complaint(capsys, *command, "--lang", language)
    assert {"en": "private", "ja": "私的"}[language] in said


@pytest.mark.parametrize(
    "command",
    [
        ["open", "--recent", "paris"],
        ["open", "--recent", "--at", "end"],
        ["open", "--recent", "--run", "2"],
        ["list", "--recent", "."],
    ],
)
def test_it_stands_alone(home: Path, capsys: Output, command: list[str]) -> None:
    """A name, a folder or a place beside it is refused."""
    assert "--recent" in complaint(capsys, *command)


def test_open_needs_a_name_otherwise(home: Path, capsys: Output) -> None:
    """Nothing is looked for by itself: without a name and without ``--recent`` there is nothing."""
    keep(home, CLAUDE)
    assert "NAME_OR_FILE" in complaint(capsys, "open")


def test_open_without_a_terminal_names_list(home: Path, capsys: Output) -> None:
    """Into a pipe, the command that prints them is named."""
    keep(home, CLAUDE)
    assert '"visualizer list --recent"' in complaint(capsys, "open", "--recent")


def test_open_gives_them_to_the_screen(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """With the loop and the cap for whatever is chosen."""
    keep(home, CLAUDE)
    asked: list[Any] = []
    monkeypatch.setattr(app_module, "run_app", lambda opening, *_: asked.append(opening))
    monkeypatch.setattr(list_command, "on_a_terminal", lambda: True)
    call("open", "--recent", "--max-turns", "2")
    (opening,) = asked
    assert opening.max_turns == 2
    assert [one.path for one in opening.place.found] == [home / CLAUDE]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def as_seen(written: str) -> list[str]:
    """What each state of the line looked like, from what was written over and over."""
    return [part.strip() for part in written.split("\r") if part.strip()]


@pytest.mark.parametrize(("language", "words"), [("en", "2 of 3"), ("ja", "3 件中 2 件目")])
def test_listing_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Output, language: str, words: str
) -> None:
    """On a terminal one line is rewritten and in the end gone; elsewhere nothing is written."""
    keep(tmp_path, "a.jsonl", "b\x1b[2J.jsonl", "c" * 200 + ".jsonl")
    monkeypatch.setenv("COLUMNS", "60")
    assert call("list", str(tmp_path), "--lang", language) == 0
    assert capsys.readouterr().err == ""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert call("list", str(tmp_path), "--lang", language) == 0
    seen = as_seen(terminal.getvalue())
    assert any(words in one for one in seen)
    assert all(len(one) < 60 and "\x1b" not in one for one in seen)
    assert "\n" not in terminal.getvalue()
    assert terminal.getvalue().endswith(" \r")


def test_ctrl_c_ends_the_listing_cleanly(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Output
) -> None:
    """What was listed stays, the line of progress is gone, and the exit code is 130."""
    keep(tmp_path, "a.jsonl", "b.jsonl")

    def load(path: Path, source: str) -> Scenario:
        if path.name == "b.jsonl":
            raise KeyboardInterrupt
        return load_file(path, source)

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("visualizer.collection.folders.load_file", load)
    assert call("list", str(tmp_path), "--lang", "en") == 130
    assert capsys.readouterr().out.startswith("a.jsonl: ")
    assert terminal.getvalue().endswith(" \r\n")  # the end of the line that ^C stands in
    assert terminal.getvalue().count("\n") == 1


def test_what_can_not_be_read_is_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A complaint never stands in the line of progress."""
    keep(tmp_path, "a.jsonl")
    (tmp_path / "b.json").write_text('{"format_version": 1, ', encoding="utf-8")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert call("list", str(tmp_path), "--lang", "en") == 0
    (line,) = [one for one in terminal.getvalue().split("\r") if "\n" in one]
    assert line.startswith("visualizer: b.json: ")
