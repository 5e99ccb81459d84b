"""What loops do at the cap: the table, held against what the frameworks themselves did."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.made import answer, round_of, scenario, text_block, tool_use
from tests.test_cli import Output, call, complaint
from visualizer import load_transcript, replay
from visualizer.comparison.caps import CapRow, cap_rows, family_text
from visualizer.i18n import LANGUAGES, texts
from visualizer.loops.registry import DEFAULT, cap_families, is_about_the_cap, loop_names
from visualizer.run.timeline import Run
from visualizer.text import cells

# Two tool rounds and an answer, in the frameworks themselves, driven by a scripted model:
# framework: loop, cap -> model calls, tools run, results the model saw, what the caller gets.
MEASURED: dict[str, tuple[str, int, tuple[int, int, int, str]]] = {
    "for turn in range(max_turns)": ("agent_loop", 2, (2, 2, 1, "None")),
    "Claude Code client --max-turns": ("agent_loop", 2, (2, 2, 1, "None")),
    "anthropic 2.14.0 tool runner": ("cap_last_message", 2, (2, 2, 1, "tool_use")),
    "openai-agents 0.24.0": ("cap_raises", 2, (2, 2, 1, "MaxTurnsExceeded")),
    "pydantic-ai 2.68.0": ("cap_raises", 2, (2, 2, 1, "MaxTurnsExceeded")),
    "langchain 1.5.2 ModelCallLimitMiddleware": ("cap_says_so", 2, (2, 2, 1, "a message")),
    "google-genai 3.6.1 maximum_remote_calls": ("cap_leaves_calls", 2, (2, 1, 1, "tool_use")),
    "langgraph 1.2.24, limit 2": ("cap_graph_steps", 2, (1, 1, 0, "GraphRecursionError")),
    "langgraph 1.2.24, limit 4": ("cap_graph_steps", 4, (2, 2, 1, "GraphRecursionError")),
    "langgraph 1.2.24, limit 5": ("cap_graph_steps", 5, (3, 2, 2, "GraphRecursionError")),
    "langgraph 1.2.24, limit 6": ("cap_graph_steps", 6, (3, 2, 2, "1974")),
    "smolagents 1.26.0": ("cap_extra_call", 2, (3, 2, 2, "1974")),
}


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUALIZER_LANG", "en")
    monkeypatch.setenv("COLUMNS", "80")


def got(run: Run) -> str:
    """What the caller gets, in a word."""
    if run.raised is not None:
        return run.raised.type
    if isinstance(run.result, dict):
        flag, blocks = run.result["stop_reason"], run.result["content"]
        return str(flag) if flag != "end_turn" else str(blocks[0]["text"])
    if isinstance(run.result, str) and run.result.startswith("Model call limits exceeded"):
        return "a message"
    return str(run.result)


@pytest.mark.parametrize("framework", MEASURED)
def test_each_loop_does_what_was_measured(framework: str) -> None:
    """Calls, tools, results sent and what the caller gets are those of the framework."""
    loop, cap, expected = MEASURED[framework]
    (row,) = cap_rows(load_transcript("aurora-run"), [loop], [cap])
    run = row.run
    assert (run.model_calls, run.tool_calls, row.results_sent, got(run)) == expected


@pytest.mark.parametrize("loop", cap_families())
def test_with_turns_enough_all_but_the_graph_answer(loop: str) -> None:
    """At 3 every family comes to 1974 after 3 calls; graph steps need a cap of 6."""
    run = replay(load_transcript("aurora-run"), loop=loop, max_turns=3)
    answered = (run.terminal_reason, run.model_calls, got(run)) == ("completed", 3, "1974")
    assert answered is (loop != "cap_graph_steps")


def test_the_extra_call_has_a_reply_of_its_own() -> None:
    """It is sent without tools, and answered from a take that says it is authored."""
    aurora = load_transcript("aurora-run")
    for cap, take in ((2, "made-to-answer"), (1, "made-to-answer-early")):
        last = replay(aurora, loop="cap_extra_call", max_turns=cap).calls[-1]
        assert (last.parameters, last.take, last.stop_reason) == ({"tools": []}, take, "end_turn")
        number = [one.name for one in aurora.runs[0].takes].index(take)
        source = aurora.provenance(f"/runs/0/takes/{number}")
        assert source is not None
        assert source.kind == "authored"
    assert replay(aurora).calls[-1].take == "described"


def test_an_extra_call_that_was_never_recorded_is_not_answered() -> None:
    """On another recording the reply with tools is not given to a call without them."""
    one = scenario(round_of("a"), answer(), request={"tools": [{"name": "look"}]})
    run = replay(one, loop="cap_extra_call", max_turns=1)
    assert (run.terminal_reason, run.model_calls) == ("diverged", 1)
    assert run.stop is not None
    assert run.stop.difference is not None
    assert run.stop.difference.field == "/tools"


def test_results_sent_are_those_of_tools_that_ran() -> None:
    """Results the recording began with don't count, nor do those that came in last."""
    before = [
        {"role": "user", "content": "Go on."},
        {"role": "assistant", "content": [tool_use("old")]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "old", "content": "x"}],
        },
    ]
    both = round_of("a", "b")
    one = scenario(both, round_of("c"), answer(), request={"messages": before})
    rows = [CapRow.of(replay(one, max_turns=cap)) for cap in (1, 2, 3)]
    assert [row.results_sent for row in rows] == [0, 2, 3]


