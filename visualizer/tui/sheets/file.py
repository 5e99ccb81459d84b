"""The file that is shown: what is wrong in it, and what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from visualizer.text import display_safe
from visualizer.tui.draw.segments import Line
from visualizer.tui.sheets.file_text import file_lines
from visualizer.tui.sheets.screen import SheetScreen
from visualizer.tui.sheets.scrolling import Sheet

if TYPE_CHECKING:
    from visualizer.loading import Scenario


class FileScreen(SheetScreen):
    """What was found in reading a recording."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        super().__init__(Sheet(1, self._lines))

    def heading(self) -> tuple[str, str]:
        """Which file it is."""
        return self.texts("screen.file.title"), display_safe(self.scenario.name)

    def _lines(self, item: int, width: int) -> Sequence[Line]:
        return file_lines(self.scenario, self.texts, width)
