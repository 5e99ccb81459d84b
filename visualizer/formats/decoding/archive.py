"""Logs in a zip archive: a header, and a file for each sample.

What is unpacked is counted before and while it is read, and what it comes to as objects before
they are made: a small archive can stand for more than there is memory. Members packed with
zstd need Python 3.14 or an extra of the package.
"""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any
from zipfile import ZipFile, ZipInfo

from visualizer.formats.decoding import unpack
from visualizer.formats.decoding.json_text import memory_of, parse
from visualizer.formats.outside import Findings, Unreadable

MAX_BYTES = 1 << 29
"""Most that all members read may come to when unpacked: 512 MiB."""

MAX_MEMBER = 1 << 27
"""Most that one of them may come to: 128 MiB."""

MAX_MEMORY = 5 << 27
"""Most memory that the objects in all members may take: 640 MiB."""

MAX_MEMBERS = 50_000
_BEGINS = b"PK\x03\x04"
_ENTRY = b"PK\x01\x02"
_HEADERS = ("header.json", "_journal/start.json")
_SAMPLE = re.compile(r"samples/[^/]+\.json")


def is_archive(data: bytes) -> bool:
    """Whether a file is a zip archive."""
    return data.startswith(_BEGINS)


def head(data: bytes) -> dict[str, Any]:
    """The header of a log. Raises ``Unreadable``, also for an archive of another kind."""
    return _Archive(data, Findings()).header()


def load(data: bytes, findings: Findings) -> dict[str, Any]:
    """A whole log, as it is kept in one file. Raises ``Unreadable``."""
    archive = _Archive(data, findings)
    return {**archive.header(), "samples": archive.samples()}


class _Archive:
    def __init__(self, data: bytes, findings: Findings) -> None:
        self.data = data
        self.findings = findings
        self.left = MAX_BYTES
        self.memory = MAX_MEMORY
        if data.count(_ENTRY) > MAX_MEMBERS:
            raise Unreadable("format.archive_members", limit=MAX_MEMBERS)
        try:
            with ZipFile(BytesIO(data)) as found:
                self.members = {one.filename: one for one in found.infolist()}
        except Exception:  # each part of a broken archive has errors of its own
            raise Unreadable("format.archive_bad") from None

    def header(self) -> dict[str, Any]:
        """What the log says of itself; an unfinished one has only its start."""
        found = next((self.members[name] for name in _HEADERS if name in self.members), None)
        if found is None:
            raise Unreadable("format.archive_other")
        value = self._object(found)
        if value is None:
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
        if member.file_size > MAX_MEMBER:
            raise Unreadable("format.archive_member", limit=MAX_MEMBER >> 20)
        if member.file_size > self.left:
            raise Unreadable("format.archive_big", limit=MAX_BYTES >> 20)
        self.left -= member.file_size  # no more than that is unpacked, whatever is in it
        try:
            data = unpack.unpacked(self.data, member)
        except Exception:  # each way of packing has errors of its own
            return None
        self.memory -= memory_of(data)
        if self.memory < 0:
            raise Unreadable("format.archive_memory", limit=MAX_MEMORY >> 20)
        try:
            value = parse(data, self.findings)
        except ValueError:
            return None
        return value if isinstance(value, dict) else None


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Numbers in a name count as numbers."""
    parts = re.findall(r"([0-9]{1,18})|([^0-9]+|[0-9])", name)
    return [(0, int(digits), "") if digits else (1, 0, text) for digits, text in parts]
