"""Which format a file is in, by what it holds, and the counts that this format has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.independent import claude, codex, frameworks, gemini, messages_api, openai, trajectories
from tests.independent.raw import Count, objects, values


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
    """The counts of a file's values. A file with calls of two APIs is none of these."""
    lines = objects(found)
    piped = claude.unwrapped(found)
    if trajectories.is_mini(found):
        return trajectories.mini(found)
    if claude.is_session(lines):
        return claude.session(lines)
    if claude.is_stream(piped):
        return claude.stream(piped)
    if codex.is_rollout(lines):
        return codex.rollout(lines)
    if codex.is_exec(lines):
        return codex.printed(lines)
    if gemini.is_cli(lines):
        return gemini.cli(lines)
    for takes, count in (
        (trajectories.is_atif, trajectories.atif),
        (trajectories.is_swe, trajectories.swe),
        (trajectories.is_inspect, trajectories.inspect),
    ):
        if takes(lines):
            return count(lines)
    if frameworks.is_pydantic(found):
        return frameworks.pydantic(found)
    if frameworks.is_langchain(found):
        return frameworks.langchain(found)
    apis = [
        count
        for takes, count in (
            (messages_api.takes, messages_api.count),
            (openai.takes_chat, openai.chat),
            (openai.takes_responses, openai.responses),
            (gemini.takes, gemini.count),
        )
        if takes(found)
    ]
    return apis[0](found) if len(apis) == 1 else None
