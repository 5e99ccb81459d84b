"""What the reader has done in lessons, read from its file when it is first needed."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from visualizer.learner.progress import Progress


class KeptProgress:
    """The progress in a file (None: the user's), or one that has been read."""

    def __init__(self, given: Progress | str | Path | None = None) -> None:
        self._given = given

    @cached_property
    def value(self) -> Progress:
        """The progress. What is wrong with its file is in its notice."""
        from visualizer.learner.progress import Progress  # noqa: PLC0415 - start-up time

        given = self._given
        return given if isinstance(given, Progress) else Progress.load(given)
