"""The scenarios that can be opened by name, read only when one is looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from visualizer.errors import VisualizerError
from visualizer.loading import load_transcript, scenario_names

if TYPE_CHECKING:
    from visualizer.loading import Scenario


@dataclass
class Shelf:
    """Names, and what was read under them: a scenario, or the reason why there is none."""

    names: list[str] = field(default_factory=scenario_names)
    _read: dict[str, Scenario | VisualizerError] = field(default_factory=dict)

    def entry(self, name: str) -> Scenario | VisualizerError:
        """The scenario of a name, or what is wrong with it."""
        if name not in self._read:
            try:
                self._read[name] = load_transcript(name)
            except VisualizerError as error:
                self._read[name] = error
        return self._read[name]
