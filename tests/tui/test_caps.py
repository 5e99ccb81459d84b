"""The table of what loops do at the cap: painting it, changing the cap, ways in and out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.cases_beside import compared, put_beside
from tests.tui.cases_caps import tabled
from tests.tui.recording import recording
from tests.tui.screens import LANGUAGES, SIZES, Driven, opened
from tests.tui.test_hostile import ALL, check, written
from tests.tui.test_hostile import scenario as hostile
from visualizer.app.caps import CapTable, CapView
from visualizer.app.classroom import Classroom
from visualizer.app.glyphs import ASCII
from visualizer.app.kept_progress import KeptProgress
from visualizer.app.opening import AtTheCap
from visualizer.app.session import Session
from visualizer.app.view import Settings, View
from visualizer.i18n import texts
from visualizer.loading import load_transcript
from visualizer.loops.registry import cap_families
from visualizer.text import cells
from visualizer.tui.caps.painter import caps_screen
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.segments import plain
from visualizer.tui.opening import first_screen
from visualizer.tui.stepper import frame

__all__ = ["written"]
ROWS = {  # loop: cap, calls, tools run, results sent at cap 2 on Aurora Run
    "agent_loop": "2 2 2 1",
    "cap_extra_call": "2 3 2 2",
    "cap_graph_steps": "2 1 1 0",
    "cap_last_message": "2 2 2 1",
    "cap_leaves_calls": "2 2 1 1",
    "cap_raises": "2 2 2 1",
    "cap_says_so": "2 2 2 1",
}


def row_of(driven: Driven, loop: str) -> list[str]:
    """The words of a row after the loop's name."""
    found = [line for line in driven.text.split("\n") if line[3:].startswith(f"{loop} ")]
    return found[0][3:].split()[1:]


@pytest.mark.parametrize(("size", "language"), list(zip(SIZES, LANGUAGES, strict=True)))
async def test_the_table_shows_every_family(size: tuple[int, int], language: str) -> None:
    """All six columns stand on the screen for each loop, at 80x24 as at 140x45."""
    async with opened(size=size, language=language, max_turns=2) as driven:
        await driven.press("C")
        for loop, numbers in ROWS.items():
            assert row_of(driven, loop)[:4] == numbers.split(), loop
        for word, loop in (("None", "agent_loop"), ('"1974"', "cap_extra_call")):
            assert word in row_of(driven, loop)
        assert "GraphRecur" in " ".join(row_of(driven, "cap_graph_steps"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(40, 10), (60, 20), (80, 24), (140, 45)])
def test_any_size_is_filled(size: tuple[int, int], language: str) -> None:
    """Each line is as wide as the screen, whichever row is chosen; the row is always shown."""
    width, height = size
    said = texts(language)
    foot = footer("caps", said, ASCII, width, 1)
    table = CapTable.of(load_transcript("aurora-run"), caps=(1, 2))
    for at in range(len(table.sessions)):
        table.move(at)
        veiled = frozenset({at}) if at % 2 else frozenset()
        painted = caps_screen(CapView(table, said, ASCII, veiled), foot, width, height)
        assert [cells(plain(item)) for item in painted.lines] == [width] * height, at
        assert any(plain(item).startswith(" > ") for item in painted.lines), at


@pytest.mark.parametrize("loop", cap_families())
async def test_each_row_opens_its_run(loop: str) -> None:
    """Enter steps through the run of the chosen row; Escape leads back to the table."""
    async with opened(max_turns=2) as driven:
        await driven.press("C", *["down"] * cap_families().index(loop), "enter")
        session = driven.stepper.session
        assert (session.run.loop.name, session.run.max_turns) == (loop, 2)
        assert driven.place == "start"
        await driven.press("end", "escape")
        assert tabled(driven).table.at == cap_families().index(loop)


async def test_a_row_can_be_clicked() -> None:
    """A click on a row opens it, too; the wheel moves the choice."""
    async with opened(max_turns=2) as driven:
        await driven.press("C")
        tabled(driven).wheel("", 1)
        assert tabled(driven).table.at == 1
        await driven.click("cap_raises")
        assert driven.stepper.session.run.loop.name == "cap_raises"


async def test_the_cap_is_changed_for_all_rows() -> None:
    """At 3 all but the graph answer; below 1 there is no cap; the choice stays."""
    async with opened(max_turns=2) as driven:
        await driven.press("C", "down", "down", "+")
        assert row_of(driven, "cap_graph_steps")[:4] == ["3", "2", "1", "1"]
        assert '"1974"' in row_of(driven, "cap_raises")
        await driven.press("-", "-", "-")
        assert driven.app.texts("screen.cap.lowest") in driven.text
        assert tabled(driven).session.run.max_turns == 1
        assert tabled(driven).session.run.loop.name == "cap_graph_steps"


async def test_a_recording_without_a_cap_gets_one() -> None:
    """Where nothing caps the runs, + says so and - sets the cap at the calls made."""
    async with opened(recording()) as driven:
        await driven.press("C")
        assert row_of(driven, "cap_raises")[0] == "-"
        await driven.press("+")
        assert driven.app.texts("screen.cap.uncapped") in driven.text
        await driven.press("-")
        assert row_of(driven, "cap_raises")[:2] == ["3", "3"]
        await driven.press("-")
        assert "MaxTurnsE" in " ".join(row_of(driven, "cap_raises"))


