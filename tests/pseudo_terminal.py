"""A terminal and a small shell, for tests of the program as a job in them. POSIX only.

The terminal knows what it is asked to be: which modes are on is read from what it was sent.
The shell runs one job in the foreground and tells of it, line by line: its process, that it has
stopped, how it ended. Nothing here waits for a time: only for output, and for what is told.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SECONDS = 60.0
"""How long anything may take on a busy machine; a test that passes never waits that long."""

QUESTIONS = {
    b"\x1b[?2026$p": b"\x1b[?2026;2$y",
    b"\x1b[?2048$p": b"\x1b[?2048;2$y",
    b"\x1b[?2048h": b"\x1b[48;%d;%d;480;800t",  # rows and columns
}
"""What a terminal with every mode answers, so that the program enters each it knows."""

ON_BY_DEFAULT = {7, 25}

PROGRAM = [sys.executable, "-m", "visualizer"]

_SEQUENCE = re.compile(rb"\x1b\[([<=>?]?)([0-9;]*)([hlu])|\x1b([=>])|\x1b\[(\d*) q")

# The descriptors of two pipes and whether to be a shell come first, then the command.
_SHELL = """
import fcntl, os, signal, sys, termios
tell, hear, alone = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "alone"
fcntl.ioctl(1, termios.TIOCSCTTY, 0)
for number in (signal.SIGHUP, signal.SIGTTOU):
    signal.signal(number, signal.SIG_IGN)
