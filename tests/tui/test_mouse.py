"""Everything by mouse: clicks on steps, phases, keys and messages, and the wheel."""

from __future__ import annotations

from textual import events

from tests.tui.screens import Driven, opened


async def test_clicking_steps_phases_and_keys() -> None:
    """A step of the strip, a phase of the ring and a key of the footer can all be clicked."""
    async with opened() as driven:
        await driven.click("check execute append │ 1")
        assert driven.place == "t0.execute"
        await driven.click("next")
        assert driven.place == "t0.execute"  # the word in the ring is no button
        await driven.press("home")
        await driven.click("→ next")
        assert driven.place == "t0.call"
        await driven.click("append ──┐")
        assert driven.place == "t0.append"
        await driven.click("? all keys")
        assert driven.name == "HelpScreen"
        await driven.click("Esc close")
        assert driven.name == "StepperScreen"


async def test_a_click_selects_a_message_and_a_second_opens_it() -> None:
    """The first click on a message selects it, the next shows all of it."""
    async with opened(at="t0.append", size=(120, 36)) as driven:
        await driven.click("Aurora Run is a novel")
        assert driven.stepper.settings.selected == 2
        await driven.click("Aurora Run is a novel")
        assert driven.name == "MessageScreen"


async def test_the_wheel_steps_and_selects() -> None:
    """Over the code the wheel steps, over the messages it selects, in a sheet it scrolls."""
    async with opened(at="t1.check") as driven:
        await wheel(driven, 5, 10, down=True)
        assert driven.place == "t1.execute"
        await wheel(driven, 5, 10, down=False)
        assert driven.place == "t1.check"
        await wheel(driven, 5, 20, down=False)
        assert driven.stepper.settings.selected == 3
        await driven.press("?")
        before = driven.text
        await wheel(driven, 5, 10, down=True)
        assert driven.text != before


async def wheel(driven: Driven, x: int, y: int, down: bool) -> None:
    """Turn the mouse wheel at a place."""
    kind = events.MouseScrollDown if down else events.MouseScrollUp
    event = kind(
        None,
        x,
        y,
        0,
        1 if down else -1,
        0,
        shift=False,
        meta=False,
        ctrl=False,
        screen_x=x,
        screen_y=y,
    )
    pane = driven.app.screen.query_one("Pane")
    pane.post_message(event)
    await driven.pilot.pause()


async def drag(driven: Driven, start: tuple[int, int], stop: tuple[int, int]) -> None:
    """Press the button at one cell, move to another, let it go."""
    await driven.pilot.mouse_down(offset=start)
    await driven.pilot.hover(offset=stop)
    await driven.pilot.mouse_up(offset=stop)
    await driven.pilot.pause()


def found(driven: Driven, text: str) -> tuple[int, int]:
    """The cell at which a text begins."""
    for y, line in enumerate(driven.text.split("\n")):
        if (x := line.find(text)) >= 0:
            return x, y
    raise AssertionError(text)


async def test_text_is_selected_and_copied() -> None:
    """What is dragged over can be copied with Ctrl+C, which then doesn't leave the program."""
    async with opened(at="t0.append", size=(120, 36)) as driven:
        x, y = found(driven, "Aurora Run is a novel")
        await drag(driven, (x, y), (x + 10, y))
        assert "Ctrl+C" in driven.text
        assert driven.stepper.settings.selected is None  # the end of the drag is no click
        await driven.press("ctrl+c")
        assert driven.app.clipboard == "Aurora Run"
        assert "Copied the selected text." in driven.text
        assert driven.app.is_running


async def test_a_selection_stays_in_its_part_of_the_screen() -> None:
    """Lines beside the part in which the drag began are not copied, whichever way it goes."""
    async with opened(at="t0.append", size=(120, 36)) as driven:
        x, y = found(driven, "def agent_loop")
        for start, stop in [((x, y), (x + 20, y + 1)), ((x + 20, y + 1), (x, y))]:
            await drag(driven, start, stop)
            await driven.press("ctrl+c")
            first, second = driven.app.clipboard.split("\n")
            assert first == "def agent_loop(model, tools, messages, ..."
            assert second.strip().startswith("for turn in range")


async def test_a_key_takes_the_selection_away() -> None:
    """Once other text stands there nothing is selected, and Ctrl+C leaves as before."""
    async with opened(at="t0.append", size=(120, 36)) as driven:
        x, y = found(driven, "Aurora Run is a novel")
        await drag(driven, (x, y), (x + 10, y))
        await driven.press("home")
        assert not driven.app.screen.get_selected_text()
        await driven.press("ctrl+c")
        assert not driven.app.is_running
