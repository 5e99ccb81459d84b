"""What a screen with a run offers beside stepping: another loop, another run beside, class."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from textual import work

from visualizer.errors import VisualizerError
from visualizer.tui.screens.base import PaintedScreen
from visualizer.tui.session import Session, Shown, runs_apart
from visualizer.tui.view import Settings

T = TypeVar("T")
FROM_CAP = "max_turns "
"""How an entry of the picker names another cap instead of another loop."""


class ChoosingScreen(PaintedScreen):
    """A run, and what else could be seen of it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.settings = Settings()

    # The loop

    def do_loop(self, name: str = "") -> None:
        """Drive the scenario by another loop: chosen, or given."""
        from visualizer.tui.screens.choices import loops  # noqa: PLC0415

        self._stop()
        if name:
            self._drive(name)
        else:
            self.app.push_screen(loops(self.session.run.loop.name, self._drive))

    def _drive(self, loop: str) -> None:
        session = self.session
        long = session.is_long or runs_apart(loop)
        self._later(lambda: session.driven_by(loop), lambda shown: self._driven(loop, shown), long)

    def _driven(self, loop: str, shown: Shown) -> None:
        self.session.show_loop(shown, loop)
        self.settings.selected = None
        self.settings.revealed.clear()
        self.status = self.texts("screen.loop_now", loop=shown.run.loop.name)

    # Another run beside

    def do_compare(self) -> None:
        """Beside the scenario as it is, where this run is driven otherwise; else beside a loop."""
        from visualizer.tui.beside import differs_from_scenario  # noqa: PLC0415
        from visualizer.tui.screens.choices import loops  # noqa: PLC0415

        self._stop()
        session = self.session
        if differs_from_scenario(session):
            plain = session.scenario.plain
            self._beside(lambda: (Session.open(plain), session))
            return
        more = f"{FROM_CAP}{session.cap_for_all}" if session.cap_for_all else ""
        picker = loops(session.run.loop.name, self._beside_chosen, "screen.picker.beside", more)
        self.app.push_screen(picker)

    def _beside_chosen(self, name: str) -> None:
        session = self.session
        if name.startswith(FROM_CAP):
            cap = int(name.removeprefix(FROM_CAP))
            self._beside(lambda: (Session.open(session.scenario, session.loop, cap), session))
        else:
            self._beside(lambda: (session, Session.open(session.scenario, name)))

    def _beside(self, make: Callable[[], tuple[Session, Session]]) -> None:
        """Open the comparison of two sessions, at the place of the one that is shown here."""
        from visualizer.tui.beside import Beside, Side  # noqa: PLC0415
        from visualizer.tui.screens.compare import CompareScreen  # noqa: PLC0415

        here = self.session

        def both() -> Beside:
            left, right = make()
            side: Side = "left" if left is here else "right"
            return Beside.of(left, right, side)

        self._later(both, lambda beside: self.app.push_screen(CompareScreen(beside)))

    def do_caps(self) -> None:
        """What loops do at the cap, this run's cap for all of them."""
        from visualizer.tui.caps import CapTable  # noqa: PLC0415
        from visualizer.tui.screens.caps import CapsScreen  # noqa: PLC0415

        self._stop()
        session = self.session
        self._later(
            lambda: CapTable.around(session), lambda table: self.app.push_screen(CapsScreen(table))
        )

    # In class

    @property
    def hides(self) -> bool:
        """Whether the explanation of this step waits to be revealed."""
        return self.visualizer.classroom.on and self.session.index not in self.settings.revealed

    def do_reveal(self) -> None:
        """Show the explanation of this step, or hide it again."""
        self.settings.revealed ^= {self.session.index}

    def do_poll(self) -> None:
        """The question before the next step, alone on the screen."""
        from visualizer.lessons.predict import predict  # noqa: PLC0415
        from visualizer.tui.screens.poll import PollScreen  # noqa: PLC0415

        self._stop()
        if predict(self.session.run, self.session.index, self.texts) is None:
            self.status = self.texts("screen.poll.nothing")
        else:
            self.app.push_screen(PollScreen(self.session))

    def _stop(self) -> None:
        """Stop what goes on by itself."""

    def _later(
        self, make: Callable[[], T], done: Callable[[T], object], long: bool | None = None
    ) -> None:
        """Make something now, or in the background where that takes long; then go on with it."""
        if self.session.is_long if long is None else long:
            self.settings.computing = True
            self._make(make, done)
            return
        try:
            made = make()
        except VisualizerError as error:
            self.status = error.text(self.texts)
        else:
            done(made)
        self.pane.repaint()

    @work(thread=True, exclusive=True, exit_on_error=True)
    def _make(self, make: Callable[[], T], done: Callable[[T], object]) -> None:
        try:
            made = make()
        except VisualizerError as error:
            self.app.call_from_thread(self._made, self._fail, error)
        else:
            self.app.call_from_thread(self._made, done, made)

    def _made(self, done: Callable[[T], object], made: T) -> None:
        self.settings.computing = False
        done(made)
        self.pane.repaint()

    def _fail(self, error: VisualizerError) -> None:
        self.status = error.text(self.texts)
