"""What the screens import, and when."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from visualizer import app


def imported(modules: str) -> set[str]:
    """All modules that are there after importing some in a fresh interpreter."""
    code = f"import sys, {modules}; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


PAINTERS = (
    *(
        f"{room}.painter"
        for room in [
            "caps",
            "compare",
            "events",
            "folder",
            "home",
            "lesson",
            "lists",
            "poll",
            "puzzle",
        ]
    ),
    "stepper.frame",
    "sheets.request_text",
    "draw.footers",
)


def test_painting_knows_nothing_of_textual() -> None:
    """What screens look like, and what a session does, works without a terminal library."""
    painting = [f"visualizer.tui.{name}" for name in PAINTERS]
    folder = Path(app.__file__).parent
    doing = [f"visualizer.app.{file.stem}" for file in folder.glob("[!_]*.py")]
    assert len(doing) > 20
    assert "textual" not in imported(", ".join([*painting, *doing]))


def test_the_first_frame_loads_only_what_it_shows() -> None:
    """Help, pickers, requests and the library are imported when they are first opened."""
    there = imported("visualizer.tui.app, visualizer.tui.stepper.screen")
    late = "sheets.help sheets.request sheets.message sheets.blank lists.screen lists.choices"
    late += " home.screen compare.screen poll.screen puzzle.screen caps.screen"
    assert all(find_spec(f"visualizer.tui.{name}") for name in late.split())
    assert not {f"visualizer.tui.{name}" for name in late.split()} & there
    assert not {"visualizer.comparison", "visualizer.app.beside", "visualizer.app.agenda"} & there
    assert not {"visualizer.formats", "zipfile"} & there


def test_the_schema_checker_waits_until_it_is_needed() -> None:
    """The library behind the check of arguments takes a while to import: not at the start."""
    there = imported("visualizer.cli.main, visualizer.tui.app, visualizer.tui.stepper.screen")
    assert "jsonschema_rs" not in there
