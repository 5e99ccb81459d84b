"""The run as an SDK would stream it: the chosen line and the step of the loop move together."""

from __future__ import annotations

from bisect import bisect_left
from typing import ClassVar

from visualizer.sdk import Stream, stream_of
from visualizer.text import display_safe
from visualizer.tui.commands import (
    BACK,
    FIRST,
    LAST,
    LEAVE,
    LOWER_CAP,
    NEXT,
    NEXT_TURN,
    PREVIOUS_TURN,
    RAISE_CAP,
    REVEAL,
    SELECT,
    command,
)
from visualizer.tui.common import Look, Program
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.segments import Painted
from visualizer.tui.events.painter import EventsView, events_screen
from visualizer.tui.painted_screen import PaintedScreen, Part
from visualizer.tui.run_screen import RunScreen


class EventsScreen(PaintedScreen):
    """Lies over a stepper and moves it. What that has not shown yet is not in the stream."""

    WHERE: ClassVar[Where] = "events"
    PARTS: ClassVar[tuple[type[Part], ...]] = (Look, Program)

    def __init__(self, below: RunScreen, stream: Stream) -> None:
        super().__init__()
        self.below = below
        self.partial = False
        self.at = 0
        self._stream = stream
        self._to_step()

    @property
    def stream(self) -> Stream:
        """The stream of the run that the stepper shows, as far as it shows it."""
        seen = self.below.seen
        if self._stream.run is not seen.run:
            self._stream = stream_of(seen.run, seen.scenario, self.partial)
        return self._stream

    def view(self) -> EventsView:
        """What the painter needs to know."""
        self._follow()
        view = self.below.view()
        provenance = view.session.scenario.provenance()
        kind = self.texts(f"screen.provenance.{provenance.kind}") if provenance else ""
        return EventsView(
            self.stream,
            display_safe(view.title),
            f"({kind})" if kind else "",
            self.at,
            self.below.session.index,
            self.texts,
            self.glyphs,
            self.partial,
            self.below.hides,
        )

    def paint(self, width: int, height: int) -> Painted:
        """The whole screen at a size."""
        foot = footer("events", self.texts, self.glyphs, width, 1, self.status)
        return events_screen(self.view(), foot, width, height)

    def wheel(self, area: str, direction: int) -> None:
        """The wheel moves the choice."""
        self.act("line_after" if direction > 0 else "line_before")

    @command("line_before", "up", "k", group="move", palette=False)
    def line_before(self) -> None:
        """The row above."""
        self.select(str(self.at - 1))

    @command("line_after", "down", "j", group="move", palette=False)
    def line_after(self) -> None:
        """The row below."""
        self.select(str(self.at + 1))

    @SELECT
    def select(self, number: str) -> None:
        """Choose a row; the stepper goes to its step."""
        rows = self.stream.rows
        self.at = max(0, min(int(number), len(rows) - 1))
        self._move(rows[self.at].step)

    @NEXT
    def next(self) -> None:
        """The next step of the loop."""
        self._move(self.below.session.index + 1)

    @BACK
    def back(self) -> None:
        """The step before."""
        self._move(self.below.session.index - 1)

    @NEXT_TURN
    def next_turn(self) -> None:
        """The first step of the next turn."""
        self.below.session.next_turn()

    @PREVIOUS_TURN
    def previous_turn(self) -> None:
        """The first step of this turn, then of the turn before."""
        self.below.session.previous_turn()

    @FIRST
    def first(self) -> None:
        """The start."""
        self._move(1)

    @LAST
    def last(self) -> None:
        """The end, with the last line of the stream."""
        self._move(len(self.below.session.run.steps))
        self._follow()
        self.at = len(self.stream.rows) - 1

    @command("partial", "p")
    def switch_partial(self) -> None:
        """The raw events of each reply, too, or not."""
        self.partial = not self.partial
        seen = self.below.seen
        self._stream = stream_of(seen.run, seen.scenario, self.partial)
        self._to_step()
        self.status = self.texts(f"sdk.partial.{'on' if self.partial else 'off'}")

    @RAISE_CAP
    def raise_cap(self) -> None:
        """One turn more: another run, another stream."""
        self._change_cap("raise_cap")

    @LOWER_CAP
    def lower_cap(self) -> None:
        """One turn less."""
        self._change_cap("lower_cap")

    @REVEAL
    def reveal(self) -> None:
        """Tell what the chosen line means, or hide it again."""
        self.below.reveal()

    @LEAVE
    def leave(self) -> None:
        """Back to the stepper, which stands at the chosen step."""
        self.app.pop_screen()

    def _change_cap(self, action: str) -> None:
        self.below.act(action)
        self.status = self.below.status

    def _move(self, index: int) -> None:
        """Let the stepper go to a step, as far as a question lets it."""
        self.below.settings.selected = None
        if not self.below.session.move(index) and index > len(self.below.session.run.steps):
            self.status = self.below.stuck

    def _follow(self) -> None:
        """Choose a row of the step where the stepper is, where the chosen one is not."""
        rows = self.stream.rows
        if self.at >= len(rows) or rows[self.at].step != self.below.session.index:
            self._to_step()

    def _to_step(self) -> None:
        rows = self._stream.rows
        index = self.below.session.index
        self.at = min(bisect_left(rows, index, key=lambda row: row.step), len(rows) - 1)
