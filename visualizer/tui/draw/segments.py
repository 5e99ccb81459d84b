"""Lines of a screen: texts with a role, and what a click on them does.

A role names what a text *is* (``phase``, ``new``, ``gutter``); a theme says how that looks.
``role@surface`` is a role on another background, such as ``code@mark``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from visualizer.text import cells, clip


class Seg(NamedTuple):
    """A piece of a line. ``click`` is an action with an argument, as in ``go:12``."""

    text: str
    role: str = "text"
    click: str = ""


Line = tuple[Seg, ...]


class Area(NamedTuple):
    """Where a pane is drawn, so that the mouse wheel knows what it scrolls."""

    name: str
    x: int
    y: int
    width: int
    height: int

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell is inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Painted(NamedTuple):
    """A whole screen: exactly ``height`` lines of exactly ``width`` cells."""

    lines: tuple[Line, ...]
    areas: tuple[Area, ...] = ()
    cursor: tuple[int, int] | None = None


def line(*parts: Seg | str) -> Line:
    """A line of segments; plain strings get the role ``text``."""
    return tuple(Seg(part) if isinstance(part, str) else part for part in parts)


def width_of(segments: Iterable[Seg]) -> int:
    """The cells that segments take."""
    return sum(cells(segment.text) for segment in segments)


def fit(segments: Sequence[Seg], width: int, role: str = "text") -> Line:
    """A line of exactly ``width`` cells: cut with an ellipsis, or filled with ``role``."""
    kept: list[Seg] = []
    left = max(width, 0)
    for segment in segments:
        size = cells(segment.text)
        if size > left:
            cut = clip(segment.text, left)
            kept.append(segment._replace(text=cut))
            left -= cells(cut)
            break
        kept.append(segment)
        left -= size
    if left > 0:
        kept.append(Seg(" " * left, role))
    return tuple(kept)


def spread(left: Sequence[Seg], right: Sequence[Seg], width: int, role: str = "text") -> Line:
    """A line with ``right`` at its right edge; ``left`` gives way where both don't fit."""
    room = width - width_of(right)
    if room <= 0:
        return fit(right, width, role)
    return fit((*fit(left, room, role), *right), width, role)


def surface(segments: Sequence[Seg], name: str) -> Line:
    """The same segments on another background."""
    return tuple(
        segment._replace(role=f"{segment.role.partition('@')[0]}@{name}") for segment in segments
    )


def blank(width: int, role: str = "text") -> Line:
    """An empty line."""
    return (Seg(" " * width, role),)


def block(lines: Sequence[Line], width: int, height: int) -> list[Line]:
    """Exactly ``height`` lines of exactly ``width`` cells."""
    fitted = [fit(item, width) for item in lines[:height]]
    fitted += [blank(width)] * (height - len(fitted))
    return fitted


def beside(*columns: Sequence[Line]) -> list[Line]:
    """Blocks of the same height next to each other."""
    return [tuple(seg for part in row for seg in part) for row in zip(*columns, strict=True)]


def plain(item: Sequence[Seg]) -> str:
    """The text of a line."""
    return "".join(segment.text for segment in item)
