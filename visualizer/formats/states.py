"""Lists of messages that were written down again and again while they grew.

A graph keeps its state after each step, a server after each request: each list then begins
with the one before it, and only the longest is told.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.outside import Findings

NEAREST = 20
"""Lists that are looked at for the one that a list goes on with."""

Messages = list[dict[str, Any]]


def longest(lists: list[Messages], findings: Findings) -> list[Messages]:
    """The lists that are the beginning of no other, in the order in which they began."""
    kept: list[Messages] = []
    for one in lists:
        places = range(len(kept) - 1, max(-1, len(kept) - 1 - NEAREST), -1)
        at = next((place for place in places if _is_same(kept[place], one)), None)
        if at is None:
            kept.append(one)
        else:
            findings.count("format.double_line", min(len(kept[at]), len(one)))
            kept[at] = max(kept[at], one, key=len)
    return kept


def _is_same(left: Messages, right: Messages) -> bool:
    """Whether one of two lists begins with the other."""
    short = min(len(left), len(right))
    return short > 0 and left[:short] == right[:short]
