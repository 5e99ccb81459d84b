"""Mutated trajectories and logs: as the mutations of the other formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.formats import test_atif, test_mini_swe_agent, test_swe_agent
from tests.formats.test_mutations import EXAMPLES, Data, mutated, use
from visualizer.errors import TranscriptError
from visualizer.loading import load_transcript

RECORDINGS: dict[str, Data] = {
    "atif": [test_atif.ROUND],
    "swe-agent": [test_swe_agent.ROUND],
    "mini-swe-agent": [test_mini_swe_agent.ROUND],
    "mini-swe-agent-bare": test_mini_swe_agent.BARE,
}


@pytest.mark.parametrize("name", RECORDINGS)
def test_mutated_trajectories_are_a_clear_line_or_a_run(name: str, tmp_path: Path) -> None:
    """Whatever was cut, swapped, doubled, nested or of another type: no traceback, no hang."""

    @settings(
        max_examples=EXAMPLES,
        deadline=5_000,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(mutated(RECORDINGS[name], as_lines=True))
    def holds(text: bytes) -> None:
        path = tmp_path / "recording.jsonl"
        path.write_bytes(text)
        try:
            scenario = load_transcript(path)
        except TranscriptError as error:
            said = str(error)
            assert said.isprintable()
            return
        use(scenario, tmp_path)

    holds()
