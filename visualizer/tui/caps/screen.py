"""What loops do at the cap: a table of runs, each a way into the stepper."""

from __future__ import annotations

from typing import ClassVar

from visualizer.app.caps import CapTable, CapView
from visualizer.app.session import Session
from visualizer.text import display_safe
from visualizer.tui.caps.painter import caps_screen
from visualizer.tui.commands import (
    CHOOSE,
    COMPARE,
    COPY,
    DOWN,
    LEAVE,
    LOWER_CAP,
    RAISE_CAP,
    UP,
)
from visualizer.tui.common import Instructing, Look, Program
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.segments import Painted
from visualizer.tui.painted_screen import Part
from visualizer.tui.run_screen import RunScreen
from visualizer.tui.stepper.others import compare, compare_with


class CapsScreen(RunScreen):
    """One table. The cap is changed for all rows; Enter steps through the chosen run."""

    WHERE: ClassVar[Where] = "caps"
    PARTS: ClassVar[tuple[type[Part], ...]] = (Look, Program, Instructing)

    def __init__(self, table: CapTable) -> None:
        super().__init__(table.session)
        self.table = table
        self.revealed: set[int] = set()

    def table_view(self) -> CapView:
        """What the painter needs to know."""
        veiled: frozenset[int] = frozenset()
        if self.visualizer.classroom.on:
            veiled = frozenset(range(len(self.table.rows))) - self.revealed
        return CapView(self.table, self.texts, self.glyphs, veiled)

    def paint(self, width: int, height: int) -> Painted:
        """The whole screen at a size."""
        said = self.texts("screen.computing") if self.settings.computing else self.status
        state = "caps_in_class" if self.visualizer.classroom.on else ""
        foot = footer("caps", self.texts, self.glyphs, width, 1, said, state)
        return caps_screen(self.table_view(), foot, width, height)

    def wheel(self, area: str, direction: int) -> None:
        """The wheel moves the choice."""
        self.act("down" if direction > 0 else "up")

    @UP
    def up(self) -> None:
        """The row above."""
        self._move(self.table.at - 1)

    @DOWN
    def down(self) -> None:
        """The row below."""
        self._move(self.table.at + 1)

    @CHOOSE
    def choose(self, number: str = "") -> None:
        """Step through the run of a row."""
        if number:
            self._move(int(number))
        one = self.session
        self.visualizer.open_beside(Session(one.scenario, one.shown, 1, one.loop, one.max_turns))

    @RAISE_CAP
    def raise_cap(self) -> None:
        """One more for all rows."""
        self._change_caps(1)

    @LOWER_CAP
    def lower_cap(self) -> None:
        """One less for all rows."""
        self._change_caps(-1)

    @COMPARE
    def compare(self) -> None:
        """The chosen run beside the first one; that one beside the scenario or another loop."""
        if self.table.at == 0:
            compare(self)
        else:
            compare_with(self, lambda: (self.table.sessions[0], self.session))

    def reveal(self) -> None:
        """Tell what the chosen row holds, or hide it again."""
        self.revealed ^= {self.table.at}

    @COPY
    def copy(self) -> None:
        """Copy the command that gives this table, and show it."""
        command = display_safe(self.table.command)
        self.app.copy_to_clipboard(command)
        self.status = self.texts("screen.copied", locator=command)

    @LEAVE
    def leave(self) -> None:
        """Back to the screen below; where there is none, to the library."""
        if len(self.app.screen_stack) > 1:
            self.app.pop_screen()
        else:
            self.visualizer.open_library(self.session.scenario.name)

    def _move(self, at: int) -> None:
        self.table.move(at)
        self.session = self.table.session

    def _change_caps(self, change: int) -> None:
        table = self.table
        long = any(session.is_long for session in table.sessions)
        self.later(lambda: table.with_caps(change), self._changed, long)

    def _changed(self, table: CapTable | None) -> None:
        if table is None:
            uncapped = self.session.run.max_turns is None
            self.status = self.texts(f"screen.cap.{'uncapped' if uncapped else 'lowest'}")
            return
        table.move(self.table.at)
        self.table = table
        self.revealed.clear()
        self._move(table.at)
        self.status = self.texts("screen.cap.now", cap=self.session.run.max_turns)
