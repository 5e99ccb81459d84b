"""An agenda: the places that an instructor means to show, in order.

A text file with one place a line, ``LOCATOR | title``. Empty lines and lines that begin
with ``#`` don't count; without a title the locator stands for it. A loop is named: a file of
places never leads to code, so a loop of one's own is given on the command line.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from visualizer.errors import LessonError, LoopError, Problem, TranscriptError
from visualizer.files.reading import read_file
from visualizer.files.resources import find_transcript
from visualizer.locator import Locator
from visualizer.text import display_safe, lines_of


class Entry(NamedTuple):
    """One place of an agenda; the title is safe for a terminal."""

    locator: Locator
    title: str


def read_agenda(path: str | Path) -> tuple[Entry, ...]:
    """The agenda in a file. Raises ``LessonError`` with every problem.

    Scenarios must exist; a place is looked for when the entry is opened.
    """
    source = str(path)
    try:
        data = read_file(Path(path), source)
    except TranscriptError as error:
        raise LessonError([(error.source, problem) for problem in error.problems]) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise LessonError([(source, Problem("", "problem.not_utf8", {"line": line}))]) from None
    return parse_agenda(text, source)


def parse_agenda(text: str, source: str) -> tuple[Entry, ...]:
    """The agenda in a text; ``source`` is what errors call it. Raises ``LessonError``."""
    entries: list[Entry] = []
    problems: list[tuple[str, Problem]] = []
    for number, line in enumerate(lines_of(text), start=1):
        place, _, title = (part.strip() for part in line.partition("|"))
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            entry = Entry(Locator.written(place), display_safe(title or place))
        except LoopError as error:
            problems.append((source, Problem(str(number), error.key, error.values)))
            continue
        name = entry.locator.name
        if find_transcript(name) is None and not os.path.exists(name):  # noqa: PTH110 - never raises
            problem = Problem(str(number), "problem.no_scenario", {"name": name})
            problems.append((source, problem))
        entries.append(entry)
    if not entries and not problems:
        problems.append((source, Problem("", "lesson.problem.empty_agenda")))
    if problems:
        raise LessonError(problems)
    return tuple(entries)
