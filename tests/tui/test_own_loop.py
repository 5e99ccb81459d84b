"""A reader's own loop in the stepper: its run may take long, so nothing waits for it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.tui.screens import Driven, opened
from visualizer.app import session as session_module
from visualizer.app.session import Session
from visualizer.app.session import compute as real
from visualizer.errors import LoopError
from visualizer.loading import load_transcript

LOOP = """
def mine(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        results = [tools(call) for call in reply.tool_calls]
        messages.append({"role": "user", "content": results})
"""


async def show_own(driven: Driven, folder: Path) -> None:
    """The stepper over a run that a loop from a file has made."""
    file = folder / "mine.py"
    file.write_text(LOOP, encoding="utf-8")
    driven.stepper.show(Session.open(load_transcript("aurora-run"), str(file)))
    driven.stepper.pane.repaint()


async def done(driven: Driven) -> None:
    """Wait until nothing is computed any more."""
    await driven.app.workers.wait_for_complete()
    await driven.pilot.pause()


async def test_another_cap_is_computed_in_the_background(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Three presses of + leave keys working under the sign; at most two runs are made of them."""
    async with opened() as driven:
        await show_own(driven, tmp_path)
        go_on, caps = threading.Event(), []

        def slow(scenario: object, loop: object, cap: int) -> object:
            caps.append(cap)
            go_on.wait(20)
            return real(scenario, loop, cap)  # type: ignore[arg-type]

        monkeypatch.setattr(session_module, "compute", slow)
        await driven.press("+", "+", "+")
        assert "computing" in driven.text
        await driven.press("right")
        assert driven.place == "t0.call"
        go_on.set()
        await done(driven)
        assert "computing" not in driven.text
        assert driven.stepper.session.run.max_turns == 13
        assert driven.place == "t0.call"
        assert caps in ([11, 13], [13])


async def test_a_loop_that_can_no_longer_be_run_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What goes wrong in the background stands in the footer; the run shown stays."""
    async with opened() as driven:
        await show_own(driven, tmp_path)

        def broken(*_: object) -> object:
            raise LoopError("problem.loop_no_file", file="mine.py")

        monkeypatch.setattr(session_module, "compute", broken)
        await driven.press("+")
        await done(driven)
        assert "mine.py" in driven.text.split("\n")[-1]
        assert "computing" not in driven.text
        assert driven.stepper.session.run.max_turns == 10
