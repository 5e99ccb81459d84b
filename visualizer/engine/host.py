"""What a loop may take beside the model and the tools: recognised by its parameter's name.

Each is a probe: it gives the loop what a host would give, and makes a step of it. A loop
that takes none of them is not affected; one whose scenario says nothing of a collaborator
keeps its own default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Any

from visualizer.engine.recorder import Recorder
from visualizer.engine.tracer import Tracer
from visualizer.timeline import Saw, Wait
from visualizer.transcript import Settings

LONGEST_WAIT = 1e9
"""Seconds that no loop asks to wait; beyond them a number is no length of time."""


class Host:
    """The collaborators of one drive, as a scenario's settings say."""

    def __init__(self, settings: Settings, recorder: Recorder, tracer: Tracer) -> None:
        self._settings = settings
        self._recorder = recorder
        self._tracer = tracer
        self._offers: dict[str, Callable[[], Any]] = {"sleep": lambda: self.sleep}

    def keywords(self, parameters: Mapping[str, Parameter]) -> dict[str, Any]:
        """What to pass to a loop with these parameters."""
        given: dict[str, Any] = {}
        for name, offer in self._offers.items():
            wanted = parameters.get(name)
            if wanted is None or wanted.kind not in _BY_NAME:
                continue
            made = offer()
            if made is not None:
                given[name] = made
        return given

    def sleep(self, seconds: float) -> None:
        """A wait. Nothing waits: it is a step that says for how long.

        Raises ``ValueError`` for what is no length of time, as sleeping would.
        """
        if not 0 <= seconds < LONGEST_WAIT:
            raise ValueError(f"no length of time: {seconds!r}")
        with self._tracer.probe() as where:
            if where is None:
                return
            opened = self._recorder.host("wait", where)
            last = self._recorder.calls[-1] if self._recorder.calls else None
            opened.about = Wait(float(seconds), last.error if last else None)
            self._recorder.saw(Saw("waited", value=opened.about.seconds))


_BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
