"""The words of the program, on a screen and in the README."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.screens import LANGUAGES, SIZES, opened
from visualizer.describe.glossary import WORDS, words
from visualizer.i18n import texts
from visualizer.text import cells

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_w_shows_every_word(language: str, size: tuple[int, int]) -> None:
    """w opens the words; scrolled to the end, each has been seen with its meaning; Esc leaves."""
    async with opened(size=size, language=language) as driven:
        await driven.press("w")
        assert driven.name == "GlossaryScreen"
        seen = driven.text
        for _ in range(20):
            await driven.press("pagedown")
            seen += "\n" + driven.text
        assert max(cells(line) for line in seen.split("\n")) <= size[0]
        squeezed = "".join(seen.split())
        for word in words(texts(language)):
            assert "".join(word.word.split()) in squeezed
            assert "".join(word.means.split()) in squeezed
        await driven.press("escape")
        assert driven.name == "StepperScreen"


async def test_the_words_are_at_hand_in_the_library() -> None:
    """w works in the list of scenarios too, and another language changes the words."""
    async with opened(None) as driven:
        await driven.press("w")
        assert texts("en")("glossary.agent.means")[:30] in driven.text
        await driven.press("L")
        assert texts("ja")("glossary.agent") in driven.text


def test_the_readme_has_the_same_words() -> None:
    """The table in the README says what the screen says."""
    text = README.read_text(encoding="utf-8")
    for word in words(texts("en")):
        assert f"| {word.word} | {word.means} |" in text
    assert len(set(WORDS)) == len(WORDS)
