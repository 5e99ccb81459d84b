"""Hostile text: nothing of a transcript steers the terminal or is taken for markup.

The app writes to a driver that keeps every byte. What Textual itself writes to steer a
terminal is taken out; what is left must be printable, and all of the text's own sequences
must have been made visible.
"""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest
from textual.drivers.headless_driver import HeadlessDriver

from tests.tui.screens import opened
from visualizer.loading import Scenario, load_file

ESC = "\x1b"
HOSTILE = {
    "link": f"{ESC}]8;;https://evil.example{ESC}\\click{ESC}]8;;{ESC}\\",
    "clipboard": f"{ESC}]52;c;ZXZpbA=={ESC}\\",
    "title": f"{ESC}]0;owned\x07",
    "csi": f"{ESC}[1337m{ESC}[2J{ESC}[6n",
    "c0": "a\x00b\x07c\x08d\x0be\x0cf\x7fg\rh",
    "c1": "\x9b2J\x9d0;owned\x9c\x85",
    "bidi": "\u202eevil\u202c \u2066x\u2069 \u061c",
    "zero width": "z\u200bz\u200dz\ufeffz\u2060z\u00ad",
    "surrogate": "SURROGATE",  # no JSON file of ours has one; put in afterwards
    "markup": r"[/x] [@click=app.quit]quit[/] [bold]b[/bold] \[ \\[/",
    "wide": "東京タワーの生年月日。、」ﾊﾝｶｸ",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 🇳🇴",
    "marks": "a" + "\u0301" * 50,
    "tags": "\U000e0041\U000e0042",
    "tab": "a\tb",
    "braces": "{x} {0} {{y}}",
}
ALL = " | ".join(HOSTILE.values())
LONG = ALL + "x" * 1_000_000

# What Textual writes for itself: colours and attributes (all it uses are short), the cursor,
# modes, keyboard and clipboard requests, the window title.
OWN = re.compile(
    r"\x1b\[[0-9;]*m|\x1b\[\d+;\d+H|\x1b\[[?>=<]?[0-9;]*[hlup]|\x1b\[\?\d+\$p|\x1b\]52;c;[A-Za-z0-9+/=]*\x07"
    r"|\x1b\](?:22|0|2);[\w ,.-]*(?:\x07|\x1b\\)"
)
UNSAFE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
FORBIDDEN = (
    f"{ESC}[1337m",
    f"{ESC}[2J",
    f"{ESC}[6n",
    f"{ESC}]8;;",
    f"{ESC}]52;c;ZXZpbA",
    "owned\x07",
)


def transcript(text: str) -> dict[str, object]:
    """A recording with hostile text wherever a transcript has text."""
    use = {
        "type": "tool_use",
        "id": f"id{ALL}",
        "name": f"tool{ALL}",
        "input": {ALL: text, "b": [text]},
    }
    result = {"type": "tool_result", "tool_use_id": f"id{ALL}", "content": text, "is_error": True}
    thinking = {"type": f"thinking{ALL}", "value": text}
    both = {"en": f"Title {ALL}", "ja": f"題 {ALL}"}
    source = {"of": "/runs", "kind": "authored", "source": both}

    def response(flag: str, *content: object) -> dict[str, object]:
        return {
            "type": "message",
            "role": "assistant",
            "content": list(content),
            "stop_reason": flag,
        }

    first = response("tool_use", {"type": "text", "text": text}, thinking, use)
    last = response(f"end{ALL}", {"type": "text", "text": text})
    request = {
        "model": f"model{ALL}",
        "system": text,
        "tools": [{"name": f"tool{ALL}", "description": text, "input_schema": {}}],
        "messages": [{"role": "user", "content": text}],
    }
    turns = [{"response": first, "results": [result]}, {"response": last}]
    return {
        "format_version": 1,
        "title": both,
        "summary": both,
        "provenance": [source],
        "notes": [{"at": "t0.check", "text": both}],
        "runs": [{"id": "main", "request": request, "takes": [{"name": "only", "turns": turns}]}],
    }


def scenario(folder: Path, text: str) -> Scenario:
    """The hostile recording, from a file with a hostile name, with lone surrogates in it."""
    path = folder / "a\x1b[2J\u202e[bold]x.json"
    path.write_text(json.dumps(transcript(text)), encoding="ascii")
    loaded = load_file(path)
    break_apart(loaded.transcript)
    return loaded


