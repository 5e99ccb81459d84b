"""What is in a folder: files that may be recordings, each in a line, and what is left out."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from visualizer.collection.recordings import file_line
from visualizer.describe import plain
from visualizer.errors import TranscriptError
from visualizer.i18n import Texts
from visualizer.loading import NO_JSON, OWN_HEAD, OWN_MARK, Scenario, load_file, unforeseen
from visualizer.text import display_safe

SUFFIXES = frozenset(
    {".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".traj", ".eval", ".responses", ".sse"}
)
OTHERS = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".cache"})
MARKS = frozenset({"pyvenv.cfg", "CACHEDIR.TAG"})
"""Folders of other things: by their names, and by what they hold."""

NO_RECORDING = NO_JSON | {"format.unknown", "problem.empty"}
"""What is said of a file that plainly is none, unless it says that it is one of ours."""


@dataclass
class LeftOut:
    """What of a folder was not listed: files that are no recordings, folders of other things.

    ``barred`` are folders that can't be read, with the reason.
    """

    files: int = 0
    folders: list[Path] = field(default_factory=list)
    barred: list[str] = field(default_factory=list)


def files_in(folder: Path, left: LeftOut | None = None) -> Iterator[Path]:
    """The files in a folder that may be recordings; links to folders are not followed.

    Folders inside that hold other things are not looked through: what is installed, cached or
    kept by a version control.
    """
    left = left or LeftOut()

    def bar(error: OSError) -> None:
        left.barred.append(f"{error.filename}: {error.strerror or error}")

    for where, folders, names in os.walk(folder, onerror=bar):
        here = Path(where)
        if here != folder and (here.name in OTHERS or not MARKS.isdisjoint(names)):
            left.folders.append(here)
            folders.clear()
            continue
        folders.sort()
        for name in sorted(names):
            path = here / name
            if path.suffix in SUFFIXES and _is_regular(path):
                yield path


def listed(
    files: Iterable[tuple[Path, str]],
    texts: Texts,
    watch: Callable[[str], None],
    left: LeftOut | None = None,
) -> Iterator[tuple[Scenario | None, str]]:
    """Each of some files: its scenario and a line, or None and why it can't be read.

    A file goes with the name that it is shown by, which ``watch`` is told before it is read.
    What plainly is no recording is only counted, where there is ``left``.
    """
    for path, shown in files:
        watch(shown)
        try:
            scenario = load_file(path, shown)
        except TranscriptError as error:
            if left is not None and _is_no_recording(error, path):
                left.files += 1
            else:
                yield None, error.text(texts)
            continue
        except Exception as error:
            yield None, unforeseen(shown, error).text(texts)
            continue
        yield entry_of(scenario, shown, texts)


def entry_of(scenario: Scenario, shown: str, texts: Texts) -> tuple[Scenario, str]:
    """A scenario by the name that its file is shown by, and its line."""
    named = replace(scenario, name=shown)
    if named.outside is not None:
        return named, file_line(named, named.outside, texts)
    title = plain.title_line(named, texts)
    return named, texts("command.list.entry", name=display_safe(shown), title=title)


def _is_no_recording(error: TranscriptError, path: Path) -> bool:
    """Whether a file that can't be read is something else, and no recording that is damaged."""
    if error.problems[0].key not in NO_RECORDING:
        return False
    try:
        with path.open("rb") as file:
            return OWN_MARK not in file.read(OWN_HEAD)
    except OSError:
        return False


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
