"""What the actions on recordings must do: runs, subagents, errors."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.own_home import CLAUDE, home_for, keep
from tests.tui.cases import case
from tests.tui.recording import recording
from tests.tui.screens import Driven
from visualizer.app.session import Session


def show(driven: Driven, at: str = "start") -> Session:
    """Put the recording into the stepper."""
    session = Session.open(recording(), at=at)
    driven.stepper.show(session)
    driven.stepper.pane.repaint()
    return session


@case("runs")
async def _runs(driven: Driven, key: str) -> None:
    texts = driven.app.texts
    await driven.press(key)
    assert texts("screen.runs.only") in driven.text
    show(driven, "t1.check")
    await driven.press(key)
    assert "And when?" in driven.text
    assert texts("screen.started.subagent", number=1) in driven.text
    assert texts.count("screen.runs.errors", 2) in driven.text
    await driven.press("down", "down", "enter")
    assert driven.stepper.session.run.recorded_run == "3"
    assert texts("screen.header.run", number=3, n=3) in driven.text
    await driven.press("end", key, "up", "up", "enter")
    assert driven.place == "t1.check"
    await driven.press(key)
    await driven.type("when")
    await driven.press("enter")
    assert (driven.stepper.session.run.recorded_run, driven.place) == ("3", "end")


@case("file")
async def _file(driven: Driven, key: str) -> None:
    texts = driven.app.texts
    await driven.press(key)
    assert texts("screen.file.ours") in driven.text
    await driven.press("escape")
    show(driven)
    await driven.press(key)
    assert texts("screen.file.no_faults") in driven.text
    assert "stream-json" in driven.text


@case("into")
async def _into(driven: Driven, key: str) -> None:
    texts = driven.app.texts
    await driven.press(key)
    assert texts("screen.runs.no_subagent") in driven.text
    show(driven, "t0.call")
    await driven.press(key)
    assert texts("screen.runs.elsewhere", n=1)[:60] in driven.text
    show(driven, "t1.execute")
    await driven.press(key)
    assert driven.stepper.session.run.recorded_run == "2"
    assert texts("screen.runs.now", number=2, n=3) in driven.text


@case("out")
async def _out(driven: Driven, key: str) -> None:
    await driven.press(key)
    assert driven.app.texts("screen.runs.no_parent") in driven.text
    driven.stepper.show(show(driven).on_run("2"))
    await driven.press(key)
    assert (driven.stepper.session.run.recorded_run, driven.place) == ("1", "t1.execute")


@case("next_error")
async def _next_error(driven: Driven, key: str) -> None:
    texts = driven.app.texts
    await driven.press(key)
    assert texts("screen.met.none", query="error") in driven.text
    show(driven)
    await driven.press(key)
    assert driven.place == "t0.execute"
    assert "Exit code 1" in driven.text.split("\n")[-1]
    await driven.press(key)
    assert driven.place == "t1.call"
    assert "529" in driven.text.split("\n")[-1]
    await driven.press(key)
    assert driven.place == "t0.execute"
    assert texts("screen.search.from_the_start") in driven.text


@case("previous_error")
async def _previous_error(driven: Driven, key: str) -> None:
    show(driven, "end")
    await driven.press(key)
    assert driven.place == "t1.call"
    await driven.press(key)
    assert driven.place == "t0.execute"
    await driven.press(key)
    assert driven.place == "t1.call"
    assert driven.app.texts("screen.search.from_the_end") in driven.text


@case("recent")
async def _recent(driven: Driven, key: str) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        keep(home_for(patch, Path(folder)), CLAUDE)
        await driven.press("escape", key)
        assert driven.name == "FolderScreen"
        assert "one.jsonl" in driven.text
