"""The stored validator is the one that pydantic builds from the classes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pydantic_core
import pytest

from tests.made import answer, round_of, scenario, transcript
from visualizer.engine import replay
from visualizer.loading import parse, scenario_of
from visualizer.transcript import schema
from visualizer.transcript.records import Transcript


def test_the_stored_schema_is_the_built_one() -> None:
    """``python -c "from visualizer import schema; schema.store()"`` brings it up to date."""
    stored = json.loads(schema.STORED.read_text(encoding="utf-8"))
    assert stored["schema"] == json.loads(json.dumps(schema.frozen()))["schema"]


@pytest.mark.parametrize(
    "stored",
    [
        "no JSON",
        "[]",
        '{"schema": {}}',
        f'{{"pydantic_core": "{pydantic_core.__version__}", "schema": {{"type": "no-such-type"}}}}',
        '{"pydantic_core": "2.0.1", "schema": {"type": "any"}}',
        '{"pydantic_core": "new", "schema": {"type": "any"}}',
    ],
)
def test_another_pydantic_builds_its_own(
    stored: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the stored schema can't be used, or is older than pydantic, the classes are asked."""
    other = tmp_path / "core.json"
    other.write_text(stored, encoding="utf-8")
    monkeypatch.setattr(schema, "STORED", other)
    schema.validator.cache_clear()
    try:
        data = json.dumps(transcript(answer("yes"))).encode("ascii")
        assert isinstance(schema.validator().validate_json(data), Transcript)
    finally:
        schema.validator.cache_clear()


def test_loading_does_not_import_pydantic() -> None:
    """Its core validates; the rest of it is slow to import and not needed."""
    code = """
import sys
from visualizer import load_transcript
load_transcript("aurora-run")
print("pydantic" in sys.modules, "pydantic_core" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_a_transcript_written_and_read_again_is_the_same_run() -> None:
    """Nothing is lost between a file and what it becomes."""
    made = scenario(round_of("a", repeats=False), answer("fin"), settings={"max_turns": 4})
    text = schema.to_json(made.transcript)
    again = scenario_of(parse(text.encode("utf-8"), "again"), "made")
    assert replay(again) == replay(made)
    assert schema.to_json(again.transcript) == text
