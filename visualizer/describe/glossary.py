"""The words that the program uses, each explained in a sentence, in the order to learn them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from visualizer.i18n import Texts

WORDS = (
    *("agent", "model", "host", "loop", "message", "block", "context", "stateless"),
    *(
        "tool",
        "schema",
        "tool_call",
        "observation",
        "phase",
        "turn",
        "round",
        "step",
        "stop_reason",
    ),
    *("terminal_reason", "max_turns", "cutoff", "transcript", "scenario", "run", "take"),
    *("snapshot", "locator", "divergence", "provenance", "subagent", "compaction", "window"),
    *("token", "cache", "approval", "policy", "budget", "workflow"),
    *("environment", "world", "world_model", "fingerprint"),
    *("stream", "result_line", "num_turns", "permission", "hook", "fork", "thread"),
)


class Word(NamedTuple):
    """A word, and what it means."""

    word: str
    means: str


def words(texts: Texts) -> Iterator[Word]:
    """All words with their meanings."""
    for one in WORDS:
        yield Word(texts(f"glossary.{one}"), texts(f"glossary.{one}.means"))
