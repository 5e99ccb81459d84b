"""The home screen: where to begin, the lessons as a course, the scenarios by what they show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from visualizer.app.course import Course
from visualizer.app.shelf import Item, Shelf
from visualizer.errors import VisualizerError
from visualizer.i18n import Texts
from visualizer.text import display_safe, wrap
from visualizer.tui.draw.footer import prompt_line
from visualizer.tui.draw.segments import Line, Painted, Seg, block, fit, spread, surface
from visualizer.tui.home.course import begin_line, course_heading, lesson_lines

if TYPE_CHECKING:
    from visualizer.app.prompt import Prompt
    from visualizer.loading import Scenario

Drawn = Callable[[int], list[Line]]
ROOMY = 20
"""The height from which the first lines may be two, with air below them."""


@dataclass(frozen=True, slots=True)
class Home:
    """What the home screen shows: the entries that are left of all, and the chosen one.

    ``course`` is None in class, where nothing of what a reader has done is shown.
    """

    shelf: Shelf
    course: Course | None
    items: Sequence[Item]
    at: int
    prompt: Prompt | None = None


def library(home: Home, texts: Texts, foot: Sequence[Line], width: int, height: int) -> Painted:
    """The entries around the chosen one; lessons and groups under their headings."""
    items = home.items
    count = texts("screen.library.count", at=home.at + 1 if items else 0, n=len(items))
    head = spread([Seg(" " + texts("screen.title"), "strong")], [Seg(f"{count} ", "dim")], width)
    begin = [] if home.prompt else begin_line(home.shelf, home.course, texts, width)
    roomy = height >= ROOMY
    top = [surface(head, "bar"), *(begin if roomy else begin[:1])]
    room = max(1, height - len(top) - len(foot))
    lines = _window(len(items), home.at, room, lambda number: _item(home, number, texts, width))
    if not items:
        said = "screen.picker.nothing" if home.prompt else "screen.library.nothing"
        lines = [fit([], width), (Seg("   "), Seg(texts(said), "bad"))]
    shown = [*top, *block(lines, width, room), *foot]
    cursor = None
    if home.prompt is not None:
        shown[-1], column = prompt_line(home.prompt, texts, width)
        cursor = (column, height - 1)
    return Painted(tuple(shown[:height]), (), cursor)


def _window(count: int, at: int, room: int, drawn: Drawn) -> list[Line]:
    """The lines of the entries around one, as many as there is room for, that one whole."""
    if not count:
        return []
    drawn = cache(drawn)
    lines = drawn(at)
    if len(lines) > room:
        return lines[-room:]  # its headings give way
    first = last = at
    while True:
        above = drawn(first - 1) if first > 0 else []
        below = drawn(last + 1) if last < count - 1 else []
        if above and len(lines) + len(above) <= room:
            lines, first = [*above, *lines], first - 1
        elif below and len(lines) + len(below) <= room:
            lines, last = [*lines, *below], last + 1
        else:
            return [*lines, *below][:room] if first == 0 else [*above, *lines][-room:]


def _item(home: Home, number: int, texts: Texts, width: int) -> list[Line]:
    """One entry, after the heading that it is the first one under."""
    item, chosen = home.items[number], number == home.at
    before = home.items[number - 1] if number else None
    if item.kind == "lesson":
        at = home.shelf.lessons.index(item.name)
        lines = lesson_lines(home.shelf, home.course, at, chosen, texts, width)
    else:
        lines = _scenario(home.shelf.entry(item.name), item.name, chosen, texts, width)
    lines = [tuple(seg._replace(click=f"choose:{number}") for seg in one) for one in lines]
    if chosen:
        lines = [surface(one, "chosen") for one in lines]
    return [*_headings(home, item, before, texts, width), *lines]


def _headings(home: Home, item: Item, before: Item | None, texts: Texts, width: int) -> list[Line]:
    """What stands above an entry that begins the course, the scenarios, or a group."""
    lines: list[Line] = []
    if item.kind == "lesson":
        if before is None:
            lines += [fit([], width), course_heading(home.shelf, home.course, texts, width)]
        return lines
    if before is None or before.kind == "lesson":
        lines += [fit([], width), fit([Seg(f" {texts('course.scenarios')}", "title")], width)]
    if item.group is not None and (before is None or before.group != item.group):
        heading = item.group.heading(texts)
        lines += [fit([], width)] if before is not None and before.kind == "scenario" else []
        lines += [fit([Seg(f"   {heading}", "label")], width)]
    return lines


def _scenario(
    found: Scenario | VisualizerError, name: str, chosen: bool, texts: Texts, width: int
) -> list[Line]:
    mark = Seg(" > " if chosen else "   ", "done")
    if isinstance(found, VisualizerError):
        head = fit([mark, Seg("  "), Seg(display_safe(name), "strong")], width)
        return [head, *_text(found.text(texts), width, "bad")]
    title = display_safe(found.title(texts.language))
    source = found.provenance()
    right = texts(f"screen.provenance.{source.kind}") if source else ""
    left = [mark, Seg("  "), Seg(title, "strong"), Seg(f"   {display_safe(name)}", "dim")]
    lines = [spread(left, [Seg(f" {right} ", "note")], width)]
    if chosen:
        lines += _text(display_safe(found.summary(texts.language)), width)
    return lines


def _text(text: str, width: int, role: str = "text") -> list[Line]:
    parts = wrap(text, width - 9, 2)
    return [fit([Seg(" " * 7), Seg(part, role)], width) for part in parts]
