"""What each action of the table must do: one case an action, found by its id."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tests.tui.screens import Driven
from visualizer.locator import Locator
from visualizer.tui.home.screen import LibraryScreen
from visualizer.tui.lists.screen import PickerScreen
from visualizer.tui.sheets.request import RequestScreen
from visualizer.tui.sheets.screen import SheetScreen
from visualizer.tui.stepper.steps import Places, Player
from visualizer.tui.themes import PALETTES

Press = Callable[[Driven, str], Awaitable[None]]
CASES: dict[str, Press] = {}


def case(*ids: str) -> Callable[[Press], Press]:
    """Register the test of an action."""

    def register(function: Press) -> Press:
        CASES.update(dict.fromkeys(ids, function))
        return function

    return register


def first_id(driven: Driven) -> str:
    """The id of the first tool request."""
    reply = driven.stepper.session.run.calls[0].reply
    assert reply is not None
    return reply.tool_calls[0].id


async def goes_to(driven: Driven, key: str, start: str, place: str) -> None:
    """From ``start`` the key leads to ``place``."""
    driven.stepper.session.go(start)
    await driven.press(key)
    assert driven.place == place


@case("next")
async def _next(driven: Driven, key: str) -> None:
    await goes_to(driven, key, "t0.call", "t0.check")


@case("back")
async def _back(driven: Driven, key: str) -> None:
    await goes_to(driven, key, "t0.check", "t0.call")
    await goes_to(driven, key, "start", "start")


@case("next_turn")
async def _next_turn(driven: Driven, key: str) -> None:
    await goes_to(driven, key, "t0.check", "t1.call")
    await goes_to(driven, key, "t2.check", "end")
    await goes_to(driven, key, "end", "end")


@case("previous_turn")
async def _previous_turn(driven: Driven, key: str) -> None:
    await goes_to(driven, key, "t1.check", "t1.call")
    await goes_to(driven, key, "t1.call", "t0.call")
    await goes_to(driven, key, "t0.call", "start")


@case("first")
async def _first(driven: Driven, key: str) -> None:
    await goes_to(driven, key, "t1.check", "start")


@case("last")
async def _last(driven: Driven, key: str) -> None:
    await goes_to(driven, key, "t1.check", "end")
    assert '"1974"' in driven.text


@case("go")
async def _go(driven: Driven, key: str) -> None:
    await driven.press(key)
    await driven.type("t1.check")
    await driven.press("enter")
    assert driven.place == "t1.check"
    await driven.press(key)
    await driven.type("3")
    await driven.press("enter")
    assert driven.place == "t0.check"


@case("play")
async def _play(driven: Driven, key: str) -> None:
    await driven.press(key)
    assert driven.stepper.settings.playing
    driven.stepper.part(Player).tick()
    assert driven.place == "t0.call"
    await driven.press(key)
    assert not driven.stepper.settings.playing


@case("faster")
async def _faster(driven: Driven, key: str) -> None:
    await driven.press(key)
    assert driven.stepper.settings.speed == 2.0


@case("slower")
async def _slower(driven: Driven, key: str) -> None:
    await driven.press(key)
    assert driven.stepper.settings.speed == 0.5


@case("raise_cap")
async def _raise_cap(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.check")
    await driven.press(key)
    assert driven.stepper.session.run.max_turns == 11
    assert driven.place == "t1.check"


@case("lower_cap")
async def _lower_cap(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.check")
    for _ in range(8):
        await driven.press(key)
    session = driven.stepper.session
    assert (session.run.max_turns, session.run.terminal_reason) == (2, "max_turns")
    assert driven.place == "t1.check"


@case("allow")
async def _allow(driven: Driven, key: str) -> None:
    driven.stepper.part(Places).open(Locator.parse("approval@t1.approve"))
    await driven.press(key)
    assert driven.stepper.session.run.tool_calls == 2
    assert driven.place == "t1.approve"


@case("deny")
async def _deny(driven: Driven, key: str) -> None:
    driven.stepper.part(Places).open(Locator.parse("approval@end"))
    await driven.press(key)
    assert driven.stepper.session.run.tool_calls == 1
    assert driven.place == "t1.approve"


@case("request")
async def _request(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.call")
    await driven.press(key)
    assert driven.name == "RequestScreen"
    assert "toolu_01" in driven.text


@case("older")
async def _older(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.call")
    await driven.press(key)
    assert driven.stepper.settings.selected == 3


@case("newer")
async def _newer(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.call")
    driven.stepper.settings.selected = 0
    await driven.press(key)
    assert driven.stepper.settings.selected == 1


@case("expand")
async def _expand(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t0.append")
    await driven.press(key)
    assert driven.name == "MessageScreen"
    assert "Voss directed the film of 2011." in driven.text


@case("unfold")
async def _unfold(driven: Driven, key: str) -> None:
    driven.stepper.session.go("end")
    await driven.press(key)
    assert "def agent_loop" in driven.text


@case("counts")
async def _counts(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.check")
    await driven.press(key)
    assert driven.stepper.settings.counts
    opened_round = driven.app.texts("screen.counts.open_short", done=1, open=1)
    assert driven.app.size.width > 80 or opened_round in driven.text


@case("search")
async def _search(driven: Driven, key: str) -> None:
    await driven.press(key)
    await driven.type("1951")
    await driven.press("enter")
    assert driven.place == "t0.append"
    assert driven.stepper.settings.selected == 2


@case("find_next")
async def _find_next(driven: Driven, key: str) -> None:
    driven.stepper.session.go("end")
    driven.stepper.settings.query = "Mara"
    await driven.press(key, key)
    assert driven.stepper.settings.selected == 3


@case("find_previous")
async def _find_previous(driven: Driven, key: str) -> None:
    driven.stepper.session.go("end")
    driven.stepper.settings.query = "mara"
    await driven.press(key)
    assert driven.stepper.settings.selected == 4


@case("scenario", "choose")
async def _scenario(driven: Driven, key: str) -> None:
    await driven.press("s")
    await driven.type("paris")
    await driven.press("enter")
    assert driven.stepper.session.scenario.name == "paris"


@case("down", "up")
async def _choice(driven: Driven, key: str) -> None:
    await driven.press("escape")
    library = driven.app.screen
    assert isinstance(library, LibraryScreen)
    middle = library.at = len(library.shelf.lessons) + 1
    await driven.press(key)
    assert library.at == middle + (1 if key == "down" else -1)
    await driven.press("enter", "s", "down")
    picker = driven.app.screen
    assert isinstance(picker, PickerScreen)
    before = picker.at
    await driven.press(key)
    assert picker.at == before + (1 if key == "down" else -1)


@case("copy")
async def _copy(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.check")
    await driven.press(key)
    assert driven.app.clipboard == "aurora-run@t1.check"
    assert "aurora-run@t1.check" in driven.text


@case("theme")
async def _theme(driven: Driven, key: str) -> None:
    for name in [*list(PALETTES)[1:], "dark"]:
        await driven.press(key)
        assert driven.app.theme == PALETTES[name].name


@case("language")
async def _language(driven: Driven, key: str) -> None:
    before = driven.app.texts.language
    await driven.press(key)
    after = driven.app.texts
    assert after.language != before
    assert after("screen.meter.label") in driven.text


@case("borders")
async def _borders(driven: Driven, key: str) -> None:
    before = driven.app.glyphs.ascii
    await driven.press(key)
    assert driven.app.glyphs.ascii is not before
    assert ("┌" in driven.text) is before


@case("palette")
async def _palette(driven: Driven, key: str) -> None:
    await driven.press(key)
    await driven.type("last")
    await driven.press("enter")
    assert driven.place == "end"


@case("help", "close")
async def _help(driven: Driven, key: str) -> None:
    await driven.press("?")
    assert driven.name == "HelpScreen"
    await driven.press("escape" if key == "?" else key)
    assert driven.name == "StepperScreen"


@case("glossary")
async def _glossary(driven: Driven, key: str) -> None:
    await driven.press(key)
    assert driven.name == "GlossaryScreen"
    await driven.press("escape")
    assert driven.name == "StepperScreen"


@case("library")
async def _library(driven: Driven, key: str) -> None:
    await driven.press(key)
    assert driven.name == "LibraryScreen"
    await driven.press("enter")
    assert driven.stepper.session.scenario.name == "aurora-run"


@case("suspend")
async def _suspend(driven: Driven, key: str) -> None:
    assert suspending(driven) not in driven.text
    await driven.press(key)
    assert suspending(driven) in driven.text


def suspending(driven: Driven) -> str:
    """What is said of a key that stops the program where no shell could continue it."""
    return driven.app.texts("screen.suspend.no_shell")


@case("quit")
async def _quit(driven: Driven, key: str) -> None:
    await driven.press(key)
    assert not driven.app.is_running or driven.app._exit


@case("line_up", "line_down", "page_up", "page_down", "top", "bottom")
async def _scrolling(driven: Driven, key: str) -> None:
    await driven.pilot.resize_terminal(70, 20)
    await driven.press("?")
    screen = driven.app.screen
    assert isinstance(screen, SheetScreen)
    first = driven.text
    await driven.press("end")
    last = driven.text
    down = key in ("down", "j", "pagedown", "space", "end")
    await driven.press("home" if down else "end", key)
    assert driven.text not in ((first,) if down else (last,))


@case("form")
async def _form(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.call")
    await driven.press("r", key)
    assert '"tool_use_id": "toolu_01"' in driven.text
    await driven.press(key)
    assert '"tool_use_id"' not in driven.text


@case("call_before")
async def _call_before(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.call")
    await driven.press("r", key)
    screen = driven.app.screen
    assert isinstance(screen, RequestScreen)
    assert screen.sent.number == 0


@case("call_after")
async def _call_after(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.call")
    await driven.press("r", key)
    screen = driven.app.screen
    assert isinstance(screen, RequestScreen)
    assert screen.sent.number == 2


@case("cancel")
async def _cancel(driven: Driven, key: str) -> None:
    await driven.press("s", key)
    assert driven.name == "StepperScreen"


@case("room")
async def _room(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.check")
    await driven.press(key)
    assert driven.name == "RoomScreen"
    assert driven.app.texts("window.title") in driven.text
    assert driven.app.texts("screen.plot.call", n=3) in driven.text
    assert driven.app.texts("screen.plot.call", n=4) not in driven.text
    await driven.press("escape")
    assert driven.place == "t1.check"
