"""Lists of messages that were written down again and again while they grew.

A graph keeps its state after each step, a server after each request: each list then begins
with the one before it, and only the longest is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from visualizer.formats.decoding.decode import Item
from visualizer.formats.outside import Findings

NEAREST = 20
"""Lists that are looked at for the one that a list goes on with."""

Entry = dict[str, Any]
Messages = list[Entry]


def told(
    items: Iterable[Item], listed: Callable[[Entry], Messages | None], findings: Findings
) -> list[Messages]:
    """The conversations in a file: one of the entries on their own, and one a list.

    ``listed`` gives the messages that an entry keeps in a list. Lists that are the beginning of
    another are left out; the rest stand in the order in which they began.
    """
    alone: Messages = []
    lists: list[Messages] = []
    for _, entry in items:
        messages = listed(entry)
        if messages is None:
            alone.append(entry)
        else:
            lists.append(messages)
    kept: list[Messages] = []
    for one in [alone, *lists] if alone else lists:
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
