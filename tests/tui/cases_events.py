"""What the actions of the stream must do, and those of a request on a thread."""

from __future__ import annotations

from tests.tui.cases import case
from tests.tui.screens import Driven
from visualizer.tui.events.screen import EventsScreen


def streaming(driven: Driven) -> EventsScreen:
    """The stream, which must be the screen on top."""
    assert isinstance(driven.app.screen, EventsScreen)
    return driven.app.screen


def chosen(driven: Driven) -> str:
    """The place of the chosen row, which the stepper must be at."""
    screen = streaming(driven)
    step = screen.stream.rows[screen.at].step
    assert screen.below.session.index == step
    return screen.stream.run.step(step).place


@case("events")
async def _events(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.check")
    await driven.press(key)
    assert chosen(driven) == "t1.check"
    await driven.press("escape")
    assert driven.place == "t1.check"


@case("line_before")
async def _line_before(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t0.check")
    await driven.press("m", key)
    assert chosen(driven) == "t0.call"
    await driven.press(key, key, "escape")
    assert driven.place == "start"


@case("line_after")
async def _line_after(driven: Driven, key: str) -> None:
    await driven.press("m", key, key)
    assert chosen(driven) == "t0.check"
    await driven.press("escape")
    assert driven.place == "t0.check"


@case("partial")
async def _partial(driven: Driven, key: str) -> None:
    await driven.press("m", key)
    assert "message_start" in driven.text
    await driven.press(key)
    assert "message_start" not in driven.text


@case("chained")
async def _chained(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.call")
    await driven.press("r", key)
    assert '"previous_message_id": "msg_1"' in driven.text
    assert driven.text.count(driven.app.texts("sdk.chain.held")) == 2
    await driven.press(key)
    assert "previous_message_id" not in driven.text
