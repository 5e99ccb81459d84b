"""Arguments against a schema, by a library that takes a while to import.

Recordings are judged, never trusted: see ``bounded`` for what keeps a schema from hanging,
recursing or reaching for the network. Patterns are matched by an engine that takes time in
proportion to the text, with a limit on the size of the compiled pattern; one that it does not
know (lookaround, back-references) is not checked.
"""

from __future__ import annotations

from typing import Any

import jsonschema_rs

from visualizer.messages import escape_pointer
from visualizer.tool_schemas.bounded import Bounded, GivenUp, bounded, measure
from visualizer.tool_schemas.verdict import Misfit, Verdict

MOST_ARGUMENTS = 20_000
"""Parts of the arguments of one call."""
MOST_WORK = 30_000_000
"""Parts of a schema times characters of the arguments."""
MOST_MISFITS = 20
PATTERN_SIZE = 1 << 17
"""Bytes of a compiled pattern."""
_NODE = 16


def check(schema: Any, arguments: Any) -> Verdict:
    """Check arguments against a schema of unknown origin, in bounded time and memory."""
    try:
        return _check(schema, arguments)
    except GivenUp as error:
        return Verdict("unchecked", why=error.why)


def _check(schema: Any, arguments: Any) -> Verdict:
    nodes, size, depth = measure(arguments, MOST_ARGUMENTS)
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
