"""What a recorder keeps of a run while it goes on: the step that is open, and the counts."""

from __future__ import annotations

from dataclasses import dataclass, field

from visualizer.messages import Block
from visualizer.run.step_details import About
from visualizer.run.steps import Phase

Parts = tuple[tuple[str, int], ...]


@dataclass(slots=True)
class Where:
    """The place in the code: line in the loop's file, and the way there."""

    line: int
    parts: Parts


@dataclass(slots=True)
class Open:
    """The step that is going on."""

    phase: Phase
    turn: int | None
    place: str
    where: Where
    last_line: int
    stop_reason: str | None
    request: Block | None = None
    result: Block | None = None
    about: About | None = None


@dataclass(slots=True)
class Counts:
    """Totals so far; ``in_turn`` numbers the steps of one phase in a turn."""

    model_calls: int = 0
    tool_rounds: int = 0
    tool_calls: int = 0
    sent: int = 0
    round_is_open: bool = False
    in_turn: dict[str, int] = field(default_factory=dict)
