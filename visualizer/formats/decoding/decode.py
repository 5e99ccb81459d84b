"""From the bytes of a file to its JSON objects: one a line, one list, or one object.

Reading is tolerant where files are torn or odd, and everything that was made good is counted:
a damaged line is named and skipped, a cut off end is normal, NULs and what else a crash leaves
between objects is skipped. Nothing but a line feed ends a line.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import chain, islice
from typing import Any, BinaryIO

from pydantic_core import from_json

from visualizer.files.reading import ALL, Reading
from visualizer.formats.decoding import archive, json_text, sse, torn
from visualizer.formats.decoding.cassette import is_cassette, load
from visualizer.formats.outside import Findings, Sample, Unreadable

HEAD = 1 << 18
"""Bytes that are looked at to recognise a format."""

SAMPLES = 50

WATCHED = 1 << 8
"""Lines after which whoever watches the reading is told."""

Item = tuple[int, dict[str, Any]]

_NOT_SPACE = re.compile(rb"[^\s\0]")
_AROUND = b"\0 \t\r\n"
_BOM = b"\xef\xbb\xbf"


class Decoded:
    """The objects of a file with the numbers of their lines (in a list: of their entries).

    ``each`` gives them once, one after the other, so that a long file need not be held;
    ``items`` lists them. ``whole`` is false where reading was to end before the file did;
    ``told`` is what a format knows of the files that belong to it, by a name of its own.
    """

    def __init__(self, shape: str, each: Iterator[Item], findings: Findings) -> None:
        self.shape = shape
        self.each = each
        self.findings = findings
        self.whole = True
        self.told: dict[str, str] = {}
        self._items: list[Item] | None = None

    @property
    def items(self) -> list[Item]:
        """All objects, as a list."""
        if self._items is None:
            self._items = list(self.each)
        return self._items

    def add(self, items: list[Item]) -> None:
        """Further objects, behind those of the file."""
        if self._items is None:
            self.each = chain(self.each, items)
        else:
            self._items += items


def decode(file: BinaryIO, head: bytes, findings: Findings, reading: Reading = ALL) -> Decoded:
    """All objects in a file that begins with ``head``. Raises ``Unreadable`` where it has none.

    A file with an object a line is read while its objects are taken.
    """
    if comes_in_lines(head):
        decoded = Decoded("lines", iter(()), findings)
        decoded.each = _lines(file, decoded, reading)
        return decoded
    data = file.read().removeprefix(_BOM)
    if _goes_on_in_lines(data):
        decoded = Decoded("lines", iter(()), findings)
        decoded.each = _lines(BytesIO(data), decoded, reading._replace(most=None))
        return decoded
    if archive.is_archive(data):
        return Decoded("object", iter([(1, archive.load(data, findings))]), findings)
    if is_cassette(data):
        return Decoded("object", iter([(1, load(data, findings))]), findings)
    if sse.is_text(data):
        return Decoded("lines", _streams(data, findings), findings)
    shape, values = _whole(data, findings)
    items = [(number, one) for number, one in values if isinstance(one, dict)]
    findings.count("format.no_object", len(values) - len(items))
    return Decoded(shape, iter(items), findings)


def comes_in_lines(head: bytes) -> bool:
    """Whether a file that begins so has an object a line, and can be read piece by piece."""
    head = head.removeprefix(_BOM)
    if archive.is_archive(head) or is_cassette(head) or sse.is_text(head):
        return False
    return _is_lines(head)


def sample(file: BinaryIO, head: bytes) -> Sample | None:
    """What a file's first bytes hold; None where that is no JSON. The file is at its start again.

    A cassette in YAML is looked at as a whole, of an archive the header. Raises ``Unreadable``
    where that can't be.
    """
    if archive.is_archive(head):
        return Sample("object", [archive.head(_all(file))])
    head = head[:HEAD].removeprefix(_BOM)
    if is_cassette(head):
        return Sample("object", [load(_all(file), Findings())])
    shape, values = _beginning(head)
    found = [one for one in values[:SAMPLES] if isinstance(one, dict)]
    return Sample(shape, found) if found or shape != "object" else None


def _beginning(head: bytes) -> tuple[str, list[Any]]:
    """The shape of a file that begins so, and its first entries."""
    if sse.is_text(head):
        return "lines", [one for _, one in islice(_streams(head, Findings()), SAMPLES)]
    if _is_lines(head):
        return "lines", list(map(_line_object, head.split(b"\n")[: 2 * SAMPLES]))
    several = _one_by_one(head, Findings(), SAMPLES)
    if len(several) > 1:
        return "lines", [one for _, one in several]
    try:
        value = json_text.beginning(head.strip(_AROUND))
    except ValueError:
        value = None
    return ("list", value) if isinstance(value, list) else ("object", [value])


def longer_sample(file: BinaryIO, head: bytes, seen: Sample) -> Sample | None:
    """The first entries whole, where ``sample`` may have seen only a part of them, else None.

    One long message fills all that is looked at; what tells the format may stand behind it.
    """
    if len(head) < HEAD or len(seen.items) >= SAMPLES:
        return None
    if archive.is_archive(head) or is_cassette(head.removeprefix(_BOM)):
        return None
    try:
        decoded = decode(file, head, Findings())
        found = [one for _, one in islice(decoded.each, SAMPLES)]
    except Unreadable:
        return None
    finally:
        file.seek(0)
    return Sample(decoded.shape, found)


def _all(file: BinaryIO) -> bytes:
    data = file.read()
    file.seek(0)
    return data.removeprefix(_BOM)


def _streams(data: bytes, findings: Findings) -> Iterator[Item]:
    """Streams of events as they came: each stands for the response that it is."""
    text = data.decode("utf-8", "replace")
    if "\ufffd" in text and "\ufffd".encode() not in data:
        findings.count("format.not_utf8")
    for number, one in sse.streams(text):
        yield number, {"response": {"body": one}}


def _is_lines(data: bytes) -> bool:
    """Whether there is an object a line: the first lines decide.

    What is JSON as a whole is not read so, whatever its lines look like: printed prettily,
    or with an entry a line, some of them are objects, too.
    """
    data = data[: HEAD * 4].lstrip(_AROUND)
    lines = [line for line in data.split(b"\n", 12)[:12] if line.strip(_AROUND)]
    if not lines:
        return False
    if lines[0].startswith(b"{") and _line_object(lines[0]) is not None:
        return len(lines) > 1
    try:
        json_text.beginning(data)
    except ValueError:
        return _starts_torn(lines)
    return False


def _goes_on_in_lines(data: bytes) -> bool:
    """Whether a first line that is longer than what is looked at is one of several objects."""
    end = data.find(b"\n")
    if end < HEAD or not data.startswith(b"{") or _NOT_SPACE.search(data, end) is None:
        return False
    return not is_cassette(data) and _line_object(data[:end]) is not None


def _starts_torn(lines: list[bytes]) -> bool:
    """Whether a first line that is no JSON is followed by lines that mostly are objects."""
    whole = [one for line in lines[1:] if (one := _line_object(line)) is not None]
    told = any("type" in one or "messages" in one for one in whole)
    return told and 2 * len(whole) >= len(lines) - 1


def _line_object(line: bytes) -> dict[str, Any] | None:
    line = torn.bare(line)
    try:
        value = from_json(line)
    except ValueError:
        try:
            value = json_text.parse(line, Findings())
        except ValueError:
            return None
    return value if isinstance(value, dict) else None


def _lines(file: BinaryIO, decoded: Decoded, reading: Reading) -> Iterator[Item]:
    findings = decoded.findings
    unsaid: int | None = None  # a torn line: no damage where it is the last
    before = b""
    for number, line in _read(file, decoded, reading):
        if unsaid is not None:
            findings.damage(unsaid)
            unsaid = None
        try:
            value = json_text.parse(line, findings)
        except ValueError:
            found = torn.kept(line, before, findings)
            for one in found.objects:
                yield number, one
            if found.torn and found.objects and not found.ends_torn:
                findings.damage(number, "format.damaged_part")
            elif found.torn:
                unsaid = number
            continue
        if isinstance(value, dict):
            before = line
            yield number, value
        else:
            findings.damage(number)
    if unsaid is not None:
        findings.count("format.truncated")


def _read(file: BinaryIO, decoded: Decoded, reading: Reading) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, with their numbers, as far as it is to be read."""
    most = sys.maxsize if reading.most is None else reading.most
    seen = 0
    for number, line in enumerate(file, 1):
        if seen >= most:
            decoded.whole = False
            return
        seen += len(line)
        if reading.watch is not None and not number % WATCHED:
            reading.watch(seen)
        if number == 1:
            line = line.removeprefix(_BOM)  # noqa: PLW2901
        if not line.isspace():
            yield number, line


