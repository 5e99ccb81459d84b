"""Questions about arguments and schemas: the right answer is the checker's."""

from __future__ import annotations

import pytest

from tests import made, made_runs
from visualizer.engine import replay
from visualizer.i18n import texts
from visualizer.lessons.facts import FACTS, Place
from visualizer.lessons.questions import Question, ask
from visualizer.loading import load_transcript


def asked(kind: str, name: str, place: str, language: str = "en") -> Question | None:
    """A question at a place of a shipped scenario."""
    scenario = load_transcript(name)
    run = replay(scenario)
    index = run.locate(place)
    if kind == "fits":
        return ask("fits", run, index, texts(language), scenario)
    return ask("misfit", run, index, texts(language), scenario)


@pytest.mark.parametrize(
    ("name", "place", "right"),
    [
        ("weather-when", "t0.call", "yes"),
        ("wrong-unit", "t0.check", "no"),
        ("wrong-unit", "t1.call", "yes"),
        ("unknown-tool", "t0.call", "no: there is no such tool"),
        ("bad-arguments", "t0.call", "no"),
        ("three-cities", "t0.execute", "yes"),
    ],
)
def test_whether_the_next_call_fits(name: str, place: str, right: str) -> None:
    """The question is about the next call of the turn that runs; the run shows it there."""
    question = asked("fits", name, place)
    assert question is not None
    assert question.options[question.right] == right
    assert len(question.options) == 3
    run = replay(load_transcript(name))
    assert run.step(question.shown_at).phase == "execute"
    assert question.shown_at > run.locate(place)


def test_japanese_asks_the_same() -> None:
    """The order and the right one are those of English."""
    english, japanese = (asked("fits", "unknown-tool", "t0.call", one) for one in ("en", "ja"))
    assert english is not None
    assert japanese is not None
    assert english.right == japanese.right
    assert japanese.options[japanese.right] == "いいえ（そのようなツールはない）"


def test_which_argument_does_not_fit() -> None:
    """One of the arguments given; not asked where none or no single one is refused."""
    question = asked("misfit", "mail-tool", "t0.call")
    assert question is not None
    assert question.options == ('"body"', '"subject"', '"to"')
    assert question.options[question.right] == '"to"'
    assert asked("misfit", "mail-tool", "t1.call") is None
    assert asked("misfit", "unknown-tool", "t0.call") is None
    assert asked("misfit", "mail-bash", "t0.call") is None


def test_nothing_is_asked_where_nothing_is_known() -> None:
    """Without tool definitions, after the last call, or without a call there is no question."""
    run = replay(made_runs.aurora())
    assert ask("fits", run, run.locate("t0.call"), texts("en")) is None
    assert asked("fits", "wrong-unit", "t0.execute") is None
    assert asked("fits", "weather-what", "t0.call") is None
    nothing = made.scenario(
        {
            "response": made.response(made.tool_use("a", "t")),
            "results": [made.tool_result("a", is_error=True)],
        },
        made.answer(),
        request={"tools": [{"name": "t", "input_schema": {"required": ["x", "y"]}}]},
    )
    run = replay(nothing)
    assert ask("misfit", run, run.locate("t0.call"), texts("en")) is None


def test_tools_are_counted_for_claims() -> None:
    """How many tools went with the latest call; nothing where the recording has none."""
    for scenario, count in ((load_transcript("ten-tools"), 10), (made_runs.aurora(), None)):
        run = replay(scenario)
        assert FACTS["tools_offered"](Place(scenario, run, run.locate("t0.call"))) == count
