"""A file that is being written, followed: what comes is taken in, what goes wrong is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import made_outside
from tests.made import text_block, tool_result, tool_use
from tests.tui.test_arriving import all_read, coming, growing, quick, until  # noqa: F401


@pytest.mark.usefixtures("quick")
async def test_a_file_that_grows_is_followed(tmp_path: Path) -> None:
    """New turns appear while the reader stays at a step; at the end, the end is gone along with."""
    path = tmp_path / "live.jsonl"
    made = growing(rounds=2)
    path.write_bytes(made.text())
    async with coming(path, follow=True) as driven:
        session = driven.stepper.session
        assert driven.app.texts("screen.arriving.following") in driven.text
        steps = len(session.run.steps)
        await driven.press("right")
        made.lines.pop()
        made.reply("m9", tool_use("r9"), flag="tool_use")
        made.user([tool_result("r9", "found")])
        made.reply("end9", text_block("Now done."), flag="end_turn")
        path.write_bytes(made.text())
        await until(driven, lambda: len(session.run.steps) > steps)
        assert driven.place == "t0.call"
        new = len(session.run.steps) - steps
        assert driven.app.texts.count("screen.arriving.came", new) in driven.text
        await driven.press("end")
        made.user("And now?")
        made.reply("next", text_block("Nothing more."), flag="end_turn")
        path.write_bytes(made.text())
        await until(driven, lambda: session.run.recorded_run == "2")
        assert driven.place == "end"
        assert "Nothing more." in driven.text


@pytest.mark.usefixtures("quick")
async def test_a_file_that_is_gone_for_a_moment(tmp_path: Path) -> None:
    """A followed file that can't be read is named; when it is back, following goes on."""
    path = tmp_path / "live.jsonl"
    made = growing()
    path.write_bytes(made.text())
    async with coming(path, follow=True) as driven:
        session = driven.stepper.session
        path.write_bytes(b"\n")
        await until(driven, lambda: driven.app.texts("problem.empty") in driven.text)
        made.user("More.")
        made.reply("more", text_block("More done."), flag="end_turn")
        path.write_bytes(made.text())
        await until(driven, lambda: len(session.scenario.runs) == 2)
        assert driven.place == "start"


@pytest.mark.usefixtures("quick")
async def test_a_second_prompt_before_the_first_reply_is_followed(tmp_path: Path) -> None:
    """What comes before any reply belongs to the run's beginning, and is shown there."""
    path = tmp_path / "live.jsonl"
    made = made_outside.Session()
    made.user("Task.")
    path.write_bytes(made.text())
    async with coming(path, follow=True) as driven:
        made.user("And this, too.")
        path.write_bytes(made.text())
        await until(driven, lambda: "And this, too." in driven.text)
        assert driven.place == "start"


@pytest.mark.usefixtures("quick")
async def test_a_file_that_is_back_as_it_was(tmp_path: Path) -> None:
    """That a followed file is gone is said as long as it is; then nothing is left of it."""
    path = tmp_path / "live.jsonl"
    path.write_bytes(growing().text())
    async with coming(path, follow=True) as driven:
        path.unlink()
        await until(driven, lambda: driven.app.texts("problem.no_file") in driven.text)
        path.write_bytes(growing().text())
        await until(driven, lambda: driven.app.texts("problem.no_file") not in driven.text)
        assert driven.place == "start"


@pytest.mark.usefixtures("quick")
async def test_another_scenario_ends_following(tmp_path: Path) -> None:
    """When something else is shown, the file is left alone and nothing replaces what is shown."""
    path = tmp_path / "live.jsonl"
    path.write_bytes(growing().text())
    async with coming(path, follow=True) as driven:
        assert driven.app.open_place(opening_place("paris@t0.check")) == ""
        await all_read(driven)
        path.write_bytes(growing(3).text())
        await driven.pilot.pause()
        assert driven.stepper.session.scenario.name == "paris"
        assert driven.app.texts("screen.arriving.following") not in driven.text


def opening_place(text: str) -> Any:
    """A locator."""
    from visualizer.locator import Locator

    return Locator.parse(text)