def test_the_families_are_the_default_loop_and_those_about_the_cap() -> None:
    """They come last among all loops, and each has its words in both languages."""
    families = cap_families()
    assert families[0] == DEFAULT
    assert loop_names()[-len(families) + 1 :] == families[1:]
    assert all(is_about_the_cap(name) for name in families[1:])
    for language in LANGUAGES:
        assert all(family_text(name, texts(language)) for name in families)
    assert family_text("my_loop", texts("en")) == ""


def as_json(capsys: Output, *arguments: str) -> Any:
    assert call("compare", *arguments, "--caps", "--json") == 0
    return json.loads(capsys.readouterr().out)


def test_the_table_as_json(capsys: Output) -> None:
    """A row for each family, with the figures of its run and what the caller gets."""
    data = as_json(capsys, "aurora-run", "--max-turns", "2")
    rows = {row["loop"]: row for row in data["rows"]}
    assert list(rows) == cap_families()
    assert {row["max_turns"] for row in data["rows"]} == {2}
    assert rows["cap_raises"] == {
        "loop": "cap_raises",
        "max_turns": 2,
        "model_calls": 2,
        "tools_run": 2,
        "results_sent": 1,
        "caller_gets": "raises MaxTurnsExceeded: Max turns (2) exceeded",
        "result": None,
        "raised": {"type": "MaxTurnsExceeded", "text": "Max turns (2) exceeded"},
        "terminal_reason": "raised",
    }


def test_loops_and_caps_may_be_chosen(capsys: Output) -> None:
    """Each loop that is named, under each cap that is given; else the scenario's cap."""
    arguments = ["--loop", "cap_graph_steps", *("--max-turns", "5"), *("--max-turns", "6")]
    rows = as_json(capsys, "aurora-run", *arguments)["rows"]
    assert [(row["max_turns"], row["result"]) for row in rows] == [(5, None), (6, "1974")]
    assert {row["max_turns"] for row in as_json(capsys, "aurora-run")["rows"]} == {10}
    rows = as_json(capsys, "repeat", "--loop", "no_bound")["rows"]
    assert (rows[0]["max_turns"], rows[0]["terminal_reason"]) == (None, "step_cap")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_as_text(capsys: Output, language: str) -> None:
    """One line a loop in columns, then what each stands for, with versions."""
    assert call("compare", "aurora-run", "--caps", "--max-turns", "2", "--lang", language) == 0
    shown = capsys.readouterr().out.splitlines()
    rows = [line for line in shown if line.startswith("cap_graph_steps")]
    assert rows[0].split()[:5] == ["cap_graph_steps", "2", "1", "1", "0"]
    assert "langgraph 1.2.24" in rows[1]
    ends = {line.index("2") for line in shown[5:12]}
    assert len(ends) == 1, "the caps stand below each other"
    assert max(map(cells, shown[:12])) <= 130


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["repeat", "--caps", "--loop", "no_bound", "--max-turns", "5"], "no max_turns"),
        (["paris", "--caps", "--loop", "no_loop"], "no_loop"),
        (["no-such", "--caps"], "no-such"),
    ],
)
def test_what_has_no_table_is_one_line(capsys: Output, arguments: list[str], words: str) -> None:
    """Wrong names and a loop without a cap: exit code 2, one line that says what is wrong."""
    assert words in complaint(capsys, "compare", *arguments)


def test_what_a_loop_raises_is_shown_safely() -> None:
    """A text with control characters is made visible, whatever column it is in."""
    from tests import odd_loops
    from visualizer.comparison.caps import gets_text

    one = scenario({"response": {"content": [text_block("\x1b[2J")], "stop_reason": "end_turn"}})
    assert "\x1b" not in gets_text(replay(one), texts("en"))
    run = replay(one, loop=odd_loops.raises, contained=False)
    assert gets_text(run, texts("en")).startswith("raises ")
