"""Agent Loop Visualizer: replay recorded agent runs and watch the loop, phase by phase.

The public API, imported when it is first used::

    from visualizer import load_transcript, replay
    run = replay(load_transcript("aurora-run"), max_turns=2)
    assert run.result is None and run.terminal_reason == "max_turns"
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
    from visualizer.limits import Caps
    from visualizer.loading import Scenario, load_transcript, scenario_names
    from visualizer.timeline import Call, Run, Step, Stop

_HOMES = {
    "Call": "timeline",
    "Caps": "limits",
    "Comparison": "comparison",
    "LoopError": "errors",
    "NotFoundError": "errors",
    "PlaceError": "errors",
    "Run": "timeline",
    "Scenario": "loading",
    "Step": "timeline",
    "Stop": "timeline",
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
