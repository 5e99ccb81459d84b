"""What the actions must do that change an observation."""

from __future__ import annotations

from tests.tui.cases import case
from tests.tui.screens import Driven


@case("observe")
async def _observe(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t0.execute")
    await driven.press(key, "ctrl+u", "x", "enter")
    assert driven.place == "t0.execute"
    assert driven.stepper.session.run.terminal_reason == "diverged"


@case("ask_world")
async def _ask_world(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.append")
    await driven.press(key, "ctrl+u")
    await driven.type("Henrik Dahl")
    await driven.press("enter")
    assert driven.stepper.session.run.observations == (
        ("t1.execute", "Henrik Dahl is a novelist, born in 1951."),
    )


@case("recorded_again")
async def _recorded_again(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t0.execute")
    before = driven.stepper.session.run
    await driven.press("O", "ctrl+u", "x", "enter", "right", "right", key)
    assert driven.place == "t0.execute"
    assert driven.stepper.session.run == before
