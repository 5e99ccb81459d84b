"""The screens at work: mouse, resizing, typing, playing, borders, long runs."""

from __future__ import annotations

import threading

import pytest
from textual import events
from textual.strip import Strip

from tests import made_runs
from tests.tui.screens import opened
from visualizer.app import session as session_module
from visualizer.app.opening import Look, OneRun
from visualizer.app.session import Session, Shown
from visualizer.errors import NotFoundError, PlaceError
from visualizer.tui import app as app_module
from visualizer.tui.app import run_app
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.tui.stepper.steps import Player


async def test_a_resize_keeps_the_place() -> None:
    """From 80x24 to 140x45 to 60x20 and back, the same step is on the screen."""
    async with opened(at="t1.check") as driven:
        await driven.press("up")
        before = driven.text
        for size in ((140, 45), (60, 20), (40, 10), (80, 24)):
            await driven.pilot.resize_terminal(*size)
            await driven.pilot.pause()
            assert driven.place == "t1.check"
            assert driven.stepper.settings.selected == 3
        for _ in range(100):  # the last size is drawn when the messages before it are done
            if driven.text == before:
                break
            await driven.pilot.pause()
        assert driven.text == before


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_a_window_too_small_says_so(language: str) -> None:
    """Below 60x20 there is one plain sentence with the size that is needed, to its last word."""
    for columns in (59, 25):
        async with opened(size=(columns, 20), language=language) as driven:
            told = driven.app.texts("screen.too_small", width=60, height=20)
            assert "".join(driven.text.split()) == "".join(told.split())


async def test_playing_ends_at_the_end_and_with_any_move_by_hand() -> None:
    """Play steps on by a timer; a step back stops it; at the end it stops by itself."""
    async with opened("paris") as driven:
        screen = driven.stepper
        player = screen.part(Player)
        await driven.press("enter")
        player.tick()
        await driven.press("left")
        assert not screen.settings.playing
        assert player._timer is None
        await driven.press("enter")
        for _ in range(4):
            player.tick()
        assert not screen.settings.playing
        assert driven.place == "end"
        await driven.press("enter")
        assert (driven.place, screen.settings.playing) == ("start", True)


async def test_nothing_is_painted_when_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the end of the run, another step forward repaints the footer's message alone."""
    async with opened(at="end") as driven:
        await driven.press("right")
        painted: list[int] = []
        pane = driven.stepper.pane
        draw = pane.render_line

        def watched(y: int) -> Strip:
            painted.append(y)
            return draw(y)

        monkeypatch.setattr(pane, "render_line", watched)
        await driven.press("right")
        assert painted == []
        await driven.press("left")
        assert painted
        assert len(painted) < 24


async def test_typing_a_place_can_be_corrected_and_given_up() -> None:
    """The line typed can be edited; Escape leaves it; a wrong place is said to be wrong."""
    async with opened() as driven:
        await driven.press("g")
        await driven.type("t9")
        await driven.press("backspace", "0")
        await driven.type(".check")
        await driven.press("home", "delete", "t", "enter")
        assert driven.place == "t0.check"
        await driven.press("g")
        await driven.type("t1")
        await driven.press("escape")
        assert driven.place == "t0.check"
        await driven.press("g")
        await driven.type("t77.check")
        await driven.press("enter")
        assert "t77.check" in driven.text
        assert driven.place == "t0.check"


async def test_a_locator_goes_to_another_scenario() -> None:
    """A whole locator typed at g opens that scenario with its cap at that place."""
    async with opened("paris") as driven:
        await driven.press("g")
        driven.app.screen.post_message(events.Paste("aurora-run@t1.check,max_turns=2\nx"))
        await driven.pilot.pause()
        await driven.press("enter")
        assert driven.place == "t1.check"
        assert driven.stepper.session.locator == "aurora-run@t1.check,max_turns=2"


async def test_an_unknown_scenario_is_said_to_be_unknown() -> None:
    """A locator of a scenario that does not exist leaves everything as it was."""
    async with opened() as driven:
        await driven.press("g")
        await driven.type("aurora-rum@end")
        await driven.press("enter")
        assert driven.place == "start"
        assert "aurora-rum" in driven.text


async def test_a_search_without_a_hit_says_so() -> None:
    """What is in no message is reported, and nothing moves."""
    async with opened() as driven:
        await driven.press("/")
        await driven.type("zebra")
        await driven.press("enter")
        assert 'No message holds "zebra".' in driven.text
        assert driven.place == "start"


