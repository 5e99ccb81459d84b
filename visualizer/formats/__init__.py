"""Readers of recordings that other programs made.

A format is a module that holds a ``FORMAT``, in the folder of its vendor, and a line in
``MODULES``. It recognises its files by what they hold, and says what it found as events to
``telling.stretches``, which cuts them into runs. ``Outside`` is what comes of it. ``decoding``
makes objects of bytes before that.
"""

from __future__ import annotations

from collections import deque
from functools import cache
from importlib import import_module
from io import BytesIO
from os.path import realpath
from pathlib import Path
from typing import BinaryIO

from visualizer.errors import TranscriptError
from visualizer.files.reading import ALL, HEAD, Reading, open_file
from visualizer.formats.decoding.decode import (
    Decoded,
    comes_in_lines,
    decode,
    longer_sample,
    sample,
)
from visualizer.formats.decoding.mixed import own_lines
from visualizer.formats.outside import Findings, Format, Outside, Sample, Unreadable, is_beside
from visualizer.gc_pause import no_collection

__all__ = [
    "Outside",
    "Unreadable",
    "comes_in_lines",
    "detect",
    "format_names",
    "format_of",
    "read",
    "read_from",
]

MODULES = (
    "claude.messages_api",
    "claude.session",
    "claude.stream_json",
    "codex.exec_events",
    "codex.rollout",
    "frameworks.atif",
    "frameworks.inspect_ai",
    "frameworks.langchain",
    "frameworks.mini_swe_agent",
    "frameworks.pydantic_ai",
    "frameworks.swe_agent",
    "frameworks.vercel_ai",
    "gemini.calls",
    "gemini.cli_session",
    "gemini.cli_stream",
    "gemini.qwen_code",
    "openai.chat",
    "openai.responses",
)
"""Where the formats are, imported when the first recording is looked at."""
MOST_BESIDE = 1_000
"""Most files that are read with the one that they belong to."""


@cache
def formats() -> tuple[Format, ...]:
    """All formats, in the order in which they are asked."""
    found: list[Format] = [import_module(f"{__name__}.{name}").FORMAT for name in MODULES]
    return tuple(sorted(found, key=lambda one: (one.order, one.name)))


def format_names() -> list[str]:
    """The names of all formats."""
    return [one.name for one in formats()]


def detect(data: bytes) -> str | None:
    """The name of the format that the bytes of a file are in; None for none of them.

    Raises ``Unreadable`` for a cassette in YAML that can't be looked into.
    """
    return format_of(BytesIO(data), data[:HEAD])


def format_of(file: BinaryIO, head: bytes) -> str | None:
    """The same for an open file at its start that begins with ``head``."""
    seen = sample(file, head)
    if seen is None:
        return None
    if (name := _claimed(seen)) is not None:
        return name
    longer = longer_sample(file, head, seen)
    return None if longer is None else _claimed(longer)


def _claimed(seen: Sample) -> str | None:
    return next((one.name for one in formats() if one.claims(seen)), None)


def read(source: bytes | str | Path, path: Path | None = None) -> Outside:
    """The runs in an outside recording: a file, or the bytes of one (of the file ``path``).

    Raises ``Unreadable`` where it is none, ``TranscriptError`` where a file can't be read.
    """
    if isinstance(source, bytes):
        return read_from(BytesIO(source), source[:HEAD], path)
    path = Path(source)
    with open_file(path, str(source)) as (file, head):
        return read_from(file, head, path)


def read_from(
    file: BinaryIO,
    head: bytes,
    path: Path | None = None,
    reading: Reading = ALL,
    name: str | None = None,
) -> Outside:
    """The runs in an open file at its start that begins with ``head``; see ``read``.

    ``name`` is its format, where that has been found already.
    """
    name = name or format_of(file, head)
    chosen = next((one for one in formats() if one.name == name), None)
    if chosen is None:
        raise Unreadable("format.unknown", known=tuple(format_names()))
    outside = Outside(chosen.name)
    with no_collection():
        decoded = decode(file, head, outside.findings, reading)
        if decoded.shape == "lines":
            decoded.each = own_lines(decoded.each, chosen, formats(), outside.findings)
        if path is not None:
            _add_beside(chosen, path, decoded, outside)
        chosen.read(decoded, outside)
        outside.findings.locate(outside.runs)
    outside.whole = decoded.whole
    if not outside.runs:
        raise Unreadable("format.nothing", format=chosen.name)
    return outside


def _add_beside(chosen: Format, path: Path, decoded: Decoded, outside: Outside) -> None:
    """What is in the files that belong to one, and to those: each once, up to a number."""
    known = {realpath(path)}
    waiting = deque(chosen.beside(path, decoded))
    while waiting and len(known) <= MOST_BESIDE:
        other = waiting.popleft()
        if (place := realpath(other)) in known or not is_beside(path, other):
            continue
        known.add(place)
        found = _beside(other, decoded, outside)
        waiting += chosen.beside(other, found) if found is not None else ()


def _beside(path: Path, decoded: Decoded, outside: Outside) -> Decoded | None:
    """Add what a file holds that belongs to the one that is read; its damage is only counted."""
    findings = Findings()
    try:
        with open_file(path, path.name) as (file, head):
            found = decode(file, head, findings)
            decoded.add(found.items)
    except (TranscriptError, Unreadable):
        outside.findings.count("format.beside_damaged")
        return None
    outside.findings.count("format.beside_damaged", len(findings.damaged))
    return found
