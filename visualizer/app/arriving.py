"""A recording that is still coming in: read behind the screen, or written by another program."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from sys import getswitchinterval, setswitchinterval

from visualizer.errors import TranscriptError
from visualizer.files.reading import Reading, open_file
from visualizer.loading import Scenario, load_file

BIG = 8_000_000
"""Bytes from which reading a file takes so long that it is announced, or done behind the screen."""

FIRST = 1 << 20
"""Bytes that are read before the first frame of a recording that comes in lines: 1 MiB."""

LOOKS = 0.5
"""Seconds between two looks at a file that is followed."""

REST = 4
"""A file that grows is read again after this many times what reading it took last."""

SHORT_SLICE = 0.0005
"""Seconds after which background work makes way for a key (Python's own default is 5 ms)."""


class StoppedReading(Exception):
    """The reader wants no more of it."""


@dataclass
class Arriving:
    """A file whose first part is on the screen. ``read`` and ``grown`` are for another thread.

    ``follow`` means that the file is looked at again after it has been read.
    """

    path: Path
    follow: bool = False
    whole: bool = False
    percent: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)
    _version: tuple[int, int, int] | None = None
    _took: float = 0.0

    @classmethod
    def begin(
        cls, path: Path, source: str, follow: bool, most: int | None = None
    ) -> tuple[Scenario, Arriving]:
        """The runs in a file, or in its first ``most`` bytes, and what is to come of it.

        Where the first part holds no run, all is read. Raises ``TranscriptError``.
        """
        arriving = cls(path, follow)
        arriving._version = _version(path)
        try:
            scenario = load_file(path, source, Reading(most))
        except TranscriptError:
            if most is None:
                raise
            scenario = load_file(path, source)
        arriving.whole = scenario.outside is None or scenario.outside.whole
        return scenario, arriving

    @property
    def reading(self) -> bool:
        """Whether a part of the file has yet to be read."""
        return not self.whole and not self.stopped

    @property
    def stopped(self) -> bool:
        """Whether no more is wanted."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Want no more of it."""
        self._stop.set()

    def read(self, tell: Callable[[int], object]) -> Scenario:
        """The whole file; ``tell`` hears each whole percent. Raises ``StoppedReading`` and
        ``TranscriptError``.
        """
        begun = time.monotonic()
        self._version = _version(self.path)
        size = self._version[0] if self._version else 0

        def watch(seen: int) -> None:
            if self.stopped:
                raise StoppedReading
            if size and (percent := min(99, 100 * seen // size)) != self.percent:
                self.percent = percent
                tell(percent)

        scenario = load_file(self.path, self.path.name, Reading(watch=watch))
        self._took = time.monotonic() - begun
        self.whole = True
        return scenario

    def grown(self) -> bool:
        """Wait until the file has changed, or is gone; false where no more is wanted."""
        self._stop.wait(REST * self._took)
        while not self._stop.wait(LOOKS):
            if _version(self.path) != self._version:
                return True
        return False


def is_big(path: Path) -> bool:
    """Whether reading a file takes long."""
    return path.stat().st_size > BIG


def first_part(path: Path) -> int | None:
    """How many bytes of a file are enough for the first frame; None where it takes all of it.

    Raises ``TranscriptError`` where it can't be read.
    """
    if not is_big(path):
        return None
    from visualizer.formats import comes_in_lines  # noqa: PLC0415 - start-up time

    with open_file(path, path.name) as (_, head):
        return FIRST if comes_in_lines(head) else None


@contextmanager
def making_way() -> Iterator[None]:
    """Work in another thread, while keys are answered as fast as ever."""
    before = getswitchinterval()
    setswitchinterval(SHORT_SLICE)
    try:
        yield
    finally:
        setswitchinterval(before)


def _version(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file is written; None while there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino
