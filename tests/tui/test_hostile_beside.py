"""Hostile text beside hostile text: comparisons, polls and agendas show it, and obey none of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tui.screens import opened
from tests.tui.test_hostile import ALL, LONG, check, scenario, transcript, written
from visualizer.app.agenda import read_agenda
from visualizer.app.beside import Beside
from visualizer.app.classroom import Classroom
from visualizer.app.session import Session, Shown
from visualizer.engine import replay
from visualizer.tui.compare.screen import CompareScreen

__all__ = ["written"]
LOOP = """
def hostile(model, tools, messages, max_turns=10):
    said = {text!r}  # [bold]x[/] {raw}
    raise ValueError(said)
"""


@pytest.mark.parametrize(("size", "language"), [((80, 24), "en"), ((140, 45), "ja")])
async def test_nothing_hostile_gets_out_of_a_comparison(
    written: list[str],
    tmp_path: Path,
    size: tuple[int, int],
    language: str,
) -> None:
    """All places of a comparison, of loops on show and of a hostile one, and the polls."""
    file = tmp_path / "mine.py"
    raw = "\u202e\u200b\x9b2J"
    file.write_text(LOOP.format(text=ALL.replace("SURROGATE", ""), raw=raw), encoding="utf-8")
    hostile = scenario(tmp_path, ALL)
    async with opened(hostile, size, language) as driven:
        await driven.press("v", *"look", "enter", "d", *("right",) * 8)
        await driven.press("tab", "tab", "tab", "x", "y", "e", "end", "escape", "home", "escape")
        await driven.press("P", "enter", "escape", "o", *"forgets", "enter", "end")
        left = Session(hostile, Shown(hostile, replay(hostile)))
        right = Session(hostile, Shown(hostile, replay(hostile, loop=str(file))))
        driven.app.push_screen(CompareScreen(Beside.of(left, right)))
        await driven.pilot.pause()
        await driven.press("d", "end", "x", "home", "end", "E", "escape", "e", "escape", "y")
        assert driven.name == "CompareScreen"
    rest = check(written)
    assert "ValueError" in rest
    assert r"\x1b]8;;https:" in rest
    assert r"\u202e" in rest


async def test_a_megabyte_is_compared(written: list[str], tmp_path: Path) -> None:
    """A line of 1 MB in both runs is stepped over."""
    async with opened(scenario(tmp_path, LONG), (120, 36)) as driven:
        await driven.press("v", *"look", "enter", "d", "end", "tab", "home")
        assert driven.name == "CompareScreen"
    check(written)


async def test_titles_of_an_agenda_are_shown_safely(
    written: list[str],
    tmp_path: Path,
) -> None:
    """Titles and names of files are made visible, and no title is markup."""
    file = tmp_path / "bad\x1b[2J.json"
    file.write_text(json.dumps(transcript(ALL)), encoding="ascii")
    listed = tmp_path / "agenda.txt"
    title = "\x1b]0;owned\x07 [@click=app.quit]quit[/] \u202e"
    listed.write_text(f"{file} | {title}\n{file}\n", encoding="utf-8")
    agenda = read_agenda(listed)
    async with opened(size=(140, 45), classroom=Classroom(True, agenda)) as driven:
        await driven.press("a", "down", "enter", "end", "1", "end", "y", "R", "P")
        assert driven.app.is_running
    rest = check(written)
    assert "[@click=app.quit]quit[/]" in rest
