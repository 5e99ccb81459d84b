"""JSON as other programs write it: read tolerantly, with numbers that Python can work with.

What one parser refuses and another takes is made good and counted: lone surrogates and bytes
that are no UTF-8 become U+FFFD; NaN, and numbers that no double holds, become texts.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from pydantic_core import from_json

from visualizer.formats.outside import Findings

DEEPEST = 150
"""Objects and lists inside one another: more is taken for damage."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_HALF = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_DECODER = json.JSONDecoder(parse_constant=str)
_BETWEEN = re.compile(r"[\s,\x00\x1e]*")

_LARGEST = 1 << 1023
_SHAPE = bytes(ord("0") if chr(n) in ".0123456789" else ord(chr(n).lower()) for n in range(128))
_SHAPE += bytes(range(128, 256))
_SUSPECT = (b"0e000", b"0" * 300)
"""What numbers that no double holds have in them, as ``_SHAPE`` makes digits and exponents."""

_SIZES = ((b"{", 200), (b"[", 72), (b",", 28), (b'",', 28))
"""Bytes of memory that objects take, by what stands for them in a text."""


def parse(text: bytes, findings: Findings) -> Any:
    """A JSON value, made good where another parser accepts it. Raises ``ValueError``."""
    try:
        value = from_json(text, allow_inf_nan=False)
    except ValueError:
        return _tolerant(text, findings)
    return _in_range(value, text, findings)


def parse_text(text: str) -> Any:
    """The JSON value that a text inside a recording holds. Raises ``ValueError``."""
    return parse(text.encode("utf-8", "replace"), Findings())


def strict(text: str) -> Any:
    """The JSON value that a text is, as any parser reads it. Raises ``ValueError``."""
    findings = Findings()
    value = parse(text.encode("utf-8", "replace"), findings)
    if findings.number("format.repaired"):
        raise ValueError("no JSON for others")
    return value


def beginning(text: bytes, findings: Findings | None = None) -> Any:
    """The JSON value that begins so, however far it goes. Raises ``ValueError``.

    Half characters in it are no reason to refuse it.
    """
    try:
        value = from_json(text, allow_partial=True)
    except ValueError:
        mended = _HALF.sub(rb"\\ufffd", text.decode("utf-8", "replace").encode())
        value = from_json(mended, allow_partial=True)
    return _in_range(value, text, findings or Findings())


def values_in(text: str, findings: Findings) -> Iterator[tuple[int, Any]]:
    """JSON values one after another, with where in the text each begins, in characters.

    Raises ``ValueError`` at what is none; what came before has been given then.
    """
    at = _skipped(text, 0)
    while at < len(text):
        value, end = value_at(text, at, findings)
        yield at, value
        at = _skipped(text, end)


def value_at(text: str, at: int, findings: Findings) -> tuple[Any, int]:
    """The JSON value that begins at a place, and where it ends. Raises ``ValueError``."""
    try:
        value, end = _DECODER.raw_decode(text, at)
    except RecursionError:
        raise ValueError("too deep") from None
    value, times = _mended(value, 0)
    findings.count("format.repaired", times)
    return value, end


def memory_of(text: bytes) -> int:
    """About how many bytes of memory the values in a JSON text take."""
    return len(text) + sum(size * text.count(mark) for mark, size in _SIZES)


def in_range(value: float) -> bool:
    """Whether a double holds a number, so that it can be counted with."""
    return math.isfinite(value) if isinstance(value, float) else -_LARGEST < value < _LARGEST


def _tolerant(text: bytes, findings: Findings) -> Any:
    try:
        whole, key = text.decode(), "format.repaired"
    except UnicodeDecodeError:
        whole, key = text.decode("utf-8", "replace"), "format.not_utf8"
    try:
        value, times = _mended(_DECODER.decode(whole), 0)
    except RecursionError:
        raise ValueError("too deep") from None
    findings.count(key, max(times, 1))
    return value


def _in_range(value: Any, text: bytes, findings: Findings) -> Any:
    """A value whose numbers can be counted with; the text says quickly that most can."""
    shape = text.translate(_SHAPE, b"+")
    if not any(suspect in shape for suspect in _SUSPECT):
        return value
    value, times = _mended(value, 0)
    findings.count("format.repaired", times)
    return value


def _skipped(text: str, at: int) -> int:
    found = _BETWEEN.match(text, at)
    return at if found is None else found.end()


def _mended(value: Any, depth: int) -> tuple[Any, int]:
    """A value without lone surrogates and such numbers, and how many there were.

    Raises ``ValueError`` where it is too deep.
    """
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
    if isinstance(value, (int, float)) and not in_range(value):
        return str(value), 1
    return value, 0
