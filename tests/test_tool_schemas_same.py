"""The bounded copy of a schema means what the schema means."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.test_tool_schemas import verdict

PLAIN = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "ab"])
DATA = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=6,
)
TYPE = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
LEAF = st.fixed_dictionaries(
    {},
    optional={
        "type": TYPE | st.lists(TYPE, min_size=1, max_size=2, unique=True),
        "enum": st.lists(PLAIN, min_size=1, max_size=3),
        "const": PLAIN,
        "minimum": st.integers(-2, 2),
        "exclusiveMaximum": st.integers(-2, 2),
        "minLength": st.integers(0, 2),
        "maxItems": st.integers(0, 2),
        "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
        "pattern": st.sampled_from(["^a", "b$", "^(a|b)*$"]),
        "uniqueItems": st.booleans(),
    },
)


def around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas that hold schemas."""
    several = st.lists(inner, min_size=1, max_size=2)
    holding = {
        **dict.fromkeys(("not", "if", "then", "else", "items", "contains"), inner),
        **dict.fromkeys(("propertyNames", "unevaluatedProperties"), inner),
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), several),
        "additionalProperties": inner | st.booleans(),
        "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$"]), inner, max_size=1),
    }
    return st.builds(
        lambda one, other: {**one, **other}, LEAF, st.fixed_dictionaries({}, optional=holding)
    )


@settings(max_examples=300)
@given(schema=st.recursive(LEAF, around, max_leaves=6), arguments=DATA)
def test_the_bounded_copy_means_what_the_schema_means(schema: Any, arguments: Any) -> None:
    """Well-formed schemas without references: the library says the same of the original."""
    found = verdict(schema, arguments)
    assert not found.partial
    right = jsonschema_rs.Draft202012Validator(schema).is_valid(arguments)
    assert found.state == ("fits" if right else "misfits")
