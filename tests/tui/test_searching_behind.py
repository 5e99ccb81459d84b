"""Searches that take longer than a key may: behind the screen, told about, and stopped."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tests.tui.screens import Driven, opened
from tests.tui.test_searching import harbours, run_of, search_for
from visualizer.app import search as searching
from visualizer.app.needle import Needle, occurrences, unfolded
from visualizer.app.scan import Slices
from visualizer.app.search import Search
from visualizer.tui.stepper import behind


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Every search goes on behind the screen, and not before the event is set."""
    go_on = threading.Event()
    look = Search.look

    def slowly(self: Search, *arguments: object) -> Slices:
        self.percent = 40
        yield True
        go_on.wait(30)
        yield from look(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Search, "look", slowly)
    yield go_on
    go_on.set()


async def through(driven: Driven, go_on: threading.Event) -> None:
    """Let the search come to its end."""
    go_on.set()
    await driven.app.workers.wait_for_complete()
    await driven.pilot.pause()


async def test_a_long_search_says_how_far_it_is(held: threading.Event) -> None:
    """The status says so; what looks closer can be done; then the hit is on the screen."""
    async with opened(harbours()) as driven:
        await search_for(driven, "tide")
        assert 'Searching for "tide": 40 % (Esc stops)' in driven.text
        await driven.press("t", "c", "c", "?", "escape")
        assert driven.name == "StepperScreen"
        await through(driven, held)
        assert run_of(driven) == "2"
        await through(driven, held)
        assert "1 of 1, run 2 of 4: message 1" in driven.text


async def test_escape_stops_a_search_and_leaves_nothing(held: threading.Event) -> None:
    """Escape ends the search, not the stepper; a second one leaves."""
    async with opened(harbours()) as driven:
        await search_for(driven, "tide")
        await driven.press("escape")
        assert "The search was stopped." in driven.text
        await through(driven, held)
        assert (driven.name, run_of(driven)) == ("StepperScreen", "1")
        await driven.press("escape")
        assert driven.name == "LibraryScreen"


async def test_a_step_ends_a_search(held: threading.Event) -> None:
    """Who goes on by hand is not taken elsewhere afterwards."""
    async with opened(harbours()) as driven:
        await search_for(driven, "tide")
        await driven.press("right")
        await through(driven, held)
        assert (run_of(driven), driven.place) == ("1", "t0.call")
        assert "Searching" not in driven.text


async def test_slices_are_taken_by_the_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """With no time for it before the frame, all of a search is done behind the screen."""
    monkeypatch.setattr(behind, "AT_ONCE", -1.0)
    monkeypatch.setattr(behind, "SLICE", 0.0)
    monkeypatch.setattr(behind, "TELL", 0.0)
    monkeypatch.setattr(searching, "LONG", 0)
    async with opened(harbours()) as driven:
        await driven.press("x")
        for _ in range(2):
            await driven.app.workers.wait_for_complete()
            await driven.pilot.pause()
        assert (run_of(driven), driven.place) == ("3", "t0.execute")


def test_every_character_that_folding_changes_is_known() -> None:
    """The table made from a few ranges is that of all of Unicode."""
    made: dict[str, str] = {}
    for one in map(chr, range(0x80, 0x110000)):
        if (folded := one.casefold()) != one:
            for character in folded:
                made[character] = made.get(character, "") + one
    assert unfolded() == made


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("strasse", "Die STRAßE"),
        ("STRASSE", "straße ✓"),
        ("straße", "Strasse"),
        ("über", "ÜBER die Wupper"),
        ("ошибка", "Ошибка: ОШИБКА"),
        ("エラー", "エラーが出ました"),
        ("エラー code", "エラー CODE 7"),
        ("kelvin", "300 \u212aelvin ✓"),
        ("fin", "\ufb01n"),
        ("no such", "text ✓ without it"),
        ("é", "plain"),
        ("\ud800x", "lone \ud800X ✓"),
        ("naïve", "NAÏVE café"),
        ("x", "\U0001f600X"),
        ("か\u3099", "か\u3099く"),
        ("ﬃ", "OFFICE"),
    ],
)
def test_words_are_found_as_folding_finds_them(words: str, text: str) -> None:
    """However fast a text is judged, the answer is that of ``casefold`` on both."""
    for haystack in (text, text.upper(), f"{'x ' * 200_000}{text}", f"{text} ✓ é"):
        assert Needle(words).holds(haystack) == (words.casefold() in haystack.casefold())


@pytest.mark.parametrize(
    ("text", "words", "marked"),
    [
        ("die Straße hier", "strasse", ["Straße"]),
        ("STRASSE", "straße", ["STRASSE"]),
        ("ﬃ and FFI", "ffi", ["ﬃ", "FFI"]),
        ("aaaa", "AA", ["aa", "aa"]),
        ("nothing here", "tide", []),
        ("anything", "", []),
    ],
)
def test_what_a_search_finds_is_what_is_marked(text: str, words: str, marked: list[str]) -> None:
    """The marked characters are those that were found, also where folding makes more of them."""
    found = occurrences(text, words)
    assert [text[start:end] for start, end in found] == marked
    if words:
        assert Needle(words).holds(text) == bool(marked)
