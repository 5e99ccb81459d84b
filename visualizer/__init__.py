"""Agent Loop Visualizer: replay recorded agent runs and watch the loop, phase by phase.

The public API. Its parts are imported when they are first used, so that ``import visualizer``
costs nothing; none of them draws anything or needs a terminal.

    >>> from visualizer import load_transcript, replay
    >>> run = replay(load_transcript("aurora-run"), max_turns=2)
    >>> run.result, run.terminal_reason, run.model_calls
    (None, 'max_turns', 2)
    >>> print(replay("paris").explain())
    "Paris" is the text of the last reply. No tool round: 1 model call.
    At paris@end (agent_loop.py, line 17).

scenario_names()         the scenarios there are
load_transcript(name)    a Scenario, by its name or from a file
replay(scenario, ...)    drive a loop over it, yours with loop=my_loop: a Run
compare(left, right)     where two runs part, and why: a Comparison

A Run has its ``result``, its ``terminal_reason``, counts, ``steps`` (Step), ``calls`` (Call) and
``messages``; ``stop`` (Stop) is why the visualizer ended it. ``run.explain()`` says it in words.
Whatever is raised on purpose is a VisualizerError.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from visualizer.comparison import Comparison, compare
    from visualizer.engine.replay import replay
    from visualizer.errors import (
        LoopError,
        NotFoundError,
        PlaceError,
        TranscriptError,
        VisualizerError,
    )
    from visualizer.loading import Scenario, load_transcript, scenario_names
    from visualizer.run.limits import Caps
    from visualizer.run.timeline import Call, Run, Step, Stop

_HOMES = {
    "Call": "run.timeline",
    "Caps": "run.limits",
    "Comparison": "comparison",
    "LoopError": "errors",
    "NotFoundError": "errors",
    "PlaceError": "errors",
    "Run": "run.timeline",
    "Scenario": "loading",
    "Step": "run.timeline",
    "Stop": "run.timeline",
    "TranscriptError": "errors",
    "VisualizerError": "errors",
    "compare": "comparison",
    "load_transcript": "loading",
    "replay": "engine",
    "scenario_names": "loading",
}

__all__ = [
    "Call",
    "Caps",
    "Comparison",
    "LoopError",
    "NotFoundError",
    "PlaceError",
    "Run",
    "Scenario",
    "Step",
    "Stop",
    "TranscriptError",
    "VisualizerError",
    "compare",
    "load_transcript",
    "replay",
    "scenario_names",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"visualizer.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
