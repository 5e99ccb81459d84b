"""The stepper: one run, one phase at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from visualizer.app import decisions, observations
from visualizer.app.arriving import Arriving
from visualizer.app.session import Session
from visualizer.app.view import Lens
from visualizer.locator import Locator
from visualizer.text import display_safe
from visualizer.tui.commands import COPY, LIBRARY, command
from visualizer.tui.common import Agenda, Instructing, Look, Program, Shuffling
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.segments import Painted
from visualizer.tui.painted_screen import Part
from visualizer.tui.run_screen import Reader, RunPart, RunScreen
from visualizer.tui.stepper import frame
from visualizer.tui.stepper.cap import Cap
from visualizer.tui.stepper.changes import Decisions, Observations
from visualizer.tui.stepper.closer import Closer
from visualizer.tui.stepper.finder import Errors, Finder
from visualizer.tui.stepper.follow import Follow
from visualizer.tui.stepper.others import OtherRuns
from visualizer.tui.stepper.predicting import Poll, Predicting
from visualizer.tui.stepper.runs import File, Runs
from visualizer.tui.stepper.steps import Places, Player


class Scenarios(RunPart):
    """Another scenario, and the name of this place."""

    @command("scenario", "s", group="screen")
    def scenario(self) -> None:
        """Choose another scenario."""
        from visualizer.tui.lists.screen import scenarios  # noqa: PLC0415

        screen = self.screen
        screen.pause()
        current, veil = screen.session.scenario.name, screen.lens().title
        private = not screen.visualizer.classroom.in_use
        places = screen.part(Places)
        screen.app.push_screen(
            scenarios(current, lambda name: places.open(Locator(name)), veil, private)
        )

    @COPY
    def copy(self) -> None:
        """Copy the locator of this place, and show it, since terminals often can't copy."""
        locator = display_safe(self.screen.session.locator)
        self.screen.app.copy_to_clipboard(locator)
        self.screen.status = self.screen.texts("screen.copied", locator=locator)


class StepperScreen(RunScreen):
    """Steps through a run. Everything shown is the run at one index."""

    WHERE: ClassVar[Where] = "stepper"
    PARTS: ClassVar[tuple[type[Part], ...]] = (
        Player,
        Places,
        Runs,
        Cap,
        OtherRuns,
        Decisions,
        Observations,
        Closer,
        Finder,
        Errors,
        File,
        Follow,
        Scenarios,
        Look,
        Program,
        Predicting,
        Poll,
        Shuffling,
        Instructing,
        Agenda,
    )

    def __init__(self, session: Session, arriving: Arriving | None = None) -> None:
        super().__init__(session)
        self.settings.arriving = arriving

    def on_mount(self) -> None:
        """Begin to take in what comes."""
        self.part(Follow).begin(self.settings.arriving)

    def on_unmount(self) -> None:
        """Nothing more is wanted."""
        self.part(Follow).end()

    @property
    def reader(self) -> Reader:
        """Who says how far the reader may look."""
        return self.part(Predicting)

    def lens(self) -> Lens:
        """What is asked, hidden and pointed at, and what the footer offers."""
        lens = super().lens()
        if lens.state:
            return lens
        state = "recording" if self.session.scenario.outside is not None else ""
        state = "changed" if observations.changed_before(self.seen) else state
        state = "asked" if decisions.asked_here(self.seen) else state
        return replace(lens, state="class" if self.visualizer.classroom.on else state)

    def paint(self, width: int, height: int) -> Painted:
        """The whole screen at a size."""
        return frame.stepper(self.view(), width, height, self.prompt)

    @LIBRARY
    def library(self) -> None:
        """Back to the list of scenarios; while a file is read, first an end to that."""
        self.pause()
        if not self.part(Follow).stop_reading():
            self.leave()

    def leave(self) -> None:
        """Back to the list of scenarios."""
        self.visualizer.open_library(self.session.scenario.name)


class SideStepper(StepperScreen):
    """The stepper on one of two runs. Leaving it leads back to both."""

    def leave(self) -> None:
        """Back to the screen below."""
        self.app.pop_screen()
