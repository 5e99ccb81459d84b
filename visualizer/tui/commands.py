"""What a reader can do, declared beside the method that does it.

``@command("room", "T", group="look")`` makes a method of a screen, or of one of its parts, a
command: keys, palette, help and footers come from such declarations. The title is the text
``screen.action.<id>``, the explanation ``screen.action.<id>.help``. What several screens do in
their own ways is one constant here, so that one id has the same keys everywhere.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

Group = Literal["learn", "move", "cap", "decide", "look", "find", "screen", "class"]
Method = TypeVar("Method", bound=Callable[..., Any])

GROUPS: tuple[Group, ...] = ("learn", "move", "cap", "decide", "look", "find", "screen", "class")


@dataclass(frozen=True, slots=True)
class Command:
    """One thing to do. The first key is the one shown where there is room for one only.

    Without keys it is done by the mouse alone. With ``numbered``, which of the keys was
    pressed is the argument.
    """

    id: str
    keys: tuple[str, ...]
    group: Group
    palette: bool = True
    numbered: bool = False

    @property
    def by_mouse(self) -> Command:
        """The same on a screen where its keys do something else."""
        return replace(self, keys=(), palette=False)

    def __call__(self, method: Method) -> Method:
        """Declare that a method carries this out."""
        setattr(method, MARK, self)
        return method


MARK = "command"
"""The attribute of a method that names its command."""

BY_ID: dict[str, Command] = {}
"""All commands that have been declared, by id."""


def command(
    id: str, *keys: str, group: Group = "look", palette: bool = True, numbered: bool = False
) -> Command:
    """A command, to be put before the method that carries it out.

    Raises ``ValueError`` where the id has been declared otherwise.
    """
    made = Command(id, keys, group, palette and bool(keys), numbered)
    if BY_ID.setdefault(id, made) != made:
        raise ValueError(id)
    return made


DIGITS = tuple("123456789")

SUSPENDING: tuple[str, ...] = () if sys.platform == "win32" else ("ctrl+z",)
"""The key that stops a program, where a shell can continue it."""

NEXT = command("next", "right", "space", "l", group="move")
BACK = command("back", "left", "h", group="move")
NEXT_TURN = command("next_turn", "pagedown", "]", group="move")
PREVIOUS_TURN = command("previous_turn", "pageup", "[", group="move")
FIRST = command("first", "home", group="move")
LAST = command("last", "end", group="move")
GO = command("go", "g", group="move")
UP = command("up", "up", group="move", palette=False)
DOWN = command("down", "down", group="move", palette=False)
CHOOSE = command("choose", "enter", group="move", palette=False)
RAISE_CAP = command("raise_cap", "+", "=", group="cap")
LOWER_CAP = command("lower_cap", "-", group="cap")
CAPS = command("caps", "C", group="cap")
LOOP = command("loop", "o", group="screen")
COMPARE = command("compare", "v", group="look")
STEP_RIGHT = command("step_right", "e", group="look")
SELECT = command("select")
OLDER = command("older", "up", "k")
NEWER = command("newer", "down", "j")
COPY = command("copy", "y", group="screen")
LIBRARY = command("library", "escape", group="screen")
LEAVE = command("leave", "escape", group="screen", palette=False)
ANSWER = command("answer", *DIGITS, group="learn", palette=False, numbered=True)
SKIP = command("skip", "0", group="learn", palette=False)
QUIZ = command("quiz", "p", group="learn")
SHUFFLE = command("shuffle", "S", group="learn")
REVEAL = command("reveal", "R", group="class")


def commands_of(kind: type[Any]) -> Mapping[str, Command]:
    """The commands that a class declares or inherits, by the names of their methods."""
    found: dict[str, Command] = {}
    for one in reversed(kind.__mro__):
        for name, value in vars(one).items():
            if isinstance(declared := getattr(value, MARK, None), Command):
                found[name] = declared
    return found


def keymap(offered: Sequence[Command]) -> Mapping[str, str]:
    """Key -> command, with its argument where it is numbered."""
    return {
        key: f"{one.id}:{key}" if one.numbered else one.id for one in offered for key in one.keys
    }


# What an input method for Japanese gives where the key says something else.
_FULL_WIDTH = {"「": "[", "」": "]", "ー": "-", "・": "/", "。": ".", "、": ","}
_NAMES = {" ": "space"}


def key_of(key: str, character: str | None) -> str:
    """The key as commands name it: characters as typed, full-width ones as their ASCII form."""
    if character is None or "+" in key or not (character.isprintable() or character == "\u3000"):
        return key
    narrow = _FULL_WIDTH.get(character) or unicodedata.normalize("NFKC", character)
    return _NAMES.get(narrow, narrow)
