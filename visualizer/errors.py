"""The errors this package raises on purpose, with one root.

VisualizerError            everything below; ``str()`` is one plain English line
├── TranscriptError        a transcript can't be used: every ``Problem`` found, with its place
├── LessonError            a lesson's files can't be used: every ``Problem``, with its file
├── NotFoundError          no scenario or file of that name; carries the nearest ones
├── LoopError              a loop can't be driven (a coroutine, no cap, not found …)
└── PlaceError             no such place in this run

Errors carry the key of a text and its values, so that they can be said in any language of
the interface (``error.text(texts)``). Values may come from hostile files: they are made safe
for a terminal when the text is made.

What stops a *run* is not here: stops are part of a run's record (``timeline.Stop``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from visualizer.i18n import Texts, texts
from visualizer.text import display_safe

MAX_VALUE = 120
"""Longest piece of a file that an error line repeats, in characters."""


class VisualizerError(Exception):
    """Root of the errors that a caller can act on."""

    def __init__(self, key: str, /, **values: object) -> None:
        self.key = key
        self.values = values
        super().__init__(key)

    def text(self, language: Texts) -> str:
        """One line in a language, safe for a terminal."""
        return say(language, self.key, self.values)

    def __str__(self) -> str:
        return self.text(texts("en"))


class Problem(NamedTuple):
    """One finding in a file: where (a JSON pointer, RFC 6901, "" for the file) and what."""

    pointer: str
    key: str
    values: dict[str, object] = {}  # noqa: RUF012 - never written to

    def text(self, language: Texts) -> str:
        """What is wrong, in a language."""
        return say(language, self.key, self.values)

    def line(self, source: str, language: Texts) -> str:
        """``file: pointer: what is wrong``, safe for a terminal."""
        parts = [display_safe(source), display_safe(self.pointer), self.text(language)]
        return ": ".join(part for part in parts if part)


class TranscriptError(VisualizerError):
    """A transcript that can't be used; ``source`` is its file name as given."""

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        super().__init__("problem.transcript")

    def lines(self, language: Texts) -> list[str]:
        """Every problem as a line."""
        return [problem.line(self.source, language) for problem in self.problems]

    def text(self, language: Texts) -> str:
        """The first problem, and how many more there are."""
        first = self.problems[0].line(self.source, language)
        more = len(self.problems) - 1
        return first + (language.count("problem.more", more) if more else "")


class LessonError(VisualizerError):
    """A lesson that can't be used; ``problems`` are pairs of a file's name and a problem."""

    def __init__(self, problems: Sequence[tuple[str, Problem]]) -> None:
        self.problems = tuple(problems)
        super().__init__("problem.transcript")

    def lines(self, language: Texts) -> list[str]:
        """Every problem as a line."""
        return [problem.line(source, language) for source, problem in self.problems]

    def text(self, language: Texts) -> str:
        """The first problem, and how many more there are."""
        more = len(self.problems) - 1
        return self.lines(language)[0] + (language.count("problem.more", more) if more else "")


class NotFoundError(VisualizerError):
    """Nothing is known under a name; ``nearest`` holds names that look like it."""

    def __init__(self, key: str, name: str, nearest: Sequence[str] = ()) -> None:
        self.name = name
        self.nearest = tuple(nearest)
        super().__init__(key, name=name, nearest=", ".join(nearest))

    def text(self, language: Texts) -> str:
        """What was not found, and the nearest names where there are some."""
        line = super().text(language)
        return line + (say(language, "problem.nearest", self.values) if self.nearest else "")


class LoopError(VisualizerError):
    """A loop that can't be driven as asked."""


class PlaceError(VisualizerError):
    """A place that does not exist in a run."""


def say(language: Texts, key: str, values: dict[str, object]) -> str:
    """A text with hostile values made safe and kept short."""
    return language(key, **{name: _safe(value) for name, value in values.items()})


def _safe(value: object) -> object:
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, tuple):  # each of them kept short, not the list
        return ", ".join(str(_safe(one)) for one in value)
    text = str(value)
    return display_safe(text if len(text) <= MAX_VALUE else text[: MAX_VALUE - 3] + "...")
