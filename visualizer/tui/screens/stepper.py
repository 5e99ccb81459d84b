"""The stepper: one run, one phase at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import work

from visualizer.locator import Locator
from visualizer.text import display_safe
from visualizer.tui.actions import Where
from visualizer.tui.paint import frame
from visualizer.tui.paint.segments import Painted
from visualizer.tui.screens.predicting import PredictingScreen
from visualizer.tui.session import Session, Shown
from visualizer.tui.view import View


class StepperScreen(PredictingScreen):
    """Steps through a run. Everything shown is the run at one index."""

    WHERE: ClassVar[Where] = "stepper"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._wanted: int | None = None

    def view(self) -> View:
        """What the painters need to know."""
        self.settings.hidden = self.hides
        lens = self.lens()
        if self.WHERE == "stepper" and self.visualizer.classroom.on and not lens.state:
            lens = replace(lens, state="class")
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
            key = "screen.cap.lowest" if session.run.loop.takes_max_turns else "screen.cap.none"
            self.status = self.texts(key)
        elif session.is_long:
            self._wanted = cap
            self.settings.computing = True
            self._compute(session, cap)
        else:
            session.show(session.computed(cap), cap)
            self.status = self.texts("screen.cap.now", cap=cap)

    @work(thread=True, exclusive=True, exit_on_error=True)
    def _compute(self, session: Session, cap: int) -> None:
        """Replay a long recording in the background."""
        shown = session.computed(cap)
        self.app.call_from_thread(self._computed, session, cap, shown)

    def _computed(self, session: Session, cap: int, shown: Shown) -> None:
        if session is not self.session or cap != self._wanted:
            return
        self._wanted = None
        self.settings.computing = False
        session.show(shown, cap)
        self.status = self.texts("screen.cap.now", cap=cap)
        self.pane.repaint()

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
        from visualizer.tui.screens.message import MessageScreen  # noqa: PLC0415

        self._stop()
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

    # Finding

    def do_search(self) -> None:
        """Ask what to search for."""
        self._stop()
        self.ask("search")

    def do_find_next(self) -> None:
        """The next message that holds what is searched."""
        self._find(1)

    def do_find_previous(self) -> None:
        """The message before that holds what is searched."""
        self._find(-1)

    # The screen

    def do_scenario(self) -> None:
        """Choose another scenario."""
        from visualizer.tui.screens.picker import scenarios  # noqa: PLC0415

        self._stop()
        current = self.session.scenario.name
        self.app.push_screen(scenarios(current, lambda name: self.open_scenario(Locator(name))))

    def do_copy(self) -> None:
        """Copy the locator of this place, and show it, since terminals often can't copy."""
        locator = self.session.locator
        self.app.copy_to_clipboard(display_safe(locator))
        self.status = self.texts("screen.copied", locator=display_safe(locator))

    def do_library(self) -> None:
        """Back to the list of scenarios."""
        self._stop()
        self.visualizer.open_library(self.session.scenario.name)

    def answered(self, kind: str, text: str) -> None:
        """A place or a search has been typed."""
        if not text.strip():
            if kind == "search":
                self.settings.query = ""
            return
        if kind == "go":
            self.do_go(text.strip())
        else:
            self.settings.query = text
            self.settings.selected = None
            self._find(1)

    def _select(self, change: int) -> None:
        last = self.session.run.step(self.session.index).messages - 1
        chosen = self.settings.selected
        start = (last + 1 if change < 0 else last) if chosen is None else min(chosen, last)
        self.settings.selected = max(0, min(last, start + change))

    def _find(self, direction: int) -> None:
        from visualizer.tui.find import find  # noqa: PLC0415

        query = self.settings.query
        if not query:
            self.ask("search")
            return
        found = find(self.seen, query, self.settings.selected, direction)
        if found is None:
            self.status = self.texts("screen.not_found", query=display_safe(query))
            return
        position, index = found
        if index is not None:
            self.session.move(index)
            self.status = self.texts("screen.found_later", message=position, index=index)
        self.settings.selected = position

    def open_scenario(self, wanted: Locator) -> None:
        """Change to another scenario, or say why that can't be."""
        from visualizer.errors import VisualizerError  # noqa: PLC0415
        from visualizer.loading import load_transcript  # noqa: PLC0415

        try:
            session = Session.open(
                load_transcript(wanted.name), wanted.loop, wanted.max_turns, wanted.place
            )
        except VisualizerError as error:
            self.status = error.text(self.texts)
        else:
            self.show(session)
        self.pane.repaint()

    def show(self, session: Session) -> None:
        """Change to another session; how things are shown stays."""
        self._stop()
        self.session = session
        self.settings.selected = None
        self.settings.revealed.clear()
        self.settings.computing = False
        self._wanted = None
        self.status = ""
