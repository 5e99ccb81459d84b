"""One's own recordings on the screen: only when asked for, and never in class."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.own_home import CLAUDE, CODEX, home_for, keep
from tests.tui.screens import LANGUAGES, Driven, opened
from tests.tui.test_folder import read
from visualizer.app.agenda import parse_agenda
from visualizer.app.classroom import Classroom
from visualizer.collection import places
from visualizer.text import cells
from visualizer.tui.folder.screen import FolderScreen


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home folder with two recordings of one's own."""
    home = home_for(monkeypatch, tmp_path / "home")
    keep(home, CLAUDE, CODEX)
    return home


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows when someone looks for recordings of one's own."""
    looked: list[int] = []
    look = places.recent

    def recent() -> places.Recent:
        looked.append(1)
        return look()

    monkeypatch.setattr(places, "recent", recent)
    return looked


def own(driven: Driven) -> str:
    """The title of the action, as the palette and the help show it."""
    return driven.app.texts("screen.action.recent")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 45)])
async def test_the_library_offers_them(
    home: Path, asked: list[int], size: tuple[int, int], language: str
) -> None:
    """From the palette: the newest first, with where each is; Escape leads back."""
    async with opened(None, size=size, language=language) as driven:
        assert asked == []
        await driven.press(":")
        await driven.type(own(driven)[:4])
        await driven.press("enter")
        assert (driven.name, asked) == ("FolderScreen", [1])
        text = driven.text
        assert driven.app.texts("folder.title_recent") in text.split("\n")[0]
        assert text.index("rollout-2026") < text.index("one.jsonl")
        assert "me-harbour" in text
        assert all(cells(line) <= size[0] for line in text.split("\n"))
        await driven.press("escape")
        assert driven.name == "LibraryScreen"
        await driven.press("r", "down", "enter")
        await read(driven)
        assert driven.stepper.session.scenario.name == "one.jsonl"
        await driven.press("escape")
        assert driven.name == "FolderScreen"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_where_there_are_none_the_library_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str
) -> None:
    """One line names the places; the library stays."""
    home_for(monkeypatch, tmp_path)
    async with opened(None, size=(140, 45), language=language) as driven:
        await driven.press("r")
        assert driven.name == "LibraryScreen"
        assert ".claude" in driven.text.split("\n")[-1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "classroom", [Classroom(on=True), Classroom(agenda=parse_agenda("paris\n", "agenda"))]
)
async def test_a_class_is_not_offered_them(
    home: Path, asked: list[int], classroom: Classroom, language: str
) -> None:
    """Neither the palette nor the help names them, and the key says why it does nothing."""
    async with opened(None, size=(140, 45), language=language, classroom=classroom) as driven:
        await driven.press("r")
        assert driven.app.texts("folder.in_class") in driven.text
        await driven.press(":")
        assert own(driven) not in driven.text
        await driven.press("escape", "?")
        assert own(driven) not in driven.text
        assert asked == []


async def test_the_help_of_the_library_names_them(home: Path) -> None:
    """Outside a class, they can be found."""
    async with opened(None, size=(140, 45)) as driven:
        await driven.press("?")
        assert own(driven) in driven.text


@pytest.mark.parametrize("first", [True, False])
async def test_a_class_does_not_come_back_to_them(home: Path, first: bool) -> None:
    """Once explanations wait, Escape in a recording leads to the library instead."""
    kept = places.recent()
    screen = (lambda: FolderScreen(kept)) if first else None
    async with opened(None, first=screen) as driven:
        await driven.press(*([] if first else ["r"]), "enter")
        await read(driven)
        await driven.press("I", "escape")
        assert driven.name == "LibraryScreen"
        assert "rollout" not in driven.text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_how_many_more_there_are_is_said(
    monkeypatch: pytest.MonkeyPatch, home: Path, language: str
) -> None:
    """The list is of the newest; the rest is counted."""
    monkeypatch.setattr(places, "RECENT", 1)
    async with opened(None, language=language) as driven:
        await driven.press("r")
        assert "one.jsonl" not in driven.text
        said = driven.app.texts("folder.count_more", at=1, n=1, more=1)
        assert said in driven.text.split("\n")[0]
