"""Everything a reader can do, in one table: keys, palette and help come from it.

An action's title is the text ``screen.action.<id>``, its explanation
``screen.action.<id>.help``; a screen carries it out in its method ``do_<id>``.
Which of them the footer offers is in ``footers``.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

Where = Literal[
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
]
Group = Literal["learn", "move", "cap", "decide", "look", "find", "screen", "class"]

GROUPS: tuple[Group, ...] = ("learn", "move", "cap", "decide", "look", "find", "screen", "class")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do. The first key is the one shown where there is room for one only.

    With ``numbered``, which of the keys was pressed is the action's argument.
    """

    id: str
    keys: tuple[str, ...]
    group: Group
    where: tuple[Where, ...] = ("stepper",)
    palette: bool = True
    numbered: bool = False


_LISTS: tuple[Where, ...] = ("library", "picker", "caps")
_SCROLL: tuple[Where, ...] = ("sheet", "request")
_LIVE: tuple[Where, ...] = ("stepper", "lesson")
_PLACES: tuple[Where, ...] = (*_LIVE, "library", "compare", "shuffle", "caps", "events")
_READING: tuple[Where, ...] = (*_PLACES, *_SCROLL, "poll")
_BESIDE: tuple[Where, ...] = ("stepper", "compare")
_RUNS: tuple[Where, ...] = (*_LIVE, "compare")
_CAPPED: tuple[Where, ...] = (*_RUNS, "caps")
_STEPS: tuple[Where, ...] = (*_BESIDE, "events")
_LEFT: tuple[Where, ...] = ("compare", "shuffle", "poll", "caps", "events")

SUSPENDING: tuple[str, ...] = () if sys.platform == "win32" else ("ctrl+z",)
"""The key that stops a program, where a shell can continue it."""

