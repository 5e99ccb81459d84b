"""Lines that somebody kept inside others: with a time, a direction, a number, under any key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_DEEPEST = 2
"""How many objects a line may be wrapped in."""


def unwrapped(line: dict[str, Any], is_line: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The line inside another one that is none itself; the same where there is none inside."""
    if is_line(line):
        return line
    level = [line]
    for _ in range(_DEEPEST):
        level = [value for one in level for value in one.values() if isinstance(value, dict)]
        for one in level:
            if is_line(one):
                return one
    return line
