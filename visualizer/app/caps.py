"""What loops do at the cap, a run a row. Everything here is a plain function call."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from visualizer.app.glyphs import Glyphs
from visualizer.app.session import Session
from visualizer.comparison.caps import CapRow
from visualizer.i18n import Texts
from visualizer.loops.registry import cap_families

if TYPE_CHECKING:
    from visualizer.loading import Scenario


@dataclass
class CapTable:
    """A session a row, and which row is chosen (0-based)."""

    sessions: tuple[Session, ...]
    at: int = 0

    @classmethod
    def of(
        cls, scenario: Scenario, loops: Sequence[str] = (), caps: Sequence[int] = ()
    ) -> CapTable:
        """A row for each loop (by default the cap families) under each cap (the scenario's).

        Raises ``LoopError`` for a loop that is not there or takes no cap where one is given.
        """
        return cls(
            tuple(
                Session.open(scenario, loop, cap)
                for loop in loops or cap_families()
                for cap in caps or (None,)
            )
        )

    @classmethod
    def around(cls, session: Session) -> CapTable:
        """The families under the cap of a run; its own loop is in it where that has a cap."""
        name = session.loop or session.run.loop.name
        loops = cap_families()
        if name not in loops and session.run.loop.takes_max_turns:
            loops.append(name)
        cap = session.run.max_turns
        table = cls.of(session.scenario, loops, () if cap is None else (cap,))
        table.at = loops.index(name) if name in loops else 0
        return table

    @property
    def session(self) -> Session:
        """The run of the chosen row."""
        return self.sessions[self.at]

    @cached_property
    def rows(self) -> tuple[CapRow, ...]:
        """What the table holds."""
        return tuple(CapRow.of(session.run) for session in self.sessions)

    def move(self, at: int) -> None:
        """Choose a row, or the nearest there is."""
        self.at = max(0, min(at, len(self.sessions) - 1))

    def with_caps(self, change: int) -> CapTable | None:
        """The same under a higher or lower cap, in all rows; None where one can't change."""
        calls = max(session.run.model_calls for session in self.sessions)
        caps = [session.run.max_turns for session in self.sessions]
        changed = [(calls if change < 0 else 0) if cap is None else cap + change for cap in caps]
        if min(changed) < 1:
            return None
        pairs = zip(self.sessions, changed, strict=True)
        return CapTable(
            tuple(Session.open(one.scenario, one.loop, cap) for one, cap in pairs), self.at
        )

    @property
    def command(self) -> str:
        """The command that prints this table, or opens it again."""
        loops = list(dict.fromkeys(one.loop or one.run.loop.name for one in self.sessions))
        caps = dict.fromkeys(one.run.max_turns for one in self.sessions)
        words = ["visualizer", "compare", self.session.scenario.name, "--caps"]
        if loops != cap_families():
            words += [word for loop in loops for word in ("--loop", loop)]
        words += [word for cap in caps if cap for word in ("--max-turns", str(cap))]
        return shlex.join(words)


@dataclass(frozen=True, slots=True)
class CapView:
    """All that the painter needs to know. ``veiled`` are rows that are not told yet."""

    table: CapTable
    texts: Texts
    glyphs: Glyphs
    veiled: frozenset[int] = frozenset()
