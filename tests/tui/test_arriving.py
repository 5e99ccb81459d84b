"""Recordings that are still coming in: read behind the first frame, or written meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests import made_outside
from tests.made import text_block, tool_result, tool_use
from tests.test_cli import call
from tests.tui.screens import LANGUAGES, SIZES, Driven, opened
from visualizer.app import arriving as arriving_module
from visualizer.app import session as session_module
from visualizer.app.arriving import Arriving, StoppedReading
from visualizer.i18n import texts
from visualizer.loading import load_file
from visualizer.tui import app as app_module
from visualizer.tui.folder.screen import FolderScreen
from visualizer.tui.stepper import follow as screen_module
from visualizer.tui.stepper.cap import Cap
from visualizer.tui.stepper.follow import Follow
from visualizer.tui.stepper.runs import Runs
from visualizer.tui.stepper.steps import Places

PROMPTS = 6


def growing(prompts: int = 1, rounds: int = 1) -> made_outside.Session:
    """A session of so many prompts, each with so many rounds and an answer."""
    made = made_outside.Session()
    for number in range(prompts):
        made.user(f"Task {number}.")
        for one in range(rounds):
            name = f"r{number}_{one}"
            made.reply(f"m{name}", tool_use(name), flag="tool_use")
            made.user([tool_result(name, "found")])
        made.reply(f"end{number}", text_block("Done."), flag="end_turn")
    return made


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks at a file one after the other."""
    monkeypatch.setattr(arriving_module, "LOOKS", 0.001)
    monkeypatch.setattr(arriving_module, "REST", 0)


@asynccontextmanager
async def coming(
    path: Path, follow: bool = False, most: int | None = None, **more: Any
) -> AsyncIterator[Driven]:
    """The app on a file of which only the first bytes have been read."""
    scenario, arriving = Arriving.begin(path, str(path), follow, most)
    async with opened(scenario, arriving=arriving, **more) as driven:
        yield driven


async def until(driven: Driven, holds: Callable[[], bool]) -> None:
    """Let the app and its threads go on until something holds."""
    for _ in range(500):
        if holds():
            await driven.pilot.pause()
            return
        await driven.pilot.pause()
        await asyncio.to_thread(lambda: None)
    raise AssertionError(driven.text)


async def all_read(driven: Driven) -> None:
    """Until the thread that reads has ended."""
    thread = driven.stepper.part(Follow).thread
    assert thread is not None
    await asyncio.to_thread(thread.join)
    await driven.pilot.pause()


