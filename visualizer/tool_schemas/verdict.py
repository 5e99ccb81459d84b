"""Whether a call's arguments fit the schema of the tool that the request offered.

Recordings are judged, never trusted: see ``bounded`` for what keeps a schema from hanging,
recursing or reaching for the network. Patterns are matched by an engine that takes time in
proportion to the text, with a limit on the size of the compiled pattern; one that it does not
know (lookaround, back-references) is not checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from visualizer.messages import Block, escape_pointer
from visualizer.tool_schemas.bounded import Bounded, GivenUp, bounded, measure
from visualizer.tool_schemas.definitions import name_of, schema_of
from visualizer.world import UNPARSED

State = Literal["fits", "misfits", "no_tool", "unparsed", "unchecked"]

MOST_ARGUMENTS = 20_000
"""Parts of the arguments of one call."""
MOST_WORK = 30_000_000
"""Parts of a schema times characters of the arguments."""
MOST_MISFITS = 20
PATTERN_SIZE = 1 << 17
"""Bytes of a compiled pattern."""
_NODE = 16


class Misfit(NamedTuple):
    """One place that does not fit: where in the arguments, which keyword, what it asks for.

    ``pointer`` is a JSON pointer, ``""`` for the arguments as a whole. ``expected`` is the
    keyword's value: a list of type names, of allowed values, a number; for
    ``additionalProperties`` the names that are not allowed; for ``anyOf`` and ``oneOf`` how
    many forms there are.
    """

    pointer: str
    rule: str
    expected: Any
    got: Any


class Verdict(NamedTuple):
    """What came of checking one call.

    ``no_tool``: the request offered no tool of that name. ``unparsed``: the arguments were no
    JSON object. ``unchecked``: nothing is said, for the reason in ``why`` (``no_tools``,
    ``no_schema``, or why a schema was given up). ``partial``: some of the schema was left out.
    """

    state: State
    misfits: tuple[Misfit, ...] = ()
    partial: bool = False
    why: str = ""

    @property
    def contradicts(self) -> bool:
        """Whether a result that is no error would be at odds with it."""
        return self.state in ("misfits", "no_tool", "unparsed")


def check_arguments(tools: Any, call: Block) -> Verdict:
    """Check a tool request against the tool definitions that went with the model's call.

    ``tools`` is the request's list; anything else says that nothing is known of them. Never
    raises, and takes bounded time and memory whatever it is given.
    """
    if isinstance(call.input, Mapping) and list(call.input) == [UNPARSED]:
        return Verdict("unparsed")
    if not isinstance(tools, Sequence) or isinstance(tools, str):
        return Verdict("unchecked", why="no_tools")
    tool = next((one for one in tools if call.name and name_of(one) == call.name), None)
    schema = schema_of(tool)
    if tool is None or schema is None:
        return Verdict("no_tool") if tool is None else Verdict("unchecked", why="no_schema")
    try:
        return Verdict("fits") if fits_plainly(schema, call.input) else _check(schema, call.input)
    except GivenUp as error:
        return Verdict("unchecked", why=error.why)


def fits_plainly(schema: Any, arguments: Any) -> bool:
    """Whether arguments fit a schema for which that is plain to see; false settles nothing.

    Most calls are a few strings and numbers; for them no library has to be imported.
    """
    if not isinstance(schema, Mapping) or not _KNOWN_PLAIN.issuperset(schema):
        return False
    named, needed = schema.get("properties", {}), schema.get("required", [])
    if schema.get("type") != "object" or not isinstance(arguments, Mapping):
        return False
    if not isinstance(named, Mapping) or not isinstance(needed, list):
        return False
    return all(isinstance(name, str) and name in arguments for name in needed) and all(
        _is_plain(named.get(name), value) for name, value in arguments.items()
    )


_TELLING = frozenset({"title", "description", "default", "examples"})
_KNOWN_PLAIN = _TELLING | {"type", "properties", "required", "additionalProperties", "$schema"}
_PYTHON = {"string": str, "integer": int, "boolean": bool}


def _is_plain(schema: Any, value: Any) -> bool:
    if not isinstance(schema, Mapping) or not (_TELLING | {"type"}).issuperset(schema):
        return False
    kind = schema.get("type")
    return isinstance(kind, str) and type(value) is _PYTHON.get(kind)


def _check(schema: Any, arguments: Any) -> Verdict:
    nodes, size, depth = measure(arguments, MOST_ARGUMENTS)
    import jsonschema_rs  # noqa: PLC0415 - it takes longer to import than most runs to check

    patterns = jsonschema_rs.RegexOptions(size_limit=PATTERN_SIZE, dfa_size_limit=8 * PATTERN_SIZE)

    def is_pattern(pattern: str) -> bool:
        try:
            jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=patterns)
        except ValueError:  # a surrogate in it, or no pattern at all
            return False
        return True

    found = bounded(schema, depth, is_pattern)
    if found.weight * (_NODE * nodes + size) > MOST_WORK:
        raise GivenUp("size")
    drafts = {4: jsonschema_rs.Draft4Validator, 7: jsonschema_rs.Draft7Validator}
    drafts[2019] = jsonschema_rs.Draft201909Validator
    kind = drafts.get(found.draft, jsonschema_rs.Draft202012Validator)
    try:
        checker = kind(found.schema, pattern_options=patterns, retriever=_nowhere)
        errors = () if checker.is_valid(arguments) else checker.iter_errors(arguments)
        misfits = [_misfit(error) for error, _ in zip(errors, range(MOST_MISFITS), strict=False)]
    except (ValueError, TypeError, OverflowError) as error:  # text that is no UTF-8, for instance
        raise GivenUp("form") from error
    return _verdict(misfits, found)


def _verdict(misfits: list[Misfit], found: Bounded) -> Verdict:
    if not misfits:
        return Verdict("fits", partial=found.partial)
    return Verdict("misfits", tuple(sorted(misfits, key=_place)), found.partial)


def _misfit(error: Any) -> Misfit:
    pointer = "".join(f"/{escape_pointer(str(step))}" for step in error.instance_path)
    rule, said = str(error.kind.name), next(iter(error.kind.as_dict().values()), None)
    if rule in ("anyOf", "oneOf"):
        said = len(said) if isinstance(said, list) else None
    return Misfit(pointer, rule, said, error.instance)


def _place(misfit: Misfit) -> tuple[str, str, str]:
    return misfit.pointer, misfit.rule, repr(misfit.expected)[:200]


def _nowhere(uri: str) -> Any:
    """No schema is ever fetched."""
    raise ValueError(uri)
