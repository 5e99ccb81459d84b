"""Which lines of the code are shown: all, or those around the line done and the line to come."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from visualizer.app.listing import helpers, own_parts
from visualizer.app.view import View

FOLDS = 3
"""With fewer lines for a function, its lines are shown without what is left out."""


class Row(NamedTuple):
    """A line of the loop by its number in its file; a fold of ``hidden`` lines otherwise."""

    number: int
    hidden: int = 0


def helper(view: View) -> str:
    """The helper in the loop's file in which the step ran; ``""`` for the loop itself.

    A lesson that points at a line shows the function that the line is in.
    """
    loop = view.run.loop
    if view.lens.line:
        names = (name for name in helpers(view.run) if holds(loop.functions[name], view.lens.line))
        return next(names, "")
    parts = own_parts(loop, view.step) if view.step.phase not in ("start", "end") else ()
    return parts[-1][0] if len(parts) > 1 and parts[-1][0] != loop.function else ""


def holds(lines: tuple[int, int], number: int) -> bool:
    """Whether a line is one of those from the first to the last."""
    return lines[0] <= number <= lines[1]


def rows(view: View, height: int) -> list[Row]:
    """The lines that fit: all, or those around the line done and the line to come.

    Of a loop that has gone into a helper, the line that called it stands above the helper.
    """
    loop = view.run.loop
    own = loop.functions[loop.function]
    inside = helper(view)
    if not inside:
        return _rows(view, own, height)
    part = loop.functions[inside]
    below = min(part[1] - part[0] + 1, max(height - 1, 1))
    calling = {line for name, line in own_parts(loop, view.step) if name == loop.function}
    above = _rows(view, own, height - below, calling) if height > below else []
    return [*above, *_rows(view, part, below)]


def _rows(
    view: View, lines: tuple[int, int], height: int, calling: Collection[int] = ()
) -> list[Row]:
    """The lines of one function that fit into ``height``."""
    first, last = lines
    count = last - first + 1
    if count <= height:
        return [Row(number) for number in range(first, last + 1)]
    if count == height + 1 and not calling:
        return [Row(number) for number in range(first + 1, last + 1)]
    pointed = view.lens.line if holds(lines, view.lens.line) else 0
    done, coming = (number if holds(lines, number) else 0 for number in marks(view))
    centre = pointed or min(calling, default=0) or done or coming or first
    if calling and height < FOLDS:
        return [Row(centre)]
    chosen = set(calling) | {number for number in (pointed, done, coming) if number}
    if pointed and len(_folded(chosen, first, last)) > height:
        chosen = {pointed}
    options = chosen | {line for line, _ in view.lens.choices}
    if len(_folded(options, first, last)) <= height:
        chosen = options
    for distance in range(count):
        for number in (centre + distance, centre - distance):
            more = chosen | {number}
            if first <= number <= last and len(_folded(more, first, last)) <= height:
                chosen = more
    return _folded(chosen, first, last)[:height]


def marks(view: View, outermost: bool = False) -> tuple[int, int]:
    """The line done and the line to come; 0 where there is none.

    Where the next step runs in a helper that is not shown, the line to come is the one that
    calls it; with ``outermost`` lines of helpers are always those of the loop itself.
    """
    loop, step, following = view.run.loop, view.step, view.following
    inside = "" if outermost else helper(view)
    done = step.last_line if step.phase != "start" else 0
    if outermost and done and not holds(loop.functions[loop.function], done):
        done = own_parts(loop, step)[0][1]
    if following is None:
        return done, 0
    parts = own_parts(loop, following) or ((loop.function, following.line),)
    coming = parts[-1] if parts[-1][0] == inside else parts[0]
    return done, coming[1]


def _folded(chosen: set[int], first: int, last: int) -> list[Row]:
    found: list[Row] = []
    expected = first
    for number in [*sorted(chosen), last + 1]:
        hidden = number - expected
        if hidden and not (expected == first and hidden == 1):
            found.append(Row(0, hidden))
        if number <= last:
            found.append(Row(number))
        expected = number + 1
    return found
