"""The scenarios about tools show what they say they show."""

from __future__ import annotations

import pytest

from visualizer.describe.arguments import verdict_of
from visualizer.engine import replay
from visualizer.loading import load_transcript


@pytest.mark.parametrize(
    ("name", "place", "state", "where", "is_error"),
    [
        ("weather-when", "t0.execute", "fits", "", False),
        ("wrong-unit", "t0.execute", "misfits", "/unit", True),
        ("wrong-unit", "t1.execute", "fits", "", False),
        ("error-helps", "t0.execute", "fits", "", True),
        ("error-says-nothing", "t2.execute", "fits", "", True),
        ("three-cities", "t0.execute.3", "fits", "", True),
        ("mail-bash", "t0.execute", "fits", "", False),
        ("mail-tool", "t0.execute", "misfits", "/to", True),
        ("mail-tool", "t1.execute", "fits", "", False),
        ("ten-tools", "t0.execute", "fits", "", False),
        ("unknown-tool", "t0.execute", "no_tool", "", True),
        ("bad-arguments", "t0.execute", "unparsed", "", True),
    ],
)
def test_arguments_fit_or_not(
    name: str, place: str, state: str, where: str, is_error: bool
) -> None:
    """Whether the schema refuses a call, where, and whether its recorded result is an error."""
    run = replay(load_transcript(name))
    step = run.step(run.locate(place))
    verdict = verdict_of(run, step)
    assert verdict is not None
    assert verdict.state == state
    assert [one.pointer for one in verdict.misfits] == ([where] if where else [])
    assert step.result is not None
    assert step.result.is_error is is_error


def test_only_the_description_differs() -> None:
    """Two scenarios ask the same with the same tool; what its description says makes the pair."""
    what, when = (load_transcript(name).run().request for name in ("weather-what", "weather-when"))
    assert what.messages == when.messages
    assert what.tools is not None
    assert when.tools is not None
    one, other = what.tools[0], when.tools[0]
    assert {name for name in one if one[name] != other[name]} == {"description"}
    assert replay(load_transcript("weather-what")).tool_calls == 0
    assert replay(load_transcript("weather-when")).tool_calls == 1


def test_an_error_text_makes_the_difference() -> None:
    """The same question and first request; the text of the error is all that differs then."""
    helps, nothing = (
        replay(load_transcript(name)) for name in ("error-helps", "error-says-nothing")
    )
    assert helps.messages[:2] == nothing.messages[:2]
    assert (helps.model_calls, nothing.model_calls) == (3, 4)
    assert "-2 °C" in helps.result
    assert "could not" in nothing.result
