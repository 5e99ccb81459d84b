"""Standard input: data that is piped in, and then the keys of the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

STANDARD_INPUT = Path("-")
"""Stands for what is piped in: this very object does, a file named ``-`` does not."""

TERMINAL = "CONIN$" if sys.platform == "win32" else "/dev/tty"
_PIECE = 1 << 20
_DESCRIPTOR = 0


def piped(limit: int) -> bytes | None:
    """All that comes in, up to its end; None as soon as it is more than ``limit`` bytes."""
    stream: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    pieces: list[bytes] = []
    size = 0
    while stream is not None and (piece := stream.read(_PIECE)):
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            return None
    return b"".join(pieces)


def terminal_keyboard() -> Callable[[], None]:
    """Open the keyboard of the terminal that this runs in; the result makes it standard input.

    Opening comes first, so that nobody waits for a pipe and then has no keys. Raises
    ``OSError`` where there is no terminal.
    """
    keys = os.open(TERMINAL, os.O_RDWR)

    def use() -> None:
        # Screens read keys from the descriptor of sys.__stdin__, which stays 0. On Windows they
        # ask for the standard handle, which the C runtime sets with descriptor 0 of a console
        # program: so its documentation says; it was not tried on a Windows machine.
        os.dup2(keys, _DESCRIPTOR)
        os.close(keys)

    return use
