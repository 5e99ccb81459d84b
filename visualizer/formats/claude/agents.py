"""Which tool request started which subagent of a Claude Code session.

The client keeps subagents in files of their own, in a folder of the session's name: one a
file, beside it what it knows of the agent; those of a workflow one folder deeper. A result
names the agent that it came from, or the workflow.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visualizer.errors import TranscriptError
from visualizer.files.reading import read_file
from visualizer.formats.claude.lines import string
from visualizer.formats.decoding.json_text import parse_text
from visualizer.formats.outside import is_beside

if TYPE_CHECKING:
    from visualizer.formats.claude.session_tree import Tree, Unit


def files(session: Path) -> Iterator[Path]:
    """The files of a session's subagents, where there are any."""
    folder = session.with_suffix("") / "subagents"
    if folder.is_dir() and is_beside(session, folder):
        yield from sorted({*folder.glob("*.jsonl"), *folder.rglob("agent-*.jsonl")})


def told_of(file: Path) -> dict[str, str]:
    """What is known of the agent in a file: the request that started it, or its workflow."""
    agent = file.stem.removeprefix("agent-")
    beside = file.with_suffix(".meta.json")
    try:
        said: Any = (
            parse_text(read_file(beside, beside.name).decode("utf-8", "replace"))
            if beside.is_file()
            else None
        )
    except (TranscriptError, ValueError):
        said = None
    name = string(said.get("toolUseId")) if isinstance(said, dict) else None
    if name is None and file.parent.name != "subagents":
        name = file.parent.name
    return {} if name is None else {agent: name}


class Starters:
    """Finds the tool request that each stretch of a subagent works on."""

    def __init__(self, tree: Tree, told: dict[str, str]) -> None:
        self._tree = tree
        self._told = told
        self._prompts: dict[str, int] = {}

    def of(self, unit: Unit) -> str | None:
        """The request behind what a subagent was asked, in the order of the units."""
        agent = unit.scope[1]
        if agent is None:
            return self._tree.task(unit)
        number = self._prompts.get(agent, 0)
        self._prompts[agent] = number + 1
        named = self._tree.started.get(agent, [])
        if number < len(named):
            return named[number]
        if number and (found := self._tree.task(unit)):
            return found
        return self._known(agent) or (named[-1] if named else self._tree.task(unit))

    def _known(self, agent: str) -> str | None:
        name = self._told.get(agent)
        if name is None or name in self._tree.asked:
            return name
        runs = self._tree.started.get(name, [])
        workflows = self._tree.workflows
        if not runs and len(workflows) == 1:
            return workflows[0]
        return runs[0] if runs else None
