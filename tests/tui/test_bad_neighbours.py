"""One bad file takes no list down: it has its line, and the others work."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest

from tests import made
from tests.test_cli import call
from tests.tui.screens import Driven, opened
from tests.tui.test_folder import driven_over, read
from visualizer import loading
from visualizer.app.agenda import read_agenda
from visualizer.app.classroom import Classroom
from visualizer.tui.folder.screen import FolderScreen
from visualizer.tui.home.screen import LibraryScreen

GOOD = ("good.json", "my run.json", "odd [b]x {y} %s.json", "東京.json", "a@end,loop=x.json")
FINE = made.transcript(made.answer(), title={"en": "All is well", "ja": "よし"})
ID = {"type": "tool_use", "id": {"a": 1}, "name": ["x"], "input": 3}
ASKS = {"response": {"content": [ID], "stop_reason": "tool_use"}, "results": [{"type": "text"}]}
WORLD = {"pages": [], "tools": {}, "missing": "no"}
BAD = {
    "cut.json": '{"format_version": 1, "title": ',
    "loop.json": json.dumps({**FINE, "settings": {"loop": "evil.py"}}),
    "price.json": json.dumps({**FINE, "settings": {"prices": {"input": 1e999, "output": 1}}}),
    "far.json": json.dumps({**FINE, "runs": None, "recording": "x" * 5_000}),
    "deep.json": "[" * 100_000,
    "empty.json": "",
    "zero.json": "\0" * 100,
}
ODD = {"types.json": json.dumps(made.transcript(ASKS, world=WORLD))}
"""Read, though nothing in it is as it should be."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of transcripts, good and bad, that scenarios are looked up in."""
    folder = tmp_path / "own"
    folder.mkdir()
    for name in GOOD:
        made.write(folder / name, FINE)
    for name, text in (BAD | ODD).items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "directory.json").mkdir()
    with suppress(OSError):  # not every system lets everyone make links
        (folder / "gone.json").symlink_to(tmp_path / "nowhere")
        (folder / "circle.json").symlink_to(folder / "circle.json")
    monkeypatch.setenv("VISUALIZER_TRANSCRIPTS", str(folder))
    return folder


def test_list_names_each_bad_file_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The scenarios, and a line for each file that is none, on standard error."""
    assert call("list") == 0
    out, err = capsys.readouterr()
    assert out.count("All is well") == len(GOOD)
    bad = sorted(path.stem for path in folder.iterdir() if path.name not in (*GOOD, *ODD))
    lines = err.splitlines()
    assert len(lines) == len(bad)
    assert all(any(name in line for line in lines) for name in bad)
    assert "fault of this program" not in err


def test_a_folder_is_listed_whatever_is_in_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``list DIR`` goes on behind a bad file, too."""
    assert call("list", str(folder)) == 0
    out, err = capsys.readouterr()
    assert out.count("All is well") == len(GOOD)
    assert "Traceback" not in err
    assert "fault of this program" not in err


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.usefixtures("folder")
def test_a_name_with_odd_characters_is_found(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A scenario that is listed can be run by the name that it is listed under."""
    stem = name.removesuffix(".json")
    if "@" not in stem:  # that one is a place; its file can still be named
        assert call("run", stem) == 0
        assert "All is well" in capsys.readouterr().out


def test_what_the_program_itself_fails_over_takes_no_list_down(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fault of ours is a line, and the rest of the list is there."""
    parse = loading.parse

    def fails(data: bytes, source: str) -> object:
        if source.startswith("my run"):
            raise RuntimeError("\x1b[2J")
        return parse(data, source)

    monkeypatch.setattr(loading, "parse", fails)
    assert call("list") == 0
    out, err = capsys.readouterr()
    assert out.count("All is well") == len(GOOD) - 1
    line = "my run: can't be read, through a fault of this program (RuntimeError: \\x1b[2J)"
    assert f"visualizer: {line}" in err.splitlines()
    assert call("list", str(folder)) == 0


async def test_the_home_screen_opens_what_is_good(folder: Path, tmp_path: Path) -> None:
    """Every own scenario can be chosen: it opens, or what is wrong stands below."""
    names = {path.stem for path in folder.iterdir()}
    refused, shown = set(), set()
    async with opened(None, size=(100, 30), progress=tmp_path / "progress.json") as driven:
        screen = driven.app.screen
        assert isinstance(screen, LibraryScreen)
        for at, item in enumerate(screen.items):
            if item.kind != "scenario" or item.name not in names:
                continue
            screen.at = at
            await driven.press("enter")
            if driven.name == "StepperScreen":
                shown.add(item.name)
                await driven.press("end", "escape")
            else:
                assert screen.status
                refused.add(item.name)
    assert shown == {Path(name).stem for name in (*GOOD, *ODD)}
    assert refused == names - shown


async def test_the_switcher_and_an_agenda_go_on(folder: Path, tmp_path: Path) -> None:
    """``s`` lists them all; an agenda with a bad file opens the others."""
    lines = [*(str(folder / name) for name in ("loop.json", "good.json")), "my run@end", "paris"]
    agenda = tmp_path / "agenda.txt"
    agenda.write_text("\n".join(lines), encoding="utf-8")
    classroom = Classroom(True, read_agenda(agenda))
    async with opened("paris", size=(240, 45), classroom=classroom) as driven:
        await driven.press("1")
        assert "loop.json: /settin" in driven.text
        for digit, name in (("2", "good"), ("3", "my run"), ("4", "paris")):
            await driven.press(digit)
            assert driven.stepper.session.scenario.name == name
        await driven.press("s")
        await driven.type("well")
        assert "All is well" in driven.text


async def test_the_folder_screen_goes_on(folder: Path) -> None:
    """Each file is chosen in turn: it opens, or what is wrong stands below."""

    async def act(driven: Driven) -> None:
        screen = driven.app.screen
        assert isinstance(screen, FolderScreen)
        for at in range(len(screen.rows)):
            screen.at = at
            await driven.press("enter")
            await read(driven)
            if driven.name == "StepperScreen":
                await driven.press("escape")
            else:
                assert screen.status
        assert driven.name == "FolderScreen"

    await driven_over(folder, (100, 30), "en", act)
