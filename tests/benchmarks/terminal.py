"""A terminal made of a pseudo-terminal: starts a program, presses keys, times the frames.

It answers the question for synchronized output (mode 2026), so that every frame of a
Textual program ends with a mark that can be waited for. POSIX only.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

FRAME_END = b"\x1b[?2026l"
SYNC_QUESTION = b"\x1b[?2026$p"
SYNC_ANSWER = b"\x1b[?2026;2$y"


class Terminal:
    """A program running at a size of ``columns`` x ``rows``."""

    def __init__(
        self, command: Sequence[str], columns: int, rows: int, env: Mapping[str, str] | None = None
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {
            **os.environ,
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            **(env or {}),
        }
        environment.pop("NO_COLOR", None)
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.output = bytearray()

    def read(self, seconds: float) -> bytes:
        """What comes within ``seconds``, as soon as something comes."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return b""
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:
            return b""
        self.output += data
        if SYNC_QUESTION in data:
            os.write(self._master, SYNC_ANSWER)
        return data

    def until(self, mark: bytes, seconds: float = 60.0) -> float:
        """Seconds from the start until ``mark`` was seen. Raises ``TimeoutError``."""
        start = len(self.output)
        while time.perf_counter() - self.started < seconds:
            self.read(0.5)
            if mark in self.output[max(0, start - len(mark)) :]:
                return time.perf_counter() - self.started
        raise TimeoutError(bytes(self.output[-500:]))

    def settle(self, quiet: float = 0.05) -> None:
        """Read until nothing has come for ``quiet`` seconds."""
        while self.read(quiet):
            pass

    def press(self, key: bytes, quiet: float = 0.03) -> tuple[float, int]:
        """Milliseconds from a key to the end of its first frame, and how many frames came."""
        before = len(self.output)
        start = time.perf_counter()
        os.write(self._master, key)
        while FRAME_END not in self.output[before:]:
            if time.perf_counter() - start > 10:
                raise TimeoutError(key)
            self.read(0.5)
        took = time.perf_counter() - start
        self.settle(quiet)
        return took * 1000, self.output[before:].count(FRAME_END)

    def peak(self) -> int:
        """Most bytes of memory that the program has held so far (Linux)."""
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()
        os.close(self._master)
