"""Tool definitions to read: the name, when to use it, each parameter in a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from visualizer.describe.phrases import safe
from visualizer.i18n import Texts
from visualizer.text import cells, display_safe, pad, wrap
from visualizer.tool_schemas.definitions import MOST, Parameter, name_of, parameters_of, schema_of
from visualizer.tui.draw.segments import Line, Seg

COLUMN = 20
"""Most cells that the names of parameters take before what they are begins."""
_VALUE = 30
_PATTERN = 60
_VALUES = 12


def tool_lines(tools: Any, texts: Texts, width: int) -> list[Line]:
    """A request's tools, one after the other, in ``width`` cells."""
    if not isinstance(tools, Sequence) or isinstance(tools, str):
        return list(_told(_json(tools), "text", 0, width))
    lines: list[Line] = []
    for tool in tools:
        name = safe(name_of(tool) or _kind(tool), width) or safe(_json(tool), max(width, 1))
        lines.append((Seg(name, "request"),))
        if isinstance(tool, Mapping):
            lines += _definition(tool, texts, width)
    return lines


def signature(tool: Any) -> str:
    """A tool in a few words: ``get_weather(city, unit?)``; ``""`` for one without a name."""
    named = [
        f"{one.path}{'' if one.required else '?'}"
        for one in islice(parameters_of(schema_of(tool)), MOST)
        if not one.depth
    ]
    name = safe(name_of(tool), _PATTERN)
    return f"{name}({safe(', '.join(named), _PATTERN)})" if name else ""


def told(tool: Any, texts: Texts, width: int) -> list[Line]:
    """The description of a tool."""
    text = tool.get("description") if isinstance(tool, Mapping) else None
    said = text if isinstance(text, str) and text.strip() else ""
    role = "text" if said else "dim"
    return list(_told(said or texts("tools.no_description"), role, 0, width))


def takes(schema: Any, texts: Texts) -> str:
    """What a parameter takes, in a few words: ``string, one of "c", "f"``. Safe to show."""
    if not isinstance(schema, Mapping):
        return ""
    said = [_type(schema, texts)]
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(values, list) and values:
        shown = [_short(one) for one in values[:_VALUES]]
        more = ["..."] if len(values) > _VALUES else []
        said.append(texts("tools.one_of", values=", ".join(shown + more)))
    said.append(_range(schema, texts))
    if isinstance(pattern := schema.get("pattern"), str):
        said.append(texts("tools.pattern", pattern=safe(pattern, _PATTERN)))
    if "default" in schema:
        said.append(texts("tools.default", value=_short(schema["default"])))
    return texts("tools.comma").join(filter(None, said))


def _kind(tool: Any) -> str:
    """What a tool without a name is, as those that a server brings along."""
    kind = tool.get("type") if isinstance(tool, Mapping) else None
    return kind if isinstance(kind, str) else ""


def _definition(tool: Mapping[str, Any], texts: Texts, width: int) -> Iterator[Line]:
    yield from ((Seg("  "), *line) for line in told(tool, texts, width - 2))
    schema = schema_of(tool)
    if schema is None:
        yield from _told(texts("tools.no_schema"), "dim", 2, width)
        return
    found = list(islice(parameters_of(schema), MOST + 1))
    if not found:
        yield from _told(texts("tools.no_parameters"), "dim", 2, width)
    names = [f"{'  ' * one.depth}{safe(one.path, width)}" for one in found]
    column = min(max(map(cells, names), default=0), COLUMN)
    for one, name in zip(found[:MOST], names, strict=False):
        yield from _parameter(one, name, column, texts, width)
    if len(found) > MOST:
        yield from _told(texts("tools.more"), "dim", 2, width)
    if isinstance(schema, Mapping) and schema.get("additionalProperties") is False:
        yield from _told(texts("tools.closed"), "dim", 2, width)
    if tool.get("strict") is True:
        yield from _told(texts("tools.strict"), "dim", 2, width)


def _parameter(one: Parameter, name: str, column: int, texts: Texts, width: int) -> Iterator[Line]:
    need = texts("tools.required" if one.required else "tools.optional")
    said = texts("tools.comma").join(filter(None, [takes(one.schema, texts), need]))
    start = 2 + column + 2
    if cells(name) > column or width - start < 20:
        yield (Seg(f"  {name}", "label"),)
        yield from _told(said, "text", start if width - start >= 20 else 4, width)
    else:
        first, *rest = wrap(said, width - start) or [""]
        yield (Seg(f"  {pad(name, column)}  ", "label"), Seg(first))
        yield from ((Seg(" " * start), Seg(part)) for part in rest)
    text = one.schema.get("description")
    if isinstance(text, str) and text.strip():
        yield from _told(text, "dim", start if width - start >= 20 else 4, width)


def _told(text: str, role: str, indent: int, width: int) -> Iterator[Line]:
    for part in wrap(display_safe(text, newlines=True), max(width - indent, 10)):
        yield (Seg(" " * indent), Seg(part, role))


def _type(schema: Mapping[str, Any], texts: Texts) -> str:
    """The type a schema names; of a list also what it holds, of a choice all of them."""
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(safe(str(one), _VALUE) for one in kind[:_VALUES])
    for name in ("anyOf", "oneOf"):
        if isinstance(several := schema.get(name), list):
            inner = [one for one in several[:_VALUES] if isinstance(one, Mapping)]
            return " | ".join(filter(None, (_plain_type(one) for one in inner)))
    items = schema.get("items")
    if kind == "array" and isinstance(items, Mapping) and (held := _plain_type(items)):
        return texts("tools.list_of", items=held)
    return _plain_type(schema)


def _plain_type(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type", schema.get("$ref"))
    return safe(kind, _VALUE) if isinstance(kind, str) else ""


def _range(schema: Mapping[str, Any], texts: Texts) -> str:
    low, high = (schema.get(name) for name in ("minimum", "maximum"))
    if low is None and high is None:
        return ""
    key = "at_most" if low is None else "at_least" if high is None else "from_to"
    return texts(f"tools.{key}", low=_short(low), high=_short(high))


def _short(value: Any) -> str:
    return safe(_json(value), _VALUE)


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=repr)
    except (ValueError, RecursionError):
        return "..."
