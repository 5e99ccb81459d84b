"""Driving lessons in tests: open one, answer its questions, solve its experiments by keys."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.tui.screens import Driven
from visualizer.app import options
from visualizer.app.kept_progress import KeptProgress
from visualizer.app.lesson_session import LessonSession
from visualizer.learner.progress import Progress
from visualizer.lessons.files import load_lesson
from visualizer.lessons.goals import solve, start_of
from visualizer.lessons.puzzle import ordered_lines
from visualizer.lessons.questions import Question
from visualizer.tui.app import VisualizerApp
from visualizer.tui.lesson.screen import LessonScreen
from visualizer.tui.puzzle.screen import ShuffleScreen

STAGE = ("── ", "-- ")
"""How the line across between the page and the run begins."""


@asynccontextmanager
async def learning(
    name: str = "the-loop",
    page: str | None = None,
    size: tuple[int, int] = (80, 24),
    language: str = "en",
    file: Path | None = None,
) -> AsyncIterator[Driven]:
    """The app in a lesson; ``file`` is where progress is kept."""
    progress = Progress.load(file)
    lesson = LessonSession.open(load_lesson(name), progress, page)
    app = VisualizerApp(
        language=language, progress=KeptProgress(progress), first=lambda: LessonScreen(lesson)
    )
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Driven(app, pilot)


def screen_of(driven: Driven) -> LessonScreen:
    """The lesson's screen, which must be on top."""
    assert isinstance(driven.app.screen, LessonScreen)
    return driven.app.screen


def lesson_of(driven: Driven) -> LessonSession:
    """The lesson on the screen."""
    return screen_of(driven).lesson


def waiting(driven: Driven) -> Question:
    """The question that waits."""
    lesson = lesson_of(driven)
    question = lesson.question(driven.app.texts)
    assert lesson.doing == "question"
    assert question is not None
    return question


def right_key(question: Question) -> str:
    """The digit that answers rightly."""
    return options.keys(question)[question.right]


def wrong_key(question: Question) -> str:
    """A digit that answers wrongly."""
    return options.keys(question)[(question.right + 1) % len(question.options)]


def run_part(driven: Driven) -> str:
    """The screen below the page: from the line across on."""
    lines = driven.text.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith(STAGE))
    return "\n".join(lines[start:])


async def solve_by_keys(driven: Driven) -> None:
    """Bring about what the page's experiment asks for, with keys alone."""
    lesson = lesson_of(driven)
    goal, session = lesson.page.experiment, lesson.session
    assert goal is not None
    state = start_of(goal, session.scenario, session.run, session.index)
    target = solve(goal, state)
    assert target is not None
    if goal.kind == "order":
        await put_in_order(driven, goal.loop or "")
        return
    if target.scenario.name != session.scenario.name:
        await pick(driven, "scenario", target.scenario.name)
    if target.run.recorded_run != session.run.recorded_run:
        await pick(driven, "runs", target.run.recorded_run)
    if target.run.loop.name != session.run.loop.name:
        await pick(driven, "loop", target.run.loop.name)
    for _ in range(60):
        difference = (target.run.max_turns or 0) - (lesson.session.run.max_turns or 0)
        if not difference or lesson.doing == "solved" or not target.run.loop.takes_max_turns:
            break
        tool = "raise_cap" if difference > 0 else "lower_cap"
        await driven.press(str(lesson.tools.index(tool) + 1) if tool in lesson.tools else "=")
    for place, choice in target.scenario.decided.items():
        if lesson.session.scenario.decided.get(place) != choice:
            await step_to(driven, lesson.session.run.locate(place))
            await driven.press("A" if choice == "allow" else "D")
    await change_observations(driven, dict(target.run.observations), goal.text)
    await step_to(driven, target.index)


async def change_observations(driven: Driven, wanted: dict[str, str], query: str | None) -> None:
    """Take changes back, or make them: by typing the text, or by asking the world."""
    lesson = lesson_of(driven)
    if lesson.session.run.observations and not wanted:
        await driven.press("1")
    for place, text in wanted.items():
        await step_to(driven, lesson.session.run.locate(place))
        await driven.press("1", "ctrl+u")
        await driven.type(query or text)
        await driven.press("enter")


async def step_to(driven: Driven, index: int) -> None:
    """Step to a place while the experiment goes on."""
    lesson = lesson_of(driven)
    for _ in range(len(lesson.session.run.steps)):
        if lesson.doing != "experiment" or lesson.session.index == index:
            break
        await driven.press("right" if lesson.session.index < index else "left")


async def pick(driven: Driven, tool: str, name: str) -> None:
    """Open the picker behind a digit, go down to an entry, and take it."""
    await driven.press(str(lesson_of(driven).tools.index(tool) + 1))
    await driven.type(name)
    await driven.press("enter")


async def put_in_order(driven: Driven, loop: str) -> None:
    """Put the shuffled lines in order: choose with arrows, place with digits, run with Enter."""
    await driven.press("1")
    screen = driven.app.screen
    assert isinstance(screen, ShuffleScreen)
    for at, line in enumerate(ordered_lines(loop)):
        there = screen.shuffle.lines.index(line, at)
        while screen.shuffle.at != there:
            await driven.press("down" if screen.shuffle.at < there else "up")
        await driven.press(str((at + 1) % 10))
    await driven.press("enter")
    await driven.app.workers.wait_for_complete()
    await driven.pilot.pause()
    await driven.press("enter")  # it is in order: back to the page
