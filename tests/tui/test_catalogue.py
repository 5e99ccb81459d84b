"""The texts of the screens: the same in both languages, and all there."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.tui.kinds import COMMANDS, KINDS
from visualizer import app, tui
from visualizer.app.glyphs import ASCII
from visualizer.app.prompt import Prompt
from visualizer.i18n import FOLDER, texts
from visualizer.tui.draw.footer import key_name
from visualizer.tui.draw.footers import FOOTERS, Where
from visualizer.tui.draw.segments import plain
from visualizer.tui.lists.painter import Entry, picker

KEY = re.compile(r"""["'](screen\.[a-z_.]+)["']""")
HALF = re.compile(r"""["'](screen\.[a-z_.]+)\.\{""")


def catalogue(language: str) -> dict[str, tuple[str, ...]]:
    """Key -> its texts."""
    with (FOLDER / language / "LC_MESSAGES" / "screen.po").open("rb") as file:
        found = {}
        for message in read_po(file):
            if message.id:
                key = message.id if isinstance(message.id, str) else message.id[0]
                value = message.string or ""
                found[key] = (value,) if isinstance(value, str) else tuple(value)
        return found


def fields(text: str) -> set[str]:
    """The placeholders in a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_have_the_same_texts() -> None:
    """No key is in one language only."""
    assert catalogue("en").keys() == catalogue("ja").keys()


def test_placeholders_agree() -> None:
    """A text and its translation fill in the same values (n may go unsaid in a plural)."""
    english, japanese = catalogue("en"), catalogue("ja")
    for key, forms in english.items():
        wanted = set().union(*(fields(form) for form in forms))
        given = set().union(*(fields(form) for form in japanese[key]))
        assert wanted - {"n", "first", "last"} <= given | {"n"}, key
        assert given <= wanted | {"n"}, key


def test_no_text_is_missing() -> None:
    """Every text says something, in both languages."""
    for language in ("en", "ja"):
        assert all(all(forms) for forms in catalogue(language).values())


def test_every_key_in_the_code_is_in_the_catalogue() -> None:
    """No screen asks for a text that is not there; no text is there that no screen asks for."""
    source = "".join(
        path.read_text(encoding="utf-8")
        for package in (tui, app)
        for path in Path(package.__file__ or "").parent.rglob("*.py")
    )
    known = catalogue("en").keys()
    asked = {key for key in KEY.findall(source) if not key.endswith(".")}
    halves = set(HALF.findall(source))
    assert asked <= known, asked - known
    unused = {
        key
        for key in known - asked
        if not any(key.startswith(f"{half}.") for half in halves)
        and key not in ("screen.step", "screen.step_short")
    }
    assert not unused


def test_every_action_and_key_has_its_words() -> None:
    """Title, explanation, footer text and key names exist for the whole table."""
    for language in ("en", "ja"):
        said = texts(language)
        for action in COMMANDS:
            assert said(f"screen.action.{action.id}")
            assert said(f"screen.action.{action.id}.help")
            for key in action.keys:
                assert key_name(key, said, ASCII)
        for entries in FOOTERS.values():
            for ids in entries:
                assert said(f"screen.foot.{ids[-1]}")


@pytest.mark.parametrize("width", [80, 140])
@pytest.mark.parametrize("where", ["stepper", "lesson", "library", "compare", "shuffle", "caps"])
def test_the_palette_explains_each_action_whole_in_japanese(where: Where, width: int) -> None:
    """No explanation ends in an ellipsis: the verb, and whether it is denied, stand at the end."""
    said, most = texts("ja"), len(COMMANDS)
    entries = [
        Entry(
            action.id,
            said(f"screen.action.{action.id}"),
            said(f"screen.action.{action.id}.help"),
            " ".join(key_name(key, said, ASCII) for key in action.keys),
        )
        for action in KINDS[where].offers()
        if action.palette
    ]
    painted = picker("", Prompt("pick"), entries, 0, said, (), width, most + 4)
    assert not [text for text in map(plain, painted.lines) if "..." in text]


def test_compiled_catalogues_are_up_to_date() -> None:
    """What is compiled is what is written."""
    for language in ("en", "ja"):
        said = texts(language)
        for key, forms in catalogue(language).items():
            if len(forms) == 1 and forms[0] and not fields(forms[0]) and language == "en":
                assert said(key) == forms[0], key
