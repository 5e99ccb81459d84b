"""Files that may be recordings: those in a folder, and those that clients keep for their users.

The latter are private. They are looked at only when someone asks for them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from fnmatch import fnmatch
from heapq import nsmallest
from pathlib import Path
from typing import NamedTuple

from visualizer.collection.folders import SUFFIXES, files_in
from visualizer.errors import Problem, TranscriptError, VisualizerError

RECENT = 50
"""Recordings that are offered at most, of those that clients keep."""


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


class Place(NamedTuple):
    """Where a client keeps recordings: ``folders`` below ``root``, a pattern a level."""

    root: Path
    folders: tuple[str, ...]
    files: str


class Recent(NamedTuple):
    """The newest recordings that clients keep, how many ``more`` there are, and where.

    ``barred`` are places that are there and can't be read, with the reason.
    """

    found: list[Found]
    more: int
    places: tuple[str, ...]
    barred: tuple[str, ...]


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
    return sorted(found, key=_newest)


def recent() -> Recent:
    """The newest ``RECENT`` recordings that clients keep for their users.

    Raises ``VisualizerError`` that names the places where there are none.
    """
    found: list[Found] = []
    looked: list[str] = []
    barred: list[str] = []
    for place in places():
        looked.append(at_home(place.root))
        try:
            found += _in_place(place.root, place.folders, place.files)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            looked[-1] += f" ({error.strerror})"
            barred.append(looked[-1])
    if not found:
        raise VisualizerError("folder.none_recent", places=tuple(looked))
    newest = nsmallest(RECENT, found, key=_newest)
    return Recent(newest, len(found) - len(newest), tuple(looked), tuple(barred))


def places() -> Iterator[Place]:
    """Where clients keep recordings, moved by the environment variables that move them there.

    Subagents of the Claude Code client lie in folders further down: they belong to a session.
    """
    claude = _folder("CLAUDE_CONFIG_DIR", ".claude")
    codex = _folder("CODEX_HOME", ".codex")
    gemini = _folder("GEMINI_CLI_HOME", "")
    if claude is not None:
        yield Place(claude / "projects", ("*",), "*.jsonl")
    if codex is not None:
        yield Place(codex / "sessions", ("*", "*", "*"), "rollout-*.jsonl")
        yield Place(codex / "archived_sessions", (), "rollout-*.jsonl")
    if gemini is not None:
        yield Place(gemini / ".gemini" / "tmp", ("*", "chats"), "session-*.json*")


def at_home(path: Path) -> str:
    """A path as people write it: what is in the home folder begins with ``~``."""
    home = _home()
    if home is not None and path.is_relative_to(home):
        return str(Path("~") / path.relative_to(home))
    return str(path)


def _folder(variable: str, name: str) -> Path | None:
    """The folder that an environment variable names, else the one of this name at home."""
    moved, home = os.environ.get(variable), _home()
    if moved:
        return Path(moved)
    return None if home is None else home / name


def _home() -> Path | None:
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - this one never raises
    return home if home.is_absolute() else None


def _in_place(folder: Path, folders: tuple[str, ...], files: str) -> Iterator[Found]:
    """The files of one place. No link is followed, so that none leads elsewhere or in circles."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if not fnmatch(entry.name, folders[0] if folders else files):
                continue
            try:
                if folders and entry.is_dir(follow_symlinks=False):
                    yield from _in_place(Path(entry.path), folders[1:], files)
                elif not folders and entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    yield Found(Path(entry.path), status.st_mtime, status.st_size)
            except OSError:
                continue  # gone since, or a folder that is not for us


def _newest(found: Found) -> tuple[float, str]:
    return -found.changed, str(found.path)
