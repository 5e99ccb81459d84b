"""The stream of messages on the screen, and a request on a thread that the server keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.cases_events import chosen, streaming
from tests.tui.screens import LANGUAGES, SIZES, opened
from tests.tui.test_hostile import ALL, check, written
from tests.tui.test_hostile import scenario as hostile
from visualizer.app.glyphs import ASCII
from visualizer.engine import replay
from visualizer.i18n import texts
from visualizer.loading import load_transcript
from visualizer.sdk import chain_of, stream_of
from visualizer.text import cells
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.segments import plain
from visualizer.tui.events.painter import EventsView, events_screen, rows_around
from visualizer.tui.sheets.chained import table

__all__ = ["written"]


@pytest.mark.parametrize(("size", "language"), list(zip(SIZES, LANGUAGES, strict=True)))
async def test_the_stream_stands_beside_the_steps(size: tuple[int, int], language: str) -> None:
    """Every step and every line is there, steps without a line say so, and whose words it is."""
    async with opened("client-parallel", size=size, language=language) as driven:
        await driven.press("m")
        said = driven.app.texts
        rows = driven.text.split("\n")
        for place, kind in (("t0.call", "assistant"), ("t0.execute.3", "user"), ("end", "result")):
            assert any(place in row and kind in row for row in rows), place
        assert any("t0.append" in row and said("sdk.no_line") in row for row in rows)
        assert "num_turns 4" in driven.text
        assert "2.1.332" in driven.text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(40, 10), (60, 20), (80, 24), (140, 45)])
def test_any_size_is_filled(size: tuple[int, int], language: str) -> None:
    """Each line is as wide as the screen, whichever row is chosen; the row is always shown."""
    width, height = size
    said = texts(language)
    scenario = load_transcript("client-denied")
    stream = stream_of(replay(scenario), scenario, partial=True)
    foot = footer("events", said, ASCII, width, 1)
    for at, row in enumerate(stream.rows):
        view = EventsView(stream, "A title", "(kind)", at, row.step, said, ASCII, True, at % 2 == 1)
        painted = events_screen(view, foot, width, height)
        assert [cells(plain(item)) for item in painted.lines] == [width] * height, at
        assert any(plain(item).startswith(" > ") for item in painted.lines), at
        beside = rows_around(view, width, 5)
        assert [cells(plain(item)) for item in beside] == [width] * 5


async def test_the_choice_and_the_step_move_together() -> None:
    """Down goes line by line, Right step by step; the stepper is always at the chosen step."""
    async with opened("client-parallel") as driven:
        await driven.press("m", "down", "down", "down")
        assert chosen(driven) == "t0.call"
        assert streaming(driven).at == 3
        await driven.press("right")
        assert chosen(driven) == "t0.check"
        await driven.press("left")
        assert (chosen(driven), streaming(driven).at) == ("t0.call", 1)
        await driven.press("pagedown")
        assert chosen(driven) == "t1.call"
        await driven.press("end", "right")
        assert chosen(driven) == "end"
        assert driven.app.texts("screen.at_end") in driven.text
        await driven.press("home", "escape")
        assert driven.place == "start"


async def test_rows_are_chosen_with_the_mouse() -> None:
    """A click chooses a row, the wheel goes on from there."""
    async with opened("client-parallel") as driven:
        await driven.press("m")
        await driven.click("t0.execute.2")
        assert chosen(driven) == "t0.execute.2"
        streaming(driven).wheel("rows", 1)
        assert chosen(driven) == "t0.execute.3"


async def test_another_cap_is_another_stream() -> None:
    """Under a lower cap the result is an error with other counts; the place is kept."""
    async with opened("aurora-run", at="t0.check", max_turns=3) as driven:
        await driven.press("m")
        assert "num_turns 3" in driven.text
        await driven.press("-")
        assert chosen(driven) == "t0.check"
        await driven.press("-", "end")
        assert "error_max_turns" in driven.text
        assert "num_turns 2" in driven.text
        assert driven.app.texts("sdk.about.lacks_result") in " ".join(driven.text.split())


async def test_what_is_not_seen_yet_is_not_in_the_stream() -> None:
    """While predicting, neither lines nor counts nor the result of what comes are told."""
    async with opened("aurora-run-cutoff") as driven:
        await driven.press("p", "m", "end")
        assert "num_turns" not in driven.text
        assert "result " not in driven.text
        rows = streaming(driven).stream.rows
        assert rows[-1].step == streaming(driven).below.session.index < 10


async def test_explanations_wait_in_class() -> None:
    """With an instructor a line's meaning is revealed with R."""
    async with opened("paris") as driven:
        await driven.press("I", "m")
        about = driven.app.texts("sdk.about.init").split(".")[0]
        assert about not in driven.text
        await driven.press("R")
        assert about in driven.text


async def test_the_lesson_has_the_stream_too() -> None:
    """From a page of a lesson the same key opens it, and Escape leads back to the page."""
    from tests.tui.learning import learning

    async with learning("the-loop", "the-third-reply") as driven:
        await driven.press("m")
        assert streaming(driven).below.WHERE == "lesson"
        await driven.press("escape")
        assert driven.name == "LessonScreen"


async def test_a_chained_request_sends_less_and_reads_the_same() -> None:
    """The heading says both numbers; Right shows the next call in the same form."""
    async with opened("aurora-run", at="t0.call") as driven:
        await driven.press("r", "c")
        assert driven.app.texts("sdk.chain.sizes", sent=1, read=1) in driven.text
        assert '"create"' in driven.text
        await driven.press("right", "right")
        assert driven.app.texts("sdk.chain.sizes", sent=1, read=5) in driven.text
        await driven.press("r")
        assert '"thread": {' in driven.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_adds_up(language: str) -> None:
    """Stateless calls of Aurora Run send nine messages in all, on a thread three; nine are read."""
    run = replay(load_transcript("aurora-run"))
    lines = table(chain_of(run, {}), 1, texts(language), 78, 8)
    rows = [plain(item).split() for item in lines]
    assert [row for row in rows if row[:1] in (["2"], ["3"])] == [
        ["2", "3", "1", "3"],
        ["3", "5", "1", "5"],
    ]
    assert rows[4][-3:] == ["9", "3", "9"]
    assert [cells(plain(item)) for item in lines] == [78] * 8


async def test_hostile_text_does_not_steer(written: list[str], tmp_path: Path) -> None:
    """Lines, their JSON and a chained request show what a hostile recording holds, harmlessly."""
    async with opened(hostile(tmp_path, ALL), size=(140, 45)) as driven:
        await driven.press("m", "p", *["down"] * 6, "end", "escape", "home", "right")
        await driven.press("r", "c", "r", "escape")
    check(written)
