"""The loops by name: a file of this folder is a loop, its function has the file's name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from visualizer.errors import LoopError

DEFAULT = "agent_loop"
AT_THE_CAP = "cap_"
"""How the names begin of loops that differ from the default one in their cap alone."""
_NOT_LOOPS = {"__init__", "registry"}


def loop_names() -> list[str]:
    """The names of all loops: the default one first, those about the cap last."""
    names = {path.stem for path in Path(__file__).parent.glob("*.py")} - _NOT_LOOPS
    return sorted(names, key=lambda name: (name != DEFAULT, is_about_the_cap(name), name))


def cap_families() -> list[str]:
    """One loop for each thing that frameworks do at a cap, the default one first."""
    return [DEFAULT, *filter(is_about_the_cap, loop_names())]


def is_about_the_cap(name: str) -> bool:
    """Whether a loop is on show for what it does at the cap."""
    return name.startswith(AT_THE_CAP)


def require_loop(name: str) -> None:
    """Refuse what is no loop's name. Raises ``LoopError``.

    For what stands in a file: nobody asked for the code that a path there would lead to.
    """
    known = loop_names()
    if name not in known:
        raise LoopError("problem.no_loop_name", name=name, known=tuple(known))


def loop_function(name: str) -> Callable[..., Any]:
    """The loop called ``name``. Raises ``KeyError`` where there is none."""
    if name not in loop_names():
        raise KeyError(name)
    function: Callable[..., Any] = getattr(import_module(f"visualizer.loops.{name}"), name)
    return function
