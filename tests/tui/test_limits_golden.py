"""Screens about limits and judgement, kept as text. ``UPDATE_GOLDEN=1`` writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tui.learning import learning, lesson_of
from tests.tui.screens import GOLDEN, opened

PAGES = {
    # name: (page, size, language, keys)
    "task-80x24-en": ("one-no-is-enough", (80, 24), "en", ("1",)),
    "task-80x24-ja": ("four-questions", (80, 24), "ja", ("2",)),
    "task-140x45-ja": ("can-it-be-undone", (140, 45), "ja", ("5",)),
    "cap-page-80x24-en": ("seven-ways-to-end", (80, 24), "en", ()),
    "deny-80x24-ja": ("ask-a-person", (80, 24), "ja", ("2", "end")),
}
STEPS = {
    "budget-140x45-en": ("budget-tokens", (140, 45), "en", "t1.check"),
    "budget-80x24-ja": ("budget", (80, 24), "ja", "t2.limit"),
}


def kept(name: str, shown: str) -> str:
    """The screen as it was kept; written anew where that is asked for."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(shown, encoding="utf-8")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
async def test_the_page_looks_as_it_did(name: str, tmp_path: Path) -> None:
    """The page is, character by character, the one that was looked at and kept."""
    page, size, language, keys = PAGES[name]
    async with learning("limits", page, size, language, tmp_path / "kept.json") as driven:
        assert lesson_of(driven).page.id == page
        await driven.press(*keys)
        shown = driven.text + "\n"
    assert shown == kept(name, shown)


@pytest.mark.parametrize("name", STEPS)
async def test_the_meters_look_as_they_did(name: str) -> None:
    """Turns, tokens and money, what is left, and the one that is used up."""
    scenario, size, language, place = STEPS[name]
    async with opened(scenario, size, language, place) as driven:
        shown = driven.text + "\n"
    assert shown == kept(name, shown)
