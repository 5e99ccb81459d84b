"""Places that can be passed on: ``aurora-run@t1.check,max_turns=2``.

A locator names a scenario or a file, a place in its run, and what the run was driven with
where that differs from the scenario's own settings. Read from the right, so that a file name
may hold an ``@``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from visualizer.timeline import PLACE, Run

_SETTINGS = r"(?:,max_turns=\d{1,9}|,loop=[^,]+)*"
_LOCATOR = re.compile(rf"(.+)@({PLACE.pattern})({_SETTINGS})", re.ASCII | re.DOTALL)


class Locator(NamedTuple):
    """A locator in its parts; what is None is the scenario's own."""

    name: str
    place: str | None = None
    max_turns: int | None = None
    loop: str | None = None

    @classmethod
    def parse(cls, text: str) -> Locator:
        """The parts of ``text``; all of it is the name where it is no locator."""
        found = _LOCATOR.fullmatch(text)
        if found is None:
            return cls(text)
        settings = dict(part.split("=", 1) for part in found[3].split(",") if part)
        cap = settings.get("max_turns")
        return cls(found[1], found[2], int(cap) if cap else None, settings.get("loop"))

    def arguments(self) -> list[str]:
        """The same as arguments of a command."""
        options = {"--at": self.place, "--max-turns": self.max_turns, "--loop": self.loop}
        given = [(name, str(value)) for name, value in options.items() if value is not None]
        return [self.name, *(part for option in given for part in option)]

    def __str__(self) -> str:
        bare = self.max_turns is None and self.loop is None
        place = f"@{self.place or 'start'}" if self.place or not bare else ""
        cap = "" if self.max_turns is None else f",max_turns={self.max_turns}"
        return f"{self.name}{place}{cap}{'' if self.loop is None else f',loop={self.loop}'}"


def locator(name: str, run: Run, index: int, default: Run | None = None) -> str:
    """The locator of a step. ``default`` is the run that the scenario's own settings give.

    Without it the loop and the cap are always said, so that the locator is right anywhere.
    """
    same_loop = default is not None and default.loop.name == run.loop.name
    same_cap = default is not None and default.max_turns == run.max_turns
    place = run.step(index).place
    cap = None if same_cap else run.max_turns
    return str(Locator(name, place, cap, None if same_loop else run.loop.name))