def held_up(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Reading stands still at its first look until the event is set."""
    go_on = threading.Event()
    real = load_file

    def slow(path: Path, source: str, reading: Any) -> Any:
        if reading.watch is not None:
            reading.watch(-(-path.stat().st_size // 2))
            go_on.wait(20)
            reading.watch(path.stat().st_size)
        return real(path, source, reading)

    monkeypatch.setattr(arriving_module, "load_file", slow)
    return go_on


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_first_part_is_stepped_through_while_the_rest_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str, size: tuple[int, int]
) -> None:
    """The header says how far reading is; keys work; then all runs are there, the place kept."""
    path = tmp_path / "long.jsonl"
    path.write_bytes(growing(PROMPTS).text())
    go_on = held_up(monkeypatch)
    async with coming(path, most=1_500, language=language, size=size) as driven:
        said = driven.app.texts
        await until(driven, lambda: said("screen.arriving.reading", percent=50) in driven.text)
        first = len(driven.stepper.session.scenario.runs)
        assert first < PROMPTS
        await driven.press("right", "right")
        place = driven.place
        go_on.set()
        await all_read(driven)
        assert len(driven.stepper.session.scenario.runs) == PROMPTS
        assert driven.place == place
        assert said("screen.header.run", number=1, n=PROMPTS) in driven.text
        assert "50%" not in driven.text


async def test_a_file_that_is_emptied_while_it_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What can't be read any more is said, and not that it is still being read."""
    monkeypatch.setattr(arriving_module, "FIRST", 1_500)
    path = tmp_path / "long.jsonl"
    path.write_bytes(growing(PROMPTS).text())
    go_on = held_up(monkeypatch)
    async with coming(path, most=1_500) as driven:
        await until(driven, lambda: "reading 50%" in driven.text)
        path.write_bytes(b"")
        go_on.set()
        await all_read(driven)
        assert driven.app.texts("problem.empty") in driven.text
        assert "reading" not in driven.text.split("\n", 1)[0]


async def test_escape_ends_reading(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Esc while a file is read: no more is read, and a line says that this is a part of it."""
    path = tmp_path / "long.jsonl"
    path.write_bytes(growing(PROMPTS).text())
    go_on = held_up(monkeypatch)
    async with coming(path, most=1_500) as driven:
        await until(driven, lambda: "reading 50%" in driven.text)
        await driven.press("escape")
        assert driven.app.texts("screen.arriving.stopped") in driven.text
        go_on.set()
        await all_read(driven)
        assert len(driven.stepper.session.scenario.runs) < PROMPTS
        assert "reading" not in driven.text.split("\n")[0]


async def test_another_run_chosen_meanwhile_stays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whoever changes run and cap while the rest is read stays there, under that cap."""
    path = tmp_path / "long.jsonl"
    path.write_bytes(growing(PROMPTS, rounds=3).text())
    go_on = held_up(monkeypatch)
    real = session_module.compute
    async with coming(path, most=5_000) as driven:
        await until(driven, lambda: "reading 50%" in driven.text)
        step = driven.stepper

        def late(*arguments: Any) -> Any:
            monkeypatch.setattr(screen_module, "compute", real)
            driven.app.call_from_thread(step.part(Runs).runs, "2")
            driven.app.call_from_thread(step.part(Places).go, "t0.check")
            driven.app.call_from_thread(step.part(Cap).lower_cap)
            return real(*arguments)

        monkeypatch.setattr(screen_module, "compute", late)
        monkeypatch.setattr(screen_module, "_is_same", lambda *_: False)
        go_on.set()
        await all_read(driven)
        session = step.session
        assert len(session.scenario.runs) == PROMPTS
        assert (session.run.recorded_run, driven.place) == ("2", "t0.check")
        assert session.run.max_turns == 1


def test_stopping_ends_reading_at_once(tmp_path: Path) -> None:
    """A reading that is not wanted any more ends at the next look, however long the file."""
    path = tmp_path / "long.jsonl"
    path.write_bytes(growing(200).text())
    _, arriving = Arriving.begin(path, str(path), False, 2_000)
    arriving.stop()
    with pytest.raises(StoppedReading):
        arriving.read(lambda percent: None)
    assert not arriving.grown()


def test_big_files_begin_with_a_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A big file is opened with its first part, one with a place or another shape as a whole."""
    asked: list[Any] = []
    monkeypatch.setattr(app_module, "run_app", lambda opening, *_: asked.append(opening))
    monkeypatch.setattr("visualizer.cli.commands.on_a_terminal", lambda: True)
    monkeypatch.setattr("visualizer.app.arriving.BIG", 10)
    monkeypatch.setattr(arriving_module, "FIRST", 2_000)
    path = tmp_path / "long.jsonl"
    path.write_bytes(growing(PROMPTS).text())
    call("open", str(path))
    assert asked.pop().arriving.reading
    call("open", str(path), "--run", "2")
    assert asked.pop().arriving is None
    call("open", str(path), "--at", "end", "--follow")
    assert not asked.pop().arriving.reading
    call("open", "aurora-run")
    assert asked.pop().arriving is None


async def test_a_big_file_of_a_folder_is_shown_with_its_first_part(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Chosen in the list of a folder, a big file is stepped through while the rest is read."""
    path = tmp_path / "long.jsonl"
    path.write_bytes(growing(PROMPTS).text())
    monkeypatch.setattr("visualizer.app.arriving.BIG", 10)
    monkeypatch.setattr(arriving_module, "FIRST", 1_500)
    go_on = held_up(monkeypatch)
    async with opened(None, first=lambda: FolderScreen(tmp_path)) as driven:
        await driven.press("enter")
        await until(driven, lambda: driven.name == "StepperScreen")
        await until(driven, lambda: "reading 50%" in driven.text)
        go_on.set()
        await all_read(driven)
        assert len(driven.stepper.session.scenario.runs) == PROMPTS


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_files_are_followed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str, capsys: Any
) -> None:
    """--follow with a scenario's name or a folder is refused in a line, with exit code 2."""
    monkeypatch.setattr("visualizer.cli.commands.on_a_terminal", lambda: True)
    for name in ("aurora-run", str(tmp_path)):
        assert call("open", name, "--follow", "--lang", language) == 2
        assert texts(language)("format.follow_file", name=name) in capsys.readouterr().err
