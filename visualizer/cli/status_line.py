"""A line on a terminal that is written over and over, and is gone when it is done."""

from __future__ import annotations

import shutil
from contextlib import suppress
from types import TracebackType
from typing import TextIO

from visualizer.text import cells, clip


class Ticker:
    """Says what goes on where ``stream`` is a terminal; anywhere else it says nothing."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream if stream is not None and stream.isatty() else None
        self._shown = 0

    def __enter__(self) -> Ticker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """However it ends, nothing is left on the line."""
        self.clear()

    def show(self, line: str) -> None:
        """Write a line, which is safe for a terminal, over the one before."""
        if self._stream is None:
            return
        # In the last column many terminals go on in the next line, which nothing could take back.
        line = clip(line, shutil.get_terminal_size().columns - 1)
        self._write(line)
        self._shown = cells(line)

    def clear(self) -> None:
        """Take the line away, so that another can be printed."""
        if self._shown:
            self._write("")
            self._shown = 0

    def _write(self, line: str) -> None:
        rest = " " * max(self._shown - cells(line), 0)
        if self._stream is not None:
            with suppress(OSError, ValueError):  # a terminal that went away has nobody to tell
                self._stream.write(f"\r{line}{rest}\r{line}")
                self._stream.flush()
