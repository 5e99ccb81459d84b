"""The commands that draw: what they hand to the screen, and when they don't."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.test_cli import call
from visualizer import commands


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VISUALIZER_LANG", "en")
    monkeypatch.setenv("VISUALIZER_PROGRESS", str(tmp_path / "progress.json"))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the screen is asked for by commands that believe to be on a terminal."""
    from visualizer.tui import app

    asked: list[Any] = []

    def run_app(*given: object, **more: object) -> int:
        asked.extend([*given, more])
        return 0

    monkeypatch.setattr(app, "run_app", run_app)
    monkeypatch.setattr(commands, "on_a_terminal", lambda: True)
    return asked


def test_open_passes_everything_on(asked: list[Any]) -> None:
    """On a terminal, ``open`` gives the screen what was asked for, ``visualizer`` nothing."""
    assert call("open", "paris@t0.check,max_turns=3", "--theme", "light", "--ascii") == 0
    look = {"language": "en", "theme": "light", "ascii_borders": True}
    assert asked == ["paris", {"loop": None, "max_turns": 3, "at": "t0.check", **look}]
    asked.clear()
    assert call("--lang", "ja") == 0
    assert asked == [{"language": "ja", "theme": None, "ascii_borders": False}]


def test_options_may_stand_before_the_command(asked: list[Any], tmp_path: Path) -> None:
    """What is given before ``open``, ``lesson`` and ``compare`` holds there; after it, wins."""
    file, agenda = str(tmp_path / "p.json"), tmp_path / "agenda.txt"
    agenda.write_text("paris@t0.check\n", encoding="utf-8")
    look = ("--theme", "light", "--ascii", "--instructor", "--agenda", str(agenda))
    for command in (["open", "paris"], ["lesson"], ["compare", "paris"]):
        asked.clear()
        assert call(*look, "--progress", file, *command) == 0
        given = asked[-1]
        assert (given["theme"], given["ascii_borders"], given["instructor"]) == (
            "light",
            True,
            True,
        )
        assert len(given["agenda"]) == 1
        assert given.get("progress") == (None if command[0] == "compare" else file)
    assert call("--theme", "light", "--progress", "a", "lesson", "--theme", "dark") == 0
    assert (asked[-1]["theme"], asked[-1]["progress"]) == ("dark", "a")
    assert call("--progress", file, "open", "paris", "--progress", "b") == 0
    assert (asked[-2:][0], asked[-1]["progress"]) == ("paris", "b")
    assert call("--ascii", "run", "paris") == 0
