"""Places that can be passed on: ``aurora-run@t1.check,max_turns=2``.

A locator names a scenario or a file, a place in its run, and what the run was driven with
where that differs from the scenario's own settings: which of its runs
(``fork@t0.call,run=forked``), cap, loop, and a reader's decisions
(``approval@end,deny=t1.approve``) and changed observations
(``aurora-run@end,observe=t0.execute:No%20page.``). Read from the right, so that a file name
may hold an ``@``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from visualizer.run.timeline import PLACE, Run
from visualizer.transcript.settings import DECIDED, OBSERVED, Choice

if TYPE_CHECKING:
    from visualizer.loading import Scenario

Decisions = tuple[tuple[str, Choice], ...]
"""A reader's decisions: place and choice."""
Observations = tuple[tuple[str, str], ...]
"""Tool results that a reader changed: place and text."""

_DECISION = rf",(?:allow|deny)={DECIDED.pattern}"
_OBSERVATION = rf",observe={OBSERVED.pattern}:[^,\s]*"
_SETTINGS = rf"(?:,max_turns=\d{{1,9}}|,loop=[^,]+|,run=[^,]+|{_DECISION}|{_OBSERVATION})*"
_LOCATOR = re.compile(rf"(.+)@({PLACE.pattern})({_SETTINGS})", re.ASCII | re.DOTALL)


class Locator(NamedTuple):
    """A locator in its parts; what is None is the scenario's own."""

    name: str
    place: str | None = None
    max_turns: int | None = None
    loop: str | None = None
    decisions: Decisions = ()
    observations: Observations = ()
    run: str | None = None

    @classmethod
    def parse(cls, text: str) -> Locator:
        """The parts of ``text``; all of it is the name where it is no locator."""
        found = _LOCATOR.fullmatch(text)
        if found is None:
            return cls(text)
        said = [part.split("=", 1) for part in found[3].split(",") if part]
        settings = {name: value for name, value in said if name in ("max_turns", "loop", "run")}
        cap = settings.get("max_turns")
        decided: dict[str, Choice] = {
            place: "deny" if choice == "deny" else "allow"
            for choice, place in said
            if choice in ("allow", "deny")
        }
        changed = [value.partition(":") for name, value in said if name == "observe"]
        return cls(
            found[1],
            found[2],
            int(cap) if cap else None,
            settings.get("loop"),
            tuple(decided.items()),
            tuple({place: unquote(text) for place, _, text in changed}.items()),
            settings.get("run"),
        )

    @classmethod
    def written(cls, text: str) -> Locator:
        """The parts of a ``text`` that stands in a file: there a loop is named, never a path.

        Raises ``LoopError`` for what is no loop's name.
        """
        found = cls.parse(text)
        found.require_loop()
        return found

    def require_loop(self) -> None:
        """Refuse what is no loop's name. Raises ``LoopError``."""
        if self.loop is not None:
            from visualizer.loops.registry import require_loop  # noqa: PLC0415 - start-up time

            require_loop(self.loop)

    def scenario(self) -> Scenario:
        """The scenario with what a reader decided and changed. Raises what loading it raises."""
        from visualizer.loading import load_transcript  # noqa: PLC0415 - start-up time

        return self.applied(load_transcript(self.name))

    def applied(self, scenario: Scenario) -> Scenario:
        """A scenario on the run meant, with what a reader decided and changed.

        Raises ``LoopError``, and ``NotFoundError`` where it has no such run.
        """
        if self.run is not None:
            scenario = scenario.on_run(self.run)
        decided = scenario.deciding(dict(self.decisions))
        return decided.observing(dict(self.observations))

    @property
    def changes(self) -> bool:
        """Whether another run is meant, or a reader decided or changed anything."""
        return bool(self.decisions or self.observations or self.run)

    def checked(self, run: Run) -> Run:
        """The run, where every observation that is changed is in it. Raises ``PlaceError``."""
        for place, _ in self.observations:
            run.locate(place)
        return run

    def arguments(self) -> list[str]:
        """The same as arguments of a command."""
        options = {"--at": self.place, "--max-turns": self.max_turns, "--loop": self.loop}
        options["--run"] = self.run
        given = [(name, str(value)) for name, value in options.items() if value is not None]
        given += [(f"--{choice}", place) for place, choice in self.decisions]
        given += [("--observe", f"{place}={text}") for place, text in self.observations]
        return [self.name, *(part for option in given for part in option)]

    def __str__(self) -> str:
        bare = self.max_turns is None and self.loop is None and self.run is None
        bare = bare and not self.decisions and not self.observations
        place = f"@{self.place or 'start'}" if self.place or not bare else ""
        cap = "" if self.max_turns is None else f",max_turns={self.max_turns}"
        loop = "" if self.loop is None else f",loop={self.loop}"
        decided = "".join(f",{choice}={place}" for place, choice in self.decisions)
        changed = "".join(f",observe={at}:{_packed(text)}" for at, text in self.observations)
        run = "" if self.run is None else f",run={self.run}"
        return f"{self.name}{place}{cap}{loop}{run}{decided}{changed}"


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
    shown_loop = None if same_loop else run.loop.name
    other = default is not None and default.recorded_run != run.recorded_run
    of_run = run.recorded_run if other else None
    return str(Locator(name, place, cap, shown_loop, decided, run.observations, of_run))


def _packed(text: str) -> str:
    """A text without what a shell or a list of settings would take for a sign of its own."""
    return re.sub(r"[^\w.:/-]", lambda found: quote(found[0], safe=""), text)
