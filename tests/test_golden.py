"""The shipped scenarios, step by step, against lists kept in ``tests/golden``.

``UPDATE_GOLDEN=1 pytest tests/test_golden.py`` writes them anew; read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from visualizer import load_transcript, replay
from visualizer.run.timeline import Run

GOLDEN = Path(__file__).parent / "golden"


def step_list(run: Run) -> str:
    lines = [
        f"result {run.result!r}, {run.terminal_reason}, {run.model_calls} model calls, "
        f"{run.tool_rounds} tool rounds, {run.tool_calls} tool calls, max_turns {run.max_turns}"
    ]
    for step in run.steps:
        code = run.loop.line(step.line).strip()
        numbers = f"messages {step.messages}, sent {step.sent}, flag {step.stop_reason}"
        lines.append(f"{step.index:2} {step.place:<12} {numbers:<38} {code}")
    return "\n".join(lines) + "\n"


LISTED = (
    *("aurora-run", "paris", "aurora-run-cutoff"),
    *("retry-529", "budget", "approval", "approval-denied", "policy-denied"),
    *("flood", "compaction"),
)


@pytest.mark.parametrize("name", LISTED)
def test_the_steps_are_those_of_the_golden_list(name: str) -> None:
    """Every step, what it holds and the text of the line it ran on."""
    found = step_list(replay(load_transcript(name)))
    file = GOLDEN / f"{name}.steps.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(found, encoding="utf-8")
    assert found == file.read_text(encoding="utf-8")


def test_a_lower_cap_gives_the_steps_of_the_cutoff_scenario() -> None:
    """``aurora-run`` with max_turns 2 is ``aurora-run-cutoff``: one recording, two settings."""
    run = replay(load_transcript("aurora-run"), max_turns=2)
    assert run.steps == replay(load_transcript("aurora-run-cutoff")).steps
    assert run.result is None
    assert run.terminal_reason == "max_turns"
    assert (run.model_calls, run.tool_rounds, run.tool_calls) == (2, 2, 2)


PHASE_LINES = {
    "start": "def agent_loop(model, tools, messages, max_turns=10):",
    "call": "reply = model(messages)",
    "check": 'if reply.stop_reason != "tool_use":',
    "execute": "results.append(tools(call))",
    "append": "messages.append(tool_results(results))",
}


@pytest.mark.parametrize("name", ["aurora-run", "paris", "aurora-run-cutoff"])
def test_each_line_is_the_one_its_phase_ran_on(name: str) -> None:
    """The marked line of the file holds that phase's code; the end is the return that ran."""
    run = replay(load_transcript(name))
    source = Path(run.loop.file).read_text(encoding="utf-8").splitlines()
    ends = "return None" if run.result is None else "return reply.text"
    for step in run.steps:
        expected = ends if step.phase == "end" else PHASE_LINES[step.phase]
        assert source[step.line - 1].strip() == expected
