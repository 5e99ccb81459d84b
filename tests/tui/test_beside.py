"""Two runs beside each other: stepping both, painting them, where they part."""

from __future__ import annotations

from functools import cache

import pytest

from tests import made_runs, odd_loops
from tests.tui.cases_beside import compared, put_beside
from tests.tui.screens import opened
from visualizer.app.beside import PANES, Beside, CompareSettings, CompareView, Panes
from visualizer.app.glyphs import ASCII, BOX
from visualizer.app.kept_progress import KeptProgress
from visualizer.app.opening import Comparison
from visualizer.app.session import Session, Shown
from visualizer.comparison import compare
from visualizer.engine import replay
from visualizer.errors import PlaceError
from visualizer.i18n import texts
from visualizer.loading import load_transcript
from visualizer.text import cells
from visualizer.tui.compare.painter import compare_screen, paint_compare
from visualizer.tui.compare.screen import CompareScreen
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.segments import plain
from visualizer.tui.opening import first_screen

MISTAKES = {
    "looks_finished": "aurora-run-talkative",
    "hard_coded": "aurora-run",
    "forgets": "aurora-run",
    "runs_then_checks": "truncated",
    "one_by_one": "two-birth-years",
    "no_bound": "repeat",
}


@cache
def mistake(loop: str) -> Beside:
    """A mistake beside the right loop, on the scenario on which it bites."""
    scenario = load_transcript(MISTAKES[loop])
    return Beside.of(Session.open(scenario), Session.open(scenario, loop))


def view(beside: Beside, language: str = "en", panes: Panes = "all") -> CompareView:
    """A view of two runs."""
    glyphs = ASCII if language == "ja" else BOX
    return CompareView(beside, texts(language), glyphs, CompareSettings(panes))


def text(beside: Beside, width: int, height: int, language: str = "en") -> str:
    """Two runs as text."""
    return "\n".join(plain(item) for item in paint_compare(view(beside, language), width, height))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36), (140, 45), (200, 60)])
@pytest.mark.parametrize("loop", MISTAKES)
def test_every_place_fills_the_screen(loop: str, size: tuple[int, int], language: str) -> None:
    """Each line is as wide as the screen, at every place, whichever panes are shown."""
    width, height = size
    beside = mistake(loop)
    foot = footer("compare", texts(language), ASCII, width, 1)
    for at in range(min(beside.last, 60) + 1):
        beside.move(at)
        for panes in PANES:
            painted = compare_screen(view(beside, language, panes), foot, width, height)
            assert [cells(plain(item)) for item in painted.lines] == [width] * height, at


@pytest.mark.parametrize("loop", MISTAKES)
def test_a_mistake_is_named_where_it_bites(loop: str) -> None:
    """At the parting the screen says so, why, and what code differs; at the end what came of it."""
    beside = mistake(loop)
    assert beside.parting is not None
    beside.move(beside.parting)
    shown = text(beside, 80, 23)
    assert "THEY PART HERE" in shown
    assert loop in shown
    assert " +  " in shown or " -  " in shown
    beside.move(beside.last)
    agree = loop == "runs_then_checks"
    assert ("SAME OUTCOME" if agree else "OUTCOMES DIFFER") in text(beside, 80, 23)


def test_a_run_that_does_not_end_is_shown_as_contained() -> None:
    """no_bound is named as contained, and stopped by the visualizer."""
    beside = mistake("no_bound")
    beside.move(beside.last)
    shown = text(beside, 140, 44)
    assert "does not end: contained" in shown
    assert "Stopped by the visualizer after 50 calls, not by the loop." in shown


def test_the_end_of_a_cutoff_stands_beside_the_answer() -> None:
    """max_turns 10 against 2: both outcomes, the message that no call sent, the same code."""
    scenario = load_transcript("aurora-run")
    beside = Beside.of(Session.open(scenario, max_turns=10), Session.open(scenario, max_turns=2))
    beside.move(beside.last)
    shown = text(beside, 140, 44)
    for part in ('"1974" completed', "None max_turns", "NEVER SENT", "CUT OFF", "the same in both"):
        assert part in shown, part


def test_what_only_one_run_has_is_signed() -> None:
    """The message that a loop forgets has a sign on the left; the line of code has one, too."""
    beside = mistake("forgets")
    beside.move(beside.parting or 0)
    lines = text(beside, 140, 44).split("\n")
    assert any(line.startswith("-1 assistant") for line in lines)
    assert any(line.startswith(" - ") and "as_message" in line for line in lines)


def test_runs_that_do_not_part_say_so() -> None:
    """A mistake that stays hidden: the same outcome, and no place to go to."""
    scenario = load_transcript("paris")
    beside = Beside.of(Session.open(scenario), Session.open(scenario, "hard_coded"))
    assert beside.parting is None
    assert "THEY DO NOT PART" in text(beside, 80, 23)
    beside.move(beside.last)
    assert "SAME OUTCOME" in text(beside, 80, 23)


def test_odd_runs_can_be_compared() -> None:
    """Exceptions, rewrites, loops that never call: all of them beside the right loop."""
    scenario = made_runs.aurora()
    right = Session(scenario, Shown(scenario, replay(scenario)))
    for loop in (odd_loops.raises, odd_loops.never_calls, odd_loops.shortens):
        run = replay(scenario, loop=loop, contained=False)
        beside = Beside.of(right, Session(scenario, Shown(scenario, run)))
        for at in range(beside.last + 1):
            beside.move(at)
            assert {len(line) for line in text(beside, 80, 23).split("\n")} == {80}


