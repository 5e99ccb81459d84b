"""What a recording is, at a glance: its format, first prompt, what it counts, how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from visualizer.app.arriving import BIG
from visualizer.app.recorded import prompt_of
from visualizer.collection.recordings import counts_of
from visualizer.errors import Problem, TranscriptError
from visualizer.files.reading import Reading, open_file
from visualizer.formats import Outside, Unreadable, read_from
from visualizer.formats.blocks import NOT_RECORDED
from visualizer.formats.decoding.decode import comes_in_lines
from visualizer.loading import OWN_HEAD, OWN_MARK, Scenario, load_file
from visualizer.transcript.records import RecordedRun

FIRST = 1_000_000
"""Bytes of a big file that are read: it is not read as a whole only to be listed."""

UNRECORDED = f"({NOT_RECORDED['content'][0]['type']})"


class Glance(NamedTuple):
    """What a recording holds; ``prompt`` and ``end`` are not yet safe for a terminal.

    ``prompt`` is ``""`` where the file has none. ``format`` is ``""`` for a transcript of this
    program, whose title stands for a prompt then.
    ``whole`` is false where only the beginning was read: there is more, and the end is unknown.
    """

    format: str
    prompt: str
    prompts: int
    calls: int
    end: str
    whole: bool = True


def glance(path: Path, size: int, language: str, watch: Callable[[int], None]) -> Glance:
    """Look into a file of ``size`` bytes, not into others that belong to it.

    Of a big file that comes in lines the beginning is read. ``watch`` is told now and then how
    far that is; what it raises ends it. Raises ``TranscriptError`` for another big file, and
    for one that can't be read.
    """
    big = size > BIG
    with open_file(path, path.name) as (file, head):
        own = OWN_MARK in head[:OWN_HEAD]
        if big and (own or not comes_in_lines(head)):
            raise TranscriptError(path.name, [Problem("", "folder.too_big")])
        if not own:
            try:
                return _of(read_from(file, head, None, Reading(FIRST if big else None, watch)))
            except Unreadable as error:
                if big:
                    problem = Problem("", error.key, error.values)
                    raise TranscriptError(path.name, [problem]) from None
    return _own(load_file(path, path.name), language)  # or it says what is wrong with the file


def _own(scenario: Scenario, language: str) -> Glance:
    counts = counts_of(scenario.runs)
    return Glance("", scenario.title(language), 0, counts.calls, counts.end)


def _of(outside: Outside) -> Glance:
    counts = counts_of(outside.runs)
    prompt = prompt_of(_first(outside.runs))
    if prompt == UNRECORDED:
        prompt = ""
    calls, end = counts.calls, counts.end
    return Glance(outside.format, prompt, outside.prompts, calls, end, outside.whole)


def _first(runs: Iterable[RecordedRun]) -> RecordedRun:
    """The first run that is no subagent's, where there is one."""
    return min(runs, key=lambda run: run.parent is not None)
