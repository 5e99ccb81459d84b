"""A tool's schema made safe to check against, whatever a recording holds.

The copy has only keywords that are known and well formed. Local references are put in place
as deep as the arguments go, so that nothing recurses; references to anywhere else are never
followed. What can't be kept is left out where that only lets more pass (``partial``); under
``not`` and its kin it would turn the meaning round, so there the schema is given up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

MOST_NODES = 4_000
"""Parts of a schema, those put in for references included."""
DEEPEST = 40
"""How deep schemas and arguments may be nested."""
LONGEST_PATTERN = 500
MOST_PATTERNS = 50
PATTERN_WEIGHT = 500
"""A pattern is as much work as so many other parts."""

TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})


class GivenUp(Exception):
    """A schema that is not checked; ``why`` is ``size``, ``reference``, ``pattern`` or ``form``."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class Bounded:
    """A schema to check against: its draft, how much work it is, what was left out of it."""

    schema: Any
    draft: int
    weight: int
    partial: bool


def bounded(schema: Any, depth: int, is_pattern: Callable[[str], bool]) -> Bounded:
    """The schema for arguments that are nested ``depth`` deep. Raises ``GivenUp``.

    ``is_pattern`` says which patterns the checker knows.
    """
    work = _Copy(schema, depth, is_pattern)
    made = work.copy(schema, 0, 0, True)
    if work.partial and work.counts_rest:
        raise GivenUp("form")  # what was left out may have accounted for what is there
    weight = work.nodes + PATTERN_WEIGHT * work.patterns
    return Bounded(made, work.draft, weight, work.partial)


_SAME = ("then", "else")
_TURNED = ("not", "if")
_INSIDE = ("additionalProperties", "additionalItems", "propertyNames", "items")
_REST = ("unevaluatedProperties", "unevaluatedItems")
_INSIDE_TURNED = ("contains", *_REST)
_LISTS = {"allOf": (True, 0), "anyOf": (True, 0), "oneOf": (False, 0), "prefixItems": (True, 1)}
_NAMED = {"properties": 1, "patternProperties": 1, "dependentSchemas": 0}
_NOT_KNOWN = {
    **dict.fromkeys(("$dynamicRef", "$recursiveRef"), "reference"),
    **dict.fromkeys(("dependencies", "dependentRequired"), "form"),
}
_COUNTS = (
    *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
    *("minContains", "maxContains"),
)


class _Copy:
    """One copy of one schema."""

    def __init__(self, root: Any, depth: int, is_pattern: Callable[[str], bool]) -> None:
        self.nodes = self.patterns = 0
        self.partial = False
        self.counts_rest = False
        self._root = root
        self._depth = depth
        self._is_pattern = is_pattern
        self.draft = self._draft(root)

    def copy(self, schema: Any, down: int, level: int, positive: bool) -> Any:
        """A copy; ``down`` levels into the arguments, ``level`` into the schema."""
        self._count(level)
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, Mapping):
            return self._left_out("form", positive)
        if down >= self._depth:
            return {}  # no argument lies so deep
        for name, why in _NOT_KNOWN.items():
            if name in schema:
                self._left_out(why, positive)
        made = self._own(schema, positive)
        self._applied(schema, made, down, level + 1, positive)
        if "$ref" not in schema:
            return made
        target = self._target(schema["$ref"], positive)
        put_in = self.copy(target, down, level + 1, positive)
        if self.draft <= 7 or not made:  # what stands beside a reference did not count then
            return put_in
        return {**made, "allOf": [*made.get("allOf", ()), put_in]}

    def _count(self, level: int, number: int = 1) -> None:
        self.nodes += number
        if self.nodes > MOST_NODES or level > DEEPEST or self.patterns > MOST_PATTERNS:
            raise GivenUp("size")

    def _left_out(self, why: str, positive: bool) -> bool:
        """Where leaving a part out lets only more pass it is left out; gives what passes all."""
        if not positive:
            raise GivenUp(why)
        self.partial = True
        return True

    def _own(self, schema: Mapping[str, Any], positive: bool) -> dict[str, Any]:
        """The keywords that hold no schema."""
        made: dict[str, Any] = {}
        for name, fits in _VALUES.items():
            if name not in schema:
                continue
            value = _lower(schema[name]) if name == "type" else schema[name]
            if fits(value, self.draft):
                made[name] = self._plain(value)
            else:
                self._left_out("form", positive and name != "minContains")
        if isinstance(pattern := schema.get("pattern"), str):
            if self._known(pattern):
                made["pattern"] = pattern
            else:
                self._left_out("pattern", positive)
        if schema.get("nullable") is True and isinstance(made.get("type"), str):
            made["type"] = [made["type"], "null"]  # OpenAPI's word for it
        return made

    def _applied(
        self, schema: Mapping[str, Any], made: dict[str, Any], down: int, level: int, positive: bool
    ) -> None:
        """The keywords that hold schemas."""
        for name in _SAME + _TURNED:
            if name in schema:
                made[name] = self.copy(schema[name], down, level, positive and name in _SAME)
        for name in _INSIDE + _INSIDE_TURNED:
            inner, plain = schema.get(name), positive and name in _INSIDE
            if isinstance(inner, list) and name == "items":
                made[name] = [self.copy(one, down + 1, level, positive) for one in inner]
            elif name in schema:
                made[name] = self.copy(inner, down + 1, level, plain)
                self.counts_rest = self.counts_rest or name in _REST
        for name, (plain, deeper) in _LISTS.items():
            if name in schema:
                several = self._formed(schema[name], list)
                made[name] = [
                    self.copy(one, down + deeper, level, positive and plain) for one in several
                ]
        for name, deeper in _NAMED.items():
            if name in schema:
                named = self._formed(schema[name], dict)
                made[name] = self._named(name, named, (down + deeper, level), positive)

    def _formed(self, value: Any, kind: type) -> Any:
        """A list or an object; without it what stands beside it would mean something else."""
        if not isinstance(value, kind) or (kind is list and not value):
            raise GivenUp("form")
        return value

    def _named(
        self, name: str, named: Mapping[str, Any], at: tuple[int, int], positive: bool
    ) -> dict[str, Any]:
        made = {}
        for key, inner in named.items():
            if name == "patternProperties" and not self._known(key):
                # additionalProperties would now look at what the pattern had covered
                raise GivenUp("pattern")
            made[key] = self.copy(inner, *at, positive)
        return made

    def _known(self, pattern: str) -> bool:
        self.patterns += 1
        self._count(0)
        return len(pattern) <= LONGEST_PATTERN and self._is_pattern(pattern)

    def _plain(self, value: Any) -> Any:
        nodes, _, deepest = measure(value, MOST_NODES)
        self._count(deepest, nodes)
        return value

    def _target(self, reference: Any, positive: bool) -> Any:
        """What a reference within the schema leads to."""
        found = self._root
        if not isinstance(reference, str) or reference[:2] not in ("#", "#/"):
            return self._left_out("reference", positive)
        for step in unquote(reference).split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            if isinstance(found, Mapping) and key in found:
                found = found[key]
            elif isinstance(found, list) and key.isascii() and key.isdigit() and len(key) < 7:
                found = found[int(key)] if int(key) < len(found) else None
            else:
                return self._left_out("reference", positive)
        return found

    def _draft(self, schema: Any) -> int:
        """Which draft a schema is in: the one it names if known, else by its form."""
        said = schema.get("$schema") if isinstance(schema, Mapping) else None
        for name, draft in (("draft-04", 4), ("draft-06", 7), ("draft-07", 7), ("2019-09", 2019)):
            if isinstance(said, str) and name in said[:80]:
                return draft
        return 7 if _has_list_of_items(schema) else 2020


