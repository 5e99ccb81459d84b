"""From the bytes of a file to its JSON objects: one a line, one list, or one object.

Reading is tolerant where files are torn or odd, and everything that was made good is counted:
a damaged line is named and skipped, a cut off end is normal, lone surrogates and bytes that
are no UTF-8 become U+FFFD.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from pydantic_core import from_json

from visualizer.formats import archive
from visualizer.formats.cassette import is_cassette, load
from visualizer.formats.outside import Findings, Sample, Unreadable

HEAD = 1 << 18
"""Bytes that are looked at to recognise a format."""

SAMPLES = 50
DEEPEST = 150
"""Objects and lists inside one another: more is taken for damage."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_HALF = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Decoded:
    """The objects of a file with the numbers of their lines (in a list: of their entries)."""

    shape: str
    items: list[tuple[int, dict[str, Any]]]
    findings: Findings


def decode(data: bytes, findings: Findings) -> Decoded:
    """All objects in ``data``. Raises ``Unreadable`` where it is no JSON at all."""
    data = data.removeprefix(_BOM)
    if archive.is_archive(data):
        return Decoded("object", [(1, archive.load(data, findings, parse))], findings)
    if is_cassette(data):
        return Decoded("object", [(1, load(data, findings))], findings)
    if _is_lines(data):
        return Decoded("lines", list(_lines(data, findings)), findings)
    value = _whole(data, findings)
    if isinstance(value, dict):
        return Decoded("object", [(1, value)], findings)
    items = [(n, one) for n, one in enumerate(value, 1) if isinstance(one, dict)]
    findings.count("format.no_object", len(value) - len(items))
    return Decoded("list", items, findings)


def sample(data: bytes) -> Sample | None:
    """What a file's first bytes hold; None where that is no JSON.

    A cassette in YAML is looked at as a whole, of an archive the header. Raises ``Unreadable``
    where that can't be.
    """
    if archive.is_archive(data):
        header = archive.head(data, parse)
        return None if header is None else Sample("object", [header])
    head = data[:HEAD].removeprefix(_BOM)
    if is_cassette(head):
        return Sample("object", [load(data, Findings())])
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


def _lines(data: bytes, findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    torn: int | None = None
    for number, line in enumerate(BytesIO(data), 1):
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
        findings.count("format.truncated")
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
