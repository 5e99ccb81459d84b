"""Arguments against schemas: what fits, what does not and where, and nothing hangs or crashes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cost import calls
from visualizer.messages import Block
from visualizer.tool_schemas import Verdict, check_arguments
from visualizer.tool_schemas.bounded import DEEPEST, MOST_NODES, GivenUp, bounded, measure
from visualizer.tool_schemas.checking import MOST_MISFITS
from visualizer.tool_schemas.verdict import fits_plainly

CITY = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "unit": {"enum": ["celsius", "fahrenheit"]},
        "near": {"type": "object", "properties": {"a/b": {"type": "integer"}}},
    },
    "required": ["city"],
    "additionalProperties": False,
}


def verdict(schema: Any, arguments: Any, name: str = "t") -> Verdict:
    """What is said of a call of the tool ``t``."""
    call = Block({"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments})
    return check_arguments([{"name": "t", "input_schema": schema}], call)


def places(found: Verdict) -> list[tuple[str, str, Any]]:
    """The misfits without what was there instead."""
    return [(one.pointer, one.rule, one.expected) for one in found.misfits]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"city": "Oslo"}, []),
        ({"city": "Oslo", "unit": "celsius"}, []),
        ({}, [("", "required", "city")]),
        ({"city": 3}, [("/city", "type", ["string"])]),
        ({"city": "Oslo", "unit": "kelvin"}, [("/unit", "enum", ["celsius", "fahrenheit"])]),
        ({"city": "Oslo", "wind": 1}, [("", "additionalProperties", ["wind"])]),
        ({"city": "Oslo", "near": {"a/b": "x"}}, [("/near/a~1b", "type", ["integer"])]),
        ("Oslo", [("", "type", ["object"])]),
    ],
)
def test_where_and_what(arguments: Any, expected: list[tuple[str, str, Any]]) -> None:
    """A misfit has its JSON pointer, the rule and what the rule asks for."""
    found = verdict(CITY, arguments)
    assert found.state == ("misfits" if expected else "fits")
    assert places(found) == expected


def test_what_is_no_question_of_the_schema() -> None:
    """An unknown tool, arguments that are no JSON, and recordings that hold no schema."""
    assert verdict(CITY, {}, name="other").state == "no_tool"
    assert verdict(CITY, {"INVALID_JSON": '{"city": "Os'}).state == "unparsed"
    call = Block({"type": "tool_use", "id": "a", "name": "t", "input": {}})
    assert check_arguments(None, call) == Verdict("unchecked", why="no_tools")
    assert check_arguments([{"name": "t"}], call) == Verdict("unchecked", why="no_schema")
    assert check_arguments([], call).state == "no_tool"


@pytest.mark.parametrize(
    ("schema", "arguments", "rule"),
    [
        ({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}, {"a": 1}, "type"),
        ({"properties": {"a": {"type": "string", "nullable": True}}}, {"a": None}, ""),
        ({"$schema": "urn:unknown:draft", "required": ["a"]}, {}, "required"),
        ({"items": [{"type": "string"}]}, [1], "type"),
        ({"prefixItems": [{"type": "string"}]}, [1], "type"),
        (
            {
                "$schema": "http://json-schema.org/draft-04/schema#",
                "properties": {"a": {"minimum": 3, "exclusiveMinimum": True}},
            },
            {"a": 3},
            "exclusiveMinimum",
        ),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 3, "anyOf"),
        ({"properties": {"a": {"pattern": "^[a-z]+$"}}}, {"a": "A"}, "pattern"),
    ],
)
def test_all_drafts_are_understood(schema: Any, arguments: Any, rule: str) -> None:
    """Old drafts by their name or form, unknown ones as the newest, other APIs' capitals too."""
    assert [one.rule for one in verdict(schema, arguments).misfits] == ([rule] if rule else [])


def test_references_lead_within_the_schema_only() -> None:
    """Local ones hold, recursive ones as deep as the arguments go; none is ever fetched."""
    node = {"properties": {"next": {"$ref": "#/$defs/node"}, "value": {"type": "integer"}}}
    schema = {"$defs": {"node": node}, "$ref": "#/$defs/node"}
    found = verdict(schema, {"next": {"next": {"value": "x"}}})
    assert verdict(nested(100_000, "items"), [[]]).state == "fits"
    assert places(found) == [("/next/next/value", "type", ["integer"])]
    for reference in ("http://127.0.0.1:9/s", "file:///etc/passwd", "other.json", "#/nowhere", 3):
        assert verdict({"$ref": reference}, {}) == Verdict("fits", partial=True)
        turned = verdict({"not": {"$ref": reference}}, {})
        assert turned == Verdict("unchecked", why="reference")
    assert verdict({"$ref": "#"}, {}) == Verdict("unchecked", why="size")


def test_what_is_left_out_never_makes_a_misfit() -> None:
    """An unknown pattern is not checked; the rest of its schema still is."""
    schema = {"properties": {"a": {"type": "string", "pattern": "(?!b)a"}}}
    assert verdict(schema, {"a": "b"}) == Verdict("fits", partial=True)
    assert places(verdict(schema, {"a": 1})) == [("/a", "type", ["string"])]
    covered = {"patternProperties": {"(?!b)a": {}}, "additionalProperties": False}
    assert verdict(covered, {"a": 1}) == Verdict("unchecked", why="pattern")


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://127.0.0.1:9/s", "unevaluatedProperties": False},
        {"allOf": [{"$ref": "#/nowhere"}], "unevaluatedProperties": {"type": "null"}},
        {"properties": {"a": {"contains": {"type": "null"}, "minContains": "none"}}},
        {"properties": []},
        {"oneOf": []},
    ],
)
def test_what_was_left_out_may_have_been_the_reason(schema: Any) -> None:
    """Where the rest would mean something else without a part, nothing is said."""
    assert verdict(schema, {"a": [1]}).state == "unchecked"


