"""A page of a lesson in words: its heading, its text with quoted code, its hints."""

from __future__ import annotations

from visualizer.app.pages import Leaf
from visualizer.app.view import View
from visualizer.lessons.prose import Paragraph, Span
from visualizer.text import display_safe
from visualizer.tui.draw.segments import Line, Seg, fit, spread, surface, width_of
from visualizer.tui.stepper.code import highlighted
from visualizer.tui.stepper.question import stamped

COLUMNS = 76
"""The widest that a page's text is set: what its author counted on."""
STYLES = {"": "text", "bold": "strong", "code": "code.string", "quote": "code"}


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
