"""Places that can be passed on: ``aurora-run@t1.check,max_turns=2``.

A locator names a scenario or a file, a place in its run, and what the run was driven with
where that differs from the scenario's own settings: cap, loop, and a reader's decisions
(``approval@end,deny=t1.approve``). Read from the right, so that a file name may hold an ``@``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from visualizer.settings import DECIDED, Choice
from visualizer.timeline import PLACE, Run

if TYPE_CHECKING:
    from visualizer.loading import Scenario

Decisions = tuple[tuple[str, Choice], ...]
"""A reader's decisions: place and choice."""

_DECISION = rf",(?:allow|deny)={DECIDED.pattern}"
_SETTINGS = rf"(?:,max_turns=\d{{1,9}}|,loop=[^,]+|{_DECISION})*"
_LOCATOR = re.compile(rf"(.+)@({PLACE.pattern})({_SETTINGS})", re.ASCII | re.DOTALL)


class Locator(NamedTuple):
    """A locator in its parts; what is None is the scenario's own."""

    name: str
    place: str | None = None
    max_turns: int | None = None
    loop: str | None = None
    decisions: Decisions = ()

    @classmethod
    def parse(cls, text: str) -> Locator:
        """The parts of ``text``; all of it is the name where it is no locator."""
        found = _LOCATOR.fullmatch(text)
        if found is None:
            return cls(text)
        said = [part.split("=", 1) for part in found[3].split(",") if part]
        settings = {name: value for name, value in said if name in ("max_turns", "loop")}
        cap = settings.get("max_turns")
        decided: dict[str, Choice] = {
            place: "deny" if choice == "deny" else "allow"
            for choice, place in said
            if choice not in settings
        }
        return cls(
            found[1],
            found[2],
            int(cap) if cap else None,
            settings.get("loop"),
            tuple(decided.items()),
        )

    def scenario(self) -> Scenario:
        """The scenario with the decisions. Raises what loading it raises."""
        from visualizer.loading import load_transcript  # noqa: PLC0415 - start-up time

        return load_transcript(self.name).deciding(dict(self.decisions))

    def arguments(self) -> list[str]:
        """The same as arguments of a command."""
        options = {"--at": self.place, "--max-turns": self.max_turns, "--loop": self.loop}
        given = [(name, str(value)) for name, value in options.items() if value is not None]
        given += [(f"--{choice}", place) for place, choice in self.decisions]
        return [self.name, *(part for option in given for part in option)]

    def __str__(self) -> str:
        bare = self.max_turns is None and self.loop is None and not self.decisions
        place = f"@{self.place or 'start'}" if self.place or not bare else ""
        cap = "" if self.max_turns is None else f",max_turns={self.max_turns}"
        loop = "" if self.loop is None else f",loop={self.loop}"
        decided = "".join(f",{choice}={place}" for place, choice in self.decisions)
        return f"{self.name}{place}{cap}{loop}{decided}"


def locator(name: str, run: Run, index: int, default: Run | None = None) -> str:
    """The locator of a step. ``default`` is the run that the scenario's own settings give.

    Without it the loop and the cap are always said, so that the locator is right anywhere.
    """
    same_loop = default is not None and default.loop.name == run.loop.name
    same_cap = default is not None and default.max_turns == run.max_turns
    place = run.step(index).place
    cap = None if same_cap else run.max_turns
    own = set(default.decisions) if default is not None else set()
    decided = tuple(pair for pair in run.decisions if pair not in own)
    return str(Locator(name, place, cap, None if same_loop else run.loop.name, decided))