async def test_a_row_is_compared_with_the_first() -> None:
    """v sets a family beside the plain loop at the same cap; that one beside the scenario."""
    async with opened(max_turns=2) as driven:
        await driven.press("C", *["down"] * cap_families().index("cap_says_so"), "v")
        both = compared(driven).beside
        assert (both.left.run.loop.name, both.left.run.max_turns) == ("agent_loop", 2)
        assert both.right.run.loop.name == "cap_says_so"
        await driven.press("escape", *["up"] * len(cap_families()), "v")
        both = compared(driven).beside
        assert (both.left.run.max_turns, both.right.run.max_turns) == (10, 2)


async def test_the_loop_of_the_run_is_in_the_table() -> None:
    """Opened on another loop, the table has it too; on one without a cap it has not."""
    async with opened(max_turns=2) as driven:
        await driven.press("o", *"hard_coded", "enter", "C")
        assert tabled(driven).session.run.loop.name == "hard_coded"
        await driven.press("y", "escape", "o", *"no_bound", "enter", "C")
        assert "--loop hard_coded --max-turns 2" in driven.app.clipboard
        assert len(tabled(driven).table.rows) == len(cap_families())


async def test_the_comparison_and_the_palette_lead_to_the_table() -> None:
    """C beside another loop: the cap is that of the right run; the palette finds the action."""
    async with opened() as driven:
        await put_beside(driven)
        await driven.press("-", "C")
        assert tabled(driven).session.run.max_turns == 9
        await driven.press("escape", "escape", ":")
        await driven.type(driven.app.texts("screen.action.caps"))
        await driven.press("enter")
        assert tabled(driven).session.run.max_turns == 10


async def test_in_class_the_figures_wait() -> None:
    """Only loop and cap are shown until R tells a row; its run is not described either."""
    async with opened(max_turns=2, classroom=Classroom(True)) as driven:
        await driven.press("C", "down")
        said = driven.app.texts
        assert row_of(driven, "cap_extra_call") == ["2", "?", "?", "?", "?"]
        assert said("screen.caps.veiled") in driven.text
        assert "smolagents" not in driven.text
        await driven.press("R")
        assert row_of(driven, "cap_extra_call") == ["2", "3", "2", "2", '"1974"']
        assert row_of(driven, "cap_raises")[1] == "?"


async def test_a_prediction_is_not_given_away() -> None:
    """While a run is being predicted the table stays closed, and it is said why."""
    async with opened(max_turns=2) as driven:
        await driven.press("p", "C")
        assert driven.name == "StepperScreen"
        assert driven.app.texts("screen.predict.no_compare")[:30] in driven.text


async def test_the_table_can_be_the_first_screen() -> None:
    """visualizer compare --caps opens on it; leaving leads to the library."""
    wanted = AtTheCap("aurora-run", ("cap_graph_steps",), (2, 4, 5, 6))
    first = first_screen(wanted, KeptProgress(), in_class=False)
    async with opened(None, first=first) as driven:
        assert [row.run.model_calls for row in tabled(driven).table.rows] == [1, 2, 3, 3]
        await driven.press("y")
        assert driven.app.clipboard == (
            "visualizer compare aurora-run --caps --loop cap_graph_steps"
            " --max-turns 2 --max-turns 4 --max-turns 5 --max-turns 6"
        )
        await driven.press("escape")
        assert driven.name == "LibraryScreen"


async def test_a_long_table_is_made_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a replay takes long, opening and changing the cap happen in a thread."""
    from visualizer.app import session as session_module

    monkeypatch.setattr(session_module, "LONG", 1)
    async with opened() as driven:
        for keys, cap in (("C", 10), ("-", 9)):
            await driven.press(keys)
            await driven.app.workers.wait_for_complete()
            await driven.pilot.pause()
            assert tabled(driven).session.run.max_turns == cap


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (104, 32), (120, 36), (140, 45)])
def test_notes_about_the_cap_are_shown_whole(size: tuple[int, int], language: str) -> None:
    """Each note that is for one of these loops is on the stepper to its last word."""
    aurora = load_transcript("aurora-run")
    notes = [note for note in aurora.notes if note.loop in cap_families()]
    assert notes
    for note in notes:
        one = Session.open(aurora, note.loop, note.max_turns, note.at)
        view = View(one, texts(language), ASCII, Settings())
        shown = "".join(plain(item) for item in frame.stepper(view, *size).lines)
        assert "".join(note.text.in_language(language).split()) in "".join(shown.split()), note.at


async def test_nothing_hostile_gets_out_of_the_table(written: list[str], tmp_path: Path) -> None:
    """Titles and results full of control characters are made visible in every row."""
    hostile_one = hostile(tmp_path, ALL)
    async with opened(hostile_one, (140, 45)) as driven:
        await driven.press("C", *["down"] * 6, "-", *["up"] * 6, "y", "R", "I", "enter")
        assert driven.name == "SideStepper"
    check(written)
