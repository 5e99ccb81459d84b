"""Two runs side by side, stepped together."""

from __future__ import annotations

import shlex
from typing import ClassVar

from visualizer.app.beside import PANES, Beside, CompareSettings, CompareView, Side
from visualizer.app.session import Session
from visualizer.errors import PlaceError, VisualizerError
from visualizer.text import display_safe
from visualizer.tui.commands import (
    BACK,
    CAPS,
    COPY,
    FIRST,
    GO,
    LAST,
    LEAVE,
    LOOP,
    LOWER_CAP,
    NEXT,
    NEXT_TURN,
    PREVIOUS_TURN,
    RAISE_CAP,
    REVEAL,
    STEP_RIGHT,
    command,
)
from visualizer.tui.common import Agenda, AgendaDigits, Instructing, Look, Program
from visualizer.tui.compare.painter import compare_screen
from visualizer.tui.draw.footer import footer, prompt_line
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.segments import Painted
from visualizer.tui.painted_screen import PaintedScreen, Part


class CompareScreen(PaintedScreen):
    """One place in a comparison. The right run can be exchanged: another loop, another cap."""

    WHERE: ClassVar[Where] = "compare"
    PARTS: ClassVar[tuple[type[Part], ...]] = (
        Look,
        Program,
        Instructing,
        Agenda,
        AgendaDigits,
    )

    def __init__(self, beside: Beside) -> None:
        super().__init__()
        self.beside = beside
        self.settings = CompareSettings()
        self.revealed = False

    def view(self) -> CompareView:
        """What the painters need to know."""
        self.settings.veiled = self.visualizer.classroom.on and not self.revealed
        return CompareView(self.beside, self.texts, self.glyphs, self.settings)

    def paint(self, width: int, height: int) -> Painted:
        """The whole screen at a size."""
        rows = 1 if height < 30 else 2
        foot = footer("compare", self.texts, self.glyphs, width, rows, self.status)
        cursor = None
        if self.prompt is not None:
            foot[-1], column = prompt_line(self.prompt, self.texts, width)
            cursor = (column, height - 1)
        return compare_screen(self.view(), foot, width, height)._replace(cursor=cursor)

    def wheel(self, area: str, direction: int) -> None:
        """The wheel steps."""
        self.act("next" if direction > 0 else "back")

    # Moving

    @NEXT
    def next(self) -> None:
        """The next step of both."""
        if not self.beside.move(self.beside.at + 1):
            self.status = self.texts("screen.compare.over")

    @BACK
    def back(self) -> None:
        """The step before."""
        self.beside.move(self.beside.at - 1)

    @NEXT_TURN
    def next_turn(self) -> None:
        """The next turn."""
        self.beside.next_turn()

    @PREVIOUS_TURN
    def previous_turn(self) -> None:
        """The beginning of this turn, then of the one before."""
        self.beside.previous_turn()

    @FIRST
    def first(self) -> None:
        """The start."""
        self.beside.move(0)

    @LAST
    def last(self) -> None:
        """The end of both."""
        self.beside.move(self.beside.last)

    @command("at")
    def go_to(self, at: str) -> None:
        """A place by its number in the comparison."""
        self.beside.move(int(at))

    @command("part", "d", group="move")
    def where_they_part(self) -> None:
        """Where the two part."""
        if self.beside.parting is None:
            self.status = self.texts("compare.parting.none")
        else:
            self.beside.move(self.beside.parting)

    @GO
    def go(self) -> None:
        """A step or a place of one of them."""
        self.ask("go", self._typed)

    def _typed(self, text: str) -> None:
        place = text.strip().removeprefix("@")
        try:
            if place:
                self.beside.go(place)
        except PlaceError:
            self.status = self.texts("screen.no_place", place=display_safe(place))

    # What is compared

    @command("panes", "tab")
    def panes(self) -> None:
        """Code and messages, the code alone, the messages alone."""
        at = PANES.index(self.settings.panes)
        self.settings.panes = PANES[(at + 1) % len(PANES)]

    @command("swap", "x")
    def swap(self) -> None:
        """Left becomes right."""
        self.beside = self.beside.swapped()

    @LOOP
    def loop(self) -> None:
        """Another loop on the right."""
        from visualizer.tui.lists.choices import loops  # noqa: PLC0415

        right = self.beside.right
        self.app.push_screen(
            loops(right.run.loop.name, lambda name: self._right(name, None), "screen.picker.beside")
        )

    @CAPS
    def caps(self) -> None:
        """What loops do at the cap of the right run."""
        from visualizer.app.caps import CapTable  # noqa: PLC0415

        try:
            self.visualizer.open_cap_table(CapTable.around(self.beside.right))
        except VisualizerError as error:
            self.status = error.text(self.texts)

    @RAISE_CAP
    def raise_cap(self) -> None:
        """One turn more on the right."""
        self._cap(1)

    @LOWER_CAP
    def lower_cap(self) -> None:
        """One turn less on the right."""
        self._cap(-1)

    def _cap(self, change: int) -> None:
        right = self.beside.right
        cap = right.cap_after(change)
        if cap is None:
            self.status = self.texts(f"screen.cap.{right.why_no_cap}")
        else:
            self._right(right.loop, cap)
            self.status = self.texts("screen.compare.cap", cap=cap)

    def _right(self, loop: str | None, cap: int | None) -> None:
        scenario = self.beside.right.scenario
        try:
            self.beside = self.beside.with_side("right", Session.open(scenario, loop, cap))
        except VisualizerError as error:
            self.status = error.text(self.texts)
        self.pane.repaint()

    @command("step_left", "E")
    def step_left(self) -> None:
        """The left run in the stepper, at this place."""
        self._step("left")

    @STEP_RIGHT
    def step_right(self) -> None:
        """The right run in the stepper, at this place."""
        self._step("right")

    def _step(self, side: Side) -> None:
        one = self.beside.session(side)
        copied = Session(one.scenario, one.shown, one.index, one.loop, one.max_turns)
        self.visualizer.open_beside(copied)

    # The screen

    @REVEAL
    def reveal(self) -> None:
        """Tell where and why they part, or hide it again."""
        self.revealed = not self.revealed

    @command("tell", "enter", group="class", palette=False)
    def tell(self) -> None:
        """Tell where and why they part with Enter, the key that the screen names."""
        self.reveal()

    @COPY
    def copy(self) -> None:
        """Copy the command that opens this comparison, and show it."""
        command = display_safe(self.command())
        self.app.copy_to_clipboard(command)
        self.status = self.texts("screen.copied", locator=command)

    def command(self) -> str:
        """``visualizer compare`` with the options that give these two runs."""
        left, right = self.beside.left, self.beside.right
        words = ["visualizer", "compare", left.scenario.name]
        for one in (left, right):
            words += ["--loop", one.loop or one.run.loop.name]
        caps = [one.run.max_turns for one in (left, right)]
        if None not in caps and caps[0] != caps[1]:
            words += [part for cap in caps for part in ("--max-turns", str(cap))]
        return shlex.join(words)

    @LEAVE
    def leave(self) -> None:
        """Back to the screen below; where there is none, to the library."""
        if len(self.app.screen_stack) > 1:
            self.app.pop_screen()
        else:
            self.visualizer.open_library(self.beside.left.scenario.name)
