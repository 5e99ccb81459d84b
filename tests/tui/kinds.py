"""The kinds of screens, by the names that footers know them by."""

from __future__ import annotations

from visualizer.tui.caps.screen import CapsScreen
from visualizer.tui.compare.screen import CompareScreen
from visualizer.tui.draw.footers import Where
from visualizer.tui.events.screen import EventsScreen
from visualizer.tui.home.screen import LibraryScreen
from visualizer.tui.lesson.screen import LessonScreen
from visualizer.tui.lists.screen import PickerScreen
from visualizer.tui.painted_screen import PaintedScreen
from visualizer.tui.poll.screen import PollScreen
from visualizer.tui.puzzle.screen import ShuffleScreen
from visualizer.tui.sheets.request import RequestScreen
from visualizer.tui.sheets.screen import SheetScreen
from visualizer.tui.stepper.screen import StepperScreen

KINDS: dict[Where, type[PaintedScreen]] = {
    "stepper": StepperScreen,
    "lesson": LessonScreen,
    "library": LibraryScreen,
    "sheet": SheetScreen,
    "request": RequestScreen,
    "picker": PickerScreen,
    "compare": CompareScreen,
    "shuffle": ShuffleScreen,
    "poll": PollScreen,
    "caps": CapsScreen,
    "events": EventsScreen,
}
COMMANDS = list(
    {one.id: one for kind in KINDS.values() for one in kind.offers() if one.keys}.values()
)
"""All commands that have a key, each once."""