def break_apart(value: Any) -> Any:
    """Put lone surrogates where the placeholder stands, in place."""
    if isinstance(value, str):
        return value.replace("SURROGATE", "\ud800 \udfff")
    if isinstance(value, list):
        value[:] = [break_apart(item) for item in value]
    elif isinstance(value, dict):
        items = [(break_apart(key), break_apart(item)) for key, item in value.items()]
        value.clear()
        value.update(items)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            setattr(value, field.name, break_apart(getattr(value, field.name)))
    return value


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything that is written to the terminal."""
    data: list[str] = []
    monkeypatch.setattr(HeadlessDriver, "is_headless", property(lambda self: False))
    monkeypatch.setattr(HeadlessDriver, "write", lambda self, text: data.append(text))
    return data


def check(written: list[str]) -> str:
    """Nothing unsafe is left besides what Textual writes for itself; gives all of it."""
    data = "".join(written)
    data.encode("utf-8")
    for sequence in FORBIDDEN:
        assert sequence not in data, repr(sequence)
    rest = OWN.sub("", data)
    found = UNSAFE.search(rest)
    assert found is None, repr(rest[max(0, found.start() - 60) : found.end() + 60])
    return rest


WALK = ("right",) * 7
LOOK = ("up", "e", "pagedown", "end", "escape", "i", "c", "y", "/", "x", "enter", "n", "N")
REQUEST = ("r", "pagedown", "end", "r", "pagedown", "end", "home", "left", "right", "escape")
PICK = (
    "s",
    "down",
    "escape",
    ":",
    "down",
    "escape",
    "?",
    "pagedown",
    "escape",
    "g",
    "9",
    "9",
    "enter",
)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 45)], ids=["60x20", "80x24", "140x45"])
@pytest.mark.parametrize("language", ["en", "ja"])
async def test_every_screen_shows_hostile_text_safely(
    written: list[str], tmp_path: Path, size: tuple[int, int], language: str
) -> None:
    """All steps and all screens over hostile text: its sequences are seen, none gets out."""
    async with opened(scenario(tmp_path, ALL), size, language) as driven:
        for key in (*WALK, "home"):
            await driven.press(key)
        await driven.press("right", *LOOK, *REQUEST, *PICK, "end", "t", "L", "b")
        assert driven.app.is_running
        assert driven.name == "StepperScreen"
    rest = check(written)
    assert r"\x1b]8;;https:" in rest
    assert "[@click=app.quit]quit[/]" in rest


async def test_a_line_of_a_megabyte_is_no_trouble(written: list[str], tmp_path: Path) -> None:
    """A single line of 1 MB is stepped over, expanded and shown in a request."""
    async with opened(scenario(tmp_path, LONG), (120, 36)) as driven:
        await driven.press(
            *WALK, "left", "left", "e", "pagedown", "escape", "r", "pagedown", "escape"
        )
        assert driven.name == "StepperScreen"
    check(written)


async def test_the_library_and_pickers_show_hostile_titles_safely(
    written: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names, titles, summaries and errors of scenarios are safe wherever they are listed."""
    good = tmp_path / "good\x1b[2J\u202e.json"
    good.write_text(json.dumps(transcript(ALL)), encoding="ascii")
    bad = tmp_path / "bad\x1b[6n[@click=app.quit].json"
    bad.write_text(json.dumps({ALL: 1}), encoding="ascii")
    names = [str(good), str(bad), f"missing{ALL.replace(chr(0), '')}"]
    from visualizer.app import shelf

    monkeypatch.setattr(shelf, "scenario_names", lambda: names)
    async with opened(None) as driven:
        await driven.press("pagedown", "down", "enter", "up", "L", "enter")
        assert driven.name == "StepperScreen"
        await driven.press("s", "down", "enter", "end")
        assert driven.name == "StepperScreen"
    check(written)


async def test_without_colour_no_colour_is_written(
    written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With NO_COLOR the terminal gets attributes and its own default colours, nothing else."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(at="t1.check") as driven:
        await driven.press("end", "t", "?", "escape")
    codes = {
        code
        for found in re.findall(r"\x1b\[([0-9;]*)m", "".join(written))
        for code in found.split(";")
    }
    assert codes <= {"", "0", "1", "2", "3", "4", "7", "39", "49"}
