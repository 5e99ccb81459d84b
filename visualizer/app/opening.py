"""What the program is started with: what to open first, and how it looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from visualizer.app.arriving import Arriving
    from visualizer.collection.places import Recent
    from visualizer.loading import Scenario


@dataclass(frozen=True, slots=True)
class Look:
    """How the screens look. Without a theme it is the dark one."""

    language: str = "en"
    theme: str | None = None
    ascii_borders: bool = False


@dataclass(frozen=True, slots=True)
class Home:
    """The list of lessons and scenarios; at the very first start the first lesson."""


@dataclass(frozen=True, slots=True)
class OneRun:
    """A scenario in the stepper, driven by a loop under a cap, at a place.

    ``arriving`` is the scenario's file where more of it is to come.
    """

    scenario: str | Scenario
    loop: str | None = None
    max_turns: int | None = None
    at: str | None = None
    arriving: Arriving | None = None


@dataclass(frozen=True, slots=True)
class Recordings:
    """A list of the recordings in a folder, or of those that clients keep."""

    place: Path | Recent
    loop: str | None = None
    max_turns: int | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson, at a page or where it was left."""

    name: str
    page: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs of a scenario side by side: the loop and the cap of each."""

    scenario: str | Scenario
    sides: Sequence[tuple[str | None, int | None]]


@dataclass(frozen=True, slots=True)
class AtTheCap:
    """A table of what loops do at caps."""

    scenario: str | Scenario
    loops: Sequence[str]
    caps: Sequence[int]


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The shuffled lines of the loop, to put in order."""


Opening = Home | OneRun | Recordings | Lesson | Comparison | AtTheCap | Shuffled
