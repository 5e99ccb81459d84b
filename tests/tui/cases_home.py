"""What the actions of the home screen must do."""

from __future__ import annotations

from tests.tui.cases import case
from tests.tui.screens import Driven
from visualizer.tui.home.screen import LibraryScreen


async def at_home(driven: Driven) -> LibraryScreen:
    """The home screen, from the stepper."""
    await driven.press("escape")
    screen = driven.app.screen
    assert isinstance(screen, LibraryScreen)
    return screen


@case("narrow")
async def _narrow(driven: Driven, key: str) -> None:
    home = await at_home(driven)
    everything = len(home.items)
    await driven.press(key)
    await driven.type("paris")
    assert 0 < len(home.items) < everything
    await driven.press("escape")
    assert len(home.items) == everything


@case("group_before", "group_after")
async def _groups(driven: Driven, key: str) -> None:
    home = await at_home(driven)
    first = len(home.shelf.lessons)
    home.at = first + 1
    await driven.press(key)
    after = first + len(home.shelf.groups()[0].names)
    assert home.at == (first if key == "pageup" else after)


@case("first_entry", "last_entry")
async def _ends(driven: Driven, key: str) -> None:
    home = await at_home(driven)
    home.at = 3
    await driven.press(key)
    assert home.at == (0 if key == "home" else len(home.items) - 1)


@case("quiz")
async def _quiz(driven: Driven, key: str) -> None:
    home = await at_home(driven)
    home.at = 0
    await driven.press(key)
    assert driven.name == "QuizScreen"
    await driven.press("escape")
    assert driven.app.screen is home
