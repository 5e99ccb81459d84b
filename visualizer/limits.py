"""The visualizer's own caps: what ends a run that does not end by itself.

They are no part of a loop. A run that meets one ends in ``step_cap``, and says which.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caps:
    """How much one run may do.

    ``calls``: model calls; ``steps``: steps in all; ``lines``: lines run since the last step;
    ``seconds``: wall-clock time, only for loops that run in a process of their own.
    """

    calls: int
    steps: int
    lines: int = 100_000
    seconds: float = 10.0

    @classmethod
    def for_recording(cls, turns: int, tool_calls: int) -> Caps:
        """Enough for any loop that gets through a recording of this size, and to repeat it."""
        calls = max(50, 2 * turns)
        return cls(calls=calls, steps=max(1_000, 10 * calls + 4 * tool_calls))
