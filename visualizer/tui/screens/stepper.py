"""The stepper: one run, one phase at a time."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import ClassVar

from textual import work

from visualizer.errors import VisualizerError
from visualizer.locator import Locator
from visualizer.settings import Choice
from visualizer.text import display_safe
from visualizer.tui import decisions, observations
from visualizer.tui.actions import Where
from visualizer.tui.arriving import Arriving
from visualizer.tui.paint import frame
from visualizer.tui.paint.segments import Painted
from visualizer.tui.screens.observing import ObservingScreen
from visualizer.tui.session import Session, Shown
from visualizer.tui.view import View


class StepperScreen(ObservingScreen):
    """Steps through a run. Everything shown is the run at one index."""

    WHERE: ClassVar[Where] = "stepper"

    def __init__(self, session: Session, arriving: Arriving | None = None) -> None:
        super().__init__(session, arriving)
        self._wanted: int | None = None
        self._one_at_a_time = threading.Lock()

    def view(self) -> View:
        """What the painters need to know."""
        self.settings.hidden = self.hides
        lens = self.lens()
        if self.WHERE == "stepper" and not lens.state:
            state = "recording" if self.session.scenario.outside is not None else ""
            state = "changed" if observations.changed_before(self.seen) else state
            state = "asked" if decisions.asked_here(self.seen) else state
            lens = replace(lens, state="class" if self.visualizer.classroom.on else state)
        return View(self.seen, self.texts, self.glyphs, self.settings, self.status, lens)

    def paint(self, width: int, height: int) -> Painted:
        """The whole screen at a size."""
        return frame.stepper(self.view(), width, height, self.prompt)

    def do_play(self) -> None:
        """Play; with an instructor, reveal what the step means."""
        if self.visualizer.classroom.on and not self.settings.playing:
            self.do_reveal()
        else:
            super().do_play()

    def wheel(self, area: str, direction: int) -> None:
        """Over the messages the wheel selects, elsewhere it steps."""
        if area == "messages":
            self.act("newer" if direction > 0 else "older")
        else:
            self.act("next" if direction > 0 else "back")

    # The cap

    def do_raise_cap(self) -> None:
        """One turn more: the run is computed again, the place kept."""
        self._change_cap(1)

    def do_lower_cap(self) -> None:
        """One turn less."""
        self._change_cap(-1)

    def _change_cap(self, change: int) -> None:
        self._stop()
        session = self.session
        cap = session.cap_after(change, self._wanted)
        if cap is None:
            self.status = self.texts(f"screen.cap.{session.why_no_cap}")
        elif session.is_long:
            self._wanted = cap
            self.settings.computing = True
            self._compute(session, cap)
        else:
            session.show(session.computed(cap), cap)
            self.status = self.texts("screen.cap.now", cap=cap)

    @work(thread=True, exclusive=True, exit_on_error=True)
    def _compute(self, session: Session, cap: int) -> None:
        """Replay what takes long in the background, one after the other, and only the last."""
        with self._one_at_a_time:
            if session is not self.session or cap != self._wanted:
                return
            try:
                made: Shown | VisualizerError = session.computed(cap)
            except VisualizerError as error:
                made = error
        self.app.call_from_thread(self._computed, session, cap, made)

    def _computed(self, session: Session, cap: int, made: Shown | VisualizerError) -> None:
        if session is not self.session or cap != self._wanted:
            return
        self._wanted = None
        self.settings.computing = False
        if isinstance(made, VisualizerError):
            self._fail(made)
        else:
            session.show(made, cap)
            self.status = self.texts("screen.cap.now", cap=cap)
        self.pane.repaint()

    # Decisions

    def do_allow(self) -> None:
        """The call that waits here may run: the run is computed again."""
        self._decide("allow")

    def do_deny(self) -> None:
        """The call that waits here may not run."""
        self._decide("deny")

    def _decide(self, choice: Choice) -> None:
        self._stop()
        session = self.session
        place = decisions.asked_here(session)
        if not place:
            self.status = self.texts(f"screen.decide.{decisions.why_not(session)}")
            return
        scenario = decisions.deciding(session, place, choice)
        self._later(
            lambda: decisions.decided(session, scenario),
            lambda shown: self._decided(session, shown, place, choice),
        )

    def _decided(self, session: Session, shown: Shown, place: str, choice: Choice) -> None:
        decisions.show(session, shown, place)
        self.settings.selected = None
        self.settings.revealed.clear()
        self.status = self.texts(f"screen.decide.{choice}", place=place)

    # Looking closer

    def do_request(self) -> None:
        """The exact request of the current call."""
        from visualizer.tui.screens.request import RequestScreen  # noqa: PLC0415

        self._stop()
        run = self.seen.run
        if not run.calls:
            self.status = self.texts("screen.no_request")
            return
        call = run.call_at(self.session.index) or run.calls[0]
        self.app.push_screen(RequestScreen(self.seen, call))

    def do_room(self) -> None:
        """What takes room in the calls so far, part by part."""
        from visualizer.tui.paint.room import HIDING  # noqa: PLC0415
        from visualizer.tui.screens.room import RoomScreen  # noqa: PLC0415

        self._stop()
        secret = bool(self.view().lens.hidden & HIDING)
        self.app.push_screen(RoomScreen(self.seen, secret))

    def do_events(self) -> None:
        """The run as the stream of messages that an SDK would emit."""
        from visualizer.sdk import stream_of  # noqa: PLC0415
        from visualizer.tui.screens.events import EventsScreen  # noqa: PLC0415

        self._stop()
        seen = self.seen
        self._later(
            lambda: stream_of(seen.run, seen.scenario),
            lambda stream: self.app.push_screen(EventsScreen(self, stream)),
        )

    def do_older(self) -> None:
        """Select the message above."""
        self._select(-1)

    def do_newer(self) -> None:
        """Select the message below."""
        self._select(1)

    def do_select(self, position: str) -> None:
        """Select a message; when it is selected already, show it whole."""
        if self.settings.selected == int(position):
            self.do_expand()
        else:
            self.settings.selected = int(position)

    def do_expand(self) -> None:
        """The selected message, or the last, whole."""
        from visualizer.tui.screens.lost import LostScreen, takes_out  # noqa: PLC0415
        from visualizer.tui.screens.message import MessageScreen  # noqa: PLC0415

        self._stop()
        if self.settings.selected is None and takes_out(self.seen):
            self.app.push_screen(LostScreen(self.seen))
            return
        last = self.session.run.step(self.session.index).messages - 1
        chosen = self.settings.selected
        position = last if chosen is None else min(chosen, last)
        if position >= 0:
            self.app.push_screen(MessageScreen(self.seen, position, self.settings.query))

    def do_unfold(self) -> None:
        """All of the code, or only what fits."""
        self.settings.unfolded = not self.settings.unfolded

    def do_counts(self) -> None:
        """Show or hide what is counted."""
        self.settings.counts = not self.settings.counts

    # The screen

    def do_scenario(self) -> None:
        """Choose another scenario."""
        from visualizer.tui.screens.picker import scenarios  # noqa: PLC0415

        self._stop()
        current, veil = self.session.scenario.name, self.lens().title
        private = not self.visualizer.classroom.in_use
        self.app.push_screen(
            scenarios(current, lambda name: self.open_scenario(Locator(name)), veil, private)
        )

    def do_copy(self) -> None:
        """Copy the locator of this place, and show it, since terminals often can't copy."""
        locator = self.session.locator
        self.app.copy_to_clipboard(display_safe(locator))
        self.status = self.texts("screen.copied", locator=display_safe(locator))

    def do_library(self) -> None:
        """Back to the list of scenarios; while a file is read, first an end to that."""
        self._stop()
        if self.stop_reading():
            return
        self.visualizer.open_library(self.session.scenario.name)

    def _select(self, change: int) -> None:
        last = self.session.run.step(self.session.index).messages - 1
        chosen = self.settings.selected
        start = (last + 1 if change < 0 else last) if chosen is None else min(chosen, last)
        self.settings.selected = max(0, min(last, start + change))

    def open_scenario(self, wanted: Locator) -> None:
        """Change to another scenario, or say why that can't be."""
        try:
            session = Session.open(wanted.scenario(), wanted.loop, wanted.max_turns, wanted.place)
        except VisualizerError as error:
            self.status = error.text(self.texts)
        else:
            self.show(session)
        self.pane.repaint()

    def show(self, session: Session) -> None:
        """Change to another session; how things are shown stays."""
        self._stop()
        if session.scenario.path != self.session.scenario.path:
            self.leave_file()
        self.session = session
        self.settings.selected = None
        self.settings.revealed.clear()
        self.settings.computing = False
        self._wanted = None
        self.status = ""
