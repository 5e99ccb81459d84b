"""The session under the screens: moving, the cap, locators, finding."""

from __future__ import annotations

import pytest

from visualizer.app.listing import statement_lines
from visualizer.app.prompt import LONGEST, Prompt
from visualizer.app.session import Session
from visualizer.errors import PlaceError
from visualizer.loading import load_transcript
from visualizer.locator import Locator


def opened(at: str = "start", max_turns: int | None = None) -> Session:
    """A session over Aurora Run."""
    return Session.open(load_transcript("aurora-run"), None, max_turns, at)


def test_moving_stops_at_both_ends() -> None:
    """No move leaves the run."""
    session = opened()
    assert not session.move(0)
    assert session.move(99)
    assert session.index == 12


def test_lowering_the_cap_keeps_the_place_as_far_as_the_runs_agree() -> None:
    """At the answer with cap 10; cap 2 stands at its own last common step."""
    session = opened("t2.check")
    session.show(session.computed(2), 2)
    assert session.run.step(session.index).place == "t1.append"
    session.show(session.computed(3), 3)
    assert session.run.step(session.index).place == "t1.append"


def test_the_cap_goes_no_lower_than_one() -> None:
    """One turn is the least."""
    session = opened(max_turns=1)
    assert session.cap_after(-1) is None
    assert session.cap_after(1) == 2


def test_a_locator_leads_back_to_where_it_was_taken() -> None:
    """What is copied opens the same step of the same run."""
    session = opened("t1.check", 2)
    wanted = Locator.parse(session.locator)
    again = Session.open(load_transcript(wanted.name), wanted.loop, wanted.max_turns, wanted.place)
    assert again.index == session.index
    assert again.run == session.run


def test_a_wrong_place_is_refused() -> None:
    """A place outside the run is an error that names it."""
    with pytest.raises(PlaceError):
        opened("t9.call")


def test_statements_of_the_loop_are_found() -> None:
    """Every line of agent_loop but its first begins a statement."""
    loop = opened().run.loop
    assert statement_lines(loop) == tuple(
        range(loop.first_line + 1, loop.first_line + len(loop.lines))
    )


def test_a_typed_line_takes_no_control_characters() -> None:
    """What is pasted into the line is one line without controls, and not endless."""
    prompt = Prompt("search")
    prompt.insert("a\x1b[31mb\x07\u202ec\nsecond line")
    assert prompt.text == "a[31mbc"
    prompt.insert("x" * 1000)
    assert len(prompt.text) == LONGEST
    assert prompt.edit("ctrl+u")
    assert prompt.text == ""
