"""Helpers in the loop's own file: they are shown with it, so their lines are kept as well.

A helper's lines stand in the line log between those of what called it; when it comes back,
the caller's line stands there once more, so that what it still does is seen on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FrameType
from typing import Any

from visualizer.engine.recorder import Recorder
from visualizer.run.timeline import Saw

LONGEST_VALUE = 80
"""Texts longer than this are no values to show beside a line."""

_NOTHING = object()
_PLAIN = frozenset({int, float, str, bool, type(None)})


def see_values(recorder: Recorder, values: Mapping[str, Any], known: dict[str, object]) -> None:
    """Note the variables that became another plain value since they were ``known``."""
    for name, value in values.items():
        before = known.get(name, _NOTHING)
        if before is not value:
            known[name] = value
            if type(value) in _PLAIN and before != value:
                if isinstance(value, str) and len(value) > LONGEST_VALUE:
                    continue
                recorder.saw(Saw("set", name=name, value=value))


class _Part:
    """A helper while it runs: its line, and its values as last seen."""

    __slots__ = ("line", "values")

    def __init__(self, frame: FrameType) -> None:
        self.line = frame.f_lineno
        self.values: dict[str, object] = dict(frame.f_locals)


class Parts:
    """The helpers that are running. ``mapped`` gives a line's statement where that differs."""

    def __init__(self, recorder: Recorder, mapped: Mapping[int, int]) -> None:
        self._recorder = recorder
        self._mapped = mapped
        self._running: dict[FrameType, _Part] = {}

    def enter(self, frame: FrameType) -> None:
        """A helper is called."""
        self._running[frame] = _Part(frame)

    def line(self, frame: FrameType) -> None:
        """A helper comes to a line."""
        part = self._running.get(frame)
        if part is None:
            part = self._running[frame] = _Part(frame)
        see_values(self._recorder, frame.f_locals, part.values)
        line = self._mapped.get(frame.f_lineno, frame.f_lineno)
        if line == frame.f_lineno or line != part.line:
            self._recorder.log.lines.append(line)
        part.line = line

    def leave(self, frame: FrameType, outermost: int) -> None:
        """A helper comes back; ``outermost`` is the line of the loop itself."""
        part = self._running.pop(frame, None)
        if part is not None:
            see_values(self._recorder, frame.f_locals, part.values)
        caller = self._running.get(frame.f_back) if frame.f_back else None
        self._recorder.log.lines.append(caller.line if caller else outermost)
