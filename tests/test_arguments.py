"""Arguments that don't fit their tool: said at the execute step, beside the recorded result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import made
from visualizer.check import check_paths
from visualizer.describe import describe, saw_text
from visualizer.describe.arguments import verdict_of
from visualizer.describe.plain import text_lines, to_json
from visualizer.engine import replay
from visualizer.i18n import texts
from visualizer.loading import Scenario
from visualizer.run.timeline import Run, Saw

TOOL = {
    "name": "get_weather",
    "description": "Current weather.",
    "input_schema": {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
            "days": {"type": "integer", "minimum": 1, "maximum": 7},
        },
        "required": ["city"],
        "additionalProperties": False,
    },
}


def scenario(
    arguments: dict[str, Any], *, error: bool = True, name: str = "get_weather"
) -> Scenario:
    """One call with these arguments, then an answer."""
    result = made.tool_result("a", "Not like this.", **({"is_error": True} if error else {}))
    turn = {"response": made.response(made.tool_use("a", name, **arguments)), "results": [result]}
    return made.scenario(turn, made.answer(), request={"tools": [TOOL]})


def executed(run: Run, language: str = "en") -> str:
    """What the execute step says."""
    return describe(run, run.locate("t0.execute"), texts(language)).happened


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"city": 3}, "/city, expected string, got 3."),
        ({}, '"city" is missing.'),
        ({"city": "Oslo", "wind": 1}, '"wind" is not among its parameters.'),
        (
            {"city": "Oslo", "unit": "kelvin"},
            '/unit, expected one of "celsius", "fahrenheit", got "kelvin".',
        ),
        ({"city": "Oslo", "days": 0}, "/days, expected 1 or more, got 0."),
        ({"city": "Oslo", "days": 9}, "/days, expected 7 or less, got 9."),
        ({"city": 1, "days": 9, "unit": 2}, "And 2 more."),
    ],
)
def test_the_sentence_says_where_and_what(arguments: dict[str, Any], said: str) -> None:
    """The place in the arguments, what the schema expects, and what was there instead."""
    happened = executed(replay(scenario(arguments)))
    assert happened.startswith("The arguments do not fit the schema: ")
    assert f"{said} get_weather" in happened


def test_it_says_so_in_japanese() -> None:
    """The same in the reader's language, the schema's own words as they are."""
    happened = executed(replay(scenario({"city": "Oslo", "unit": "kelvin"})), "ja")
    assert happened.startswith(
        '引数がスキーマに合っていません。/unit: "celsius"、"fahrenheit" の'
        'いずれかが必要ですが、実際は "kelvin" です。'
    )


def test_what_fits_is_not_spoken_of() -> None:
    """Arguments that fit, and those of which nothing is known, get no sentence."""
    assert "schema" not in executed(replay(scenario({"city": "Oslo"}, error=False)))
    unknown = made.scenario(made.round_of("a"), made.answer())
    run = replay(unknown)
    assert "schema" not in executed(run)
    found = verdict_of(run, run.step(run.locate("t0.execute")))
    assert found is not None
    assert (found.state, found.why) == ("unchecked", "no_tools")
    assert verdict_of(run, run.step(1)) is None


def test_a_tool_that_was_not_offered() -> None:
    """A made-up tool is named as what it is; so are arguments that are no JSON."""
    run = replay(scenario({"city": "Oslo"}, name="forecast"))
    assert executed(run).startswith("The request offered no tool of this name.")
    run = replay(scenario({"INVALID_JSON": '{"city": "Os'}))
    assert executed(run).startswith("The arguments are no JSON object.")


def test_the_line_that_ran_it_says_so_too() -> None:
    """Beside the code: the call ran, and its arguments do not fit."""
    run = replay(scenario({"city": 3}))
    step = run.step(run.locate("t0.execute"))
    said = saw_text([Saw("ran", ids=("a",))], run, step, texts("en"))
    assert said == "ran [a]: args do not fit"
    run = replay(scenario({"city": "Oslo"}, error=False))
    assert saw_text([Saw("ran", ids=("a",))], run, run.step(4), texts("en")) == "ran [a]"


def test_the_tools_of_the_call_count() -> None:
    """Tools that the loop passes itself, and tools recorded for one call, go before the run's."""
    other = {**TOOL, "input_schema": {"type": "object", "required": ["place"]}}
    turn = {
        "response": made.response(made.tool_use("a", "get_weather", city="Oslo")),
        "results": [made.tool_result("a", is_error=True)],
        "request": {"tools": [other]},
    }
    run = replay(made.scenario(turn, made.answer(), request={"tools": [TOOL]}))
    assert '"place" is missing.' in executed(run)


