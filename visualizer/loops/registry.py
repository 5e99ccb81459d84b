"""The loops by name: a file of this folder is a loop, its function has the file's name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

DEFAULT = "agent_loop"
_NOT_LOOPS = {"__init__", "registry"}


def loop_names() -> list[str]:
    """The names of all loops, the default one first."""
    names = {path.stem for path in Path(__file__).parent.glob("*.py")} - _NOT_LOOPS
    return sorted(names, key=lambda name: (name != DEFAULT, name))


def loop_function(name: str) -> Callable[..., Any]:
    """The loop called ``name``. Raises ``KeyError`` where there is none."""
    if name not in loop_names():
        raise KeyError(name)
    function: Callable[..., Any] = getattr(import_module(f"visualizer.loops.{name}"), name)
    return function
