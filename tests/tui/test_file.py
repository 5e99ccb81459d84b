"""What was found in a recording's file, on the screen: the sign, and the sheet that tells."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.made import text_block, tool_result, tool_use
from tests.made_outside import QUESTION
from tests.made_outside import Session as Made
from tests.tui.recording import loaded, recording
from tests.tui.screens import LANGUAGES, SIZES, opened
from tests.tui.test_hostile import ALL, check, written  # noqa: F401 - a fixture
from tests.tui.test_paint import paint, text
from visualizer.loading import Scenario
from visualizer.tui.session import Session


def damaged(kind: str = "mood") -> Scenario:
    """A session with a broken line, a result that answers nothing, and a line of another kind."""
    made = Made()
    made.user(QUESTION)
    made.reply("m1", tool_use("a", "Bash", command="ls"), flag="tool_use")
    made.user([tool_result("a", "log"), tool_result("lost", "nobody asked")])
    made.bare(kind, value=1)
    made.reply("m2", text_block("Whitby."), flag="end_turn")
    lines = [json.dumps(line).encode() for line in made.lines]
    return loaded(b"\n".join([lines[0], b'{"type": "user", "mess', *lines[1:]]) + b"\n")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_the_sheet_lists_faults_then_notes_then_counts(
    size: tuple[int, int], language: str
) -> None:
    """The damaged line by its number comes first, what is no fault later, then the numbers."""
    async with opened(damaged(), size, language) as driven:
        texts = driven.app.texts
        await driven.press("!")
        assert driven.name == "FileScreen"
        shown = driven.text
        wanted = [
            texts.count("screen.file.faults", 2),
            f" ! {texts('format.damaged', line=2)}",
            f" ! {texts('format.orphan_result', n=1, places=' (--run 1 --at t1.call)')}",
            texts.count("screen.file.notes", 2),
            "mood",
            texts("screen.file.holds"),
            "claude-code",
            texts("screen.file.tokens"),
        ]
        found = [shown.find(one) for one in wanted]
        assert found == sorted(found)
        assert -1 not in found
        await driven.press("L", "L", "escape")
        assert driven.name == "StepperScreen"


@pytest.mark.parametrize(("width", "sign"), [(60, "!2"), (80, "!2"), (140, "! 2 faults")])
def test_faults_are_signed_in_the_header(width: int, sign: str) -> None:
    """A sign with a number, in words where there is room; none where nothing is wrong."""
    size = (width, 45 if width > 100 else 24)
    assert sign in text(paint(Session.open(damaged()), *size)).split("\n")[0]
    assert "!" not in text(paint(Session.open(recording()), *size)).split("\n")[0]


async def test_the_sign_and_the_footer_are_things_to_click() -> None:
    """A click on the sign opens the sheet; so does the footer's entry where it has room."""
    async with opened(damaged(), (140, 45)) as driven:
        await driven.click("! 2 faults")
        assert driven.name == "FileScreen"
        await driven.press("escape")
        await driven.click("! the file")
        assert driven.name == "FileScreen"


async def test_it_can_be_opened_in_class_and_from_the_palette() -> None:
    """An instructor has the key, too; the palette finds it by its words."""
    async with opened(damaged()) as driven:
        await driven.press("I", "!")
        assert driven.name == "FileScreen"
        await driven.press("escape", ":")
        await driven.type("wrong in")
        await driven.press("enter")
        assert "line 2 is damaged" in driven.text


async def test_a_file_without_faults_says_that_nothing_is_wrong() -> None:
    """A clean recording has no faults and subagents' runs are counted as such."""
    async with opened(recording()) as driven:
        await driven.press("!")
        assert "Nothing is wrong in the file." in driven.text
        assert "3 (of them subagents': 1)" in driven.text


async def test_the_beginning_of_a_file_is_called_that() -> None:
    """Where only a part has been read, the numbers are those of the part."""
    scenario = damaged()
    assert scenario.outside is not None
    outside = replace(scenario.outside, whole=False)
    async with opened(replace(scenario, outside=outside)) as driven:
        await driven.press("!")
        assert "(only the beginning of the file has been read)" in driven.text


async def test_hostile_findings_are_shown_safely(
    written: list[str],  # noqa: F811 - the fixture
) -> None:
    """Kinds and names from the file reach the terminal made visible only."""
    hostile = damaged(f"mood{ALL.replace('SURROGATE', '')}")
    async with opened(replace(hostile, name=ALL)) as driven:
        await driven.press("!", "end", "home")
        assert driven.name == "FileScreen"
    check(written)
