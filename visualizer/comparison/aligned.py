"""Two runs of one scenario side by side: step by step, where they part, what code differs.

``compare`` takes any two runs: of two loops, or of one loop under two settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from importlib import import_module
from typing import Any, Literal, NamedTuple

from visualizer.comparison.code import CodeLine, code_difference
from visualizer.comparison.parting import KINDS, Account, Parting, Side, first_parting, outcome
from visualizer.i18n import texts
from visualizer.run.timeline import Run, Step


class Pair(NamedTuple):
    """Steps of the two runs (1-based) that are shown together; None: that run stays put."""

    left: int | None
    right: int | None


class OtherOrder(NamedTuple):
    """The first turn whose phases come in another order, and both orders."""

    turn: int
    left: tuple[str, ...]
    right: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """What two runs have in common and where they part.

    ``steps`` are all steps of both, in order: stepping through them steps through both runs.
    ``outcomes_agree`` is about the result and the terminal reason. ``order`` is the first
    turn in which the same happened in another order, which is no parting.
    """

    left: Run
    right: Run
    steps: tuple[Pair, ...]
    parting: Parting | None
    outcomes_agree: bool
    order: OtherOrder | None
    code: tuple[CodeLine, ...]

    def explain(self, language: str = "en") -> str:
        """Whether the outcomes agree, where the runs part and why (``"en"`` or ``"ja"``)."""
        return "\n".join(_report().account_lines(self, texts(language)))

    def __str__(self) -> str:
        return "\n".join([repr(self.left), repr(self.right), self.explain()])

    def __repr__(self) -> str:
        parts = "never part" if self.parting is None else f"part at {self.parting.place}"
        return f"<Comparison of {self.left!r} and {self.right!r}: they {parts}>"

    @property
    def same_order(self) -> bool:
        """Whether the phases came in the same order, as far as the runs go together."""
        return self.order is None

    @cached_property
    def positions(self) -> tuple[tuple[int, int], ...]:
        """Where each run stands (1-based) at each of ``steps``."""
        return _positions(self.steps)

    def index_of(self, side: Literal["left", "right"], step: int) -> int:
        """The index in ``steps`` at which one run comes to a step of its own.

        Raises ``ValueError`` where the run has no such step.
        """
        return [getattr(pair, side) for pair in self.steps].index(step)


def _report() -> Any:
    """What puts comparisons into words; imported when one is shown."""
    return import_module("visualizer.comparison.report")


def compare(left: Run, right: Run) -> Comparison:
    """Set two runs side by side."""
    steps = _aligned(left, right)
    parting = _parting(left, right, steps)
    return Comparison(
        left=left,
        right=right,
        steps=steps,
        parting=parting,
        outcomes_agree=outcome(left) == outcome(right),
        order=_other_order(left, right, parting),
        code=code_difference(left.loop, right.loop),
    )


# steps that are shown together


def _by_turn(run: Run) -> list[list[Step]]:
    """The steps in groups: the start, each turn; the end belongs to the last group."""
    groups: list[list[Step]] = [[]]
    for step in run.steps:
        if step.turn is not None and step.turn + 1 == len(groups):
            groups.append([])
        groups[-1].append(step)
    return groups


def _aligned(left: Run, right: Run) -> tuple[Pair, ...]:
    one, other = _by_turn(left), _by_turn(right)
    pairs: list[Pair] = []
    for number in range(max(len(one), len(other))):
        mine = one[number] if number < len(one) else []
        theirs = other[number] if number < len(other) else []
        pairs += _aligned_turn(mine, theirs)
    return tuple(_with_ends(pairs, len(left.steps), len(right.steps)))


def _aligned_turn(mine: Sequence[Step], theirs: Sequence[Step]) -> list[Pair]:
    """The steps of one turn, those at the same place together."""
    one, other = [step.place for step in mine], [step.place for step in theirs]
    if one > other:  # matching is not symmetric, so it is done one way only
        return [Pair(right, left) for left, right in _aligned_turn(theirs, mine)]
    pairs: list[Pair] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag == "equal":
            both = zip(mine[i1:i2], theirs[j1:j2], strict=True)
            pairs += [Pair(a.index, b.index) for a, b in both]
            continue
        alone = [Pair(step.index, None) for step in mine[i1:i2]]
        others = [Pair(None, step.index) for step in theirs[j1:j2]]
        pairs += others + alone if other[j1:j2] == ["end"] else alone + others
    return pairs


def _with_ends(pairs: Sequence[Pair], last: int, other_last: int) -> list[Pair]:
    """The end of the run that ends first stands beside what the other does next."""
    found: list[Pair] = []
    for pair in pairs:
        before = found[-1] if found else None
        if before == (last, None) and pair.left is None:
            found[-1] = Pair(last, pair.right)
        elif before == (None, other_last) and pair.right is None:
            found[-1] = Pair(pair.left, other_last)
        else:
            found.append(pair)
    return found


def _positions(pairs: Sequence[Pair]) -> tuple[tuple[int, int], ...]:
    left = right = 1
    found = []
    for pair in pairs:
        left, right = pair.left or left, pair.right or right
        found.append((left, right))
    return tuple(found)


# where they part


def _parting(left: Run, right: Run, pairs: Sequence[Pair]) -> Parting | None:
    found = first_parting(left, right)
    if found is None:
        return None
    turn, one, other = found
    ranks = [KINDS.index(each.kind) if each else len(KINDS) for each in (one, other)]
    side: Side = "both" if ranks[0] == ranks[1] else "left" if ranks[0] < ranks[1] else "right"
    left_step, right_step = _standing(side, one, other, pairs)
    run, step = (right, right_step) if side == "right" else (left, left_step)
    place = run.step(step).place
    return Parting(KINDS[min(ranks)], side, turn, place, left_step, right_step, one, other)


def _standing(
    side: Side, left: Account | None, right: Account | None, pairs: Sequence[Pair]
) -> tuple[int, int]:
    """Where both runs stand when the one that the parting is about comes to its account."""
    if side == "both" and left is not None and right is not None:
        return left.step, right.step
    for pair, position in zip(pairs, _positions(pairs), strict=True):
        reached = pair.right if side == "right" else pair.left
        account = right if side == "right" else left
        if account is not None and reached == account.step:
            return position
    raise AssertionError("the side has an account, and each step is in a pair")


def _other_order(left: Run, right: Run, parting: Parting | None) -> OtherOrder | None:
    """The first turn with another order of phases, up to where the runs part."""
    for number, groups in enumerate(zip(_by_turn(left), _by_turn(right), strict=False), start=-1):
        one, other = ([step.place for step in group] for group in groups)
        parted = parting is not None and number >= parting.turn
        if parted:
            one, other = [p for p in one if p in other], [p for p in other if p in one]
        if one != other:
            phases = [tuple(s.phase for s in group if s.phase != "end") for group in groups]
            return OtherOrder(number, phases[0], phases[1])
        if parted:
            break
    return None
