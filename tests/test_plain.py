"""A run as lines of text and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests import made_runs as made
from tests import odd_loops as odd
from tests.made_runs import driven
from visualizer.describe.plain import json_lines, text_lines, to_json
from visualizer.engine import replay
from visualizer.i18n import LANGUAGES, texts
from visualizer.loading import Scenario, load_transcript
from visualizer.run.timeline import Difference, Run, Stop
from visualizer.text import display_safe

EN = texts("en")
FIELDS = ("index", "turn", "phase", "line", "stop_reason", "messages")


def as_json(run: Run, scenario: Scenario) -> dict[str, Any]:
    """The JSON text, read back."""
    text = "\n".join(json_lines(to_json(run, scenario, EN)))
    assert text.isascii()
    data: dict[str, Any] = json.loads(text, parse_constant=pytest.fail)
    return data


def test_text_of_a_run() -> None:
    """Title and kind, where it comes from, the loop, a line a step, how it ended, the counts."""
    scenario = load_transcript("aurora-run")
    lines = list(text_lines(replay(scenario), scenario, EN))
    assert lines[0] == "Aurora Run (reconstructed)"
    assert lines[1].startswith("Reconstructed from a published description")
    assert lines[2] == "Loop: agent_loop. Cap: max_turns 10."
    steps = [line for line in lines if line[:2].strip().isdigit() and line[2:4] == "  "]
    assert len(steps) == 12
    assert steps[6].split("  ")[:2] == [" 7", "t1.check"]
    assert any(line.strip().startswith("note: ") for line in lines)
    assert lines[-3] == 'Returned "1974". terminal_reason: completed'
    assert lines[-2] == "3 model calls, 2 tool rounds, 2 tool calls."
    assert lines[-1].startswith("Fingerprint of the steps: ")


def test_text_of_one_step() -> None:
    """With a place, that step alone stands under the header."""
    scenario = load_transcript("paris")
    lines = list(text_lines(replay(scenario), scenario, EN, index=2))
    assert [line for line in lines if "t0.call" in line] == lines[-1:]
    assert lines[0] == "Paris (reconstructed)"


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_is_plain(language: str) -> None:
    """No line has a control character or a box line, and a stop or an exception is said."""
    for loop in (None, odd.raises, odd.forgets, odd.no_bound):
        scenario = made.aurora() if loop is not odd.no_bound else made.parallel()
        lines = list(text_lines(driven(scenario, loop), scenario, texts(language)))
        assert all(display_safe(line) == line for line in lines)
        assert not any("\u2500" <= character <= "\u259f" for character in "".join(lines))


def test_json_of_a_run() -> None:
    """The fields of the contract, in the counts of Aurora Run; no step names the scenario."""
    data = as_json(replay(load_transcript("aurora-run")), load_transcript("aurora-run"))
    assert data["scenario"] == "aurora-run"
    assert (data["loop"], data["max_turns"], data["result"]) == ("agent_loop", 10, "1974")
    assert data["terminal_reason"] == "completed"
    assert (data["model_calls"], data["tool_calls"], data["tool_rounds"]) == (3, 2, 2)
    assert data["provenance"]["kind"] == "reconstructed"
    assert data["stop"] is data["raised"] is None
    steps = data["steps"]
    assert [step["index"] for step in steps] == list(range(1, 13))
    assert [step["turn"] for step in steps] == [None, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, None]
    assert [step["messages"] for step in steps] == [1, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6]
    assert all(set(FIELDS) <= set(step) for step in steps)
    assert "aurora-run" not in json.dumps(steps)


def test_json_line_numbers_are_those_of_the_source() -> None:
    """``line`` and ``code`` are where each phase ran in the loop's own file."""
    data = as_json(replay(load_transcript("aurora-run")), load_transcript("aurora-run"))
    code = {step["phase"]: step["code"] for step in data["steps"]}
    assert code["call"] == "reply = model(messages)"
    assert code["check"] == 'if reply.stop_reason != "tool_use":'
    assert code["execute"] == "results.append(tools(call))"
    assert code["append"] == "messages.append(tool_results(results))"
    assert code["end"] == "return reply.text"


def test_the_cutoff_and_the_capped_run_have_the_same_steps() -> None:
    """``aurora-run`` under a cap of 2 gives the steps of the cutoff scenario."""
    cutoff = load_transcript("aurora-run-cutoff")
    scenario = load_transcript("aurora-run")
    capped = as_json(replay(scenario, max_turns=2), scenario)
    data = as_json(replay(cutoff), cutoff)
    assert capped["steps"] == data["steps"]
    assert len(data["steps"]) == 10
    assert data["result"] is None
    assert data["terminal_reason"] == "max_turns"


class _Odd:
    def __repr__(self) -> str:
        return "<odd \ud800>"


ANY_RESULT: dict[str, tuple[object, object]] = {
    "None": (None, None),
    "bool": (True, True),
    "int": (7, 7),
    "float": (0.5, 0.5),
    "text": ("\ud800\x00", "\ud800\x00"),
    "nan": (float("nan"), "nan"),
    "infinite": (float("inf"), "inf"),
    "list": ([1], "[1]"),
    "dict": ({"a": 1}, "{'a': 1}"),
    "bytes": (b"x", "b'x'"),
    "object": (_Odd(), "<odd \ud800>"),
    "huge": (10**5000, "<int: ValueError>"),
}


@pytest.mark.parametrize("kind", ANY_RESULT)
def test_any_result_is_valid_json(kind: str) -> None:
    """Scalars stay what they are; anything else is its repr; nothing fails."""
    result, expected = ANY_RESULT[kind]
    scenario = made.aurora()
    data = as_json(replace(driven(scenario), result=result), scenario)
    assert data["result"] == expected


def test_json_of_a_stopped_run() -> None:
    """A stop names its reason, the first difference and the rules that were broken."""
    scenario = made.aurora()
    refused = as_json(driven(scenario, odd.forgets), scenario)
    assert refused["stop"]["violations"][0]["code"] == "orphan_result"
    assert refused["steps"][-2]["violations"] == ["orphan_result"]
    diverged = as_json(driven(scenario, odd.shortens), scenario)
    assert diverged["stop"]["difference"]["message"] == 0
    assert diverged["stop"]["difference"]["sent"] == "Another question?"
    raised = as_json(driven(scenario, odd.raises), scenario)
    assert raised["raised"] == {"type": "ValueError", "text": "bad \x1b[31m luck"}


def test_json_of_hostile_differences() -> None:
    """Values that JSON does not have, and values without an end, become text."""
    deep: list[Any] = []
    deep.append(deep)
    sides = {"recorded": {"a": [float("nan"), {1}]}, "sent": deep}
    stop = Stop("diverged", difference=Difference("messages", 0, "", **sides))
    scenario = made.aurora()
    data = as_json(replace(driven(scenario), stop=stop), scenario)
    assert data["stop"]["difference"]["recorded"] == {"a": ["nan", "{1}"]}


def test_json_lines_are_one_a_step() -> None:
    """Each step is a line of its own, so that long runs can be searched as text."""
    scenario = load_transcript("paris")
    lines = list(json_lines(to_json(replay(scenario), scenario, EN)))
    assert sum(line.startswith('    {"index"') for line in lines) == 4
    assert json.loads("\n".join(json_lines({"scenarios": []}))) == {"scenarios": []}
