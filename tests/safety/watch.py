"""An audit hook that writes down what no recording may bring about.

Hooks can't be taken out again, so this is for a process of its own.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

CANARY = "recorded_canary"
"""Stands in everything that a hostile file would like to be run."""

FORBIDDEN = (
    *("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn"),
    *("os.startfile", "pty.spawn", "webbrowser.open", "urllib.Request", "pickle.find_class"),
    *("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostby", "socket.send"),
)
CHANGING = (
    *("os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.truncate"),
    *("os.chmod", "os.chown", "os.utime", "shutil.", "tempfile."),
)
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
LOOPBACK = ("127.0.0.1", "::1")


def real(path: object) -> str:
    """A path as it is, whatever it was given as."""
    return os.path.normcase(os.path.realpath(os.fsdecode(path)))  # type: ignore[arg-type]


@dataclass
class Watch:
    """What was seen. ``state`` is where the program may write, ``outside`` what none may read."""

    state: str
    outside: str
    seen: list[str] = field(default_factory=list)
    busy: bool = False

    def __post_init__(self) -> None:
        kept = sysconfig.get_paths().values()
        own = Path(__file__).parents[2]
        self.trusted = tuple({real(path) for path in (*kept, own, sys.prefix, sys.base_prefix)})
        self.state, self.outside = real(self.state), real(self.outside)
        self.rules: dict[str, Callable[[tuple[Any, ...]], str]] = {
            "exec": lambda given: self._code(given[0]),
            "compile": lambda given: self._source(given[0]) or self._file(given[1]),
            "import": lambda given: self._file(given[1]),
            "open": self._opened,
            "os.listdir": lambda given: self._read(given[0]),
            "os.scandir": lambda given: self._read(given[0]),
        }

    def hook(self, event: str, given: tuple[Any, ...]) -> None:
        """Take one event."""
        if self.busy:
            return
        rule = self.rules.get(event)
        if rule is None and not event.startswith((*FORBIDDEN, *CHANGING)):
            return
        self.busy = True
        try:
            what = rule(given) if rule else self._other(event, given)
        finally:
            self.busy = False
        if what:
            self.seen.append(f"{event}: {what}")

    def _code(self, code: object) -> str:
        if not isinstance(code, CodeType):
            return ""
        words = [*code.co_names, *(one for one in code.co_consts if isinstance(one, str))]
        return self._file(code.co_filename) or ", ".join(one for one in words if CANARY in one)

    def _source(self, source: object) -> str:
        text = source.decode("utf-8", "replace") if isinstance(source, bytes) else source
        return text if isinstance(text, str) and CANARY in text else ""

    def _file(self, file: object) -> str:
        """A file that code comes from, where it is none of the program's or Python's."""
        if file is None or str(file).startswith("<"):
            return ""
        return "" if real(file).startswith(self.trusted) else str(file)

    def _opened(self, given: tuple[Any, ...]) -> str:
        path, mode, flags = given
        if isinstance(path, int):
            return ""
        if (isinstance(mode, str) and set(mode) & set("wax+")) or flags & WRITES:
            return self._written(path)
        return self._read(path)

    def _written(self, path: object) -> str:
        allowed = real(path) == real(os.devnull) or real(path).startswith(self.state)
        return "" if allowed else f"{path} written"

    def _read(self, path: object) -> str:
        if path is None or isinstance(path, int):
            return ""
        return f"{path} read" if real(path).startswith(self.outside) else ""

    def _other(self, event: str, given: tuple[Any, ...]) -> str:
        if event.startswith(CHANGING):
            paths = [one for one in given if isinstance(one, (str, bytes, os.PathLike))]
            return ", ".join(filter(None, map(self._written, paths)))
        if event.startswith("socket.") and any(
            str(one).find(h) > 0 for one in given for h in LOOPBACK
        ):
            # Windows makes the pair of sockets that asyncio wakes itself with in this way.
            return "" if sys.platform == "win32" else str(given)
        return str(given) or event
