"""The recordings in a folder, the newest first."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

from visualizer.errors import Problem, TranscriptError
from visualizer.recordings import SUFFIXES, files_in


class Found(NamedTuple):
    """A file that may be a recording."""

    path: Path
    changed: float
    size: int

    @property
    def day(self) -> str:
        """When it was last written, to the minute; ``?`` for a time that no calendar has."""
        try:
            return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.changed))
        except (OverflowError, OSError, ValueError):
            return "?"


def recordings_in(folder: Path) -> list[Found]:
    """The regular files of a folder and those below it that may be recordings, newest first.

    Raises ``TranscriptError`` where there are none.
    """
    found = []
    for path in files_in(folder):
        try:
            status = path.stat()
        except OSError:
            continue  # gone since
        found.append(Found(path, status.st_mtime, status.st_size))
    if not found:
        suffixes = ", ".join(sorted(SUFFIXES))
        raise TranscriptError(str(folder), [Problem("", "format.empty_folder", {"of": suffixes})])
    return sorted(found, key=lambda one: (-one.changed, str(one.path)))
