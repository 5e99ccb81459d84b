"""The code of two loops with its difference marked: side by side, or as one listing.

``-`` stands before a line that only the left loop has, ``+`` before one that only the right
loop has; a changed line is both. ``>`` and ``>>`` are the line done and the line to come.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from visualizer.app.beside import CompareView
from visualizer.app.view import View
from visualizer.comparison.code import CodeLine
from visualizer.text import cells, display_safe
from visualizer.tui.draw.point import POINTED
from visualizer.tui.draw.segments import Line, Seg, beside, block, fit, surface
from visualizer.tui.stepper.code import highlighted
from visualizer.tui.stepper.fold import marks

GUTTER = 6
"""The cells left of the code on one side: the sign and the mark."""
FOLDS = 6
"""With fewer lines, what is left out is not said."""
_MARKS = (("", "text"), (">", "done"), (">>", "next"))


class Row(NamedTuple):
    """A line of the listing, or a fold of ``hidden`` lines."""

    code: CodeLine | None
    hidden: int = 0


def fits_beside(view: CompareView, width: int) -> bool:
    """Whether both loops' code fits next to each other at a width."""
    return _longest(view, dedented=True) <= (width - 1) // 2 - GUTTER


def length(view: CompareView, width: int) -> int:
    """How many lines all of the code takes at a width."""
    code = view.beside.comparison.code
    if fits_beside(view, width):
        return len(code)
    return len(code) + sum(line.change == "changed" for line in code)


def split(view: CompareView, left: int, right: int, height: int) -> list[Line]:
    """The two loops next to each other; lines that correspond stand on one line."""
    dedented = _longest(view, dedented=False) > left - GUTTER
    columns: list[list[Line]] = [[], []]
    for row in rows(view, view.beside.comparison.code, height):
        for side, size in enumerate((left, right)):
            columns[side].append(_half(view, row, side, size, dedented))
    bar = [(Seg(view.glyphs.down, "rule"),)] * height
    return beside(block(columns[0], left, height), bar, block(columns[1], right, height))


def merged(view: CompareView, width: int, height: int) -> list[Line]:
    """Both loops as one listing: first the marks of the left run, then those of the right."""
    listing: list[CodeLine] = []
    for line in view.beside.comparison.code:
        if line.change == "changed":
            listing.append(line._replace(change="removed", right=None, right_text=""))
            listing.append(line._replace(change="added", left=None, left_text=""))
        else:
            listing.append(line)
    return block([_whole(view, row, width) for row in rows(view, listing, height)], width, height)


def rows(view: CompareView, listing: Sequence[CodeLine], height: int) -> list[Row]:
    """The lines that fit: all, or those at the marks, those that differ, those around them."""
    if len(listing) <= height:
        return [Row(line) for line in listing]
    here = [at for at, line in enumerate(listing) if any(_marks(view, line))]
    here = [at for at, line in enumerate(listing) if _is_pointed(view, line)] + here
    centre = here[0] if here else 0
    near = sorted(range(len(listing)), key=lambda at: abs(at - centre))
    differing = [at for at in near if listing[at].change != "equal"]
    first = list(dict.fromkeys((*here, *differing, *near)))
    if height < FOLDS:
        return [Row(listing[at]) for at in sorted(first[:height])]
    chosen: set[int] = set()
    for at in first:
        if len(_folded(listing, chosen | {at})) <= height:
            chosen.add(at)
    return _folded(listing, chosen)


def _folded(listing: Sequence[CodeLine], chosen: set[int]) -> list[Row]:
    found: list[Row] = []
    expected = 0
    for at in [*sorted(chosen), len(listing)]:
        hidden = at - expected
        if hidden and not (expected == 0 and hidden == 1):  # the first line may go unsaid
            found.append(Row(None, hidden))
        if at < len(listing):
            found.append(Row(listing[at]))
        expected = at + 1
    return found


def _half(view: CompareView, row: Row, side: int, width: int, dedented: bool) -> Line:
    """One side of a line. What only the other side has is a gap here."""
    if row.code is None:
        return _fold(view, row.hidden, GUTTER, width)
    number = (row.code.left, row.code.right)[side]
    if number is None:
        return fit([], width)
    differs = row.code.change != "equal"
    sign = (Seg("-", "never") if side == 0 else Seg("+", "new")) if differs else Seg(" ")
    mark = _mark(view.sides[side], number)
    name, role = _MARKS[mark]
    item = fit(
        [
            Seg(POINTED, "point") if side == 0 and _is_pointed(view, row.code) else Seg(" "),
            sign,
            Seg(f" {name:<3}", role),
            *highlighted(_texts(row.code, dedented)[side]),
        ],
        width,
    )
    return surface(item, "mark") if mark == 1 else item


def _whole(view: CompareView, row: Row, width: int) -> Line:
    """A line of the one listing, with the marks of both runs."""
    if row.code is None:
        return _fold(view, row.hidden, GUTTER + 4, width)
    left, right = _marks(view, row.code)
    sign = {"removed": Seg("-", "never"), "added": Seg("+", "new")}.get(row.code.change, Seg(" "))
    both = _texts(row.code)
    item = fit(
        [
            Seg(POINTED, "point") if _is_pointed(view, row.code) else Seg(" "),
            Seg(f"{_MARKS[left][0]:<3}", _MARKS[left][1]),
            Seg(f"{_MARKS[right][0]:<3}", _MARKS[right][1]),
            sign,
            Seg("  "),
            *highlighted(both[0] or both[1]),
        ],
        width,
    )
    return surface(item, "mark") if 1 in (left, right) else item


def _is_pointed(view: CompareView, line: CodeLine) -> bool:
    """Whether a lesson points at a line."""
    return line.left is not None and line.left == view.line


def _fold(view: CompareView, hidden: int, indent: int, width: int) -> Line:
    text = view.texts.count("screen.code.folded", hidden)
    return fit([Seg(" " * indent), Seg(f"... {text}", "dim", "panes")], width)


def _marks(view: CompareView, line: CodeLine) -> tuple[int, int]:
    """For both runs: 1 where this is the line done, 2 the line to come, else 0."""
    left, right = view.sides
    return _mark(left, line.left), _mark(right, line.right)


def _mark(view: View, number: int | None) -> int:
    done, coming = marks(view, outermost=True)
    return 0 if number is None else 2 if number == coming else 1 if number == done else 0


def _longest(view: CompareView, dedented: bool) -> int:
    code = view.beside.comparison.code
    return max((cells(text) for line in code for text in _texts(line, dedented)), default=0)


def _texts(line: CodeLine, dedented: bool = False) -> tuple[str, str]:
    """The text of both sides, safe; ``dedented`` without the indent of a function's body."""
    cut = "    " if dedented else ""
    left, right = (
        display_safe(text.removeprefix(cut)) for text in (line.left_text, line.right_text)
    )
    return left, right
