"""Whether a call's arguments fit the schema of the tool that the request offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from visualizer.messages import Block
from visualizer.tool_schemas.definitions import name_of, schema_of
from visualizer.transcript.world import UNPARSED

State = Literal["fits", "misfits", "no_tool", "unparsed", "unchecked"]


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
    if fits_plainly(schema, call.input):
        return Verdict("fits")
    from visualizer.tool_schemas.checking import check  # noqa: PLC0415 - seldom needed

    return check(schema, call.input)


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
