"""Tool definitions in the request: all that a reader needs, and nothing that is not so."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import made_runs
from tests.tui.learning import learning
from tests.tui.screens import opened
from visualizer.app.session import Session, Shown
from visualizer.engine import replay
from visualizer.i18n import texts
from visualizer.text import cells
from visualizer.tui.draw.segments import plain
from visualizer.tui.sheets.request_text import Sent, head_lines
from visualizer.tui.sheets.tools import takes, tool_lines

WEATHER = {
    "name": "get_weather",
    "description": "Current weather of a city.",
    "strict": True,
    "input_schema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "A city, such as Oslo"},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
            "days": {"type": "integer", "minimum": 1, "maximum": 7},
            "tags": {"type": "array", "items": {"type": "string"}},
            "near": {"type": "object", "properties": {"lat": {"type": ["number", "null"]}}},
        },
        "required": ["city"],
        "additionalProperties": False,
    },
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["properties", "items", "type", "enum", "required", "name", "a"])
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def shown(tools: Any, language: str = "en", width: int = 90) -> list[str]:
    """The definitions as lines of text."""
    return [plain(line).rstrip() for line in tool_lines(tools, texts(language), width)]


def request_of(
    tools: Any, outside: bool = False, not_kept: tuple[str, ...] = (), model: str | None = None
) -> list[str]:
    """What the request screen says beside the messages of a run that asks for ``search``."""
    asked, answer = made_runs.search("toolu_1", "Aurora Run"), made_runs.text("1974")
    scenario = made_runs.scenario(made_runs.turn(asked), made_runs.turn(answer))
    request = scenario.runs[0].request
    request.tools, request.model = tools, model
    run = replay(scenario)
    asides = Session(scenario, Shown(scenario, run)).shown.asides
    lines = head_lines(Sent(run, 0, request, asides, outside, not_kept), texts("en"), 70)
    return [plain(line).rstrip() for line in lines]


def test_what_a_client_never_keeps_is_not_recorded_rather_than_none() -> None:
    """A file that names the model, and nothing else of the request, says so for each."""
    said = request_of(None, True, ("system", "tools", "max_tokens"), "model-x")
    assert said[:4] == [
        "   model  model-x",
        "   system  not recorded",
        "   tools  not recorded: which tools went with this call",
        "   max_tokens  not recorded",
    ]


def test_a_definition_is_a_line_for_each_parameter() -> None:
    """Name, description, and of each parameter its type, values, range, default and need."""
    said = shown([WEATHER])
    assert said[0] == "get_weather"
    assert said[1] == "  Current weather of a city."
    assert "  city        string, required" in said
    choice = 'string, one of "celsius", "fahrenheit", default "celsius", optional'
    assert f"  unit        {choice}" in said
    assert "  days        integer, 1 to 7, optional" in said
    assert "  tags        array of string, optional" in said
    assert "    near.lat  number | null, optional" in said
    assert said[-2] == "  no other arguments are allowed"
    assert said[-1] == "  strict: the arguments are made to fit the schema"


def test_japanese_says_the_same() -> None:
    """The words around the schema are Japanese, its own words stay as they are."""
    said = shown([WEATHER], "ja")
    assert "  city        string、必須" in said
    assert "  days        integer、1 から 7、任意" in said


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        ({"const": 3}, "one of 3"),
        ({"type": "string", "pattern": "^a"}, "string, matching ^a"),
        ({"type": "integer", "minimum": 2}, "integer, 2 or more"),
        ({"type": "integer", "maximum": 2}, "integer, 2 or less"),
        ({}, ""),
        (True, ""),
    ],
)
def test_what_a_parameter_takes(schema: Any, said: str) -> None:
    """Each kind of schema is a few words."""
    assert takes(schema, texts("en")) == said


def test_what_a_recording_lacks_is_said() -> None:
    """No tools where tools were asked for, and no parameters at all: said, not left blank."""
    assert "Only the messages are recorded" in request_of(None)[0]
    assert "Only the messages are recorded" in request_of(None, outside=True)[0]
    assert request_of([WEATHER])[0] == "   tools  get_weather"
    assert "no schema is recorded" in "\n".join(shown([{"name": "bash"}]))
    assert shown([{"type": "web_search_20250305"}])[0] == "web_search_20250305"


@settings(max_examples=150)
@given(tools=JSON | st.lists(st.fixed_dictionaries({"name": JSON, "input_schema": JSON})))
def test_anything_can_be_shown(tools: Any) -> None:
    """Whatever stands where definitions should be, lines come of it that fit."""
    for language in ("en", "ja"):
        for line in tool_lines(tools, texts(language), 40):
            assert cells(plain(line)) <= 40


def test_hostile_definitions_are_harmless() -> None:
    """Control characters are made visible; a deep or endless schema ends in a note."""
    schema: dict[str, Any] = {"properties": {f"p{at}": {} for at in range(300)}}
    deep: dict[str, Any] = {}
    for _ in range(3000):
        deep = {"properties": {"x": deep}}
    said = shown(
        [{"name": "a\x1b[2J", "input_schema": schema}, {"name": "b", "input_schema": deep}]
    )
    assert "\x1b" not in "".join(said)
    assert "  More parameters: the JSON form has all of them." in said
    assert len(said) < 240


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_the_request_screen_has_them_in_both_forms(language: str) -> None:
    """`r` shows the tool to read, `r` again its JSON."""
    async with opened(language=language, at="t0.call") as driven:
        await driven.press("r")
        assert f"query  string{texts(language)('tools.comma')}" in driven.text
        await driven.press("r")
        assert '"input_schema": {' in driven.text


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_a_page_shows_the_definitions(language: str) -> None:
    """In short where there is little room, saying that `r` has all; whole where there is more."""
    said = texts(language)
    async with learning("tools", "many-kinds", (80, 24), language) as driven:
        assert said("tools.title", call=1) in driven.text
        assert "grep(pattern, path?), bash(command)," in driven.text
        assert said("tools.rest") in driven.text
    async with learning("tools", "what-but-not-when", (100, 45), language) as driven:
        assert said("tools.rest") not in driven.text
        assert f"city  string{said('tools.comma')}{said('tools.required')}" in driven.text
