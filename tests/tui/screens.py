"""Driving the app in tests: open it at a size, press keys, read the screen as text."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from visualizer.app.kept_progress import KeptProgress
from visualizer.app.session import Session
from visualizer.learner.progress import Progress
from visualizer.loading import Scenario, load_transcript
from visualizer.tui.app import VisualizerApp
from visualizer.tui.run_screen import RunScreen

SIZES = [(80, 24), (140, 45)]
LANGUAGES = ["en", "ja"]
GOLDEN = Path(__file__).parent.parent / "golden" / "screens"


class Driven:
    """A running app and the ways to look at it."""

    def __init__(self, app: VisualizerApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, each to its end."""
        for key in keys:
            await self.pilot.press(key)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        """Type a text."""
        for character in text:
            await self.pilot.press("space" if character == " " else character)
        await self.pilot.pause()

    async def click(self, text: str) -> None:
        """Click on the first place where ``text`` stands on the screen."""
        for y, line in enumerate(self.text.split("\n")):
            if (x := line.find(text)) >= 0:
                await self.pilot.click(offset=(x + len(text) // 2, y))
                await self.pilot.pause()
                return
        raise AssertionError(f"{text!r} is not on the screen:\n{self.text}")

    @property
    def text(self) -> str:
        """The screen as lines of text, as the compositor gives it to the terminal."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(part.text for part in strip).rstrip() for strip in strips)

    @property
    def stepper(self) -> RunScreen:
        """The screen that steps through a run, which must be on top."""
        assert isinstance(self.app.screen, RunScreen)
        return self.app.screen

    @property
    def place(self) -> str:
        """The place the stepper shows."""
        session = self.stepper.session
        return session.run.step(session.index).place

    @property
    def name(self) -> str:
        """The name of the class of the screen on top."""
        return type(self.app.screen).__name__


@asynccontextmanager
async def opened(
    scenario: Scenario | str | None = "aurora-run",
    size: tuple[int, int] = (80, 24),
    language: str = "en",
    at: str | None = None,
    max_turns: int | None = None,
    theme: str = "dark",
    progress: Progress | Path | None = None,
    **more: Any,
) -> AsyncIterator[Driven]:
    """The app over a scenario (None for the library) at a size."""
    if isinstance(scenario, str):
        scenario = load_transcript(scenario)
    session = Session.open(scenario, None, max_turns, at) if scenario else None
    kept = KeptProgress(progress)
    app = VisualizerApp(session, language=language, theme=theme, progress=kept, **more)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Driven(app, pilot)
