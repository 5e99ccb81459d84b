"""Reading a file that someone names: regular files only, up to a size, with clear refusals."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from visualizer.errors import Problem, TranscriptError
from visualizer.files.standard_input import STANDARD_INPUT, piped

MAX_BYTES = 1 << 30
"""Largest file read: 1 GiB."""

HEAD = 1 << 20
"""Bytes that are looked at to tell what a file is."""

_PACKED = (
    (b"\x1f\x8b", "gzip", "gunzip"),
    (b"BZh", "bzip2", "bunzip2"),
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unzstd"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip", "7z x"),
)
"""How packed files begin, and what unpacks them."""


class Reading(NamedTuple):
    """How much of a recording to read, and who is told.

    After ``most`` bytes no further line is begun (None: all is read; a file that does not
    come in lines is read whole). ``watch`` is told now and then how many bytes were read; what
    it raises ends the reading.
    """

    most: int | None = None
    watch: Callable[[int], None] | None = None


ALL = Reading()


def read_file(path: Path, source: str) -> bytes:
    """The bytes of a regular file of at most ``MAX_BYTES``. Raises ``TranscriptError``."""
    with open_file(path, source) as (file, _):
        return file.read()


@contextmanager
def open_file(path: Path, source: str) -> Iterator[tuple[BinaryIO, bytes]]:
    """A regular file of at most ``MAX_BYTES`` at its beginning, and its first bytes.

    Raises ``TranscriptError``, also where reading fails inside the block.
    """
    try:
        with _opened(path, source) as file:
            head = file.read(HEAD)
            _refuse_head(head, source)
            file.seek(0)
            yield file, head
    except OSError as error:
        raise _refused(source, "problem.unreadable", reason=error.strerror or str(error)) from None


def _opened(path: Path, source: str) -> BinaryIO:
    if path is STANDARD_INPUT:
        return _piped(source)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise _refused(source, "problem.directory")
        if not stat.S_ISREG(status.st_mode):
            raise _refused(source, "problem.not_a_file")
        if status.st_size > MAX_BYTES:
            raise _refused(source, "problem.too_big", size=status.st_size, limit=MAX_BYTES)
        return path.open("rb")
    except FileNotFoundError:
        raise _refused(source, "problem.no_file") from None
    except ValueError as error:  # a name that no file can have
        raise _refused(source, "problem.unreadable", reason=str(error)) from None


def _piped(source: str) -> BinaryIO:
    data = piped(MAX_BYTES)
    if data is None:
        raise _refused(source, "problem.too_big_input", limit=MAX_BYTES)
    if not data.strip():
        raise _refused(source, "problem.no_input")
    return BytesIO(data)


def _refuse_head(head: bytes, source: str) -> None:
    if not head.strip(b"\0 \t\r\n"):
        raise _refused(source, "problem.empty")
    for begins, how, command in _PACKED:
        if head.startswith(begins):
            raise _refused(source, "problem.packed", how=how, command=command)
    if encoding := _other_encoding(head[:4]):
        raise _refused(source, "problem.utf16", encoding=encoding)


def _other_encoding(begins: bytes) -> str | None:
    """The encoding of text that begins so, with a mark or without; None for UTF-8.

    Four NULs are no text: a crash leaves such before what is written next.
    """
    if begins in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        return "UTF-32"
    if begins[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    nuls = begins.count(b"\0")
    return {0: None, 3: "UTF-32", 4: None}.get(nuls, "UTF-16")


def _refused(source: str, key: str, **values: object) -> TranscriptError:
    return TranscriptError(source, [Problem("", key, values)])