async def test_the_library_opens_what_is_chosen() -> None:
    """The library lists the scenarios with provenance; Enter steps, Escape comes back."""
    async with opened(None) as driven:
        assert driven.name == "LibraryScreen"
        assert "(reconstructed)" not in driven.text
        assert "reconstructed" in driven.text
        await driven.press("pagedown", "down")
        await driven.click("aurora-run-cutoff")
        assert driven.stepper.session.scenario.name == "aurora-run-cutoff"
        await driven.press("L", "escape")
        assert driven.name == "LibraryScreen"
        assert "再構成" in driven.text
        await driven.press("end", "pageup", "enter")
        assert driven.name == "StepperScreen"


async def test_pickers_take_clicks_and_typed_words() -> None:
    """An entry of a picker can be clicked; words that match nothing say so."""
    async with opened() as driven:
        await driven.press("s")
        await driven.type("par")
        await driven.click("Paris")
        assert driven.stepper.session.scenario.name == "paris"
        await driven.press(":")
        await driven.type("zebra")
        assert "Nothing matches." in driven.text
        await driven.press("enter", "escape")
        assert driven.name == "StepperScreen"


async def test_japanese_brings_ascii_borders() -> None:
    """Box lines may be two cells wide in Japanese, so they are left out, unless asked for."""
    async with opened(language="ja") as driven:
        assert "┌" not in driven.text
        await driven.press("b")
        assert "┌" in driven.text
    async with opened() as driven:
        assert "┌" in driven.text
        await driven.press("L")
        assert "┌" not in driven.text
        await driven.press("L")
        assert "┌" in driven.text


async def test_a_long_recording_is_computed_in_the_background(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While a long run is replayed for another cap, keys still work; then it is shown."""
    async with opened() as driven:
        go_on = threading.Event()
        real = session_module.compute

        def slow(*args: object) -> object:
            go_on.wait(20)
            return real(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(session_module, "compute", slow)
        monkeypatch.setattr(session_module, "LONG", 1)
        await driven.press("+")
        assert "computing" in driven.text
        await driven.press("right")
        assert driven.place == "t0.call"
        go_on.set()
        await driven.app.workers.wait_for_complete()
        await driven.pilot.pause()
        assert driven.stepper.session.run.max_turns == 11
        assert driven.place == "t0.call"
        assert "computing" not in driven.text


async def test_a_loop_without_a_cap_says_so() -> None:
    """+ on a loop that takes no max_turns explains why nothing happens."""
    from tests import odd_loops
    from visualizer.engine import replay

    scenario = made_runs.aurora()
    shown = Shown(scenario, replay(scenario, loop=odd_loops.no_bound, contained=False))
    async with opened() as driven:
        driven.stepper.show(Session(scenario, shown))
        await driven.press("+")
        assert "This loop takes no max_turns." in driven.text


def test_what_is_wrong_is_raised_before_the_screen_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An unknown scenario or place is the caller's to report; the app is never started."""
    monkeypatch.setattr(app_module.VisualizerApp, "run", lambda self: pytest.fail("started"))
    with pytest.raises(NotFoundError):
        run_app(OneRun("aurora-rum"))
    with pytest.raises(PlaceError):
        run_app(OneRun("aurora-run", at="t9.check"))


def test_the_app_is_started_where_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """run_app starts at the place, with language, theme and borders as given."""
    started: list[app_module.VisualizerApp] = []

    def run(self: app_module.VisualizerApp) -> None:
        started.append(self)

    monkeypatch.setattr(app_module.VisualizerApp, "run", run)
    wanted = OneRun("aurora-run", max_turns=2, at="t1.check")
    code = run_app(wanted, Look("ja", "light", ascii_borders=True))
    assert code == 0
    app = started[0]
    screen = app.get_default_screen()
    assert isinstance(screen, StepperScreen)
    assert screen.session.locator == "aurora-run@t1.check,max_turns=2"
    assert (app.theme_name, app.texts.language, app.glyphs.ascii) == ("light", "ja", True)


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q"])
async def test_control_c_and_q_leave(key: str) -> None:
    """The keys that end a program in a terminal end this one, also while something is typed."""
    async with opened() as driven:
        await driven.press("g", key)
        assert driven.app._exit
