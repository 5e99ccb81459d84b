"""Which lines of two loops differ, line by line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from visualizer.run.timeline import LoopSource

SIMILAR = 0.6
"""How alike two lines of code must be (0 to 1) to be one line that was changed."""

Change = Literal["equal", "changed", "added", "removed"]
_Positions = tuple[int | None, int | None]


class CodeLine(NamedTuple):
    """A line of the two functions, with its numbers in the two files (None: not there)."""

    change: Change
    left: int | None
    right: int | None
    left_text: str
    right_text: str

    @property
    def swapped(self) -> CodeLine:
        """The same line seen from the other side."""
        turned: dict[Change, Change] = {"added": "removed", "removed": "added"}
        change = turned.get(self.change, self.change)
        return CodeLine(change, self.right, self.left, self.right_text, self.left_text)


def code_difference(left: LoopSource, right: LoopSource) -> tuple[CodeLine, ...]:
    """The lines of two loops' functions. What the functions are called does not count."""
    keys = _without_name(left), _without_name(right)
    if keys[0] > keys[1]:  # matching lines is not symmetric, so it is done one way only
        return tuple(line.swapped for line in code_difference(right, left))
    found: list[CodeLine] = []
    matcher = SequenceMatcher(None, keys[0], keys[1], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        lines, others = range(i1, i2), range(j1, j2)
        pairs: list[_Positions] = list(zip(lines, others, strict=False))
        if tag != "equal":
            pairs = _changed(keys[0], keys[1], lines, others)
        found += [_line(tag == "equal", left, right, i, j) for i, j in pairs]
    return tuple(found)


def _without_name(source: LoopSource) -> list[str]:
    name = re.compile(rf"\b{re.escape(source.function)}\b")
    return [name.sub("_", line) for line in source.lines]


def _line(
    equal: bool, left: LoopSource, right: LoopSource, i: int | None, j: int | None
) -> CodeLine:
    change: Change = "added" if i is None else "removed" if j is None else "changed"
    return CodeLine(
        "equal" if equal else change,
        None if i is None else left.first_line + i,
        None if j is None else right.first_line + j,
        "" if i is None else left.lines[i],
        "" if j is None else right.lines[j],
    )


def _changed(
    left: Sequence[str], right: Sequence[str], lines: range, others: range
) -> list[_Positions]:
    """Lines that differ: two that are alike are one changed line, the rest stand alone."""
    pairs: list[_Positions] = []
    following = others.start
    for i in lines:
        alike = (j for j in range(following, others.stop) if _alike(left[i], right[j]))
        j = next(alike, None)
        if j is not None:
            pairs += [(None, skipped) for skipped in range(following, j)]
            following = j + 1
        pairs.append((i, j))
    return pairs + [(None, j) for j in range(following, others.stop)]


def _alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one.strip(), other.strip()).ratio() >= SIMILAR
