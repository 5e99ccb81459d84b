"""Tasks to judge: would a workflow do, or is an agent worth a try? Authored, with reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import ConfigDict, Field

from visualizer.transcript.records import Localized

Gate = Literal["complexity", "value", "viability", "cost_of_error"]
"""The four questions, in the order in which they are asked."""
GATES: tuple[Gate, ...] = get_args(Gate)
TaskId = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]

_CLOSED = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What somebody answers to one of the questions, and why. No run can prove it."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    answer: Literal["yes", "no"]
    why: Localized


@dataclass(frozen=True, slots=True)
class Task:
    """A task as a lesson gives it, with an answer to each of the four questions."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    id: TaskId
    title: Localized
    complexity: Judgement
    value: Judgement
    viability: Judgement
    cost_of_error: Judgement

    def judged(self, gate: Gate) -> Judgement:
        """The answer to one of the questions."""
        found: Judgement = getattr(self, gate)
        return found

    @property
    def against(self) -> tuple[Gate, ...]:
        """The questions that are answered with no. One is enough for a simpler design."""
        return tuple(gate for gate in GATES if self.judged(gate).answer == "no")
