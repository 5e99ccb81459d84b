"""Lines of another format in a file that is read as one: two recordings in one file.

Which format a line is in is judged once for each kind of line: by its keys and its type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from visualizer.formats.outside import Findings, Format, Sample

MOST_KINDS = 1_000
"""Kinds of lines that are judged; a file with more of them has its names in its keys."""

Item = tuple[int, dict[str, Any]]


def own_lines(
    items: Iterable[Item], chosen: Format, formats: Iterable[Format], findings: Findings
) -> Iterator[Item]:
    """The lines of a file that are not another format's; those are counted.

    Only formats of which a line shows by itself that it is theirs lay claim to any.
    """
    others = [
        one
        for one in formats
        if one.by_line
        and one.name != chosen.name
        and (not one.family or one.family != chosen.family)
    ]
    known: dict[tuple[object, ...], str | None] = {}
    left_out: Counter[str] = Counter()
    own = 0
    for number, line in items:
        told = line.get("type")
        kind = (told if isinstance(told, str) else None, *line)
        if kind not in known and len(known) < MOST_KINDS:
            known[kind] = _claimed(line, chosen, others)
        if (other := known.get(kind)) is None:
            own += 1
            yield number, line
        else:
            left_out[other] += 1
    for other, times in left_out.items():
        findings.count("format.mixed", times, other=other, format=chosen.name, own=own)


def _claimed(line: dict[str, Any], chosen: Format, others: list[Format]) -> str | None:
    alone = Sample("lines", [line])
    if chosen.claims(alone):
        return None
    return next((one.name for one in others if one.claims(alone)), None)
