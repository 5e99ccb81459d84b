"""Tool ids that come again, are equal or missing: results are paired by their place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.made import text_block, tool_result, tool_use, write
from tests.made_outside import QUESTION, Session
from visualizer.check import check_paths
from visualizer.collection.recordings import converted, counts_of
from visualizer.engine import replay
from visualizer.formats import read
from visualizer.i18n import Texts
from visualizer.loading import load_transcript
from visualizer.transcript.schema import to_json

Entry = dict[str, Any]
TEXTS = Texts("en")
ASK: Entry = {"role": "user", "content": QUESTION}
DONE: Entry = {"role": "assistant", "content": "Whitby."}


def asked(*ids: Any) -> Entry:
    calls = [
        {"id": one, "type": "function", "function": {"name": "look", "arguments": f'{{"n": {at}}}'}}
        for at, one in enumerate(ids)
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def came(name: Any, text: str) -> Entry:
    return {"role": "tool", "tool_call_id": name, "content": text}


ROUNDS: dict[str, list[tuple[Any, ...]]] = {
    "ids that begin anew": [("call_0",), ("call_0",), ("call_0",)],
    "equal ids in one reply": [("x", "x"), ("x", "x", "x")],
    "empty ids": [("", ""), ("",)],
    "no ids": [(None,), (None, None)],
    "some ids": [("a", ""), ("", "a")],
    "an id that looks as if it was made": [("a", "a-2"), ("a", "a-2")],
}


@pytest.mark.parametrize("name", ROUNDS)
def test_results_answer_the_nearest_request_in_order(name: str, tmp_path: Path) -> None:
    """Each result is given to its own request; nothing diverges, nothing is wrong."""
    messages = [ASK]
    for turn, ids in enumerate(ROUNDS[name]):
        messages.append(asked(*ids))
        messages += [came(one, f"{turn}.{at}") for at, one in enumerate(ids)]
    path = write(tmp_path / "messages.json", [*messages, DONE])
    scenario = load_transcript(path)
    outside = scenario.outside
    assert outside is not None
    rounds, tools = len(ROUNDS[name]), sum(map(len, ROUNDS[name]))
    assert counts_of(outside.runs)[:3] == (rounds + 1, rounds, tools)
    run = replay(scenario)
    assert (run.model_calls, run.tool_rounds, run.tool_calls) == (rounds + 1, rounds, tools)
    assert (run.terminal_reason, run.result) == ("completed", "Whitby.")
    executed = [step for step in run.steps if step.result is not None]
    turns = [
        (f"{step.turn}.{step.request.input['n']}" if step.request else "") for step in executed
    ]
    assert [step.result and step.result.result_text for step in executed] == turns
    assert not any(call.violations for call in run.calls)
    assert list(check_paths([str(path)], TEXTS)) == []
    again = tmp_path / "converted.json"
    again.write_text(to_json(converted(scenario)), encoding="utf-8")
    assert replay(load_transcript(again)).steps == run.steps
    assert list(check_paths([str(again)], TEXTS)) == []


def test_an_id_that_was_made_is_marked() -> None:
    """The first keeps its id; later ones have one of their own, which is said to be inferred."""
    messages = [ASK, asked("call_0"), came("call_0", "a"), asked("call_0"), came("call_0", "b")]
    outside = read(json.dumps([*messages, DONE]).encode())
    first, second, _ = outside.runs[0].takes[0].turns
    assert "/response/content/0/id" not in first.inferred
    assert "/response/content/0/id" in second.inferred
    assert second.results == [tool_result("call_0-2", "b")]
    assert outside.findings.number("format.double_request") == 1


def test_other_conversations_have_ids_of_their_own() -> None:
    """Two conversations that both begin with the same id change nothing in each other."""
    messages = [ASK, asked("call_0"), came("call_0", "a"), DONE]
    other = [{**ASK, "content": "Another?"}, *messages[1:]]
    outside = read(json.dumps([{"messages": messages}, {"messages": other}]).encode())
    assert counts_of(outside.runs)[:3] == (4, 2, 2)
    assert outside.findings.number("format.double_request") == 0


def test_a_session_with_a_blank_text_breaks_no_rule(tmp_path: Path) -> None:
    """Clients strip what is blank before they send it; the requests got their replies."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", text_block("\n\n"), tool_use("functions.look:0"), flag="tool_use")
    made.result("functions.look:0")
    made.reply("m2", text_block("Whitby."), flag="end_turn")
    path = tmp_path / "session.jsonl"
    path.write_bytes(made.text())
    scenario = load_transcript(path)
    run = replay(scenario)
    assert run.terminal_reason == "completed"
    assert not any(call.violations for call in run.calls)
    assert replay(scenario, loop="forgets").terminal_reason == "request_refused"
    assert list(check_paths([str(path)], TEXTS)) == []
