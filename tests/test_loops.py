"""The loops on show: what each does on the scenarios, and how little tells it from agent_loop."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from tests.made import answer, response, round_of, scenario, text_block, tool_use
from visualizer import load_transcript, replay
from visualizer.comparison.code import code_difference
from visualizer.describe.plain import to_json
from visualizer.loops.registry import loop_names
from visualizer.run.timeline import Run

FOLDER = Path(__file__).parent.parent / "visualizer" / "loops"
ONE_SCREEN = 30
OF_PARTS = ("production", "context")
"""Loops that call functions of their own."""
FEW = 10
"""Most lines by which a broken loop differs from the right one (a changed line is two)."""


@pytest.mark.parametrize("name", [one for one in loop_names() if one not in OF_PARTS])
def test_a_loop_is_one_function_on_one_screen(name: str) -> None:
    """A file holds one function of its name, without comments or type notes."""
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    assert [one.name for one in functions] == [name]
    code = ast.get_source_segment(text, functions[0]) or ""
    assert code.count("\n") < ONE_SCREEN
    assert "#" not in code
    assert "->" not in code


OTHERS = ("production", "context", "unbounded", "one_call", "cap_graph_steps")
"""Loops that are not agent_loop with a mistake in it."""


@pytest.mark.parametrize("name", [one for one in loop_names() if one not in OTHERS])
def test_a_broken_loop_differs_by_a_few_lines(name: str) -> None:
    """What is wrong with a loop can be seen at a glance."""
    aurora = load_transcript("aurora-run")
    sources = [replay(aurora, loop=one).loop for one in ("agent_loop", name)]
    sizes = {"equal": 0, "changed": 2, "added": 1, "removed": 1}
    assert sum(sizes[line.change] for line in code_difference(*sources)) <= FEW


COUNTS: dict[
    str, dict[str, tuple[Any, ...]]
] = {  # scenario: loop -> result, terminal_reason, calls, rounds, tool calls
    "nothing-found": {"both": ("January", "completed", 3, 2, 2)},
    "two-birth-years": {
        "both": ("Henrik Dahl in 1951, Mara Voss in 1974.", "completed", 2, 1, 2),
    },
    "unknown-tool": {"both": ("1974", "completed", 3, 2, 2)},
    "bad-arguments": {"both": ("1974", "completed", 3, 2, 2)},
    "truncated": {
        "agent_loop": ("", "truncated", 1, 0, 0),
        "production": ("1974", "completed", 3, 1, 1),
    },
    "refusal": {
        "agent_loop": ("I will look for his address.", "refusal", 1, 0, 0),
        "production": (
            "{'stopped': 'refusal', 'details': {'type': 'refusal', 'category': None, "
            "'explanation': 'The request asks for the private address of a person.'}}",
            "refusal",
            1,
            0,
            0,
        ),
    },
    "pause": {
        "agent_loop": ("I will search the web for her year of birth.", "paused", 1, 0, 0),
        "production": ("1974", "completed", 2, 0, 0),
    },
    "aurora-run-talkative": {"both": ("1974", "completed", 3, 2, 2)},
    "repeat": {"both": (None, "max_turns", 10, 10, 10)},
}


@pytest.mark.parametrize("loop", ["agent_loop", "production"])
@pytest.mark.parametrize("name", COUNTS)
def test_the_edges_come_to_what_is_said(name: str, loop: str) -> None:
    """``run --json`` gives result, reason and counts of each edge, in both loops."""
    from visualizer.i18n import texts

    expected = COUNTS[name].get("both") or COUNTS[name][loop]
    one = load_transcript(name)
    data = to_json(replay(one, loop=loop), one, texts("en"))
    keys = ("result", "terminal_reason", "model_calls", "tool_rounds", "tool_calls")
    assert tuple(data[key] for key in keys) == expected
    assert one.transcript.expect[loop].result == expected[0]


def driven(*turns: dict[str, Any], **more: Any) -> Run:
    return replay(scenario(*turns, **more), loop="production")


@pytest.mark.parametrize(
    "flag", ["refusal", "model_context_window_exceeded", "something_new", None]
)
def test_production_runs_nothing_and_says_why_it_stopped(flag: str | None) -> None:
    """A flag that is no answer ends the run, whatever the reply asks for, with the flag."""
    reply = {**response(text_block("So"), tool_use("a")), "stop_reason": flag}
    run = driven({"response": reply})
    assert run.result == {"stopped": flag, "details": None}
    assert (run.model_calls, run.tool_calls) == (1, 0)
    assert len(run.messages) == 1


@pytest.mark.parametrize("flag", ["end_turn", "stop_sequence"])
def test_production_returns_answers(flag: str) -> None:
    """An answer is an answer, also one that ends at a stop sequence."""
    run = driven({"response": response(text_block("done"), stop_reason=flag)})
    assert (run.result, run.terminal_reason) == ("done", "completed")


@pytest.mark.parametrize("flag", ["pause_turn", "compaction"])
def test_production_sends_a_pause_back_as_it_is(flag: str) -> None:
    """The paused reply is stored, and the next call goes on from it."""
    block = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    run = driven({"response": response(block, stop_reason=flag)}, answer())
    assert run.result == "done"
    assert [message.role for message in run.messages] == ["user", "assistant", "assistant"]
    assert not any(call.violations for call in run.calls)


def test_production_asks_again_three_times_at_most() -> None:
    """Cut short at every limit: 100, 200, 400, 800, and then it stops and says so."""
    question = [{"role": "user", "content": "Look into it."}]
    cut = response(tool_use("a"), stop_reason="max_tokens")
    turns: list[dict[str, Any]] = [{"response": cut}]
    turns += [
        {"response": cut, "history": question, "request": {"max_tokens": limit}}
        for limit in (200, 400, 800)
    ]
    run = driven(*turns, request={"max_tokens": 100})
    assert [call.parameters["max_tokens"] for call in run.calls] == [100, 200, 400, 800]
    assert (run.result, run.tool_calls) == ({"stopped": "max_tokens", "details": None}, 0)
    assert run.terminal_reason == "truncated"


def test_production_is_bound_by_its_turns() -> None:
    """Asking again counts: the cap on model calls holds for it too."""
    question = [{"role": "user", "content": "Look into it."}]
    cut = response(tool_use("a"), stop_reason="max_tokens")
    more = {"response": cut, "history": question, "request": {"max_tokens": 200}}
    recorded = scenario({"response": cut}, more, request={"max_tokens": 100})
    run = replay(recorded, loop="production", max_turns=2)
    assert (run.result, run.model_calls) == (None, 2)


def test_production_begins_with_the_recordings_max_tokens_or_its_own() -> None:
    """What the recording says is passed; where it says nothing, the loop's default is."""
    said = driven(answer(), request={"max_tokens": 7}).calls[0]
    assert said.parameters == {"max_tokens": 7}
    assert driven(round_of("a"), answer()).calls[0].parameters == {"max_tokens": 1024}
