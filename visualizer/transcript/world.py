"""A small world that tools look into, so that executing a call is a real look-up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

from visualizer.transcript.records import World

UNPARSED = "INVALID_JSON"
"""The key under which a host keeps arguments that are no JSON: a request's input is an object."""


class WorldTools:
    """The tools of a world. What the executing layer can't do comes back as an error result."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._pages = {_title(page.title): page.text for page in world.pages}

    def look_up(self, name: str, arguments: Any) -> tuple[str, bool]:
        """The text of a tool's result and whether it is an error; never raises."""
        tool = self._world.tools.get(name)
        if tool is None:
            known = ", ".join(self._world.tools)
            return f"Error: there is no tool named {name!r}. Known tools: {known}.", True
        if isinstance(arguments, Mapping) and UNPARSED in arguments:
            return f"Error: the arguments of {name} are not valid JSON. Send them again.", True
        wanted = arguments.get(tool.argument) if isinstance(arguments, Mapping) else None
        if not isinstance(wanted, str):
            return f"Error: {name} needs the argument {tool.argument!r}, a string.", True
        return self._pages.get(_title(wanted), self._world.missing), False

    def ask(self, name: str, query: str) -> str | None:
        """What a tool says to a query; None where there is no such tool."""
        tool = self._world.tools.get(name)
        return None if tool is None else self.look_up(name, {tool.argument: query})[0]


def _title(text: str) -> str:
    """Titles match whatever their case, width and outer space."""
    return normalize("NFKC", text).strip().casefold()
