"""Lines that are not one whole object: padded, torn, or with more than one object in them.

A crash leaves NUL bytes, or half an object that the next one is written behind. What is whole
is kept; what is not is left to whoever reads the file to say.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from visualizer.formats.decoding import json_text
from visualizer.formats.outside import Findings

MOST_TRIES = 100
"""Places in a torn line at which an object may begin that are tried."""

_NULS = re.compile(rb"\0+")
_FIRST = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"')
_AROUND = b" \t\r\n,\x1e"


class Kept(NamedTuple):
    """What is whole in a line: ``torn`` where something in it is not, ``ends_torn`` at its end."""

    objects: list[dict[str, Any]]
    torn: bool
    ends_torn: bool


def kept(line: bytes, before: bytes, findings: Findings) -> Kept:
    """What is kept of a line that is no JSON; ``before`` is a whole one of the same file."""
    objects: list[dict[str, Any]] = []
    torn = ends_torn = False
    for part in _NULS.split(line):
        bare = _bare(part)
        if bare:
            found, torn_at = _objects(bare, before, findings)
            objects += found
            torn |= torn_at is not None
            ends_torn = torn_at is not None and not found[torn_at:]
    findings.count("format.repaired", int(not torn))
    return Kept(objects, torn, ends_torn)


def bare(line: bytes) -> bytes:
    """A line without what may stand around an object in it: NULs, commas, a list's brackets."""
    return _bare(line.strip(b"\0"))


def _bare(line: bytes) -> bytes:
    line = line.strip(_AROUND)
    if line.startswith(b"[") and line.rstrip(b"]").endswith((b"}", b"[")):
        line = line[1:].lstrip(_AROUND)
    if line.startswith(b"{"):
        line = line.rstrip(b"]" + _AROUND)
    return b"" if line in (b"[", b"]") else line


def _objects(line: bytes, before: bytes, findings: Findings) -> tuple[list[Any], int | None]:
    """The objects in a line, and how many of them stand before what is torn in it."""
    text = line.decode("utf-8", "replace")
    found: list[dict[str, Any]] = []
    torn: int | None = None
    at = 0
    while at < len(text):
        try:
            value, at = json_text.value_at(text, at, findings)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            torn = len(found) if torn is None else torn
            behind = _behind(text, at, before, findings)
            return (found if behind is None else [*found, behind]), torn
        found.append(value)
        at = len(text) - len(text[at:].lstrip(" \t\r\n,\x1e"))
    return found, torn


def _behind(text: str, at: int, before: bytes, findings: Findings) -> dict[str, Any] | None:
    """The object that a line ends with, behind what is torn.

    It begins as ``before`` does and is of the same make: a torn object holds others, too.
    """
    begins = _FIRST.match(before)
    mark = '{"' if begins is None else begins[0].strip().decode("utf-8", "replace")
    known = json_text.parse(before, Findings()).keys() if begins is not None else None
    for _ in range(MOST_TRIES):
        at = text.find(mark, at + 1)
        if at < 0:
            return None
        try:
            value, end = json_text.value_at(text, at, findings)
        except ValueError:
            continue
        if isinstance(value, dict) and not text[end:].strip(" \t\r\n,\x1e"):
            alike = known is None or 2 * len(known & value.keys()) > len(value)
            return value if alike else None
    return None
