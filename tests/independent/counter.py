"""Which format a file is in, by what it holds, and the counts that this format has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.independent import claude, codex, frameworks, gemini, messages_api, openai, trajectories
from tests.independent.raw import Count, Object, objects, same, values


def counts_of(path: Path) -> Count | None:
    """The counts of a file, None where no counter knows it.

    A Claude Code session is counted with the files of its subagents, which belong to it.
    """
    found = values(path.read_bytes())
    folder = path.with_suffix("") / "subagents"
    for other in sorted(folder.rglob("agent-*.jsonl")) if folder.is_dir() else ():
        found += values(other.read_bytes())
    return counted(found)


def counted(found: list[Any]) -> Count | None:
    """The counts of a file's values, None for a file with those of two programs.

    A client that was made after another's example writes the same lines with ``parts``.
    """
    lines = objects(found)
    if claude.is_session(lines) and (codex.is_rollout(lines) or "parts" in same(lines[:3])):
        return None
    for takes, count in _BY_LINES:
        if takes(lines):
            return count(lines)
    for takes, count in _BY_VALUES:
        if takes(found):
            return count(found)
    apis = [count for takes, count in _APIS if takes(found)]
    return apis[0](found) if len(apis) == 1 else None


def _is_stream(found: list[Any]) -> bool:
    return claude.is_stream(claude.unwrapped(found))


def _stream(found: list[Any]) -> Count:
    return claude.stream(claude.unwrapped(found))


_BY_LINES: tuple[tuple[Callable[[list[Object]], bool], Callable[[list[Object]], Count]], ...] = (
    (claude.is_session, claude.session),
    (codex.is_rollout, codex.rollout),
    (codex.is_exec, codex.printed),
    (gemini.is_cli, gemini.cli),
    (trajectories.is_atif, trajectories.atif),
    (trajectories.is_swe, trajectories.swe),
    (trajectories.is_inspect, trajectories.inspect),
)
_Counters = tuple[tuple[Callable[[list[Any]], bool], Callable[[list[Any]], Count]], ...]
_BY_VALUES: _Counters = (
    (trajectories.is_mini, trajectories.mini),
    (_is_stream, _stream),
    (frameworks.is_pydantic, frameworks.pydantic),
    (frameworks.is_langchain, frameworks.langchain),
)
_APIS: _Counters = (
    (messages_api.takes, messages_api.count),
    (openai.takes_chat, openai.chat),
    (openai.takes_responses, openai.responses),
    (gemini.takes, gemini.count),
)
