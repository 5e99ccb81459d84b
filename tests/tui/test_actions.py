"""Every action of the table, by its keys, at two sizes, in both languages."""

from __future__ import annotations

import pytest
from textual import events

from tests.tui import (  # noqa: F401 - they register
    cases_beside,
    cases_caps,
    cases_events,
    cases_home,
    cases_lesson,
    cases_observed,
    cases_recording,
)
from tests.tui.cases import CASES
from tests.tui.screens import LANGUAGES, SIZES, opened
from visualizer.tui.actions import ACTIONS, BY_ID, SUSPENDING, Where, available, key_of, keymap
from visualizer.tui.footers import FOOTERS, STATES
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
from visualizer.tui.screens.stepper import StepperScreen

WHERES: tuple[Where, ...] = (
    "stepper",
    "lesson",
    "library",
    "sheet",
    "request",
    "picker",
    "compare",
    "shuffle",
    "poll",
    "caps",
    "events",
)
SCREENS = list(zip(SIZES, LANGUAGES, strict=True))
KEYS = [(action.id, key) for action in ACTIONS for key in action.keys]


@pytest.mark.parametrize(("size", "language"), SCREENS, ids=["80x24-en", "140x45-ja"])
@pytest.mark.parametrize(("action", "key"), KEYS, ids=[f"{one}-{key}" for one, key in KEYS])
async def test_every_key_does_what_the_table_says(
    action: str, key: str, size: tuple[int, int], language: str
) -> None:
    """The action's effect is seen, whichever of its keys is pressed."""
    assert action in CASES, f"the action {action} has no test"
    async with opened(size=size, language=language) as driven:
        await CASES[action](driven, key)


def test_one_key_means_one_thing() -> None:
    """No key is given to two actions of one kind of screen."""
    for where in WHERES:
        keys = [key for action in available(where) for key in action.keys]
        assert len(keys) == len(set(keys)), where


def test_every_action_is_carried_out() -> None:
    """Each screen has a method for each action it offers."""
    screens: dict[Where, type] = {
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
    for where, screen in screens.items():
        missing = [one.id for one in available(where) if not hasattr(screen, f"do_{one.id}")]
        assert not missing, (where, missing)


def test_footers_offer_what_the_screen_can_do() -> None:
    """Every entry of a footer is an action of that kind of screen."""
    for where, entries in FOOTERS.items():
        for name in (name for ids in entries for name in ids):
            assert where in BY_ID[name].where, (where, name)
    for state, (where, entries) in STATES.items():
        for name in (name for ids in entries for name in ids):
            assert where in BY_ID[name].where, (state, name)


def test_no_action_needs_a_function_key_or_control() -> None:
    """Everything can be reached without keys that terminals and editors take for themselves.

    The key that suspends is the terminal's own; the palette offers it, too.
    """
    for action in ACTIONS:
        if action.palette and action.keys == SUSPENDING:
            continue
        assert any("ctrl" not in key and not key.startswith("f1") for key in action.keys)


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("ｑ", "q"),
        ("？", "?"),
        ("＋", "+"),
        ("１", "1"),
        ("Ｌ", "L"),
        ("　", "space"),
        ("「", "["),
        ("ー", "-"),
        ("・", "/"),
        ("：", ":"),
        ("＜", "<"),
    ],
)
def test_full_width_keys_work_like_their_ascii_forms(typed: str, plain: str) -> None:
    """A key typed with an input method on is the key that it would be with it off."""
    assert key_of("anything", typed) == plain


async def test_a_full_width_key_steps_and_opens_help() -> None:
    """Full-width l steps; a full-width question mark opens the help."""
    async with opened() as driven:
        await driven.press("ｌ")
        assert driven.place == "t0.call"
        driven.app.screen.post_message(events.Key("fullwidth_question_mark", "？"))
        await driven.pilot.pause()
        assert driven.name == "HelpScreen"


def test_control_keys_stay_what_they_are() -> None:
    """Ctrl+P is not taken for the letter p."""
    assert key_of("ctrl+p", "\x10") == "ctrl+p"
    assert keymap("stepper")["ctrl+p"] == "palette"