ACTIONS: tuple[Action, ...] = (
    Action("next", ("right", "space", "l"), "move", _STEPS),
    Action("back", ("left", "h"), "move", _STEPS),
    Action("next_turn", ("pagedown", "]"), "move", _STEPS),
    Action("previous_turn", ("pageup", "["), "move", _STEPS),
    Action("first", ("home",), "move", (*_RUNS, "events")),
    Action("last", ("end",), "move", (*_RUNS, "events")),
    Action("go", ("g",), "move", _RUNS),
    Action("play", ("enter",), "move"),
    Action("faster", (">",), "move"),
    Action("slower", ("<",), "move"),
    Action("raise_cap", ("+", "="), "cap", (*_CAPPED, "events")),
    Action("lower_cap", ("-",), "cap", (*_CAPPED, "events")),
    Action("allow", ("A",), "decide", _LIVE),
    Action("deny", ("D",), "decide", _LIVE),
    Action("observe", ("O",), "decide", _LIVE),
    Action("ask_world", ("W",), "decide", _LIVE),
    Action("recorded_again", ("z",), "decide", _LIVE),
    Action("request", ("r",), "look", _LIVE),
    Action("room", ("T",), "look", _LIVE),
    Action("events", ("m",), "look", _LIVE),
    Action("older", ("up", "k"), "look", _LIVE),
    Action("newer", ("down", "j"), "look", _LIVE),
    Action("expand", ("e",), "look", _LIVE),
    Action("unfold", ("c",), "look", _LIVE),
    Action("counts", ("i",), "look", _LIVE),
    Action("search", ("/",), "find", _LIVE),
    Action("find_next", ("n",), "find", _LIVE),
    Action("find_previous", ("N",), "find", _LIVE),
    Action("next_error", ("x",), "find"),
    Action("previous_error", ("X",), "find"),
    Action("runs", ("u",), "screen", _LIVE),
    Action("file", ("!",), "screen"),
    Action("into", ("f",), "move", _LIVE),
    Action("out", ("F",), "move", _LIVE),
    Action("scenario", ("s",), "screen", _LIVE),
    Action("copy", ("y",), "screen", _CAPPED),
    Action("theme", ("t",), "screen", _READING),
    Action("language", ("L",), "screen", _READING),
    Action("borders", ("b",), "screen", _READING),
    Action("palette", (":", "ctrl+p"), "screen", _PLACES, palette=False),
    Action("help", ("?",), "screen", _PLACES),
    Action("glossary", ("w",), "screen", _PLACES),
    Action("library", ("escape",), "screen", _LIVE),
    Action("quit", ("q",), "screen", _PLACES),
    *(Action("suspend", (key,), "screen", _READING) for key in SUSPENDING),
    # Predictions and lessons.
    Action("answer", tuple("123456789"), "learn", _LIVE, palette=False, numbered=True),
    Action("skip", ("0",), "learn", _LIVE, palette=False),
    Action("predict", ("p",), "learn"),
    Action("go_on", ("right", "space", "enter", "l"), "learn", ("lesson",), palette=False),
    Action("look_back", ("left",), "learn", ("lesson",), palette=False),
    Action("page_after", ("pagedown",), "learn", ("lesson",)),
    Action("page_before", ("pageup",), "learn", ("lesson",)),
    Action("turn_after", ("]",), "move", ("lesson",)),
    Action("turn_before", ("[",), "move", ("lesson",)),
    Action("hint", ("h",), "learn", ("lesson",)),
    Action("quiz", ("p",), "learn", ("lesson", "library")),
    # Two runs beside each other, and the loop that drives.
    Action("compare", ("v",), "look", (*_LIVE, "shuffle", "caps")),
    Action("caps", ("C",), "cap", _RUNS),
    Action("loop", ("o",), "screen", _RUNS),
    Action("part", ("d",), "move", ("compare",)),
    Action("panes", ("tab",), "look", ("compare",)),
    Action("swap", ("x",), "look", ("compare",)),
    Action("step_right", ("e",), "look", ("compare", "shuffle")),
    Action("step_left", ("E",), "look", ("compare",)),
    # In class.
    Action("instructor", ("I",), "class", (*_CAPPED, "library")),
    Action("reveal", ("R",), "class", (*_CAPPED, "events")),
    Action("tell", ("enter",), "class", ("compare",), palette=False),
    Action("poll", ("P",), "class"),
    Action("agenda", ("a",), "class", (*_RUNS, "library")),
    Action("agenda_place", tuple("123456789"), "class", ("library", "compare"), False, True),
    Action("blank", (".",), "class", (*_READING,)),
    Action("answer_poll", ("enter", "space"), "class", ("poll",), palette=False),
    Action("mark", tuple("123456789"), "class", ("poll",), False, True),
    # Shuffled lines.
    Action("shuffle", ("S",), "learn", ("stepper", "library")),
    Action("above", ("up", "k"), "learn", ("shuffle",), palette=False),
    Action("below", ("down", "j"), "learn", ("shuffle",), palette=False),
    Action("hold", ("space",), "learn", ("shuffle",)),
    Action("put", tuple("1234567890"), "learn", ("shuffle",), False, True),
    Action("run_lines", ("enter", "r"), "learn", ("shuffle",)),
    Action("result_before", ("left", "h"), "learn", ("shuffle",), palette=False),
    Action("result_after", ("right", "l"), "learn", ("shuffle",), palette=False),
    Action("first_wrong", ("f",), "learn", ("shuffle",)),
    Action("again", ("x",), "learn", ("shuffle",)),
    Action("leave", ("escape",), "screen", _LEFT, palette=False),
    # The stream of messages beside the steps.
    Action("line_before", ("up", "k"), "move", ("events",), palette=False),
    Action("line_after", ("down", "j"), "move", ("events",), palette=False),
    Action("partial", ("p",), "look", ("events",)),
    Action("recent", ("r",), "screen", ("library",)),
    # Lists: the library, and what is picked from.
    Action("narrow", ("/",), "find", ("library",)),
    Action("group_before", ("pageup",), "move", ("library",)),
    Action("group_after", ("pagedown",), "move", ("library",)),
    Action("first_entry", ("home",), "move", ("library",)),
    Action("last_entry", ("end",), "move", ("library",)),
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
    Action("chained", ("c",), "look", ("request",), palette=False),
    Action("call_before", ("left", "h"), "move", ("request",), palette=False),
    Action("call_after", ("right", "l"), "move", ("request",), palette=False),
    Action("close", ("escape", "q", "?"), "screen", _SCROLL, palette=False),
    Action("cancel", ("escape",), "screen", ("picker",), palette=False),
)
BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}

# What an input method for Japanese gives where the key says something else.
_FULL_WIDTH = {"「": "[", "」": "]", "ー": "-", "・": "/", "。": ".", "、": ","}
_NAMES = {" ": "space"}


def available(where: Where) -> Iterator[Action]:
    """The actions of one kind of screen, in order."""
    return (action for action in ACTIONS if where in action.where)


@cache
def keymap(where: Where) -> Mapping[str, str]:
    """Key -> action on one kind of screen."""
    return {
        key: f"{action.id}:{key}" if action.numbered else action.id
        for action in available(where)
        for key in action.keys
    }


def key_of(key: str, character: str | None) -> str:
    """The key as the table names it: characters as typed, full-width ones as their ASCII form."""
    if character is None or "+" in key or not (character.isprintable() or character == "\u3000"):
        return key
    narrow = _FULL_WIDTH.get(character) or unicodedata.normalize("NFKC", character)
    return _NAMES.get(narrow, narrow)
