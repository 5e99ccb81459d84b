"""From the bytes of a file to its JSON objects: one a line, one list, or one object.

Reading is tolerant where files are torn or odd, and everything that was made good is counted:
a damaged line is named and skipped, a cut off end is normal, lone surrogates and bytes that
are no UTF-8 become U+FFFD.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import chain, islice
from typing import Any, BinaryIO

from pydantic_core import from_json

from visualizer.formats import archive
from visualizer.formats.cassette import is_cassette, load
from visualizer.formats.outside import Findings, Sample, Unreadable
from visualizer.reading import ALL, Reading

HEAD = 1 << 18
"""Bytes that are looked at to recognise a format."""

SAMPLES = 50
DEEPEST = 150
"""Objects and lists inside one another: more is taken for damage."""

WATCHED = 1 << 8
"""Lines after which whoever watches the reading is told."""

Item = tuple[int, dict[str, Any]]

_NOT_SPACE = re.compile(rb"\S")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HALF = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
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
        one = archive.load(data, findings, parse)
    elif is_cassette(data):
        one = load(data, findings)
    else:
        value = _whole(data, findings)
        if isinstance(value, list):
            items = [(n, one) for n, one in enumerate(value, 1) if isinstance(one, dict)]
            findings.count("format.no_object", len(value) - len(items))
            return Decoded("list", iter(items), findings)
        one = value
    return Decoded("object", iter([(1, one)]), findings)


def comes_in_lines(head: bytes) -> bool:
    """Whether a file that begins so has an object a line, and can be read piece by piece."""
    head = head.removeprefix(_BOM)
    return not archive.is_archive(head) and not is_cassette(head) and _is_lines(head)


def sample(file: BinaryIO, head: bytes) -> Sample | None:
    """What a file's first bytes hold; None where that is no JSON. The file is at its start again.

    A cassette in YAML is looked at as a whole, of an archive the header. Raises ``Unreadable``
    where that can't be.
    """
    if archive.is_archive(head):
        header = archive.head(_all(file), parse)
        return None if header is None else Sample("object", [header])
    head = head[:HEAD].removeprefix(_BOM)
    if is_cassette(head):
        return Sample("object", [load(_all(file), Findings())])
    if _is_lines(head):
        found = [one for line in head.splitlines()[:SAMPLES] if (one := _line_object(line))]
        return Sample("lines", found)
    try:
        value = _beginning(head)
    except ValueError:
        return None
    if isinstance(value, list):
        return Sample("list", [one for one in value[:SAMPLES] if isinstance(one, dict)])
    return Sample("object", [value]) if isinstance(value, dict) else None


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


def _beginning(head: bytes) -> Any:
    """The JSON value that begins so, half characters in it or not. Raises ``ValueError``."""
    try:
        return from_json(head, allow_partial=True)
    except ValueError:
        mended = _HALF.sub(rb"\\ufffd", _text(head).encode())
        return from_json(mended, allow_partial=True)


def parse(text: bytes, findings: Findings) -> Any:
    """A JSON value, made good where another parser accepts it. Raises ``ValueError``."""
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError:
        value, times = _mended(json.loads(_text(text), parse_constant=str), 0)
        findings.count("format.repaired", max(times, 1))
        return value


def _is_lines(data: bytes) -> bool:
    """Whether there is an object a line: the first lines decide."""
    lines = [line for line in data[: HEAD * 4].split(b"\n", 12)[:12] if line.strip()]
    if not lines or data.lstrip()[:1] != b"{":
        return _starts_torn(lines)
    if _line_object(lines[0]) is not None:
        return len(lines) > 1
    return _starts_torn(lines)


def _goes_on_in_lines(data: bytes) -> bool:
    """Whether a first line that is longer than what is looked at is one of several objects."""
    end = data.find(b"\n")
    if end < HEAD or not data.startswith(b"{") or _NOT_SPACE.search(data, end) is None:
        return False
    return not is_cassette(data) and _line_object(data[:end]) is not None


def _starts_torn(lines: list[bytes]) -> bool:
    """Whether a first line that is no JSON is followed by some that are whole objects."""
    whole = [_line_object(line) for line in lines[1:]]
    return any(one is not None and ("type" in one or "messages" in one) for one in whole)


def _line_object(line: bytes) -> dict[str, Any] | None:
    try:
        value = from_json(line)
    except ValueError:
        try:
            value = json.loads(_text(line))
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def _lines(file: BinaryIO, decoded: Decoded, reading: Reading) -> Iterator[Item]:
    findings = decoded.findings
    torn: int | None = None
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
        if line.isspace():
            continue
        if torn is not None:
            findings.damage(torn)
            torn = None
        try:
            value = parse(line, findings)
        except (ValueError, RecursionError):
            torn = number
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            findings.damage(number)
    if torn is not None:
        findings.count("format.truncated")


def _whole(data: bytes, findings: Findings) -> Any:
    try:
        value = parse(data, findings)
    except (ValueError, RecursionError):
        try:
            value = from_json(data, allow_partial=True, allow_inf_nan=False)
        except ValueError:
            raise Unreadable("format.no_json") from None
        findings.count("format.cut_short")
    if not isinstance(value, (dict, list)):
        raise Unreadable("format.no_json")
    return value


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _mended(value: Any, depth: int) -> tuple[Any, int]:
    """A value without lone surrogates, and how many there were. Raises ``ValueError``."""
    if depth > DEEPEST:
        raise ValueError("too deep")
    if isinstance(value, str):
        return _SURROGATE.subn("\ufffd", value)
    if isinstance(value, list):
        pairs = [_mended(one, depth + 1) for one in value]
        return [one for one, _ in pairs], sum(times for _, times in pairs)
    if isinstance(value, dict):
        mended = {}
        total = 0
        for key, one in value.items():
            (key, some), (one, more) = _mended(key, 0), _mended(one, depth + 1)  # noqa: PLW2901
            mended[key] = one
            total += some + more
        return mended, total
    return value, 0
