"""Printing: lines for people, and documents, which are files of their own wherever they go."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterable
from typing import TextIO


def write(lines: Iterable[str], stream: TextIO | None = None) -> None:
    """Print lines; quietly stop where nobody reads them any more."""
    target = sys.stdout if stream is None else stream
    try:
        for line in lines:
            print(line, file=target)
    except OSError as error:
        if not reader_left(error):
            raise
        hush(target)


def document(lines: Iterable[str]) -> None:
    """Print what is a file of its own: UTF-8 with line feeds, wherever it is sent to.

    Only a terminal gets it in its own encoding.
    """
    stream = sys.stdout
    if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    write(lines)


def reader_left(error: OSError) -> bool:
    """Whether an error says that the other end of a pipe is closed (Windows has its own)."""
    return error.errno == errno.EPIPE or (os.name == "nt" and error.errno == errno.EINVAL)


def hush(stream: TextIO) -> None:
    """Let what is still buffered for a closed pipe go nowhere, also when Python exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
