"""The kinds of screens, by the names that footers know them by."""

from __future__ import annotations

from visualizer.tui.footers import Where
from visualizer.tui.screens.base import PaintedScreen
from visualizer.tui.screens.caps import CapsScreen
from visualizer.tui.screens.compare import CompareScreen
from visualizer.tui.screens.events import EventsScreen
from visualizer.tui.screens.lesson import LessonScreen
from visualizer.tui.screens.library import LibraryScreen
from visualizer.tui.screens.picker import PickerScreen
from visualizer.tui.screens.poll import PollScreen
from visualizer.tui.screens.request import RequestScreen
from visualizer.tui.screens.sheet import SheetScreen
from visualizer.tui.screens.shuffle import ShuffleScreen
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
