"""Mutated recordings with mutated files beside them that belong to them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats import test_atif, test_codex_agents
from tests.formats.test_mutations import MUCH, Data, mutated, open_and_use
from tests.made import jsonl

FIRST = test_atif.trajectory(test_atif.ASK, test_atif.LOOKED, continued_trajectory_ref="two.json")
SECOND = test_atif.trajectory(test_atif.DONE, continued_trajectory_ref="recording.jsonl")
PARENT = test_codex_agents.parent(*test_codex_agents.WAYS["event"])
RECORDINGS: dict[str, tuple[Data, str, Data]] = {
    "atif": ([FIRST], "two.json", [SECOND]),
    "codex": (PARENT, f"rollout-{test_codex_agents.CHILD}.jsonl", test_codex_agents.child()),
    "codex-copy": (PARENT, f"rollout-{test_codex_agents.CHILD}.jsonl", test_codex_agents.FORKED),
}


@pytest.mark.parametrize("name", RECORDINGS)
def test_mutated_neighbours_are_a_clear_line_or_a_run(name: str, tmp_path: Path) -> None:
    """Whichever of the two is odd: no traceback, no hang."""
    data, other, beside = RECORDINGS[name]
    whole = jsonl(data)

    @MUCH
    @given(mutated(data, as_lines=True), mutated(beside, as_lines=True), st.booleans())
    def holds(first: bytes, second: bytes, is_whole: bool) -> None:
        (tmp_path / other).write_bytes(second)
        open_and_use(whole if is_whole else first, tmp_path)

    holds()
