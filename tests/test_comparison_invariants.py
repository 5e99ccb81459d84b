"""What holds for the comparison of any two runs."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.test_invariants import caps, recordings
from visualizer import compare, load_transcript, replay, scenario_names
from visualizer.comparison import Comparison
from visualizer.comparison.parting import KINDS
from visualizer.loading import Scenario
from visualizer.loops.registry import loop_names
from visualizer.run.timeline import Run

LOOPS = st.sampled_from(loop_names())
SHIPPED = st.sampled_from(scenario_names())


def seen(found: Comparison) -> tuple[Any, ...]:
    """What a comparison says, without the code."""
    parting = found.parting
    said = parting and (parting.kind, parting.side, parting.left_step, parting.right_step)
    return said, found.outcomes_agree, found.steps, found.order


def seen_from_the_other_side(found: Comparison) -> tuple[Any, ...]:
    """The same with left and right swapped."""
    parting, order = found.parting, found.order
    sides = {"left": "right", "right": "left", "both": "both"}
    said = parting and (
        parting.kind,
        sides[parting.side],
        parting.right_step,
        parting.left_step,
    )
    steps = tuple((right, left) for left, right in found.steps)
    other = order and (order.turn, order.right, order.left)
    return said, found.outcomes_agree, steps, other


def holds(left: Run, right: Run) -> None:
    found, swapped = compare(left, right), compare(right, left)
    assert seen(found) == seen_from_the_other_side(swapped)
    assert [line.swapped for line in found.code] == list(swapped.code)
    for side, run in ((0, left), (1, right)):
        steps = [pair[side] for pair in found.steps if pair[side] is not None]
        assert steps == list(range(1, len(run.steps) + 1))
    assert found.positions[-1] == (len(left.steps), len(right.steps))
    if found.parting is None:
        assert found.outcomes_agree
    else:
        assert found.parting.kind in KINDS
        assert 1 <= found.parting.left_step <= len(left.steps)
        assert 1 <= found.parting.right_step <= len(right.steps)


@given(SHIPPED, LOOPS, LOOPS)
def test_comparing_is_symmetric(name: str, one: str, other: str) -> None:
    """Left and right swapped say the same; every step of both is there, in order."""
    shipped = load_transcript(name)
    holds(replay(shipped, loop=one), replay(shipped, loop=other))


@given(recordings(), caps, caps)
def test_two_caps_are_compared_on_any_recording(recorded: Scenario, one: int, other: int) -> None:
    """Two caps part only where one cuts off, or where the recording is over."""
    left, right = replay(recorded, max_turns=one), replay(recorded, max_turns=other)
    holds(left, right)
    parting = compare(left, right).parting
    assert parting is None or parting.kind in ("cut_off", "recording_ended")


@given(SHIPPED, LOOPS)
def test_a_run_does_not_part_from_itself(name: str, loop: str) -> None:
    """Same loop and settings: no parting, the same order, the same code."""
    shipped = load_transcript(name)
    found = compare(replay(shipped, loop=loop), replay(shipped, loop=loop))
    assert found.parting is None
    assert found.outcomes_agree
    assert found.same_order
    assert all(line.change == "equal" for line in found.code)
    assert all(left == right for left, right in found.steps)
