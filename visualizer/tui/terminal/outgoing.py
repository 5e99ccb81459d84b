"""What a terminal is sent; which of its modes that changed is remembered, and can be undone."""

from __future__ import annotations

import os
import re
import select
import threading
from collections.abc import Callable
from typing import TextIO

ON_BY_DEFAULT = frozenset({b"7", b"25"})
"""The modes that a terminal has on by itself: wrapping lines, and the cursor."""

PATIENCE = 1.0
"""Seconds to wait for a terminal that is slow to take what it is sent, before it is left."""

_PIECE = 1 << 13
_CHANGE = re.compile(rb"\x1b\[(?:\?(\d+)([hl])|([<>])\d*u)")


class Outgoing:
    """Where Textual's thread writes to. Between ``take`` and ``leave`` it reaches the terminal.

    A terminal that has gone is told once, through ``gone``; from then on nothing is written.
    """

    def __init__(self, stream: TextIO, gone: Callable[[], object]) -> None:
        self._encoding = stream.encoding
        self._descriptor = stream.fileno()
        self._gone = gone
        self.taken = False
        self._sending = threading.Lock()
        self._pending: list[str] = []
        self._undo: dict[bytes, bytes] = {}

    def fileno(self) -> int:
        """The descriptor of the terminal."""
        return self._descriptor

    def take(self) -> None:
        """From now on what is written reaches the terminal."""
        self.taken = True

    def leave(self) -> bool:
        """Undo each change of a mode; false where that had been done.

        It may be called in a signal handler: it interrupts a frame, and waits for no more
        than a piece of it.
        """
        was_taken, self.taken = self.taken, False
        if was_taken and self._sending.acquire(timeout=PATIENCE):
            try:
                undo = b"".join(reversed(self._undo.values()))
                self._undo.clear()
                self._send(b"\x1b[m" + undo, lambda: True)
            finally:
                self._sending.release()
        return was_taken

    def write(self, text: str) -> None:
        """Keep text for the next ``flush``."""
        self._pending.append(text)

    def flush(self) -> None:
        """Send what has been written."""
        text = "".join(self._pending)
        self._pending.clear()
        with self._sending:
            if self.taken:
                data = text.encode(self._encoding, "backslashreplace")
                self._note(data[: self._send(data, lambda: self.taken)])

    def _note(self, sent: bytes) -> None:
        for number, letter, pushed in _CHANGE.findall(sent):
            if number and (letter == b"h") != (number in ON_BY_DEFAULT):
                self._undo[number] = b"\x1b[?" + number + (b"l" if letter == b"h" else b"h")
            elif pushed == b">":
                self._undo[b"keyboard"] = b"\x1b[<u"
            else:
                self._undo.pop(number or b"keyboard", None)

    def _send(self, data: bytes, wanted: Callable[[], bool]) -> int:
        """Send as much as is wanted; how many bytes that were."""
        sent = 0
        try:
            while sent < len(data) and wanted():
                try:
                    sent += os.write(self._descriptor, data[sent : sent + _PIECE])
                except BlockingIOError:  # another program has set it to never wait
                    select.select([], [self._descriptor], [], PATIENCE)
        except OSError:
            self.taken = False
            self._undo.clear()
            self._gone()
        return sent
