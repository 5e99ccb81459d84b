"""Every command, by its keys, at two sizes, in both languages."""

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
from tests.tui.kinds import COMMANDS, KINDS
from tests.tui.screens import LANGUAGES, SIZES, opened
from visualizer.tui.commands import BY_ID, SUSPENDING, command, key_of
from visualizer.tui.draw.footers import FOOTERS, STATES

SCREENS = list(zip(SIZES, LANGUAGES, strict=True))
KEYS = [(one.id, key) for one in COMMANDS for key in one.keys]


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
    """No key is given to two commands of one kind of screen."""
    for where, kind in KINDS.items():
        keys = [key for one in kind.offers() for key in one.keys]
        assert len(keys) == len(set(keys)), where


def test_one_command_has_the_same_keys_everywhere() -> None:
    """An id that is declared again with other keys is an error at once."""
    assert command("room", "T") is not None
    with pytest.raises(ValueError, match="room"):
        command("room", "t")


def test_footers_offer_what_the_screen_can_do() -> None:
    """Every entry of a footer is a command of that kind of screen."""
    states = [(where, entries) for where, entries in STATES.values()]
    for where, entries in [*FOOTERS.items(), *states]:
        offered = {one.id for one in KINDS[where].offers()}
        assert {name for ids in entries for name in ids} <= offered, where


def test_no_command_needs_a_function_key_or_control() -> None:
    """Everything can be reached without keys that terminals and editors take for themselves.

    The key that suspends is the terminal's own; the palette offers it, too.
    """
    for one in COMMANDS:
        if one.palette and one.keys == SUSPENDING:
            continue
        assert any("ctrl" not in key and not key.startswith("f1") for key in one.keys)


def test_every_command_is_known_by_its_id() -> None:
    """What footers and texts name is what screens declare."""
    assert {one.id for one in COMMANDS} <= set(BY_ID)


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
    assert ("ctrl+p", "palette") in [(key, one.id) for one in COMMANDS for key in one.keys]
