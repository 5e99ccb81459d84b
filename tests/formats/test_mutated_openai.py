"""Mutated recordings of OpenAI's formats: as the mutations of the other formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from tests.formats import (
    test_codex_agents,
    test_codex_events,
    test_codex_exec,
    test_codex_forks,
    test_codex_rollout,
    test_openai_chat,
    test_openai_responses,
)
from tests.formats.test_mutations import MUCH, Data, mutated, open_and_use

CHAT: Data = [
    *test_openai_chat.ROUND,
    {"request": test_openai_chat.body(), "response": {"body": test_openai_chat.STREAM}},
]
ANSWERED = test_openai_responses.STREAM
RESPONSES: Data = [
    *test_openai_responses.CHAIN,
    {"request": test_openai_responses.ROUND[1]["request"]},
    {"response": {"body": test_openai_responses.events(*ANSWERED[:6])}},
]
CODEX: Data = [
    *test_codex_rollout.AFTER,
    test_codex_rollout.event("turn_aborted", reason="interrupted"),
    test_codex_rollout.event("stream_error", message="torn"),
    *test_codex_rollout.BEFORE,
    test_codex_rollout.line("compacted", message="A summary."),
    test_codex_rollout.user("And then?"),
    test_codex_rollout.event("thread_rolled_back", num_turns=1),
]
AGENTS: Data = [
    *test_codex_agents.parent(*test_codex_agents.WAYS["event"]),
    *test_codex_agents.WAYS["old event"],
    *test_codex_agents.SENT,
]
RECORDINGS: dict[str, tuple[Data, bool]] = {
    "openai-chat": (CHAT, False),
    "openai-chat-lines": (CHAT, True),
    "openai-chat-messages": ([*test_openai_chat.ALL, test_openai_chat.said("Whitby.")], False),
    "openai-responses": (RESPONSES, False),
    "openai-responses-lines": (RESPONSES, True),
    "openai-responses-items": (
        [*test_openai_responses.ALL, test_openai_responses.DONE],
        False,
    ),
    "codex-rollout": (CODEX, True),
    "codex-agents": (AGENTS, True),
    "codex-exec": (test_codex_exec.ROUND, True),
    "codex-forks": (test_codex_forks.by_turns(), True),
    "codex-forks-by-time": (test_codex_forks.by_a_pause(), True),
    "codex-events": ([*test_codex_events.FINISHED, *test_codex_events.OLDER[2:]], True),
}


@pytest.mark.parametrize("name", RECORDINGS)
def test_mutated_recordings_are_a_clear_line_or_a_run(name: str, tmp_path: Path) -> None:
    """Whatever was cut, swapped, doubled, nested or of another type: no traceback, no hang."""
    data, as_lines = RECORDINGS[name]

    @MUCH
    @given(mutated(data, as_lines))
    def holds(text: bytes) -> None:
        open_and_use(text, tmp_path)

    holds()
