"""What an instructor has set: explanations wait until they are asked for; what to show when."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from visualizer.text import display_safe

if TYPE_CHECKING:
    from visualizer.app.agenda import Entry


@dataclass(slots=True)
class Classroom:
    """``on``: explanations are hidden until they are revealed. ``agenda``: places by number."""

    on: bool = False
    agenda: tuple[Entry, ...] = ()

    @property
    def in_use(self) -> bool:
        """Whether a class may be looking: what is private is not shown then."""
        return self.on or bool(self.agenda)

    def place(self, number: int) -> Entry | None:
        """The place that a digit opens, counted from 1."""
        return self.agenda[number - 1] if 1 <= number <= len(self.agenda) else None


def place_name(entry: Entry) -> str:
    """A place of the agenda as it may be shown to a class: no folder of the instructor's."""
    wanted = entry.locator
    return display_safe(str(wanted._replace(name=PurePath(wanted.name).name)))


def entry_title(entry: Entry) -> str:
    """The title of a place; where it has none, its name without folders."""
    untitled = entry.title == display_safe(str(entry.locator)) or entry.locator.name in entry.title
    return place_name(entry) if untitled else entry.title
