"""What is used and left of the limits, beside the turn meter."""

from __future__ import annotations

import pytest

from tests.tui.test_paint import session, text, view
from visualizer.text import cells
from visualizer.tui.stepper import frame

SIZES = [(60, 20), (72, 22), (80, 24), (120, 36), (140, 45)]


def top(name: str, place: str, size: tuple[int, int], language: str = "en") -> list[str]:
    """The two lines in which the stepper says how much is used."""
    return text(frame.stepper(view(session(name, place), language), *size)).split("\n")[:2]


def test_what_is_left_stands_beside_the_meter_where_there_is_room() -> None:
    """Wide: used and left of the money; narrow: used of how much."""
    assert "2 of 10  $0.0483 of $0.10 used, $0.0517 left" in top("budget", "t1.check", (140, 45))[1]
    assert "2 of 10 turns  $0.0483 of $0.10 " in top("budget", "t1.check", (80, 24))[0]


def test_the_limit_that_is_used_up_first_has_a_sign() -> None:
    """Not by colour alone: a mark stands before it, and only from the reply on that hits it."""
    whole = " ".join(top("budget-tokens", "t1.check", (140, 45)))
    assert "$0.0517 left  ! 14,420 of 14,000 tokens used, 420 over" in whole
    assert "!" not in " ".join(top("budget-tokens", "t1.call", (140, 45)))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", SIZES)
def test_several_limits_leave_room_for_the_title(size: tuple[int, int], language: str) -> None:
    """Where not all limits have room, the one nearest to its end stays; nothing is too wide."""
    lines = top("budget-tokens", "t1.check", size, language)
    assert "14,420" in " ".join(lines)
    assert ("Out " if language == "en" else "トークン切れ") in lines[0]
    assert max(map(cells, lines)) <= size[0]
