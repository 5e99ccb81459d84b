"""What the actions of the table of caps must do."""

from __future__ import annotations

from tests.tui.cases import case
from tests.tui.screens import Driven
from visualizer.tui.caps.screen import CapsScreen


def tabled(driven: Driven) -> CapsScreen:
    """The table of caps, which must be the screen on top."""
    assert isinstance(driven.app.screen, CapsScreen)
    return driven.app.screen


@case("caps")
async def _caps(driven: Driven, key: str) -> None:
    for _ in range(8):
        await driven.press("-")
    await driven.press(key)
    assert {row.run.max_turns for row in tabled(driven).table.rows} == {2}
    await driven.press("escape")
    assert driven.name == "StepperScreen"
