"""Subagents of a Codex session, which the client keeps in rollouts of their own.

The parent's rollout names each one's session beside the call that started it; a file's name
ends with its session's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from visualizer.formats.blocks import entry
from visualizer.formats.codex.lines import Line
from visualizer.formats.decoding.json_text import parse_text
from visualizer.formats.openai.items import is_output

_SPAWN = "spawn_agent"
_LENGTH = 36
"""Characters of a session's id, at the end of a file's name."""


def started(lines: Iterable[Line]) -> dict[str, str]:
    """The calls that started subagents, by the ids of these agents' sessions."""
    calls: set[Any] = set()
    found: list[tuple[Any, Any]] = []
    for kind, what, _ in lines:
        if kind == "event_msg":
            found.append(_by_event(what))
        elif kind == "response_item" and what.get("name") == _SPAWN:
            calls.add(str(what.get("call_id")))
        elif kind == "response_item" and is_output(what) and what["call_id"] in calls:
            found.append((_agent_in(what.get("output")), what["call_id"]))
    names = [one for one in found if all(isinstance(name, str) for name in one)]
    return dict(reversed(names))  # the first call that names an agent counts


def _by_event(what: dict[str, Any]) -> tuple[Any, Any]:
    """A subagent's session and the call in an event; older and newer clients differ."""
    kind, item = what.get("type"), entry(what.get("item"))
    if kind == "collab_agent_spawn_end":
        return what.get("new_thread_id"), what.get("call_id")
    if kind == "sub_agent_activity" and what.get("kind") == "started":
        return what.get("agent_thread_id"), what.get("event_id")
    if kind == "item_completed" and item.get("type") == "SubAgentActivity":
        return item.get("agent_thread_id"), item.get("id")
    return None, None


def _agent_in(output: Any) -> Any:
    """The session that a result names: it is an object, or JSON in a text."""
    if isinstance(output, str):
        try:
            output = parse_text(output)
        except ValueError:
            return None
    return entry(output).get("agent_id")


def files_of(path: Path, agents: Iterable[str]) -> Iterator[Path]:
    """The rollouts of some sessions in the folder of a session's own."""
    names = set(agents)
    for other in sorted(path.parent.glob("rollout-*.jsonl")) if names else ():
        if other.stem[-_LENGTH:] in names and other.is_file() and not other.is_symlink():
            yield other
