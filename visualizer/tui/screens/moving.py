"""Moving through a run: step by step, by turns, to a place, and by itself."""

from __future__ import annotations

from textual.timer import Timer

from visualizer.errors import PlaceError
from visualizer.locator import Locator
from visualizer.text import display_safe
from visualizer.tui.screens.choosing import ChoosingScreen
from visualizer.tui.session import Session

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Steps a second when playing."""


class MovingScreen(ChoosingScreen):
    """A screen with a place in a run. Every move by hand ends playing."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._timer: Timer | None = None

    @property
    def seen(self) -> Session:
        """The session as far as the reader may look at it."""
        return self.session

    def stuck(self) -> str:
        """Why there is no going on."""
        return self.texts("screen.at_end")

    def open_scenario(self, wanted: Locator) -> None:
        """Change to another scenario, or say why that can't be."""
        raise NotImplementedError

    def do_next(self) -> None:
        """The next step."""
        self._by_hand(self.session.index + 1)

    def do_back(self) -> None:
        """The step before."""
        self._by_hand(self.session.index - 1)

    def do_next_turn(self) -> None:
        """The first step of the next turn."""
        self._stop()
        self.settings.selected = None
        if not self.session.next_turn():
            self.status = self.stuck()

    def do_previous_turn(self) -> None:
        """The first step of this turn, then of the turn before."""
        self._stop()
        self.settings.selected = None
        self.session.previous_turn()

    def do_first(self) -> None:
        """The start."""
        self._by_hand(1)

    def do_last(self) -> None:
        """The end."""
        self._by_hand(len(self.session.run.steps))

    def do_go(self, place: str = "") -> None:
        """A step or a place: asked for, or given."""
        self._stop()
        if not place:
            self.ask("go")
            return
        wanted = Locator.parse(place)
        if wanted.place is not None and wanted.name != self.session.scenario.name:
            self.open_scenario(wanted)
            return
        try:
            self.session.move(self.seen.run.locate(wanted.place or place.removeprefix("@")))
            self.settings.selected = None
        except PlaceError:
            self.status = self.texts("screen.no_place", place=display_safe(place))

    def do_go_call(self, number: str) -> None:
        """The step of a call, by the call's number."""
        calls = self.session.run.calls
        if 1 <= int(number) <= len(calls):
            self._by_hand(calls[int(number) - 1].step)

    def do_play(self) -> None:
        """Step by itself, or stop that."""
        if self.settings.playing:
            self._stop()
            return
        if self.session.index >= len(self.session.run.steps):
            self.session.move(1)
        self.settings.playing = True
        self._start_timer()

    def do_faster(self) -> None:
        """Play faster."""
        self._speed(1)

    def do_slower(self) -> None:
        """Play more slowly."""
        self._speed(-1)

    def _by_hand(self, index: int) -> None:
        self._stop()
        self.settings.selected = None
        if not self.session.move(index) and index > 1:
            self.status = self.stuck()

    def _speed(self, change: int) -> None:
        at = SPEEDS.index(self.settings.speed) + change
        self.settings.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, at))]
        self.status = self.texts("screen.speed", speed=f"{self.settings.speed:g}")
        if self.settings.playing:
            self._start_timer()

    def _start_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_interval(1 / self.settings.speed, self.tick)

    def tick(self) -> None:
        """One step of playing; at the end it stops."""
        self.settings.selected = None
        moved = self.session.move(self.session.index + 1)
        if not moved or self.session.index >= len(self.session.run.steps):
            self._stop()
        self.pane.repaint()

    def _stop(self) -> None:
        self.settings.playing = False
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