def test_run_says_it_as_text_and_as_data() -> None:
    """A field on the step: state, and of each misfit the pointer, the rule, what is expected."""
    made_up = scenario({"city": "Oslo", "unit": "kelvin"})
    run = replay(made_up)
    assert any("do not fit the schema" in line for line in text_lines(run, made_up, texts("en")))
    steps = json.loads(json.dumps(to_json(run, made_up, texts("en"))))["steps"]
    assert steps[3]["arguments"] == {
        "state": "misfits",
        "misfits": [{"pointer": "/unit", "rule": "enum", "expected": ["celsius", "fahrenheit"]}],
        "partial": False,
        "why": "",
    }
    assert steps[2]["arguments"] is None


def test_the_run_does_not_depend_on_it() -> None:
    """Fitting or not, the recorded results and the steps are the same."""
    fits, wrong = replay(scenario({"city": "Oslo"})), replay(scenario({"city": 3}))
    assert [step.place for step in fits.steps] == [step.place for step in wrong.steps]
    assert fits.result == wrong.result


@pytest.mark.parametrize("language", ["en", "ja"])
def test_hostile_arguments_are_safe_to_print(language: str) -> None:
    """What does not fit is quoted without control characters, and in little room."""
    happened = executed(replay(scenario({"city": "x", "unit": "\x1b[2J" + "y" * 9999})), language)
    assert "\x1b" not in happened
    assert len(happened) < 600


@pytest.mark.parametrize(
    ("arguments", "name", "said"),
    [
        ({"city": 3}, "get_weather", "do not fit the schema of get_weather (rule type at /city)"),
        ({"city": "Oslo"}, "forecast", "offers no tool forecast"),
        ({"INVALID_JSON": "{"}, "get_weather", "no JSON object"),
    ],
)
def test_check_finds_results_that_contradict(
    tmp_path: Path, arguments: dict[str, Any], name: str, said: str
) -> None:
    """In our own files: arguments that don't fit although the recorded result is no error."""
    for error, lines in ((False, 1), (True, 0)):
        result = made.tool_result("a", "Sunny.", **({"is_error": True} if error else {}))
        turn = {"response": made.response(made.tool_use("a", name, **arguments))}
        data = made.transcript(
            {**turn, "results": [result]}, made.answer(), request={"tools": [TOOL]}
        )
        path = made.write(tmp_path / f"{error}.json", data)
        found = list(check_paths([str(path)], texts("en")))
        assert len(found) == lines
        assert all(said in line and "/content/0/input" in line for line in found)


@pytest.mark.parametrize(("kind", "lines"), [("recorded", 0), ("authored", 1)])
def test_check_takes_what_was_recorded_as_it_is(tmp_path: Path, kind: str, lines: int) -> None:
    """A host may have run such a call: where that was recorded there is nothing to mend."""
    turn = {
        "response": made.response(made.tool_use("a", "get_weather", city=3)),
        "results": [made.tool_result("a", "Sunny.")],
    }
    said = [{"of": "/runs", "kind": kind, "source": made.TEXT}]
    data = made.transcript(turn, made.answer(), request={"tools": [TOOL]}, provenance=said)
    path = made.write(tmp_path / "one.json", data)
    assert len(list(check_paths([str(path)], texts("en")))) == lines