pid = os.fork()
if not pid:
    if not alone:
        os.setpgid(0, 0)
        os.tcsetpgrp(1, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    if "NOHUP" not in os.environ:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.execv(sys.argv[4], sys.argv[4:])
def end(*_):
    if pid:  # not another process that has its number by now
        os.kill(pid, signal.SIGKILL)
    os._exit(1)
signal.signal(signal.SIGTERM, end)
null = os.open(os.devnull, os.O_RDWR)
if not alone:
    os.dup2(null, 0)
os.write(tell, b"pid %d\\n" % pid)
while True:
    _, status = os.waitpid(pid, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        pid = 0
        break
    os.tcsetpgrp(1, os.getpgrp())
    os.write(tell, b"stopped\\n")
    if os.read(hear, 2) == b"fg":
        os.tcsetpgrp(1, pid)
    os.killpg(pid, signal.SIGCONT)
os.write(tell, b"ended %d\\n" % os.waitstatus_to_exitcode(status))
"""


def modes(sent: bytes) -> list[str]:
    """What a terminal has on, or off, other than at first, after it was sent this."""
    changed: dict[str, None] = {}
    keyboards = {False: 0, True: 0}  # each of the two screens has a stack of its own
    alternate = False
    for kind, numbers, letter, keypad, cursor in _SEQUENCE.findall(sent):
        if kind == b"?" and letter in b"hl":
            for number in map(int, numbers.split(b";")):
                if (letter == b"h") != (number in ON_BY_DEFAULT):
                    changed[str(number)] = None
                else:
                    changed.pop(str(number), None)
                alternate = letter == b"h" if number == 1049 else alternate
        elif letter == b"u" and kind == b">":
            keyboards[alternate] += 1
        elif letter == b"u" and kind == b"<":
            keyboards[alternate] -= int(numbers or 1)
        elif keypad == b"=" or cursor not in (b"", b"0"):
            changed["keypad" if keypad else "cursor"] = None
        elif keypad or cursor:
            changed.pop("keypad" if keypad else "cursor", None)
    stacks = [f"keyboard {depth}" for depth in keyboards.values() if depth]
    return sorted([*changed, *stacks])


class Job:
    """A program that runs in a terminal, as the job of a shell."""

    def __init__(self, master: int, slave: int, told: int, say: int) -> None:
        self.output = bytearray()
        self.before = termios.tcgetattr(slave)
        self._master: int | None = master
        self._slave: int | None = slave
        self._told: int | None = told
        self._say = say
        self._lines = bytearray()
        self._after: list[Any] = []
        self._answered = 0
        self._size = (24, 80)
        self.pid = int(self.told("pid"))

    @property
    def modes(self) -> list[str]:
        """What is on in the terminal now, as far as it was read."""
        return modes(bytes(self.output))

    @property
    def attributes(self) -> list[Any]:
        """How the terminal treats what is typed; after the end, how it did then."""
        return self._after if self._slave is None else termios.tcgetattr(self._slave)

    def press(self, keys: bytes) -> None:
        """Send what a keyboard or a mouse would."""
        assert self._master is not None
        os.write(self._master, keys)

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size."""
        assert self._slave is not None
        self._size = (rows, columns)
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def send(self, number: int) -> None:
        """Send the program a signal."""
        os.kill(self.pid, number)

    def until(self, *marks: bytes, since: int = 0, seconds: float = SECONDS) -> int:
        """Read until each of the marks has come; how much has come. Raises ``TimeoutError``."""
        self._read(lambda: all(mark in self.output[since:] for mark in marks), seconds)
        return len(self.output)

    def until_left(self) -> None:
        """Read until no mode is left on. Raises ``TimeoutError``."""
        self._read(lambda: not self.modes, SECONDS)

    def told(self, word: str) -> str:
        """What the shell says after ``word``. Raises ``TimeoutError``."""
        start = f"{word}".encode()
        self._read(lambda: b"\n" in self._lines, SECONDS)
        line, _, self._lines = self._lines.partition(b"\n")
        assert line.startswith(start), (line, bytes(self.output[-2000:]))
        return line[len(start) :].decode().strip()

    def ended(self) -> int:
        """Wait for the end, and for all that was sent: the exit code, or minus the signal."""
        code = int(self.told("ended"))
        if self._slave is not None:
            self._after = self.attributes
            os.close(self._slave)
            self._slave = None
            self._read(lambda: self._master is None, SECONDS)
        return code

    def answer_shell(self, words: bytes) -> None:
        """``fg`` or ``bg`` to the shell, for a job that has stopped."""
        os.write(self._say, words)

    def close(self) -> None:
        """Have no more to do with it."""
        self.close_window()
        if self._told is not None:
            os.close(self._told)
            self._told = None

    def close_window(self) -> None:
        """There is no terminal any more."""
        for one in (self._master, self._slave):
            if one is not None:
                os.close(one)
        self._master = self._slave = None

    def _read(self, enough: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not enough():
            sources = [one for one in (self._master, self._told) if one is not None]
            wait = deadline - time.monotonic()
            ready, _, _ = select.select(sources, [], [], max(0.0, wait))
            if not ready or wait < 0:
                raise TimeoutError(bytes(self._lines), bytes(self.output[-2000:]))
            if self._told in ready:
                self._listen(self._told)
            elif self._master in ready:
                self._take(self._master)

    def _listen(self, told: int) -> None:
        line = os.read(told, 4096)
        self._lines += line or b"no shell any more\n"
        if not line:
            os.close(told)
            self._told = None

    def _take(self, master: int) -> None:
        try:
            data = os.read(master, 65536)
        except OSError:  # how Linux tells that nobody has the other end
            data = b""
        self.output += data
        if data:
            self._answer()
        else:
            os.close(master)
            self._master = None

    def _answer(self) -> None:
        new = self.output[self._answered :]
        for question, answer in QUESTIONS.items():
            if question in new:
                self.press(answer % self._size if b"%" in answer else answer)
                self._answered = len(self.output)


@contextmanager
def job(
    *arguments: str,
    command: Sequence[str] = PROGRAM,
    alone: bool = False,
    data: bytes | None = None,
    errors: Path | None = None,
    env: dict[str, str] | None = None,
) -> Iterator[Job]:
    """The program in a terminal of 80x24.

    ``alone`` has no shell above it that would continue it. ``data`` is piped in; standard error
    goes to the file ``errors``.
    """
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    told, tell = os.pipe()
    hear, say = os.pipe()
    unwanted = ("NO_COLOR", "COLUMNS", "LINES", "TERM_PROGRAM", "VISUALIZER_DEBUG")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment |= {"TERM": "xterm-256color", "VISUALIZER_LANG": "en", **(env or {})}
    sink = os.open(errors, os.O_WRONLY | os.O_CREAT) if errors is not None else slave
    options = (str(tell), str(hear), "alone" if alone else "shell")
    with subprocess.Popen(
        [sys.executable, "-c", _SHELL, *options, *command, *arguments],
        stdin=slave if data is None else subprocess.PIPE,
        stdout=slave,
        stderr=sink,
        start_new_session=True,
        pass_fds=(tell, hear),
        env=environment,
    ) as shell:
        for one in {tell, hear, sink} - {slave}:
            os.close(one)
        if data is not None:
            assert shell.stdin is not None
            shell.stdin.write(data)
            shell.stdin.close()
        running = Job(master, slave, told, say)
        try:
            yield running
        finally:
            shell.terminate()
            shell.wait()
            running.close()
            os.close(say)
