"""From what the program is started with to its first screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual.screen import Screen

from visualizer.app import opening
from visualizer.app.kept_progress import KeptProgress
from visualizer.app.session import Session

First = Callable[[], Screen[None]]


def first_screen(wanted: opening.Opening, progress: KeptProgress, in_class: bool) -> First | None:
    """What makes the first screen; None for the list of lessons and scenarios.

    Raises what is wrong with the scenario, the loop, the place or the lesson.
    """
    match wanted:
        case opening.OneRun():
            return _one_run(wanted)
        case opening.Recordings():
            from visualizer.tui.folder.screen import FolderScreen  # noqa: PLC0415

            return partial(FolderScreen, wanted.place, wanted.loop, wanted.max_turns)
        case opening.Lesson():
            return _lesson(wanted, progress)
        case opening.Comparison():
            return _comparison(wanted)
        case opening.AtTheCap():
            return _cap_table(wanted)
        case opening.Shuffled():
            from visualizer.tui.puzzle.screen import ShuffleScreen  # noqa: PLC0415

            return ShuffleScreen
        case opening.Home():
            return None if in_class else _first_lesson(progress)


def _one_run(wanted: opening.OneRun) -> First:
    from visualizer.loading import load_transcript  # noqa: PLC0415
    from visualizer.tui.stepper.screen import StepperScreen  # noqa: PLC0415

    scenario = load_transcript(wanted.scenario)
    session = Session.open(scenario, wanted.loop, wanted.max_turns, wanted.at)
    return partial(StepperScreen, session, wanted.arriving)


def _comparison(wanted: opening.Comparison) -> First:
    from visualizer.app.beside import Beside  # noqa: PLC0415
    from visualizer.loading import load_transcript  # noqa: PLC0415
    from visualizer.tui.compare.screen import CompareScreen  # noqa: PLC0415

    loaded = load_transcript(wanted.scenario)
    pairs = zip((loaded.plain, loaded), wanted.sides, strict=True)  # what was changed is right
    left, right = (Session.open(one, loop, cap) for one, (loop, cap) in pairs)
    return partial(CompareScreen, Beside.of(left, right))


def _cap_table(wanted: opening.AtTheCap) -> First:
    from visualizer.app.caps import CapTable  # noqa: PLC0415
    from visualizer.loading import load_transcript  # noqa: PLC0415
    from visualizer.tui.caps.screen import CapsScreen  # noqa: PLC0415

    table = CapTable.of(load_transcript(wanted.scenario), wanted.loops, wanted.caps)
    return partial(CapsScreen, table)


def _first_lesson(progress: KeptProgress) -> First | None:
    """The first lesson at the very first start."""
    from visualizer.lessons.files import lesson_names  # noqa: PLC0415

    if progress.value.path.exists() or progress.value.notice is not None:
        return None
    return _lesson(opening.Lesson(lesson_names()[0]), progress)


def _lesson(wanted: opening.Lesson, progress: KeptProgress) -> First:
    from visualizer.app.lesson_session import LessonSession  # noqa: PLC0415
    from visualizer.lessons.files import load_lesson  # noqa: PLC0415
    from visualizer.tui.lesson.screen import LessonScreen  # noqa: PLC0415

    lesson = LessonSession.open(load_lesson(wanted.name), progress.value, wanted.page)
    return partial(LessonScreen, lesson)
