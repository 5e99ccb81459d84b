"""What pydantic finds wrong with a transcript file, as problems with a place."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic_core import ValidationError, from_json

from visualizer.errors import Problem
from visualizer.messages import escape_pointer, leaves

EXPECTED_TYPES = {
    "dataclass_type": "object",
    "dict_type": "object",
    "list_type": "array",
    "string_type": "string",
    "int_type": "integer",
    "float_type": "number",
    "bool_type": "boolean",
}

_MAY_BE_TOO_LARGE = re.compile(rb"[\s:,\[]-?(?:\d[\d.]*[eE]\+?\d{3,}|\d{309,}|NaN|Infinity)")
"""Bytes that are looked for before every number is: most files hold none like these."""
_BITS = 1_024
"""Integers of so many bits are no floating-point number."""


def number_problems(data: bytes) -> Iterator[Problem]:
    """Numbers in a JSON text that are not finite or too large to count with."""
    if _MAY_BE_TOO_LARGE.search(data) is None:
        return
    for pointer, value in leaves(from_json(data)):
        if isinstance(value, float):
            fine = math.isfinite(value)
        else:
            fine = not isinstance(value, int) or value.bit_length() < _BITS
        if not fine:
            yield Problem(pointer, "problem.number")


def schema_problems(error: ValidationError, data: bytes) -> Iterator[Problem]:
    """What pydantic found in the JSON text ``data``, as problems with a place."""
    seen: set[tuple[str, str]] = set()
    for detail in error.errors(include_url=False, include_input=False):
        pointer, problem = _schema_problem(detail, data)
        if (pointer, problem.key) not in seen:
            seen.add((pointer, problem.key))
            yield problem


def _schema_problem(detail: Mapping[str, Any], data: bytes) -> tuple[str, Problem]:
    kind: str = detail["type"]
    context: Mapping[str, Any] = detail.get("ctx", {})
    pointer = "".join(f"/{escape_pointer(str(step))}" for step in _path(detail["loc"]))
    key = f"problem.{kind}"
    values: dict[str, object] = {}
    if kind == "json_invalid":
        key, values = _syntax(str(context.get("error", "")), data)
    elif kind in EXPECTED_TYPES:
        key, values = "problem.type", {"expected": EXPECTED_TYPES[kind]}
    elif kind == "missing":
        key = "problem.missing"
    elif kind == "unexpected_keyword_argument":
        key = "problem.unknown_key"
    elif kind == "literal_error":
        key, values = "problem.one_of", {"expected": context["expected"]}
    elif kind in ("too_short", "string_too_short"):
        key = "problem.must_not_be_empty"
    elif kind in ("greater_than_equal", "greater_than"):
        bound = context.get("ge", context.get("gt"))
        key = "problem.too_small" if "ge" in context else "problem.not_above"
        values = {"bound": bound}
    elif kind == "string_pattern_mismatch":
        key, values = "problem.pattern", {"pattern": context["pattern"]}
    else:
        key, values = "problem.invalid", {"detail": detail["msg"]}
    return pointer, Problem(pointer, key, values)


def _path(location: tuple[int | str, ...]) -> Iterator[int | str]:
    """A pydantic location without the branches of the schema's one union, ``system``."""
    for before, step in zip((None, *location), location, strict=False):
        if before != "system" or step not in ("str", "list[dict[str,any]]"):
            yield step


def _syntax(error: str, data: bytes) -> tuple[str, dict[str, object]]:
    if "recursion limit" in error:
        return "problem.too_deep", {}
    if "hex escape" in error:
        return "problem.half_character", {"position": error.rpartition(" at ")[2]}
    detail, _, position = error.rpartition(" at line ")
    line, _, column = position.partition(" column ")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as bad:
        return "problem.not_utf8", {"line": data.count(b"\n", 0, bad.start) + 1}
    if detail.startswith("EOF"):
        return "problem.truncated", {"line": line, "column": column}
    return "problem.not_json", {"line": line, "column": column, "detail": detail}
