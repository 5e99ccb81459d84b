"""The lines of a loop, shuffled, to be put in order and run on the recordings.

Any order that does what the loop does is right; so an order is judged by driving it, in a
process of its own, over scenarios that tell the mistakes apart.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from visualizer.engine import replay
from visualizer.engine.sources import loop_source
from visualizer.errors import VisualizerError
from visualizer.loading import load_transcript
from visualizer.loops.registry import loop_function
from visualizer.run.timeline import Run

SCENARIOS = ("aurora-run", "aurora-run-cutoff", "paris", "two-birth-years", "truncated")


class Verdict(NamedTuple):
    """How an order does on one scenario: the run that the loop makes, and the one it made.

    ``made`` is None where the lines are no loop at all; ``error`` then says why.
    """

    scenario: str
    wanted: Run
    made: Run | None
    error: VisualizerError | None = None

    @property
    def right(self) -> bool:
        """Whether both runs took the same steps and came to the same."""
        return self.made is not None and _outcome(self.made) == _outcome(self.wanted)


def ordered_lines(loop: str) -> tuple[str, ...]:
    """The lines of a loop's body, as they are."""
    return loop_source(loop, loop_function(loop)).lines[1:]


def shuffled_lines(loop: str) -> tuple[str, ...]:
    """The same lines in a fixed other order."""
    return tuple(sorted(ordered_lines(loop), key=lambda line: crc32(line.encode())))


def judge(loop: str, lines: Sequence[str]) -> Iterator[Verdict]:
    """Drive the lines, in their order, over each scenario. They must be the loop's own."""
    if sorted(lines) != sorted(ordered_lines(loop)):
        raise ValueError(loop)
    source = loop_source(loop, loop_function(loop))
    head = source.file_lines[: source.first_line]
    imports = [line for line in head if line.startswith(("from ", "import "))]
    text = "\n".join([*imports, source.lines[0], *lines]) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{loop}.py"
        file.write_text(text, encoding="utf-8")
        for name in SCENARIOS:
            scenario = load_transcript(name)
            wanted = replay(scenario, loop=loop)
            try:
                made = replay(scenario, loop=f"{file}:{loop}")
            except VisualizerError as error:
                yield Verdict(name, wanted, None, error)
            else:
                yield Verdict(name, wanted, made)


def is_right(loop: str, lines: Sequence[str]) -> bool:
    """Whether an order does on every scenario what the loop does."""
    return tuple(lines) == ordered_lines(loop) or all(one.right for one in judge(loop, lines))


def _outcome(run: Run) -> tuple[object, ...]:
    phases = tuple(step.phase for step in run.steps)
    return run.result, run.terminal_reason, phases, run.tool_calls
