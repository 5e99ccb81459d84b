"""The commands that draw: what they hand to the screen, and when they don't."""

from __future__ import annotations

import io
import sys
from functools import partial
from operator import ne
from pathlib import Path
from typing import Any

import pytest

from tests.test_cli import Output, call, complaint
from visualizer.app.classroom import Classroom
from visualizer.app.opening import Home, Look, OneRun
from visualizer.cli import commands, compare_command, options


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VISUALIZER_LANG", "en")
    monkeypatch.setenv("VISUALIZER_PROGRESS", str(tmp_path / "progress.json"))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the screen is asked for by commands that believe to be on a terminal."""
    from visualizer.tui import app

    asked: list[Any] = []

    def run_app(*given: object) -> int:
        asked.extend(given)
        return 0

    monkeypatch.setattr(app, "run_app", run_app)
    for one in (commands, compare_command):
        monkeypatch.setattr(one, "on_a_terminal", lambda: True)
    return asked


def test_open_passes_everything_on(asked: list[Any]) -> None:
    """On a terminal, ``open`` gives the screen what was asked for, ``visualizer`` nothing."""
    assert call("open", "paris@t0.check,max_turns=3", "--theme", "light", "--ascii") == 0
    wanted = OneRun("paris", max_turns=3, at="t0.check")
    assert asked == [wanted, Look("en", "light", ascii_borders=True), Classroom(), None]
    asked.clear()
    assert call("--lang", "ja") == 0
    assert asked == [Home(), Look("ja"), Classroom(), None]


def test_a_changed_observation_goes_with_what_is_opened(asked: list[Any], capsys: Output) -> None:
    """``open --observe`` hands over the changed scenario; what is not there is told at once."""
    assert call("open", "paris", "--observe", "t0.execute=x") != 0
    assert capsys.readouterr().err.count("\n") == 1
    assert asked == []
    assert call("open", "aurora-run", "--observe", "t0.execute=x", "--at", "end") == 0
    assert asked[0].scenario.observed == {"t0.execute": "x"}
    asked.clear()
    assert call("compare", "aurora-run", "--observe", "t0.execute=x") == 0
    assert asked[0].scenario.observed == {"t0.execute": "x"}
    assert "--observe" in complaint(
        capsys, "open", "a.jsonl", "--follow", "--observe", "t0.execute=x"
    )


def test_options_may_stand_before_the_command(asked: list[Any], tmp_path: Path) -> None:
    """What is given before ``open``, ``lesson`` and ``compare`` holds there; after it, wins."""
    file, agenda = str(tmp_path / "p.json"), tmp_path / "agenda.txt"
    agenda.write_text("paris@t0.check\n", encoding="utf-8")
    look = ("--theme", "light", "--ascii", "--instructor", "--agenda", str(agenda))
    for command in (["open", "paris"], ["lesson"], ["compare", "paris"]):
        asked.clear()
        assert call(*look, "--progress", file, *command) == 0
        _, given, classroom, progress = asked
        assert given == Look("en", "light", ascii_borders=True)
        assert (classroom.on, len(classroom.agenda)) == (True, 1)
        assert progress == (None if command[0] == "compare" else file)
    asked.clear()
    assert call("--theme", "light", "--progress", "a", "lesson", "--theme", "dark") == 0
    assert (asked[1].theme, asked[3]) == ("dark", "a")
    asked.clear()
    assert call("--progress", file, "open", "paris", "--progress", "b") == 0
    assert (asked[0].scenario, asked[3]) == ("paris", "b")
    assert call("--ascii", "run", "paris") == 0


@pytest.mark.skipif(sys.platform == "win32", reason="consoles have no TERM there")
@pytest.mark.parametrize("kind", ["dumb", "", None])
@pytest.mark.parametrize(
    ("command", "instead"),
    [
        ([], "visualizer list"),
        (["open", "paris", "--max-turns", "3"], "visualizer run paris --max-turns 3"),
        (["open", "."], "visualizer list ."),
        (["lesson", "the-loop"], "visualizer handout the-loop"),
        (["lesson", "--shuffle"], "visualizer list"),
    ],
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_terminal_that_only_takes_lines_is_not_drawn_on(
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
    kind: str | None,
    command: list[str],
    instead: str,
    language: str,
) -> None:
    """``TERM=dumb``, or none: one line names it and the command that prints; exit code 2."""
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    if kind is None:
        monkeypatch.delenv("TERM", raising=False)
    else:
        monkeypatch.setenv("TERM", kind)
    said = complaint(capsys, *command, "--lang", language)
    assert f"TERM={kind or chr(39) * 2}" in said
    assert instead in said
    assert call("compare", "paris") == 0  # in words


def test_a_screen_needs_keys_and_a_place_to_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input and output have to be a terminal; standard error need not even be there."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", None)
    streams = ("stdin", "stdout")
    for missing in (None, *streams):
        for name in streams:
            stream = io.StringIO()
            monkeypatch.setattr(stream, "isatty", partial(ne, name, missing), raising=False)
            monkeypatch.setattr(sys, name, stream)
        assert options.on_a_terminal() is (missing is None)
        assert options.screen_there() is (missing != "stdout")
    monkeypatch.setattr(sys, "stdout", None)
    assert not options.on_a_terminal()


@pytest.mark.parametrize("content", ["{", '{"version": 7}'])
@pytest.mark.parametrize("command", [["lesson"], ["lesson", "the-loop"], []])
def test_a_bad_file_of_progress_is_told_by_the_screen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: list[str], content: str
) -> None:
    """Whichever command reads the file first, the screen that opens still has its notice."""
    from visualizer.tui.app import VisualizerApp

    started: list[VisualizerApp] = []

    def run(app: VisualizerApp) -> None:
        started.append(app)

    monkeypatch.setattr(VisualizerApp, "run", run)
    monkeypatch.setattr(commands, "on_a_terminal", lambda: True)
    file = tmp_path / "p.json"
    file.write_text(content, encoding="utf-8")
    assert call("--progress", str(file), *command) == 0
    notice = started[0].progress.notice
    assert notice is not None
    assert notice.key == f"lesson.progress.{'newer' if 'version' in content else 'damaged'}"


def test_a_lesson_that_can_not_open_leaves_the_file(tmp_path: Path, capsys: Output) -> None:
    """Without a terminal nothing is told of a damaged file, so nothing is done to it."""
    file = tmp_path / "p.json"
    file.write_text("{", encoding="utf-8")
    complaint(capsys, "lesson", "--progress", str(file))
    assert list(tmp_path.iterdir()) == [file]
