"""A folder opened: its recordings to choose from, and what takes long said beforehand."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import made_outside
from tests.test_cli import call, complaint
from tests.tui.screens import LANGUAGES, Driven
from tests.tui.test_hostile import ALL, check, written  # noqa: F401 - a fixture
from visualizer.app.opening import Recordings
from visualizer.cli import commands
from visualizer.collection.places import Found, recordings_in
from visualizer.errors import TranscriptError
from visualizer.i18n import texts
from visualizer.text import cells
from visualizer.tui import app as app_module
from visualizer.tui.app import VisualizerApp
from visualizer.tui.folder.screen import FolderScreen

Output = pytest.CaptureFixture[str]


def folder_with(path: Path, *names: str) -> Path:
    """A folder of small recordings, each newer than the one before."""
    for age, name in enumerate(names):
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(made_outside.small_session().text())
        os.utime(file, (1_700_000_000 + age * 60,) * 2)
    return path


async def driven_over(
    path: Path, size: tuple[int, int], language: str, act: Callable[[Driven], Any]
) -> None:
    """The app over a folder."""
    app = VisualizerApp(None, language=language, first=lambda: FolderScreen(path))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await act(Driven(app, pilot))


async def read(driven: Driven) -> None:
    """Wait until the file chosen is read."""
    await driven.app.workers.wait_for_complete()
    await driven.pilot.pause()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36), (140, 45)])
async def test_a_folder_lists_the_newest_first(
    tmp_path: Path, size: tuple[int, int], language: str
) -> None:
    """Enter reads one and steps through it; Escape leads back to the list."""
    folder_with(tmp_path, "old.jsonl", "deep/newer.jsonl", "newest.jsonl")

    async def act(driven: Driven) -> None:
        lines = driven.text.split("\n")
        assert driven.app.texts("screen.picker.folder") in lines[0]
        assert sum(".jsonl" in line for line in lines) == 3
        assert "newest.jsonl" in lines[3]
        assert "newer.jsonl" in lines[5]
        assert "deep" in lines[5]
        assert all(cells(line) <= size[0] for line in lines)
        await driven.press("down", "enter")
        await read(driven)
        assert driven.stepper.session.scenario.name == "newer.jsonl"
        assert driven.app.texts("screen.arriving.following") not in driven.text
        await driven.press("end", "escape")
        assert driven.name == "FolderScreen"
        await driven.type("old")
        await driven.press("enter")
        await read(driven)
        assert driven.stepper.session.scenario.name == "old.jsonl"
        assert driven.app.texts("screen.arriving.following") not in driven.text
        await driven.press("escape", "escape")
        assert driven.app._exit

    await driven_over(tmp_path, size, language, act)


async def test_a_file_that_is_no_recording_says_why(tmp_path: Path) -> None:
    """The list stays, with the reason; the next one can be chosen."""
    folder_with(tmp_path, "good.jsonl")
    (tmp_path / "bad.json").write_text("{]")

    async def act(driven: Driven) -> None:
        await driven.click("bad.json")
        await read(driven)
        assert "bad.json" in driven.text.split("\n")[-1]
        assert driven.name == "FolderScreen"

    await driven_over(tmp_path, (120, 36), "en", act)


def test_only_regular_files_are_listed(tmp_path: Path) -> None:
    """Pipes, dangling links, link loops and folders named like files are left out."""
    folder_with(tmp_path, "one.jsonl")
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    (tmp_path / "gone.jsonl").symlink_to("nowhere")
    (tmp_path / "up").symlink_to(tmp_path)
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "notes.txt").write_text("no")
    assert [one.path.name for one in recordings_in(tmp_path)] == ["one.jsonl"]
    assert Found(tmp_path, 1e30, 0).day == "?"


def test_a_folder_without_recordings_is_refused(tmp_path: Path, capsys: Output) -> None:
    """Before the screen is taken over, in one line."""
    with pytest.raises(TranscriptError):
        recordings_in(tmp_path)
    assert "visualizer list" in complaint(capsys, "open", str(tmp_path))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_hostile_file_names_are_shown_safely(
    written: list[str],  # noqa: F811 - the fixture
    tmp_path: Path,
    language: str,
) -> None:
    """Names of files and folders are made visible, listed and opened."""
    name = ALL.replace("\0", "").replace("/", "").encode()[:150].decode(errors="ignore")
    folder_with(tmp_path, f"{name}/{name}.jsonl")

    async def act(driven: Driven) -> None:
        await driven.press("enter")
        await read(driven)
        assert driven.name == "StepperScreen"
        await driven.press("right", "end", "escape")
        assert driven.name == "FolderScreen"

    await driven_over(tmp_path, (80, 24), language, act)
    check(written)


def test_open_takes_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The loop and the cap are for whatever is chosen; a place and a run are refused."""
    asked: list[Any] = []
    monkeypatch.setattr(app_module, "run_app", lambda opening, *_: asked.append(opening))
    monkeypatch.setattr(commands, "on_a_terminal", lambda: True)
    folder = str(folder_with(tmp_path, "one.jsonl"))
    call("open", folder, "--max-turns", "2")
    assert asked.pop() == Recordings(tmp_path, max_turns=2)
    assert call("open", folder, "--run", "2") == 2
    assert call("open", folder, "--at", "end") == 2
    assert asked == []


def test_the_app_begins_with_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """run_app makes the list the first screen."""
    screens: list[object] = []
    monkeypatch.setattr(
        VisualizerApp, "run", lambda self: screens.append(self.get_default_screen())
    )
    assert app_module.run_app(Recordings(folder_with(tmp_path, "one.jsonl"), "production")) == 0
    (screen,) = screens
    assert isinstance(screen, FolderScreen)
    assert (screen.loop, screen.folder) == ("production", tmp_path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_takes_long_is_said_before_the_screen_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Output, language: str
) -> None:
    """Reading a big file and computing a long run each put a line on standard error."""
    asked: list[Any] = []
    monkeypatch.setattr(app_module, "run_app", lambda opening, *_: asked.append(opening.scenario))
    monkeypatch.setattr(commands, "on_a_terminal", lambda: True)
    path = tmp_path / "a\x1b[2Jb.jsonl"
    path.write_bytes(made_outside.small_session().text())
    call("open", str(path), "--lang", language)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("visualizer.app.arriving.BIG", 10)
    monkeypatch.setattr("visualizer.app.session.LONG", 1)
    call("open", str(path), "--run", "1", "--lang", language)
    said = texts(language)
    shown = str(path).replace("\x1b", r"\x1b")
    assert capsys.readouterr().err.splitlines() == [
        said("format.reading", file=shown, size="0"),
        said("format.computing", file=shown, n="2"),
    ]
    assert [one.name for one in asked] == [path.name] * 2
