"""Mutated trajectories and logs: as the mutations of the other formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats import (
    test_atif,
    test_gemini,
    test_gemini_cli,
    test_gemini_stream,
    test_inspect_ai,
    test_langchain,
    test_mini_swe_agent,
    test_pydantic_ai,
    test_qwen_code,
    test_swe_agent,
    test_vercel_ai,
)
from tests.formats.test_mutations import MUCH, Data, cut, mutated, open_and_use

RECORDINGS: dict[str, Data] = {
    "vercel-ai": test_vercel_ai.MODEL,
    "vercel-ai-page": test_vercel_ai.PAGE,
    "atif": [test_atif.ROUND],
    "swe-agent": [test_swe_agent.ROUND],
    "mini-swe-agent": [test_mini_swe_agent.ROUND],
    "mini-swe-agent-bare": test_mini_swe_agent.BARE,
    "inspect-ai": [test_inspect_ai.ROUND],
    "gemini": test_gemini.CONTENTS,
    "gemini-exchanges": test_gemini.EXCHANGES,
    "gemini-http": [test_gemini.http(one, True) for one in test_gemini.EXCHANGES],
    "gemini-cli": [test_gemini_cli.ROUND],
    "gemini-cli-lines": test_gemini_cli.ROUND["messages"],
    "gemini-cli-notes": [
        test_gemini_cli.HEAD,
        test_gemini_cli.sent_all(test_gemini_cli.SETTING, test_gemini_cli.ASK),
        test_gemini_cli.LOOK,
        test_gemini_cli.sent_all(test_gemini_cli.ASK, test_gemini_cli.DONE),
        {"$rewindTo": test_gemini_cli.ASK["id"]},
        {"$push": {"messages": test_gemini_cli.ASK}},
        test_gemini_cli.DONE,
    ],
    "gemini-stream": test_gemini_stream.ROUND,
    "qwen-code": test_qwen_code.ROUND,
    "langchain": [*test_langchain.ALL, *map(test_langchain.with_data, test_langchain.ALL)],
    "langchain-states": [*test_langchain.STATES, *test_langchain.ALL],
    "langchain-constructors": [test_langchain.constructed(one) for one in test_langchain.ALL],
    "langchain-pieces": test_langchain.STREAM,
    "pydantic-ai": test_pydantic_ai.MUCH,
    "pydantic-ai-lists": [{"messages": test_pydantic_ai.ALL}, {"history": test_pydantic_ai.ALL}],
}


@pytest.mark.parametrize("name", RECORDINGS)
def test_mutated_trajectories_are_a_clear_line_or_a_run(name: str, tmp_path: Path) -> None:
    """Whatever was cut, swapped, doubled, nested or of another type: no traceback, no hang."""

    @MUCH
    @given(mutated(RECORDINGS[name], as_lines=True))
    def holds(text: bytes) -> None:
        open_and_use(text, tmp_path)

    holds()


@st.composite
def archives(draw: st.DrawFn) -> bytes:
    """An archive with a mutated log in it, perhaps cut itself."""
    sample = draw(mutated(test_inspect_ai.ROUND["samples"], as_lines=True))
    header = {**test_inspect_ai.ROUND, "samples": []}
    text = test_inspect_ai.packed(header, **{"1_epoch_1": sample})
    return cut(draw, text) if draw(st.booleans()) else text


def test_mutated_archives_are_a_clear_line_or_a_run(tmp_path: Path) -> None:
    """An archive that was cut, or whose samples are odd: no traceback, no hang."""

    @MUCH
    @given(archives())
    def holds(text: bytes) -> None:
        open_and_use(text, tmp_path)

    holds()
