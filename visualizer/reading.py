"""Reading a file that someone names: regular files only, up to a size, with clear refusals."""

from __future__ import annotations

import stat
from pathlib import Path

from visualizer.errors import Problem, TranscriptError

MAX_BYTES = 1 << 30
"""Largest file read: 1 GiB."""


def read_file(path: Path, source: str) -> bytes:
    """The bytes of a regular file of at most ``MAX_BYTES``. Raises ``TranscriptError``."""

    def refuse(key: str, **values: object) -> TranscriptError:
        return TranscriptError(source, [Problem("", key, values)])

    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise refuse("problem.directory")
        if not stat.S_ISREG(status.st_mode):
            raise refuse("problem.not_a_file")
        if status.st_size > MAX_BYTES:
            raise refuse("problem.too_big", size=status.st_size, limit=MAX_BYTES)
        data = path.read_bytes()
    except FileNotFoundError:
        raise refuse("problem.no_file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise refuse("problem.unreadable", reason=reason or str(error)) from None
    if not data.strip():
        raise refuse("problem.empty")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        raise refuse("problem.utf16")
    return data
