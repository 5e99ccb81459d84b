"""Other runs of the same scenario: by another loop, beside this one, at the cap."""

from __future__ import annotations

from collections.abc import Callable

from visualizer.app.session import Session, Shown, runs_apart
from visualizer.tui.commands import CAPS, COMPARE, LOOP
from visualizer.tui.run_screen import RunPart, RunScreen

FROM_CAP = "max_turns "
"""How an entry of the picker names another cap instead of another loop."""


class OtherRuns(RunPart):
    """What else could be seen of the scenario."""

    @LOOP
    def loop(self, name: str = "") -> None:
        """Drive the scenario by another loop: chosen, or given."""
        from visualizer.tui.lists.choices import loops  # noqa: PLC0415

        self.screen.pause()
        if name:
            self._drive(name)
        else:
            self.screen.app.push_screen(loops(self.screen.session.run.loop.name, self._drive))

    @COMPARE
    def compare(self) -> None:
        """Beside the scenario as it is, where this run is driven otherwise; else beside a loop."""
        compare(self.screen)

    @CAPS
    def caps(self) -> None:
        """What loops do at the cap, this run's cap for all of them."""
        from visualizer.app.caps import CapTable  # noqa: PLC0415

        screen = self.screen
        screen.pause()
        session = screen.session
        screen.later(lambda: CapTable.around(session), screen.visualizer.open_cap_table)

    def _drive(self, loop: str) -> None:
        session = self.screen.session
        long = session.is_long or runs_apart(loop)
        self.screen.later(
            lambda: session.driven_by(loop), lambda shown: self._driven(loop, shown), long
        )

    def _driven(self, loop: str, shown: Shown) -> None:
        screen = self.screen
        screen.session.show_loop(shown, loop)
        screen.forget_place()
        screen.status = screen.texts("screen.loop_now", loop=shown.run.loop.name)
        screen.acted()


def compare(screen: RunScreen) -> None:
    """Open the comparison of a screen's run with the run that is most worth it, or a choice."""
    from visualizer.app.beside import differs_from_scenario  # noqa: PLC0415
    from visualizer.tui.lists.choices import loops  # noqa: PLC0415

    screen.pause()
    session = screen.session
    if differs_from_scenario(session):
        plain = session.scenario.plain
        compare_with(screen, lambda: (Session.open(plain), session))
        return

    def chosen(name: str) -> None:
        if name.startswith(FROM_CAP):
            cap = int(name.removeprefix(FROM_CAP))
            scenario, loop = session.scenario, session.loop
            compare_with(screen, lambda: (Session.open(scenario, loop, cap), session))
        else:
            compare_with(screen, lambda: (session, Session.open(session.scenario, name)))

    more = f"{FROM_CAP}{session.cap_for_all}" if session.cap_for_all else ""
    picker = loops(session.run.loop.name, chosen, "screen.picker.beside", more)
    screen.app.push_screen(picker)


def compare_with(screen: RunScreen, make: Callable[[], tuple[Session, Session]]) -> None:
    """Open the comparison of two sessions, at the place of the one that is shown here."""
    from visualizer.app.beside import Beside, Side  # noqa: PLC0415

    here = screen.session

    def both() -> Beside:
        left, right = make()
        side: Side = "left" if left is here else "right"
        return Beside.of(left, right, side)

    screen.later(both, screen.visualizer.open_comparison)
