"""Moving through a run: step by step, by turns, to a place, and by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from visualizer.app.session import Session
from visualizer.errors import PlaceError, VisualizerError
from visualizer.locator import Locator
from visualizer.text import display_safe
from visualizer.tui.commands import (
    BACK,
    FIRST,
    GO,
    LAST,
    NEXT,
    NEXT_TURN,
    PREVIOUS_TURN,
    command,
)
from visualizer.tui.run_screen import RunPart

if TYPE_CHECKING:
    from textual.timer import Timer

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Steps a second when playing."""


class Places(RunPart):
    """To a place in the run, or in another one. Every move by hand ends playing."""

    @FIRST
    def first(self) -> None:
        """The start."""
        self.move_to(1)

    @LAST
    def last(self) -> None:
        """The end."""
        self.move_to(len(self.screen.session.run.steps))

    @GO
    def go(self, place: str = "") -> None:
        """A step or a place: asked for, or given."""
        screen = self.screen
        screen.pause()
        place = place.strip()
        if not place:
            screen.ask("go", self._typed)
            return
        wanted = Locator.parse(place)
        if wanted.place is not None and wanted.name != screen.session.scenario.name:
            self.open(wanted)
            return
        try:
            screen.session.move(screen.seen.run.locate(wanted.place or place.removeprefix("@")))
            screen.settings.selected = None
        except PlaceError:
            screen.status = screen.texts("screen.no_place", place=display_safe(place))

    @command("go_call")
    def go_call(self, number: str) -> None:
        """The step of a call, by the call's number."""
        calls = self.screen.session.run.calls
        if 1 <= int(number) <= len(calls):
            self.move_to(calls[int(number) - 1].step)

    def open(self, wanted: Locator) -> None:
        """Change to another scenario, or say why that can't be."""
        screen = self.screen
        try:
            session = Session.open(wanted.scenario(), wanted.loop, wanted.max_turns, wanted.place)
        except VisualizerError as error:
            screen.fail(error)
        else:
            screen.show(session)
        screen.pane.repaint()

    def move_to(self, index: int) -> None:
        """To a step, as far as the reader may go on."""
        screen = self.screen
        screen.pause()
        screen.settings.selected = None
        if not screen.session.move(index) and index > 1:
            screen.status = screen.stuck

    def next_turn(self) -> None:
        """The first step of the next turn."""
        self.screen.pause()
        self.screen.settings.selected = None
        if not self.screen.session.next_turn():
            self.screen.status = self.screen.stuck

    def previous_turn(self) -> None:
        """The first step of this turn, then of the turn before."""
        self.screen.pause()
        self.screen.settings.selected = None
        self.screen.session.previous_turn()

    def _typed(self, place: str) -> None:
        if place.strip():
            self.go(place)


class Player(RunPart):
    """Step by step, by hand or by itself."""

    _timer: Timer | None = None

    @NEXT
    def next(self) -> None:
        """The next step."""
        self.screen.part(Places).move_to(self.screen.session.index + 1)

    @BACK
    def back(self) -> None:
        """The step before."""
        self.screen.part(Places).move_to(self.screen.session.index - 1)

    @NEXT_TURN
    def next_turn(self) -> None:
        """The first step of the next turn."""
        self.screen.part(Places).next_turn()

    @PREVIOUS_TURN
    def previous_turn(self) -> None:
        """The first step of this turn, then of the turn before."""
        self.screen.part(Places).previous_turn()

    @command("play", "enter", group="move")
    def play(self) -> None:
        """Play, or stop that; with an instructor, reveal what the step means."""
        screen = self.screen
        if screen.visualizer.classroom.on and not screen.settings.playing:
            screen.reveal()
            return
        if screen.settings.playing:
            screen.pause()
            return
        if screen.session.index >= len(screen.session.run.steps):
            screen.session.move(1)
        screen.settings.playing = True
        self._start_timer()

    @command("faster", ">", group="move")
    def faster(self) -> None:
        """Play faster."""
        self._speed(1)

    @command("slower", "<", group="move")
    def slower(self) -> None:
        """Play more slowly."""
        self._speed(-1)

    def pause(self) -> None:
        """Stop playing."""
        self.screen.settings.playing = False
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def tick(self) -> None:
        """One step of playing; at the end it stops."""
        session = self.screen.session
        self.screen.settings.selected = None
        moved = session.move(session.index + 1)
        if not moved or session.index >= len(session.run.steps):
            self.pause()
        self.screen.pane.repaint()

    def _speed(self, change: int) -> None:
        settings = self.screen.settings
        at = SPEEDS.index(settings.speed) + change
        settings.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, at))]
        self.screen.status = self.screen.texts("screen.speed", speed=f"{settings.speed:g}")
        if settings.playing:
            self._start_timer()

    def _start_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.screen.set_interval(1 / self.screen.settings.speed, self.tick)
