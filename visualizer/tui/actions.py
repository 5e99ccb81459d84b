"""Everything a reader can do, in one table: keys, palette, help and footer come from it.

An action's title is the text ``screen.action.<id>``, its explanation
``screen.action.<id>.help``; a screen carries it out in its method ``do_<id>``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

Where = Literal["stepper", "library", "sheet", "request", "picker"]
Group = Literal["move", "cap", "look", "find", "screen"]

GROUPS: tuple[Group, ...] = ("move", "cap", "look", "find", "screen")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do. The first key is the one shown where there is room for one only."""

    id: str
    keys: tuple[str, ...]
    group: Group
    where: tuple[Where, ...] = ("stepper",)
    palette: bool = True


_LISTS: tuple[Where, ...] = ("library", "picker")
_SCROLL: tuple[Where, ...] = ("sheet", "request")
_PLACES: tuple[Where, ...] = ("stepper", "library")
_READING: tuple[Where, ...] = (*_PLACES, *_SCROLL)

ACTIONS: tuple[Action, ...] = (
    Action("next", ("right", "space", "l"), "move"),
    Action("back", ("left", "h"), "move"),
    Action("next_turn", ("pagedown", "]"), "move"),
    Action("previous_turn", ("pageup", "["), "move"),
    Action("first", ("home",), "move"),
    Action("last", ("end",), "move"),
    Action("go", ("g",), "move"),
    Action("play", ("enter",), "move"),
    Action("faster", (">",), "move"),
    Action("slower", ("<",), "move"),
    Action("raise_cap", ("+", "="), "cap"),
    Action("lower_cap", ("-",), "cap"),
    Action("request", ("r",), "look"),
    Action("older", ("up", "k"), "look"),
    Action("newer", ("down", "j"), "look"),
    Action("expand", ("e",), "look"),
    Action("unfold", ("c",), "look"),
    Action("counts", ("i",), "look"),
    Action("search", ("/",), "find"),
    Action("find_next", ("n",), "find"),
    Action("find_previous", ("N",), "find"),
    Action("scenario", ("s",), "screen"),
    Action("copy", ("y",), "screen"),
    Action("theme", ("t",), "screen", _READING),
    Action("language", ("L",), "screen", _READING),
    Action("borders", ("b",), "screen", _READING),
    Action("palette", (":", "ctrl+p"), "screen", _PLACES, palette=False),
    Action("help", ("?",), "screen", _PLACES),
    Action("library", ("escape",), "screen"),
    Action("quit", ("q",), "screen", _PLACES),
    # Lists: the library, and what is picked from.
    Action("up", ("up",), "move", _LISTS, palette=False),
    Action("down", ("down",), "move", _LISTS, palette=False),
    Action("choose", ("enter",), "move", _LISTS, palette=False),
    # Sheets: long texts to read.
    Action("line_up", ("up", "k"), "move", _SCROLL, palette=False),
    Action("line_down", ("down", "j"), "move", _SCROLL, palette=False),
    Action("page_up", ("pageup",), "move", _SCROLL, palette=False),
    Action("page_down", ("pagedown", "space"), "move", _SCROLL, palette=False),
    Action("top", ("home",), "move", _SCROLL, palette=False),
    Action("bottom", ("end",), "move", _SCROLL, palette=False),
    Action("form", ("r",), "look", ("request",), palette=False),
    Action("call_before", ("left", "h"), "move", ("request",), palette=False),
    Action("call_after", ("right", "l"), "move", ("request",), palette=False),
    Action("close", ("escape", "q", "?"), "screen", _SCROLL, palette=False),
    Action("cancel", ("escape",), "screen", ("picker",), palette=False),
)
BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}

FOOTERS: Mapping[Where, tuple[tuple[str, ...], ...]] = {
    "stepper": (
        ("next",),
        ("back",),
        ("raise_cap", "lower_cap"),
        ("request",),
        ("play",),
        ("previous_turn", "next_turn"),
        ("scenario",),
        ("expand",),
        ("search",),
        ("go",),
        ("counts",),
        ("copy",),
        ("theme",),
        ("language",),
        ("quit",),
    ),
    "library": (
        ("up", "down"),
        ("choose",),
        ("theme",),
        ("language",),
        ("palette",),
        ("quit",),
    ),
    "sheet": (("line_up", "line_down"), ("page_up", "page_down"), ("close",)),
    "request": (
        ("line_up", "line_down"),
        ("call_before", "call_after"),
        ("form",),
        ("close",),
    ),
    "picker": (("up", "down"), ("choose",), ("cancel",)),
}
"""What the footer offers, the most useful first; where two share a text, both keys are shown."""

# What an input method for Japanese gives where the key says something else.
_FULL_WIDTH = {"「": "[", "」": "]", "ー": "-", "・": "/", "。": ".", "、": ","}
_NAMES = {" ": "space"}


def available(where: Where) -> Iterator[Action]:
    """The actions of one kind of screen, in order."""
    return (action for action in ACTIONS if where in action.where)


@cache
def keymap(where: Where) -> Mapping[str, str]:
    """Key -> action on one kind of screen."""
    return {key: action.id for action in available(where) for key in action.keys}


def key_of(key: str, character: str | None) -> str:
    """The key as the table names it: characters as typed, full-width ones as their ASCII form."""
    if character is None or "+" in key or not (character.isprintable() or character == "\u3000"):
        return key
    narrow = _FULL_WIDTH.get(character) or unicodedata.normalize("NFKC", character)
    return _NAMES.get(narrow, narrow)
