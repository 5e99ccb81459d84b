"""max_turns, changed on the spot: the run is computed again and the place kept."""

from __future__ import annotations

import threading

from visualizer.app.session import Session, Shown
from visualizer.errors import VisualizerError
from visualizer.tui.commands import LOWER_CAP, RAISE_CAP
from visualizer.tui.painted_screen import PaintedScreen
from visualizer.tui.run_screen import RunPart


class Cap(RunPart):
    """The cap of the run."""

    def __init__(self, screen: PaintedScreen) -> None:
        super().__init__(screen)
        self._wanted: int | None = None
        self._one_at_a_time = threading.Lock()

    @RAISE_CAP
    def raise_cap(self) -> None:
        """One turn more: the run is computed again, the place kept."""
        self._change(1)

    @LOWER_CAP
    def lower_cap(self) -> None:
        """One turn less."""
        self._change(-1)

    def replaced(self) -> None:
        """No cap of an earlier run is wanted any more."""
        self._wanted = None

    def _change(self, change: int) -> None:
        screen = self.screen
        screen.pause()
        session = screen.session
        cap = session.cap_after(change, self._wanted)
        if cap is None:
            screen.status = screen.texts(f"screen.cap.{session.why_no_cap}")
        elif session.is_long:
            self._wanted = cap
            screen.settings.computing = True
            screen.run_worker(
                lambda: self._compute(session, cap),
                thread=True,
                exclusive=True,
                exit_on_error=True,
            )
        else:
            session.show(session.computed(cap), cap)
            screen.status = screen.texts("screen.cap.now", cap=cap)

    def _compute(self, session: Session, cap: int) -> None:
        """Replay what takes long in the background, one after the other, and only the last."""
        with self._one_at_a_time:
            if session is not self.screen.session or cap != self._wanted:
                return
            try:
                made: Shown | VisualizerError = session.computed(cap)
            except VisualizerError as error:
                made = error
        self.screen.app.call_from_thread(self._computed, session, cap, made)

    def _computed(self, session: Session, cap: int, made: Shown | VisualizerError) -> None:
        screen = self.screen
        if session is not screen.session or cap != self._wanted:
            return
        self._wanted = None
        screen.settings.computing = False
        if isinstance(made, VisualizerError):
            screen.fail(made)
        else:
            session.show(made, cap)
            screen.status = screen.texts("screen.cap.now", cap=cap)
        screen.acted()
        screen.pane.repaint()
