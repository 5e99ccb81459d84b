"""A file that several windows keep: replaced whole, by one process at a time.

The system holds the lock, so that it goes with a process that dies. It is waited for a while only,
and where there can't be one (a folder that can't be written, a file system without locks)
the work is done without: a lock protects others' work, it is no reason to lose one's own.
"""

from __future__ import annotations

import errno
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

WAIT = 5.0
"""Seconds after which the work is done all the same."""
PAUSE = 0.01
BUSY = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})
"""What a lock that another one holds answers."""


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Keep others that ask for it off ``path``; whether that could be done."""
    lock = path.with_name(f".{path.name}.lock")
    handle = _acquire(lock)
    try:
        yield handle is not None
    finally:
        if handle is not None:
            _release(lock, handle)


def replace_whole(path: Path, text: str) -> None:
    """Put a text into a file at once: readers see the old text or the new one."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _acquire(lock: Path) -> int | None:
    """The lock file, open and locked; None where it can't be had, or not in time."""
    end = time.monotonic() + WAIT
    while True:
        handle = None
        try:
            handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
            _try(lock, handle)
            return handle
        except OSError as error:
            opened = handle is not None
            if handle is not None:
                os.close(handle)
            # Where a file just removed can't be opened yet, that is being busy, too.
            if error.errno not in BUSY or not (opened or os.name == "nt"):
                return None
        if time.monotonic() >= end:
            return None
        time.sleep(PAUSE * random.random())


if sys.platform == "win32":
    import msvcrt

    def _try(lock: Path, handle: int) -> None:
        """Lock the file now. Raises ``OSError`` where another one holds it."""
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _release(lock: Path, handle: int) -> None:
        """Let others have it; an open file can't be removed, so that comes last."""
        with suppress(OSError):
            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
        os.close(handle)
        with suppress(OSError):
            lock.unlink()

else:
    import fcntl

    def _try(lock: Path, handle: int) -> None:
        """Lock the file now. Raises ``OSError`` where another one holds it, or removed it."""
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), lock.stat()):
                return
        raise BlockingIOError(errno.EAGAIN, "removed by who held it before")

    def _release(lock: Path, handle: int) -> None:
        """Remove the file while no one else can hold it, then let others make a new one."""
        with suppress(OSError):
            lock.unlink()
        os.close(handle)
