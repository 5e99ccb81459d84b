"""What a tool definition says: its name, its schema, its parameters in a list to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

DEEPEST = 5
MOST = 200
"""How many parameters are listed of one tool; the JSON has all."""


class Parameter(NamedTuple):
    """One parameter of a tool: a path such as ``filter.tags[]``, and what its schema says."""

    path: str
    required: bool
    schema: Mapping[str, Any]
    depth: int


def name_of(tool: Any) -> str:
    """The name of a tool, ``""`` for what has none."""
    name = tool.get("name") if isinstance(tool, Mapping) else None
    return name if isinstance(name, str) else ""


def schema_of(tool: Any) -> Any:
    """The schema of a tool's arguments; None where the definition holds none."""
    return tool.get("input_schema") if isinstance(tool, Mapping) else None


def parameters_of(schema: Any) -> Iterator[Parameter]:
    """The parameters of a schema in their order, those inside objects and lists after them."""
    yield from _inside(schema, "", 0)


def _inside(schema: Any, path: str, depth: int) -> Iterator[Parameter]:
    if not isinstance(schema, Mapping) or depth >= DEEPEST:
        return
    named, required = schema.get("properties"), schema.get("required")
    needed = required if isinstance(required, list) else []
    for name, inner in named.items() if isinstance(named, Mapping) else ():
        found = inner if isinstance(inner, Mapping) else {}
        here = f"{path}.{name}" if path else str(name)
        yield Parameter(here, name in needed, found, depth)
        yield from _inside(found, here, depth + 1)
        items = found.get("items")
        if isinstance(items, Mapping):
            yield from _inside(items, f"{here}[]", depth + 1)
