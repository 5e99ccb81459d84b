"""Logs in a zip archive: a header, and a file for each sample.

What is unpacked is counted before and while it is read: a small archive can stand for more
than there is memory. Members packed with zstd need Python 3.14 or an extra of the package.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from typing import Any
from zipfile import ZipFile, ZipInfo

from visualizer.formats import unpack
from visualizer.formats.outside import Findings, Unreadable

MAX_BYTES = 1 << 29
"""Most that all members read may come to when unpacked: 512 MiB."""

MAX_MEMBERS = 50_000
_BEGINS = b"PK\x03\x04"
_ENTRY = b"PK\x01\x02"
_HEADERS = ("header.json", "_journal/start.json")
_SAMPLE = re.compile(r"samples/[^/]+\.json")

Parse = Callable[[bytes, Findings], Any]


def is_archive(data: bytes) -> bool:
    """Whether a file is a zip archive."""
    return data.startswith(_BEGINS)


def head(data: bytes, parse: Parse) -> dict[str, Any] | None:
    """The header of a log; None for an archive of another kind. Raises ``Unreadable``."""
    return _Archive(data, Findings(), parse).header()


def load(data: bytes, findings: Findings, parse: Parse) -> dict[str, Any]:
    """A whole log, as it is kept in one file. Raises ``Unreadable``."""
    archive = _Archive(data, findings, parse)
    header = archive.header()
    if header is None:
        raise Unreadable("format.archive_bad")
    return {**header, "samples": archive.samples()}


class _Archive:
    def __init__(self, data: bytes, findings: Findings, parse: Parse) -> None:
        self.data = data
        self.findings = findings
        self.parse = parse
        self.left = MAX_BYTES
        if data.count(_ENTRY) > MAX_MEMBERS:
            raise self._too_big()
        try:
            with ZipFile(BytesIO(data)) as found:
                self.members = {one.filename: one for one in found.infolist()}
        except Exception:  # each part of a broken archive has errors of its own
            raise Unreadable("format.archive_bad") from None

    def header(self) -> dict[str, Any] | None:
        """What the log says of itself; an unfinished one has only its start."""
        found = next((self.members[name] for name in _HEADERS if name in self.members), None)
        value = None if found is None else self._object(found)
        if found is not None and value is None:
            raise Unreadable("format.archive_bad")
        return value

    def samples(self) -> list[dict[str, Any]]:
        """All samples that can be read, by their ids."""
        named = sorted((name for name in self.members if _SAMPLE.fullmatch(name)), key=_natural)
        found = [self._object(self.members[name]) for name in named]
        whole = [one for one in found if one is not None]
        self.findings.count("format.member_damaged", len(found) - len(whole))
        return whole

    def _object(self, member: ZipInfo) -> dict[str, Any] | None:
        if member.compress_type == unpack.ZSTD and unpack.zstd() is None:
            raise Unreadable("format.archive_packed")
        if member.file_size > self.left:
            raise self._too_big()
        self.left -= member.file_size  # no more than that is unpacked, whatever is in it
        try:
            value = self.parse(unpack.unpacked(self.data, member), self.findings)
        except Exception:  # each way of packing has errors of its own
            return None
        return value if isinstance(value, dict) else None

    def _too_big(self) -> Unreadable:
        return Unreadable("format.archive_big", members=MAX_MEMBERS, limit=MAX_BYTES)


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Numbers in a name count as numbers."""
    parts = re.findall(r"([0-9]{1,18})|([^0-9]+|[0-9])", name)
    return [(0, int(digits), "") if digits else (1, 0, text) for digits, text in parts]
