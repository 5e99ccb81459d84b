"""Two runs beside each other, stepped together. Everything here is a plain function call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from visualizer.app.glyphs import Glyphs
from visualizer.app.session import Session
from visualizer.app.view import Settings, View
from visualizer.comparison import Comparison, compare
from visualizer.errors import PlaceError
from visualizer.i18n import Texts
from visualizer.run.timeline import Run, Step

Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")
Panes = Literal["all", "code", "messages"]
PANES: tuple[Panes, ...] = ("all", "code", "messages")
"""What fills the lower part of the screen: code and messages, or one of them alone."""


@dataclass
class Beside:
    """Two sessions and a place in their comparison: an index (0-based) in ``comparison.steps``.

    The sessions are copies: moving here moves nobody else's.
    """

    left: Session
    right: Session
    comparison: Comparison
    at: int = 0

    @classmethod
    def of(cls, left: Session, right: Session, follow: Side = "right") -> Beside:
        """Two sessions beside each other, at the step at which the one to ``follow`` is."""
        comparison = compare(left.run, right.run)
        found = cls(_copy(left), _copy(right), comparison)
        index = left.index if follow == "left" else right.index
        found.move(comparison.index_of(follow, index))
        return found

    def session(self, side: Side) -> Session:
        """One of the two."""
        return self.left if side == "left" else self.right

    @property
    def last(self) -> int:
        """The last place."""
        return len(self.comparison.steps) - 1

    @property
    def at_end(self) -> bool:
        """Whether both runs are over."""
        return self.at == self.last

    def move(self, at: int) -> bool:
        """Go to a place, or the nearest there is. False where that is where we are."""
        at = max(0, min(at, self.last))
        moved = at != self.at
        self.at = at
        self.left.index, self.right.index = self.comparison.positions[at]
        return moved

    def go(self, place: str) -> bool:
        """Go to where the left run is at a place, or else the right. Raises ``PlaceError``."""
        try:
            return self.move(self.comparison.index_of("left", self.left.run.locate(place)))
        except PlaceError:
            return self.move(self.comparison.index_of("right", self.right.run.locate(place)))

    def next_turn(self) -> bool:
        """Go to where the next turn of one of them begins, or to the end."""
        at, turn = self.at, self._turn(self.at)
        while at < self.last:
            at += 1
            if self._turn(at) != turn:
                break
        return self.move(at)

    def previous_turn(self) -> bool:
        """Go to the beginning of this turn, from there to that of the turn before."""
        start = self._turn_start(self.at)
        if start == self.at and start > 0:
            start = self._turn_start(start - 1)
        return self.move(start)

    @cached_property
    def parting(self) -> int | None:
        """The place at which the two part, None where they don't."""
        found = self.comparison.parting
        return None if found is None else self._nearest(found.left_step, found.right_step)

    def waits(self, side: Side) -> bool:
        """Whether a run stays where it was while the other makes this step."""
        return getattr(self.comparison.steps[self.at], side) is None

    def swapped(self) -> Beside:
        """The same with left and right exchanged."""
        turned = Beside.of(self.right, self.left)
        turned.move(turned._nearest(self.right.index, self.left.index))
        return turned

    def with_side(self, side: Side, session: Session) -> Beside:
        """The same with another run on one side, at the place of the one that stays."""
        if side == "left":
            return Beside.of(session, self.right, "right")
        return Beside.of(self.left, session, "left")

    def _turn(self, at: int) -> int:
        steps = self._steps(at)
        return max(-1 if step.turn is None else step.turn for step in steps)

    def _turn_start(self, at: int) -> int:
        while at > 0 and self._turn(at - 1) == self._turn(at):
            at -= 1
        return at

    def _nearest(self, left: int, right: int) -> int:
        """The first place at which both have come to a step of theirs."""
        positions = enumerate(self.comparison.positions)
        there = (at for at, (one, other) in positions if one >= left and other >= right)
        return next(there, self.last)

    def _steps(self, at: int) -> tuple[Step, Step]:
        left, right = self.comparison.positions[at]
        return self.left.run.step(left), self.right.run.step(right)


@dataclass(slots=True)
class CompareSettings:
    """What the reader has switched. ``veiled``: where they part is not told yet."""

    panes: Panes = "all"
    veiled: bool = False


@dataclass(frozen=True, slots=True)
class CompareView:
    """All that a painter of two runs needs to know, as one value.

    ``line`` is a line of the left loop's file that a lesson points at.
    """

    beside: Beside
    texts: Texts
    glyphs: Glyphs
    settings: CompareSettings
    line: int = 0

    def side(self, side: Side) -> View:
        """One of the two as the painters of a single run take it."""
        return View(self.beside.session(side), self.texts, self.glyphs, Settings())

    @property
    def sides(self) -> Sequence[View]:
        """Both, the left one first."""
        return [self.side(side) for side in SIDES]


def differs_from_scenario(session: Session) -> bool:
    """Whether a session is driven otherwise than its scenario says, or changed by a reader."""
    plain = session.scenario.settings
    if session.scenario.decided or session.run.observations:
        return True
    return session.max_turns not in (None, plain.max_turns) or session.loop not in (
        None,
        plain.loop,
    )


def kept_place(old: Run, index: int, new: Run) -> int:
    """Where to stand in the run of another loop: beside, as far as the two go together."""
    both = compare(old, new)
    at = both.index_of("left", index)
    beside = both.positions[at][1]
    return beside if both.parting is None else min(beside, both.parting.right_step)


def _copy(session: Session) -> Session:
    """A session of its own at the same place; no question waits in it."""
    return Session(session.scenario, session.shown, session.index, session.loop, session.max_turns)
