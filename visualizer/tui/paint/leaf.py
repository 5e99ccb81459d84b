"""A page of a lesson in words: its heading, its text with quoted code, its hints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from visualizer.lessons.model import View as PageView
from visualizer.lessons.prose import Paragraph, Quote, Span
from visualizer.text import display_safe
from visualizer.tui.beside import CompareView
from visualizer.tui.caps import CapView
from visualizer.tui.paint.code import highlighted
from visualizer.tui.paint.question import stamped
from visualizer.tui.paint.segments import Line, Seg, fit, spread, surface, width_of
from visualizer.tui.paint.task import TaskView
from visualizer.tui.view import View

COLUMNS = 76
"""The widest that a page's text is set: what its author counted on."""
STYLES = {"": "text", "bold": "strong", "code": "code.string", "quote": "code"}


@dataclass(frozen=True, slots=True)
class Leaf:
    """What a page says in one language, with its quotations looked up.

    ``where`` is the lesson and the page's number; ``welcome`` the one line that a newcomer
    needs; ``look`` what is shown where the messages are otherwise. ``both`` are this run and
    another one, ``caps`` and ``task`` stand in the place of the run.
    """

    where: str
    title: str
    blocks: tuple[Paragraph | Quote, ...]
    quoted: Mapping[Quote, tuple[str, ...]] = field(default_factory=dict)
    hints: tuple[Paragraph, ...] = ()
    welcome: str = ""
    number: str = ""
    look: PageView | None = None
    both: CompareView | None = None
    caps: CapView | None = None
    task: TaskView | None = None


def top(leaf: Leaf, width: int) -> Line:
    """The bar: where this is, what it is about, which question it asks."""
    left = [Seg(f" {leaf.where}  ", "dim"), Seg(leaf.title, "strong")]
    right = [Seg(f" {leaf.number} ", "dim")] if leaf.number else []
    if width_of((*left, *right)) > width:
        right = []
    return surface(spread(left, right, width), "bar")


def body(leaf: Leaf, width: int) -> list[Line]:
    """The text: paragraphs, and quoted lines of code set apart."""
    lines: list[Line] = []
    for block in leaf.blocks:
        if isinstance(block, Paragraph):
            lines += _paragraph(block, width)
        else:
            for text in leaf.quoted.get(block, ()):
                lines.append(fit([Seg("     "), *highlighted(display_safe(text))], width))
    return lines


def hints(view: View, leaf: Leaf, width: int) -> list[Line]:
    """The hints asked for so far, the last one only."""
    if not leaf.hints:
        return []
    stamp = view.texts("screen.lesson.hint")
    return stamped(stamp, "won", leaf.hints[-1].plain, width, ink="note")


def welcome(leaf: Leaf, width: int) -> list[Line]:
    """What to press, for someone who sees the first page for the first time."""
    if not leaf.welcome:
        return []
    return [fit([], width), fit([Seg("  "), Seg(f" {leaf.welcome} ", "phase")], width)]


def _paragraph(block: Paragraph, width: int) -> list[Line]:
    return [
        fit([Seg("  "), *map(_seg, line)], width) for line in block.lines(min(COLUMNS, width - 3))
    ]


def _seg(span: Span) -> Seg:
    return Seg(span.text, STYLES[span.style])
