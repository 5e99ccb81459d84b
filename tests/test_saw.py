"""Beside each line of code stand the values it saw."""

from __future__ import annotations

import pytest

from tests import made_runs as made
from tests.made_runs import driven, saw
from visualizer.describe import (
    saw_text,
)
from visualizer.engine import replay
from visualizer.i18n import LANGUAGES, texts
from visualizer.loading import load_transcript
from visualizer.run.timeline import Saw
from visualizer.text import cells

EN = texts("en")


def test_what_the_lines_saw() -> None:
    """Values beside the code: the turn in words, what was sent, the flag and what followed."""
    run = replay(load_transcript("aurora-run"))
    assert saw(run, "t1.append") == {
        "for turn in range(max_turns):": "turn = 1 (2nd of 10)",
        "reply = model(messages)": "sent messages 0-2",
        "messages.append(reply.as_message())": "now 4 messages",
        'if reply.stop_reason != "tool_use":': 'it is "tool_use": go on',
        "results = []": "",
        "for call in reply.tool_calls:": "asked for: [b]",
        "results.append(tools(call))": "ran [b]",
        "messages.append(tool_results(results))": "now 5 messages",
    }
    assert saw(run, "t0.call")["reply = model(messages)"] == "sent message 0"
    ending = saw(run, "end")
    assert ending['if reply.stop_reason != "tool_use":'] == 'it is "end_turn"'
    assert ending["return reply.text"] == '"1974"'
    assert saw(run, "t1.call", "ja")["for turn in range(max_turns):"] == "turn = 1（2 回目/10）"


def test_executions_of_one_line_are_merged() -> None:
    """Two executions of the line that runs tools are one text; many are a range."""
    run = driven(made.parallel())
    assert saw(run, "t0.execute.2")["results.append(tools(call))"] == "ran [a], ran [b]"
    many = made.scenario(
        made.turn(*(made.search(f"toolu_{n}", "x") for n in range(5))), made.turn(made.text("-"))
    )
    shown = saw(driven(many), "t0.append")
    assert shown["for call in reply.tool_calls:"] == "asked for 5: [a]-[e]"
    assert shown["results.append(tools(call))"] == "ran 5: [a]-[e]"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_lines_saw_is_short(language: str) -> None:
    """At most 24 cells beside a line, in either language."""
    for scenario in (load_transcript("aurora-run"), made.parallel()):
        run = replay(scenario)
        for step in run.steps:
            for text in saw(run, step.place, language).values():
                assert cells(text) <= 24


def test_only_a_variable_that_counts_turns_gets_an_ordinal() -> None:
    """Another number that happens to equal the turn stays a plain value."""
    run = replay(load_transcript("aurora-run"))
    step = run.step(run.locate("t1.check"))
    assert saw_text([Saw("set", name="turn", value=1)], run, step, EN) == "turn = 1 (2nd of 10)"
    assert saw_text([Saw("set", name="turn", value=2)], run, step, EN) == "turn = 2"
    assert saw_text([Saw("set", name="tries", value=1)], run, step, EN) == "tries = 1"
    assert saw_text([Saw("set", name="turn", value=True)], run, step, EN) == "turn = True"
    assert saw_text([], run, step, EN) == ""