def measure(value: Any, most: int) -> tuple[int, int, int]:
    """(parts, characters, depth) of plain data; raises ``GivenUp`` beyond ``most`` parts."""
    nodes = size = deepest = 0
    waiting = [(value, 1)]
    while waiting:
        one, level = waiting.pop()
        nodes, deepest = nodes + 1, max(deepest, level)
        if nodes + len(waiting) > most or level > DEEPEST:
            raise GivenUp("size")
        if isinstance(one, str):
            size += len(one)
        elif isinstance(one, Mapping):
            size += sum(len(str(key)) for key in one)
            waiting += [(inner, level + 1) for inner in one.values()]
        elif isinstance(one, (list, tuple)):
            waiting += [(inner, level + 1) for inner in one]
    return nodes, size, deepest


def _has_list_of_items(schema: Any) -> bool:
    """Whether ``items`` is a list somewhere: so tuples were written before draft 2020-12."""
    waiting, seen = [schema], 0
    while waiting and seen < MOST_NODES:
        one, seen = waiting.pop(), seen + 1
        if isinstance(one, Mapping):
            if isinstance(one.get("items"), list):
                return True
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return False


def _lower(value: Any) -> Any:
    """Type names as JSON Schema writes them; some APIs write them in capitals."""
    if isinstance(value, list):
        return [_lower(one) for one in value]
    return value.lower() if isinstance(value, str) and value.isupper() else value


def _is_number(value: Any, _draft: int = 0) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300


def _is_count(value: Any, _draft: int = 0) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _is_bound(value: Any, draft: int) -> bool:
    return isinstance(value, bool) if draft == 4 else _is_number(value)


def _is_type(value: Any, _draft: int = 0) -> bool:
    several = value if isinstance(value, list) else [value]
    names = [one for one in several if isinstance(one, str) and one in TYPES]
    return len(names) == len(several) == len(set(names)) > 0


def _is_names(value: Any, _draft: int = 0) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and all(isinstance(one, str) for one in value)
        and len(set(value)) == len(value)
    )


_VALUES: dict[str, Callable[[Any, int], bool]] = {
    "type": _is_type,
    "enum": lambda value, _draft: isinstance(value, list) and bool(value),
    "const": lambda _value, _draft: True,
    "required": lambda value, draft: _is_names(value) and (draft > 4 or bool(value)),
    "uniqueItems": lambda value, _draft: isinstance(value, bool),
    "multipleOf": lambda value, _draft: _is_number(value) and value > 0,
    "minimum": _is_number,
    "maximum": _is_number,
    "exclusiveMinimum": _is_bound,
    "exclusiveMaximum": _is_bound,
    **dict.fromkeys(_COUNTS, _is_count),
}
