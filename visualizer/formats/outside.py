"""What reading an outside recording gives: runs, and what was odd in the file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from visualizer.errors import Problem
from visualizer.formats.found_at import LOCATED, named, places
from visualizer.transcript.records import RecordedRun

MOST_LINES_NAMED = 20
"""How many damaged lines are named one by one; further ones are counted."""

OTHER = "format.other_line"
"""Lines of a kind that takes no part in a run; ``kind`` says which."""

NOTES = frozenset(
    {
        OTHER,
        "format.inserted",
        "format.retried",
        "format.copied",
        "format.copied_lines",
        "format.thoughts_left_out",
        "format.beside_calls",
        "format.early_result",
        "format.not_recorded",
        "format.synthetic",
        "format.polled",
        "format.truncated",
        "format.other_choices",
        "format.reordered",
        "format.one_id",
        "format.unkept_reply",
        "format.partial_usage",
        "format.blank_text",
        "format.answered_by_host",
        "format.unattached",
        "format.other_provider",
        "format.double_line",
        "format.unanswered",
        "format.late_result",
        "format.double_request",
        "format.cap_inferred",
        "format.calls_missing",
        "format.changed_reply",
        "format.changed_message",
        "format.left_out",
        "format.not_kept",
    }
)
"""Findings on what is there rightly, or only not there: no fault of the file."""


class Sample(NamedTuple):
    """The beginning of a file, for recognising its format: its objects, as far as they go."""

    shape: str
    items: list[dict[str, Any]]


class Findings:
    """What was odd in a file, each kind once with how often it was seen."""

    def __init__(self) -> None:
        self.damaged: list[Problem] = []
        self._damaged_more = 0
        self._places: dict[str, list[str]] = {}
        self._counts: Counter[tuple[str, tuple[tuple[str, object], ...]]] = Counter()

    def count(self, key: str, times: int = 1, **values: object) -> None:
        """Count one kind of finding; ``values`` are part of the kind."""
        if times:
            self._counts[key, tuple(values.items())] += times

    def damage(self, line: int, key: str = "format.damaged") -> None:
        """A line that could not be read."""
        if len(self.damaged) < MOST_LINES_NAMED:
            self.damaged.append(Problem("", key, {"line": line}))
        else:
            self._damaged_more += 1

    def locate(self, runs: list[RecordedRun]) -> None:
        """Find out where in the runs that were read the findings are, as far as that is known."""
        self._places = places(runs, (key for key, _ in self._counts))

    def number(self, key: str) -> int:
        """How often a kind was counted, whatever its values."""
        return sum(times for (kind, _), times in self._counts.items() if kind == key)

    def faults(self) -> Iterator[Problem]:
        """The findings that say something is wrong, not only that there is something."""
        return (problem for problem in self.problems() if problem.key not in NOTES)

    def problems(self) -> Iterator[Problem]:
        """Every finding as a line for people: damaged lines, then the rest."""
        yield from self.damaged
        if self._damaged_more:
            yield Problem("", "format.damaged_more", {"n": self._damaged_more})
        others = {
            str(dict(values)["kind"]): times
            for (key, values), times in self._counts.items()
            if key == OTHER
        }
        for (key, values), times in self._counts.items():
            if key != OTHER:
                where = {"places": named(self._places.get(key, []))} if key in LOCATED else {}
                yield Problem("", key, {**dict(values), "n": times, **where})
        if others:
            kinds = ", ".join(f"{kind} {times}" for kind, times in others.items())
            yield Problem("", OTHER, {"kinds": kinds, "n": sum(others.values())})


NOT_KEPT = {
    **dict.fromkeys(("claude-code", "stream-json", "codex-exec", "gemini-cli"), ("system",)),
    **dict.fromkeys(
        ("codex-rollout", "mini-swe-agent", "swe-agent", "langchain", "pydantic-ai"), ()
    ),
}
"""What clients send with the messages and never write down, by format: besides tools and their
``max_tokens``, which none of these keeps. Recorded calls hold what was sent, and lack nothing.
"""


@dataclass(slots=True)
class Outside:
    """An outside recording: the runs found in it, in the order they began.

    ``prompts`` counts what a user asked, which may be more than the runs that got a reply.
    ``whole`` is false where only the beginning of the file was read.
    """

    format: str
    runs: list[RecordedRun] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)
    prompts: int = 0
    whole: bool = True

    @property
    def not_kept(self) -> tuple[str, ...]:
        """The parameters of requests that files of this format do not keep."""
        known = NOT_KEPT.get(self.format)
        return () if known is None else (*known, "tools", "max_tokens")


class Unreadable(Exception):
    """A file that is not, or can't be read as, what it seemed; carries a text's key."""

    def __init__(self, key: str, **values: object) -> None:
        self.key = key
        self.values = values
        super().__init__(key)


def is_beside(path: Path, other: Path) -> bool:
    """Whether a file of the folder of ``path`` is really there: no link leads elsewhere."""
    home = path.parent
    there = Path(os.path.realpath(home)) / other.relative_to(home)
    return os.path.normcase(os.path.realpath(other)) == os.path.normcase(there)


def no_files(path: Path, decoded: Any) -> Iterable[Path]:
    """For formats of one file."""
    return ()


class Format(NamedTuple):
    """One kind of outside recording.

    ``claims`` judges the beginning of a file, ``read`` fills an ``Outside`` from all of it.
    ``order`` decides who is asked first. ``beside`` gives the files that belong to one, by its
    path and what is in it; they are read behind it, each with line numbers from 1 on again.
    ``by_line`` means that a line shows by itself that it is of this format; ``family`` names
    formats whose lines look so much alike that they don't tell each other's apart.
    """

    name: str
    order: int
    claims: Callable[[Sample], bool]
    read: Callable[[Any, Outside], None]
    beside: Callable[[Path, Any], Iterable[Path]] = no_files
    by_line: bool = False
    family: str = ""
