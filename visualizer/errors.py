"""The errors this package raises on purpose, with one root.

VisualizerError            everything below; ``str()`` is one plain line
├── TranscriptError        a transcript can't be used: where and what is wrong
├── NotFoundError          no scenario or file of that name; carries the nearest ones
├── LoopError              a loop can't be driven (a coroutine, no cap, not found …)
└── PlaceError             no such place in this run

What stops a *run* is not here: stops are part of a run's record (see ``replay``).
"""

from __future__ import annotations


class VisualizerError(Exception):
    """Root of the errors that a caller can act on."""


class TranscriptError(VisualizerError):
    """A transcript that can't be used.

    ``problems`` holds every finding as ``(pointer, text)``; the pointer is a JSON
    pointer (RFC 6901), empty for the file as a whole.
    """

    def __init__(self, source: str, problems: list[tuple[str, str]]) -> None:
        self.source = source
        self.problems = problems
        super().__init__("; ".join(problem_line(source, *problem) for problem in problems))


class NotFoundError(VisualizerError):
    """Nothing is known under ``name``; ``nearest`` holds names that look like it."""

    def __init__(self, message: str, name: str, nearest: list[str]) -> None:
        self.name = name
        self.nearest = nearest
        super().__init__(message)


class LoopError(VisualizerError):
    """A loop that can't be driven as asked."""


class PlaceError(VisualizerError):
    """A place that does not exist in a run."""


def problem_line(source: str, pointer: str, text: str) -> str:
    """One finding as the command line prints it: ``file: pointer: what is wrong``."""
    return f"{source}: {pointer}: {text}" if pointer else f"{source}: {text}"
