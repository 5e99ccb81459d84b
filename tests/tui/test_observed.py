"""Changing a tool's result on the screen: what is typed, what is shown, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

from tests.made import answer, response, scenario, text_block, tool_result, tool_use
from tests.tui.screens import LANGUAGES, SIZES, Driven, opened
from visualizer import load_transcript
from visualizer.app.observations import MOST, typed_form, typed_text
from visualizer.app.session import Session
from visualizer.loading import Scenario
from visualizer.locator import Locator
from visualizer.text import cells

HOSTILE = "a\x1b]0;owned\x07 [bold]b[/] \u202ec"


def observed(driven: Driven) -> tuple[tuple[str, str], ...]:
    """What has been changed in the run that is shown."""
    return driven.stepper.session.run.observations


def one_tool(content: str) -> Scenario:
    """One tool call with a result, and an answer."""
    asked = response(tool_use("toolu_a"))
    return scenario({"response": asked, "results": [tool_result("toolu_a", content)]}, answer())


@given(st.text())
def test_a_text_is_edited_as_one_line(text: str) -> None:
    """Line breaks and backslashes come back as they were."""
    line = typed_form(text)
    assert not set(line) & {"\n", "\r", "\t"}
    assert typed_text(line) == (text if len(line) <= MOST else "")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_the_present_text_is_edited_and_the_run_diverges(
    size: tuple[int, int], language: str
) -> None:
    """O, a change, Enter: marked as changed, carried by the locator, at the end the reason."""
    async with opened("aurora-run", size, language, "t0.execute") as driven:
        mark = "changed" if language == "en" else "変更"
        await driven.press("O")
        assert "Voss directed the film of 2011." in driven.text.split("\n")[-1]
        await driven.press("backspace", "backspace", "4", ".", "enter")
        session = driven.stepper.session
        assert session.run.observations[0][1].endswith("the film of 2014.")
        assert driven.place == "t0.execute"
        assert mark in driven.text.split("\n")[0]
        assert driven.text.count(mark) >= 2
        assert session.locator.startswith("aurora-run@t0.execute,observe=t0.execute:Aurora%20Run")
        assert Locator.parse(session.locator).scenario().observed == session.scenario.observed
        await driven.press("end")
        assert ("nobody can know" if language == "en" else "誰にも") in driven.text.replace(
            "\n", ""
        )
        assert "diverged" in driven.text
        assert f"{mark}  " in driven.text
        assert all(cells(line) <= size[0] for line in driven.text.split("\n"))


async def test_the_recorded_text_typed_again_is_the_recorded_run() -> None:
    """Enter on the text as it is, or the same text typed by hand: the same run."""
    async with opened(one_tool("sunny"), at="t0.execute") as driven:
        before = driven.stepper.session.run
        await driven.press("O", "enter")
        assert driven.stepper.session.run == before
        assert "this is the recorded text" in driven.text
        await driven.press("O", "ctrl+u")
        await driven.type("rain")
        await driven.press("enter")
        assert driven.stepper.session.run != before
        await driven.press("O", "ctrl+u")
        await driven.type("sunny")
        await driven.press("enter")
        assert driven.stepper.session.run == before
        assert "this is the recorded text" in driven.text


async def test_the_way_back() -> None:
    """z takes the change back from wherever one is; then there is nothing to take back."""
    async with opened("aurora-run", at="t0.execute") as driven:
        before = driven.stepper.session.run
        await driven.press("O", "x", "enter", "end")
        assert "z recorded again" in driven.text
        await driven.press("z")
        assert driven.stepper.session.run == before
        assert driven.place == "t0.execute"
        await driven.press("z")
        assert "No observation has been changed" in driven.text


async def test_the_world_answers_what_the_recording_never_asked() -> None:
    """With a world another query has a result; without one nothing is made up."""
    async with opened("aurora-run", at="t0.execute") as driven:
        await driven.press("W", "ctrl+u")
        await driven.type("nowhere")
        await driven.press("enter")
        assert observed(driven) == (("t0.execute", "No matching page found."),)
        await driven.press("z", "W", "enter")
        assert observed(driven) == ()
    async with opened("hello-py", at="t0.execute") as driven:
        await driven.press("W")
        assert "No world here" in driven.text
        assert driven.stepper.prompt is None


async def test_what_is_typed_and_pasted_is_hostile_too() -> None:
    """Control characters never reach the terminal, and markup is text."""
    async with opened(one_tool(HOSTILE), at="t0.execute") as driven:
        await driven.press("O")
        assert "\x1b" not in driven.text
        driven.app.screen.post_message(events.Paste("p\x1b[31m\nq"))
        await driven.pilot.pause()
        await driven.press("enter")
        text = observed(driven)[0][1]
        assert text == HOSTILE + "p[31m\nq"
        for key in ("right", "right", "end"):
            await driven.press(key)
            assert not {"\x1b", "\x07", "\u202e"} & set(driven.text)
            assert "[bold]b[/]" in driven.text


async def test_a_long_result_is_written_anew() -> None:
    """What is too long for a line is not cut behind the reader's back; Enter alone leaves it."""
    async with opened(one_tool("long " * MOST), at="t0.execute") as driven:
        await driven.press("O")
        assert "Too long to edit" in driven.text
        await driven.press("enter")
        assert observed(driven) == ()
        await driven.press("O", "x", "enter")
        assert observed(driven) == (("t0.execute", "x"),)