def test_moving_by_turns_stops_at_both_ends() -> None:
    """The next turn of either run; back to the beginning of this one, then of the one before."""
    beside = mistake("hard_coded")
    beside.move(0)
    seen = []
    while beside.next_turn():
        seen.append(beside.at)
    assert seen == [1, 5, 9, 11]
    while beside.previous_turn():
        seen.append(beside.at)
    assert seen[4:] == [9, 5, 1, 0]


def test_a_place_is_looked_for_on_both_sides() -> None:
    """A place that only the right run has is found there; an unknown one is refused."""
    beside = mistake("runs_then_checks")
    beside.go("t0.append")
    assert beside.right.run.step(beside.right.index).place == "t0.append"
    with pytest.raises(PlaceError):
        beside.go("t9.call")


def test_comparing_moves_no_one_elses_place() -> None:
    """The session that is compared stays where it was."""
    session = Session.open(load_transcript("aurora-run"), at="t1.check")
    beside = Beside.of(session, Session.open(session.scenario, max_turns=2), "left")
    assert beside.left.index == session.index
    beside.move(beside.last)
    assert session.run.step(session.index).place == "t1.check"


def test_without_the_parting_nothing_gives_it_away() -> None:
    """With an instructor, neither the reason nor what happened is told before it is revealed."""
    beside = mistake("hard_coded")
    beside.move(beside.last)
    one = CompareView(beside, texts("en"), BOX, CompareSettings(veiled=True))
    shown = "\n".join(plain(item) for item in paint_compare(one, 80, 23))
    assert "No reply says that" not in shown
    assert "OUTCOMES" not in shown
    assert '"1951"' not in shown


async def test_v_compares_with_the_scenario_as_it_is() -> None:
    """With another cap, v needs no choice: the scenario's cap is on the left, this one right."""
    async with opened(at="t1.append", max_turns=2) as driven:
        await driven.press("v")
        both = compared(driven).beside
        assert (both.left.run.max_turns, both.right.run.max_turns) == (10, 2)
        assert both.right.run.step(both.right.index).place == "t1.append"
        assert "agent_loop (max_turns 2)" in driven.text


async def test_a_cutoff_is_compared_with_turns_enough() -> None:
    """In a run that was cut off, the first choice is the same loop with turns enough."""
    async with opened("aurora-run-cutoff", at="end") as driven:
        await driven.press("v", "enter")
        both = compared(driven).beside
        assert (both.left.run.max_turns, both.right.run.max_turns) == (10, 2)
        assert both.left.run.result == "1974"


async def test_the_right_run_can_be_exchanged() -> None:
    """Another cap, another loop; the command that is copied gives the same comparison."""
    async with opened() as driven:
        screen = await put_beside(driven, "agent")
        await driven.press("end", "-")
        assert screen.beside.right.run.max_turns == 9
        assert "max_turns is now 9" in driven.text
        await driven.press("y")
        assert driven.app.clipboard == (
            "visualizer compare aurora-run --loop agent_loop --loop agent_loop"
            " --max-turns 10 --max-turns 9"
        )
        await driven.press("o")
        await driven.type("no_bound")
        await driven.press("enter", "+")
        assert screen.beside.right.run.loop.name == "no_bound"
        assert "This loop takes no max_turns." in driven.text


async def test_steps_can_be_clicked_and_the_wheel_steps() -> None:
    """A step of the strip, a heading, the parting: everything by mouse."""
    async with opened(size=(140, 45)) as driven:
        screen = await put_beside(driven)
        await driven.click("d: go there")
        assert screen.beside.at == screen.beside.parting
        await driven.click("start")
        assert screen.beside.at == 0
        await driven.click("Right: hard_coded")
        assert driven.stepper.session.run.loop.name == "hard_coded"


async def test_a_comparison_can_be_the_first_screen() -> None:
    """visualizer compare opens on the comparison; leaving it leads to the library."""
    wanted = Comparison("aurora-run", (("agent_loop", None), ("forgets", None)))
    first = first_screen(wanted, KeptProgress(), in_class=False)
    assert first is not None
    async with opened(None, first=first) as driven:
        assert isinstance(driven.app.screen, CompareScreen)
        await driven.press("g")
        await driven.type("t1.call")
        await driven.press("enter")
        assert "THEY PART HERE" in driven.text
        await driven.press("escape")
        assert driven.name == "LibraryScreen"


async def test_a_long_comparison_is_made_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a replay takes long, the loop is switched and compared in a thread."""
    from visualizer.app import session as session_module

    monkeypatch.setattr(session_module, "LONG", 1)
    async with opened() as driven:
        await driven.press("o")
        await driven.type("hard")
        await driven.press("enter")
        await driven.app.workers.wait_for_complete()
        await driven.pilot.pause()
        assert driven.stepper.session.run.loop.name == "hard_coded"
        await driven.press("v")
        await driven.app.workers.wait_for_complete()
        await driven.pilot.pause()
        assert compared(driven).beside.right.run.loop.name == "hard_coded"


def test_comparing_costs_no_more_than_its_window() -> None:
    """Painting a place in a long comparison touches the last messages alone."""
    turns = [made_runs.turn(made_runs.search(f"toolu_{n}", "Aurora Run")) for n in range(300)]
    scenario = made_runs.scenario(*turns, made_runs.turn(made_runs.text("1974")), max_turns=301)
    one = Session(scenario, Shown(scenario, replay(scenario)))
    other = Session(scenario, Shown(scenario, replay(scenario, max_turns=280)))
    beside = Beside.of(one, other)
    assert compare(one.run, other.run).parting is not None
    beside.move(beside.parting or 0)
    assert "t280.call" in text(beside, 80, 23)