def _whole(data: bytes, findings: Findings) -> tuple[str, list[tuple[int, Any]]]:
    """The shape of a file that is no object a line, and its entries."""
    bare = data.strip(_AROUND)
    findings.count("format.repaired", int(b"\0" in data))
    try:
        value = json_text.parse(bare, findings)
    except ValueError:
        several = _one_by_one(data, findings)
        if len(several) > 1:
            return "lines", several
        value = _cut_short(bare, findings)
    if isinstance(value, list):
        return "list", list(enumerate(value, 1))
    if isinstance(value, dict):
        return "object", [(1, value)]
    raise Unreadable("format.no_json")


def _one_by_one(data: bytes, findings: Findings, most: int | None = None) -> list[tuple[int, Any]]:
    """Objects one after another, each over several lines, by the lines that they begin in."""
    found: list[tuple[int, Any]] = []
    line, before = 1, 0
    text = data.decode("utf-8", "replace")
    try:
        for at, value in islice(json_text.values_in(text, findings), most):
            line, before = line + text.count("\n", before, at), at
            found.append((line, value))
            if not isinstance(value, dict):
                break
    except ValueError:
        findings.count("format.cut_short", int(len(found) > 1))
    return found if found and isinstance(found[0][1], dict) else []


def _cut_short(data: bytes, findings: Findings) -> Any:
    try:
        value = json_text.beginning(data, findings)
    except ValueError:
        raise Unreadable("format.no_json") from None
    findings.count("format.cut_short")
    return value