async def test_a_selected_message_says_which_result() -> None:
    """At the end of a run an earlier result is changed where its message is selected."""
    async with opened("aurora-run", at="t2.check") as driven:
        await driven.press("O")
        assert "No tool result here" in driven.text
        await driven.press(*("up" for _ in range(4)), "O", "x", "enter")
        assert observed(driven)[0][0] == "t0.execute"


async def test_a_later_change_goes_with_an_earlier_one() -> None:
    """What follows a changed observation is another run: later changes are dropped."""
    parts = (text_block("looking"), tool_use("toolu_b"))
    turns = [
        {"response": response(tool_use("toolu_a")), "results": [tool_result("toolu_a")]},
        {"response": response(*parts), "results": [tool_result("toolu_b")]},
    ]
    async with opened(scenario(*turns, answer()), at="t1.execute") as driven:
        await driven.press("O", "x", "enter")
        assert [place for place, _ in observed(driven)] == ["t1.execute"]
        driven.stepper.session.go("t0.execute")
        await driven.press("O", "y", "enter")
        assert [place for place, _ in observed(driven)] == ["t0.execute"]


async def test_a_changed_run_stands_beside_the_recorded_one() -> None:
    """v compares with the scenario as it is: they part at the next call, and it says why."""
    async with opened("aurora-run", (140, 45), at="t0.execute") as driven:
        await driven.press("O", "x", "enter", "v")
        assert driven.name == "CompareScreen"
        await driven.press("d")
        assert "agent_loop (recorded)" in driven.text
        assert "agent_loop (changed)" in driven.text
        assert "changed observation of t0.execute" in driven.text


async def test_a_click_changes_the_result() -> None:
    """Everything by mouse: the entries of the footer at a changed step, the palette."""
    async with opened("aurora-run", at="t0.execute") as driven:
        await driven.press("O", "x", "enter", "right")
        await driven.click("recorded again")
        assert observed(driven) == ()
        await driven.press(":")
        await driven.type("change the obs")
        await driven.press("enter")
        assert driven.stepper.prompt is not None
        await driven.press("escape")
        await driven.click("[a] done")
        assert driven.stepper.prompt is not None


async def test_another_run_of_the_recording_is_as_recorded() -> None:
    """A change belongs to the run in which it was made."""
    session = Session.open(load_transcript("aurora-run").observing({"t0.execute": "x"}))
    other = session.on_run("main")
    assert other.run.terminal_reason == "completed"
