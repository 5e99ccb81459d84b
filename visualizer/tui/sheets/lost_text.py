"""What a host took out of the messages: the middle of a long result, or a whole history."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.describe.host import lost
from visualizer.i18n import Texts
from visualizer.run.timeline import Cut, Run, Step
from visualizer.text import display_safe, wrap
from visualizer.tui.draw.segments import Line, Seg, fit
from visualizer.tui.sheets.request_text import message_lines

GONE = "x "
"""Stands at the left edge of what is no longer there."""


def cut_lines(about: Cut, texts: Texts, width: int) -> list[Line]:
    """A result as it was, what the host left out marked."""
    text = about.before.result_text
    end = about.kept // 2
    head, tail = about.kept - end, len(text) - end
    lines = _told(text[:head], "text", "  ", width)
    lines.append(_between(texts.count("screen.lost.cut", tail - head), width))
    lines += _told(text[head:tail], "dim", GONE, width)
    lines.append(_between(texts("screen.lost.kept"), width))
    return [*lines, *_told(text[tail:], "text", "  ", width)]


def replaced_lines(run: Run, step: Step, texts: Texts, width: int) -> list[Line]:
    """The messages that a summary took the place of, and those that are there now."""
    gone = lost(run, step)
    before = run.step(step.index - 1)
    lines: list[Line] = []
    for position in gone:
        message = run.message(before.index, position)
        lines += [_marked(line, width) for line in message_lines(run, message, texts, width - 2)]
    lines.append(_between(texts("screen.lost.now"), width))
    for position in range(gone.start, step.messages):
        lines += message_lines(run, run.message(step.index, position), texts, width)
    return lines


def _told(text: str, role: str, edge: str, width: int) -> list[Line]:
    parts = wrap(display_safe(text, newlines=True), max(width - 4, 10))
    return [fit([Seg(f" {edge}", "never"), Seg(part, role)], width) for part in parts]


def _marked(line: Sequence[Seg], width: int) -> Line:
    return fit([Seg(GONE, "never"), *(seg._replace(role="dim") for seg in line)], width)


def _between(text: str, width: int) -> Line:
    return fit([Seg(f" -- {text} ", "read")], width)
