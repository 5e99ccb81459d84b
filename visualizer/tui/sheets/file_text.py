"""What a recording's file holds: what is wrong in it, what else there is, and how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from visualizer.collection.recordings import counts_of, tokens_text
from visualizer.describe.phrases import safe
from visualizer.errors import Problem
from visualizer.i18n import Texts
from visualizer.text import cells, display_safe, wrap
from visualizer.tui.draw.segments import Line, Seg, fit

if TYPE_CHECKING:
    from visualizer.loading import Scenario

VALUE = 200
FAULT = " ! "
NOTE = " - "
"""Stand before what is wrong, and before what is there rightly."""


def file_lines(scenario: Scenario, texts: Texts, width: int) -> Sequence[Line]:
    """The faults first, then the notes, then what was read; safe for a terminal."""
    lines: list[Line] = []
    if scenario.outside is not None:
        findings = scenario.outside.findings
        faults = list(findings.faults())
        notes = [one for one in findings.problems() if one not in faults]
        lines += _found(faults, "faults", FAULT, "bad", texts, width)
        lines += _found(notes, "notes", NOTE, "note", texts, width)
    else:
        lines += _told(Seg("   "), texts("screen.file.own"), "text", width)
        lines.append(fit([], width))
    lines.append((Seg(" "), Seg(texts("screen.file.holds"), "title")))
    rows = list(_rows(scenario, texts))
    column = max(cells(label) for label, _ in rows) + 2
    for label, value in rows:
        head = Seg("   " + label + " " * (column - cells(label)), "label")
        lines += _told(head, value, "text", width)
    return lines


def _found(
    problems: list[Problem], kind: str, mark: str, role: str, texts: Texts, width: int
) -> list[Line]:
    """A heading with how many there are, and a line for each."""
    if problems:
        head = texts.count(f"screen.file.{kind}", len(problems))
    else:
        head = texts(f"screen.file.no_{kind}")
    lines: list[Line] = [(Seg(" "), Seg(head, "title"))]
    for one in problems:
        lines += _told(Seg(mark, role), one.text(texts), role if mark == FAULT else "text", width)
    return [*lines, fit([], width)]


def _told(head: Seg, text: str, role: str, width: int) -> Iterator[Line]:
    indent = cells(head.text)
    for number, part in enumerate(wrap(text, max(width - indent - 1, 20))):
        yield (head if number == 0 else Seg(" " * indent), Seg(part, role))


def _rows(scenario: Scenario, texts: Texts) -> Iterator[tuple[str, str]]:
    """What was read, as pairs of a name and a value."""
    outside, counts = scenario.outside, counts_of(scenario.runs)
    if scenario.path is not None:
        yield texts("screen.file.path"), display_safe(str(scenario.path))
    yield texts("screen.file.format"), outside.format if outside else texts("screen.file.ours")
    if outside is not None:
        part = "" if outside.whole else f" {texts('screen.file.part')}"
        yield texts("screen.file.prompts"), f"{outside.prompts:,}{part}"
    inner = sum(run.parent is not None for run in scenario.runs)
    more = f" {texts('screen.file.of_subagents', n=f'{inner:,}')}" if inner else ""
    yield texts("screen.file.runs"), f"{len(scenario.runs):,}{more}"
    yield texts("screen.file.calls"), f"{counts.calls:,}"
    yield texts("screen.file.tool_calls"), f"{counts.tool_calls:,}"
    yield texts("screen.file.rounds"), f"{counts.rounds:,}"
    yield texts("screen.file.tokens"), tokens_text(counts, texts, ",")
    if outside is not None and (lost := outside.not_kept):
        yield texts("screen.file.not_kept"), ", ".join(lost)
    yield texts("screen.file.ended"), safe(counts.end, VALUE)
