"""A page's text as lines to draw: paragraphs broken, quotations filled in."""

from __future__ import annotations

from visualizer.lessons.facts import Stage, quoted_lines
from visualizer.lessons.prose import Line, PageText, Paragraph, Span
from visualizer.run.timeline import Run
from visualizer.text import clip, display_safe

COLUMNS = 76
LINES = 5


def page_lines(
    text: PageText, width: int = COLUMNS, run: Run | None = None, stage: Stage | None = None
) -> list[Line]:
    """The blocks of a page as lines of at most ``width`` cells.

    Quoted lines have the style ``quote`` and are taken from ``run`` where its loop is quoted.
    Pass a ``stage`` that lives on where quotations of other loops should not run them again.
    """
    stage = stage or Stage()
    found: list[Line] = []
    for block in text.blocks:
        if isinstance(block, Paragraph):
            found += block.lines(width)
        else:
            quoted = quoted_lines(block, run, stage)
            found += [(Span(clip(display_safe(line), width), "quote"),) for line in quoted]
    return found
