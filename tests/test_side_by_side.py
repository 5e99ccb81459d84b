"""``visualizer compare``: comparisons in words, as JSON, and what can't be compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import made
from tests.test_cli import Output, call, complaint
from visualizer import compare, load_transcript, replay
from visualizer.comparison.report import order_text, parting_text
from visualizer.i18n import LANGUAGES, texts
from visualizer.loops.registry import loop_names
from visualizer.text import cells, display_safe

SIX = {  # loop: scenario, words of its sentence in both languages
    "looks_finished": ("aurora-run-talkative", ("never ran: search", "実行されていません")),
    "hard_coded": ("aurora-run", ("it stands in message 2", "メッセージ 2 から")),
    "forgets": ("aurora-run", ("would refuse call 2", "呼び出し 2 を拒否")),
    "runs_then_checks": ("truncated", ('executed search "Mar"', 'search "Mar" を実行しました')),
    "one_by_one": ("two-birth-years", ("toolu_02", "toolu_02")),
    "no_bound": ("repeat", ("after 50 calls, not by the loop", "50 回の呼び出しのあと")),
}


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUALIZER_LANG", "en")
    monkeypatch.setenv("COLUMNS", "80")


def as_json(capsys: Output, *arguments: str) -> Any:
    assert call("compare", *arguments, "--json") == 0
    printed = capsys.readouterr().out
    assert printed.isascii()
    return json.loads(printed)


@pytest.mark.parametrize("loop", SIX)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_mistake_has_its_sentence(capsys: Output, loop: str, language: str) -> None:
    """The JSON of a comparison says why, in the language asked for."""
    name, words = SIX[loop]
    data = as_json(capsys, name, "--loop", "agent_loop", "--loop", loop, "--lang", language)
    assert words[LANGUAGES.index(language)] in data["parting"]["text"]
    assert data["left"]["loop"] == "agent_loop"
    assert data["right"]["loop"] == loop


def test_the_json_of_a_comparison(capsys: Output) -> None:
    """Both runs, whether they agree, the parting with its evidence, steps and code."""
    data = as_json(capsys, "two-birth-years", "--loop", "agent_loop", "--loop", "one_by_one")
    assert data["scenario"] == "two-birth-years"
    assert data["left"]["result"] == "Henrik Dahl in 1951, Mara Voss in 1974."
    assert (data["right"]["result"], data["right"]["terminal_reason"]) == (None, "request_refused")
    assert (data["outcomes_agree"], data["same_order"], data["order"]) == (False, True, None)
    parting = data["parting"]
    assert (parting["kind"], parting["side"], parting["place"]) == (
        "request_refused",
        "right",
        "t1.call",
    )
    assert (parting["codes"], parting["left_step"], parting["right_step"]) == (
        ["missing_result"],
        7,
        6,
    )
    assert data["steps"][4:6] == [[5, None], [6, 5]]
    assert {line["change"] for line in data["code"]} == {"equal", "changed", "added", "removed"}


def test_another_order_is_reported_apart(capsys: Output) -> None:
    """The outcomes agree and nothing parts; both orders of the first such turn are there."""
    data = as_json(capsys, "aurora-run", "--loop", "agent_loop", "--loop", "runs_then_checks")
    assert (data["outcomes_agree"], data["parting"], data["same_order"]) == (True, None, False)
    assert data["order"]["turn"] == 0
    assert data["order"]["right"] == ["call", "execute", "append", "check"]


def test_what_is_given_once_is_for_the_right_run(capsys: Output) -> None:
    """One --max-turns or --loop changes the right side; two are left and right."""
    data = as_json(capsys, "aurora-run", "--max-turns", "2")
    assert (data["left"]["max_turns"], data["right"]["max_turns"]) == (10, 2)
    assert data["parting"]["kind"] == "cut_off"
    data = as_json(
        capsys, "aurora-run", "--loop", "forgets", "--max-turns", "3", "--max-turns", "4"
    )
    assert (data["left"]["loop"], data["right"]["loop"]) == ("agent_loop", "forgets")
    assert (data["left"]["max_turns"], data["right"]["max_turns"]) == (3, 4)
    assert as_json(capsys, "aurora-run")["parting"] is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_shows_both_runs(capsys: Output, language: str) -> None:
    """Runs, sentences, steps side by side with the parting marked, and the changed lines."""
    arguments = ("--max-turns", "10", "--max-turns", "2", "--lang", language)
    assert call("compare", "aurora-run", *arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "> 10  t2.call     10  end" in lines
    assert any("agent_loop (max_turns 2)" in line for line in lines)
    assert call("compare", "aurora-run", "--loop", "hard_coded", "--lang", language) == 0
    shown = capsys.readouterr().out
    assert "\n+             return years[0]\n" in shown
    assert "\n      return None\n" in shown


def test_a_loop_of_ones_own_is_compared(capsys: Output, tmp_path: Path) -> None:
    """FILE.py on one side; what its code holds is made visible."""
    file = tmp_path / "mine.py"
    file.write_text(
        "def mine(model, tools, messages, max_turns=10):\n"
        "    return model(messages).text  # \u202e\n",
        encoding="utf-8",
    )
    assert call("compare", "aurora-run", "--loop", "agent_loop", "--loop", str(file)) == 0
    shown = capsys.readouterr().out
    assert 'mine returned "", although the flag was "tool_use"' in shown
    assert "\u202e" not in shown


def test_a_copy_of_a_loop_does_not_part_from_it(tmp_path: Path) -> None:
    """In a process of its own a loop returns the same, also what is no text."""
    file = tmp_path / "copied.py"
    source = replay(load_transcript("refusal"), loop="production").loop
    code = "\n".join(source.file_lines).replace("def production", "def copied")
    file.write_text(code, encoding="utf-8")
    for name in ("refusal", "truncated", "pause"):
        one = load_transcript(name)
        found = compare(replay(one, loop="production"), replay(one, loop=str(file)))
        assert (found.parting, found.outcomes_agree) == (None, True)
        assert all(line.change == "equal" for line in found.code)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-such"], "no-such"),
        (["paris", "--loop", "no_loop"], "no_loop"),
        (["repeat", "--loop", "no_bound", "--max-turns", "5"], "no max_turns"),
        (["paris", *["--loop", "forgets"] * 3], "--loop at most twice"),
        (["paris", *["--max-turns", "1"] * 3], "--max-turns at most twice"),
        (["paris", "--max-turns", "0"], "0"),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    capsys: Output, arguments: list[str], words: str
) -> None:
    """Wrong names and settings: exit code 2 and one line that says what is wrong."""
    assert words in complaint(capsys, "compare", *arguments)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pair_of_loops_has_words_on_every_scenario(language: str) -> None:
    """Sentences exist for whatever happens, and are safe for a terminal."""
    from visualizer import scenario_names

    said = texts(language)
    for name in scenario_names():
        one = load_transcript(name)
        runs = [replay(one, loop=loop) for loop in loop_names()]
        for right in runs[1:]:
            found = compare(runs[0], right)
            for sentence in (parting_text(found, said), order_text(found, said)):
                assert display_safe(sentence) == sentence
            assert bool(parting_text(found, said)) == (found.parting is not None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_says_which_run_an_option_is_for(capsys: Output, language: str) -> None:
    """``compare --help`` speaks of left and right, in 80 cells."""
    assert call("compare", "--help", "--lang", language) == 0
    page = capsys.readouterr().out
    assert ("right" if language == "en" else "右") in page
    assert max(map(cells, page.splitlines())) <= 80


def test_runs_that_no_name_tells_apart_are_left_and_right() -> None:
    """The same loop and cap on two takes: the sentence speaks of left and right."""
    takes = [
        {"name": "one", "turns": [made.answer("one")]},
        {"name": "two", "turns": [made.answer("two")]},
    ]
    recorded = made.scenario(takes=takes)
    found = compare(replay(recorded, take="one"), replay(recorded, take="two"))
    sentence = parting_text(found, texts("en"))
    assert sentence == ("agent_loop (left) and agent_loop (right) got different replies to call 1.")


def test_a_cap_of_one_turn_is_said_in_the_singular(capsys: Output) -> None:
    """A run under a cap of 1 used up "its 1 turn", one under 2 "its 2 turns"."""
    for cap, words in (("1", "its 1 turn was used up."), ("2", "its 2 turns were used up.")):
        data = as_json(capsys, "aurora-run", "--max-turns", "10", "--max-turns", cap)
        assert words in data["parting"]["text"]
    data = as_json(capsys, "aurora-run", "--max-turns", "10", "--max-turns", "1", "--lang", "ja")
    assert " 1 ターンを使い切って" in data["parting"]["text"]
