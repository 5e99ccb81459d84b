"""Which screen comes first where that is neither the stepper nor the library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.screen import Screen

from visualizer.tui.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from visualizer.loading import Scenario
    from visualizer.progress import Progress


def first_screen(
    scenario: str | Scenario | None, beside: Sequence[tuple[str | None, int | None]], shuffle: bool
) -> Callable[[], Screen[None]] | None:
    """What makes the first screen, where that is neither the stepper nor the library."""
    if shuffle:
        from visualizer.tui.screens.shuffle import ShuffleScreen  # noqa: PLC0415

        return ShuffleScreen
    if scenario is None or not beside:
        return None
    from visualizer.loading import load_transcript  # noqa: PLC0415
    from visualizer.tui.beside import Beside  # noqa: PLC0415
    from visualizer.tui.screens.compare import CompareScreen  # noqa: PLC0415

    loaded = load_transcript(scenario)
    pairs = zip((loaded.plain, loaded), beside, strict=True)  # what was changed stands right
    left, right = (Session.open(one, loop, cap) for one, (loop, cap) in pairs)
    both = Beside.of(left, right)
    return lambda: CompareScreen(both)


def cap_table(
    scenario: str | Scenario, loops: Sequence[str], caps: Sequence[int]
) -> Callable[[], Screen[None]]:
    """What makes the table of what loops do at a cap. Raises ``VisualizerError``."""
    from visualizer.loading import load_transcript  # noqa: PLC0415
    from visualizer.tui.caps import CapTable  # noqa: PLC0415
    from visualizer.tui.screens.caps import CapsScreen  # noqa: PLC0415

    table = CapTable.of(load_transcript(scenario), loops, caps)
    return lambda: CapsScreen(table)


def first_lesson(
    name: str | None, page: str | None, file: str | Path | None
) -> tuple[Callable[[], Screen[None]] | None, Progress]:
    """What makes a lesson's screen, where one is asked for or this is the first start."""
    from visualizer.progress import Progress  # noqa: PLC0415

    progress = Progress.load(file)
    if name is None and not progress.path.exists() and progress.notice is None:
        from visualizer.lessons.files import lesson_names  # noqa: PLC0415

        name = lesson_names()[0]
    if name is None:
        return None, progress
    from visualizer.lessons.files import load_lesson  # noqa: PLC0415
    from visualizer.tui.lesson_session import LessonSession  # noqa: PLC0415
    from visualizer.tui.screens.lesson import LessonScreen  # noqa: PLC0415

    opened = LessonSession.open(load_lesson(name), progress, page)
    return lambda: LessonScreen(opened), progress
