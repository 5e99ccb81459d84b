"""The library: lessons with progress, then scenarios with where they come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from visualizer.errors import VisualizerError
from visualizer.i18n import Texts
from visualizer.text import display_safe, wrap
from visualizer.tui.paint.segments import Line, Painted, Seg, block, fit, spread, surface
from visualizer.tui.shelf import Item, Shelf, told

if TYPE_CHECKING:
    from visualizer.lessons.model import Lesson
    from visualizer.loading import Scenario
    from visualizer.progress import Progress

Drawn = Callable[[int], list[Line]]


def library(
    shelf: Shelf,
    progress: Progress,
    at: int,
    texts: Texts,
    foot: Sequence[Line],
    width: int,
    height: int,
) -> Painted:
    """The entries around the chosen one; each kind under its heading."""
    items = shelf.items
    count = texts("screen.library.count", at=at + 1 if items else 0, n=len(items))
    head = spread([Seg(" " + texts("screen.title"), "strong")], [Seg(f"{count} ", "dim")], width)
    intro: list[Line] = [
        fit([Seg(" "), Seg(part)], width) for part in wrap(texts("screen.library.intro"), width - 2)
    ]
    top = [surface(head, "bar"), *(intro if height >= 20 else []), fit([], width)]
    room = max(1, height - len(top) - len(foot))

    def drawn(number: int) -> list[Line]:
        return _item(shelf, progress, items[number], number, number == at, texts, width)

    lines = _window(len(items), at, room, drawn)
    if not items:
        lines = [(Seg(" "), Seg(texts("screen.library.nothing"), "bad"))]
    shown = [*top, *block(lines, width, room), *foot]
    return Painted(tuple(shown[:height]))


def _window(count: int, at: int, room: int, drawn: Drawn) -> list[Line]:
    """The lines of the entries around one, as many as there is room for, that one whole."""
    if not count:
        return []
    lines = drawn(at)
    first = last = at
    while True:
        above = drawn(first - 1) if first > 0 else []
        below = drawn(last + 1) if last < count - 1 else []
        if above and len(lines) + len(above) <= room:
            lines, first = [*above, *lines], first - 1
        elif below and len(lines) + len(below) <= room:
            lines, last = [*lines, *below], last + 1
        else:
            cut = below[:-1] if len(lines) + len(below) - 1 <= room else below[:1]
            return [*lines, *cut][:room]


def _item(
    shelf: Shelf,
    progress: Progress,
    item: Item,
    number: int,
    chosen: bool,
    texts: Texts,
    width: int,
) -> list[Line]:
    """One entry, after the heading of its kind where it is the first."""
    if item.kind == "lesson":
        lines = _lesson(shelf.lesson(item.name), item.name, number, progress, chosen, texts, width)
        first = number == 0
    else:
        lines = _scenario(shelf.entry(item.name), item.name, chosen, texts, width)
        first = number == len(shelf.lessons)
    lines = [tuple(seg._replace(click=f"choose:{number}") for seg in one) for one in lines]
    if chosen:
        lines = [surface(one, "chosen") for one in lines]
    heading = [fit([Seg(" "), Seg(texts(f"screen.library.{item.kind}s"), "title")], width)]
    return [*(heading if first else []), *lines, fit([], width)]


def _lesson(
    found: Lesson | VisualizerError,
    name: str,
    number: int,
    progress: Progress,
    chosen: bool,
    texts: Texts,
    width: int,
) -> list[Line]:
    mark = Seg(" > " if chosen else "   ", "done")
    if isinstance(found, VisualizerError):
        return _damaged(mark, name, found, texts, width)
    done = told(found, progress)
    right = texts(
        "screen.library.progress",
        seen=done.seen,
        pages=done.pages,
        right=done.right,
        questions=done.questions,
    )
    title = display_safe(found.title.in_language(texts.language))
    goal = display_safe(found.goal.in_language(texts.language))
    left = [mark, Seg(f"{number + 1}  ", "dim"), Seg(title, "strong")]
    return [spread(left, [Seg(f"{right} ", "note")], width), *_text(goal, 6, width)]


def _scenario(
    found: Scenario | VisualizerError, name: str, chosen: bool, texts: Texts, width: int
) -> list[Line]:
    mark = Seg(" > " if chosen else "   ", "done")
    if isinstance(found, VisualizerError):
        return _damaged(mark, name, found, texts, width)
    title = display_safe(found.title(texts.language))
    source = found.provenance()
    right = texts(f"screen.provenance.{source.kind}") if source else ""
    left = [mark, Seg(title, "strong"), Seg(f"   {display_safe(name)}", "dim")]
    summary = display_safe(found.summary(texts.language))
    return [spread(left, [Seg(f"{right} ", "note")], width), *_text(summary, 3, width)]


def _damaged(mark: Seg, name: str, error: VisualizerError, texts: Texts, width: int) -> list[Line]:
    head = fit([mark, Seg(display_safe(name), "strong")], width)
    return [head, *_text(error.text(texts), 3, width, "bad")]


def _text(text: str, indent: int, width: int, role: str = "text") -> list[Line]:
    parts = wrap(text, width - indent - 2, 2)
    return [fit([Seg(" " * indent), Seg(part, role)], width) for part in parts]
