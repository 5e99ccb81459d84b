"""What the screens import, and when."""

from __future__ import annotations

import subprocess
import sys

import pytest


def imported(modules: str) -> set[str]:
    """All modules that are there after importing some in a fresh interpreter."""
    code = f"import sys, {modules}; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "module",
    [
        "tui.paint.frame",
        "tui.paint.request",
        "tui.paint.compare",
        "tui.paint.shuffle",
        "tui.paint.caps",
        "tui.footers",
        *(
            f"app.{name}"
            for name in ["session", "find", "search", "beside", "shuffle", "caps", "opening"]
        ),
    ],
)
def test_painting_knows_nothing_of_textual(module: str) -> None:
    """What screens look like, and what a session does, works without a terminal library."""
    assert "textual" not in imported(f"visualizer.{module}")


def test_the_first_frame_loads_only_what_it_shows() -> None:
    """Help, pickers, requests and the library are imported when they are first opened."""
    there = imported("visualizer.tui.app, visualizer.tui.stepper.screen")
    late = "help picker request message library compare choices poll shuffle blank caps"
    assert not {f"visualizer.tui.screens.{name}" for name in late.split()} & there
    assert not {"visualizer.comparison", "visualizer.app.beside", "visualizer.app.agenda"} & there
    assert not {"visualizer.formats", "zipfile"} & there


def test_the_schema_checker_waits_until_it_is_needed() -> None:
    """The library behind the check of arguments takes a while to import: not at the start."""
    there = imported("visualizer.cli.main, visualizer.tui.app, visualizer.tui.stepper.screen")
    assert "jsonschema_rs" not in there