def doubling(levels: int) -> dict[str, Any]:
    """A schema that is 2 to the power of ``levels`` long with its references put in."""
    parts: dict[str, Any] = {"p0": {"type": "string"}}
    for at in range(1, levels):
        parts[f"p{at}"] = {"allOf": [{"$ref": f"#/$defs/p{at - 1}"}] * 2}
    return {"$defs": parts, "$ref": f"#/$defs/p{levels - 1}"}


def nested(levels: int, key: str | None = None) -> Any:
    """Something in something, so many levels deep."""
    inner: Any = {}
    for _ in range(levels):
        inner = [inner] if key is None else {key: inner}
    return inner


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        (doubling(60), {}),
        (nested(100_000, "not"), {}),
        (nested(100_000, "then"), {}),
        ({"enum": [nested(100_000)]}, {}),
        ({"minProperties": 1}, {"a": nested(100_000)}),
        ({"minProperties": 1}, {"a": [0] * 100_000}),
        ({"allOf": [{"type": "string"}] * (MOST_NODES + 1)}, {}),
        ({"allOf": [{"type": "string"}] * 3_000}, {"a": "x" * 100_000}),
        ({"properties": {"a": {"pattern": "(x{5}|.{6}y){20}"}}}, {"a": "x" * 1_000_000}),
        ({"patternProperties": {f"^{at}": {} for at in range(100)}}, {"a": 1, "b": [2]}),
    ],
)
def test_what_would_take_too_long_is_not_begun(schema: Any, arguments: Any) -> None:
    """Schemas that grow, nest or multiply without end are given up before they cost anything."""
    assert verdict(schema, arguments) == Verdict("unchecked", why="size")


def test_patterns_take_time_in_proportion_to_the_text() -> None:
    """A pattern that would hang a backtracking engine comes back at once, with the answer."""
    schema = {"properties": {"a": {"pattern": "^(a+)+$"}}}
    assert [one.rule for one in verdict(schema, {"a": "a" * 20_000 + "!"}).misfits] == ["pattern"]
    assert verdict({"pattern": "(a{1000}){1000}"}, "a") == Verdict("fits", partial=True)


def test_the_plain_case_needs_no_library() -> None:
    """Strings and numbers against their types cost a few calls, however often."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert fits_plainly(schema, {"a": "x"})
    assert not fits_plainly(schema, {"b": 1})
    assert calls(lambda: verdict(schema, {"a": "x" * 100_000})) < 150


def test_misfits_are_counted_up_to_a_bound() -> None:
    """A thousand wrong entries are not a thousand lines."""
    found = verdict({"items": {"type": "string"}}, [1] * 1000)
    assert len(found.misfits) == MOST_MISFITS


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
ODD = SCALARS | st.sampled_from(["\ud800", "string", "#", "#/properties", 10**400, -1, [], {}])
KEYWORDS = st.sampled_from(
    [
        *("type", "properties", "required", "items", "prefixItems", "enum", "const", "pattern"),
        *("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref", "$defs", "$schema"),
        *("minimum", "maximum", "exclusiveMinimum", "multipleOf", "minLength", "maxItems"),
        *("uniqueItems", "additionalProperties", "patternProperties", "propertyNames", "contains"),
        *("dependentSchemas", "dependencies", "unevaluatedProperties", "$dynamicRef", "format"),
        *("a", "b", "nullable", "$id", "minContains", "additionalItems", "unevaluatedItems"),
    ]
)
ANY = st.recursive(
    ODD,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(KEYWORDS | st.text(max_size=2), inner, max_size=5)
    ),
    max_leaves=20,
)


@settings(max_examples=400)
@given(schema=st.dictionaries(KEYWORDS, ANY, max_size=6) | ANY, arguments=ANY)
def test_hostile_schemas_come_to_a_verdict(schema: Any, arguments: Any) -> None:
    """Whatever a recording holds: a verdict, never an exception."""
    found = verdict(schema, arguments)
    assert found.state in ("fits", "misfits", "unparsed", "unchecked")
    assert bool(found.misfits) == (found.state == "misfits")


@settings(max_examples=200)
@given(
    kinds=st.dictionaries(
        st.sampled_from("abc"),
        st.sampled_from(["string", "integer", "number", "boolean", "null", "array"]),
        max_size=3,
    ),
    needed=st.lists(st.sampled_from("abc"), max_size=3, unique=True),
    arguments=st.dictionaries(st.sampled_from("abcd"), SCALARS, max_size=4),
    closed=st.booleans(),
)
def test_what_plainly_fits_fits(
    kinds: dict[str, str], needed: list[str], arguments: dict[str, Any], closed: bool
) -> None:
    """Where the short way says that arguments fit, the library says so too."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in kinds.items()},
        "required": needed,
        "additionalProperties": not closed,
    }
    if fits_plainly(schema, arguments):
        assert verdict({"allOf": [schema]}, arguments).state == "fits"


@settings(max_examples=200)
@given(schema=st.dictionaries(KEYWORDS, ANY, max_size=6))
def test_a_copy_is_bounded(schema: Any) -> None:
    """A bounded schema is neither deep nor large, whatever the schema refers to."""
    try:
        made = bounded(schema, 5, lambda _pattern: True)
    except GivenUp:
        return
    nodes, _, depth = measure(made.schema, 10 * MOST_NODES)
    assert nodes <= 10 * MOST_NODES
    assert depth <= 3 * DEEPEST
