"""Long chains of references: read without recursion, in work that grows with the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import made
from visualizer.check import check_paths
from visualizer.collection import recordings
from visualizer.engine import replay
from visualizer.errors import TranscriptError
from visualizer.i18n import texts
from visualizer.loading import load_file
from visualizer.transcript.schema import to_json
from visualizer.transcript.takes import branches, heads, leaves, longest_take

MANY = 3_000
"""With work for each pair of links, a test here would run for many minutes."""


def bases() -> dict[str, Any]:
    """Takes that each begin with the whole of the one before."""
    takes: list[dict[str, Any]] = [
        {"name": f"t{number}", "turns": [made.round_of(f"c{number}")]} for number in range(MANY)
    ]
    for number in range(1, MANY):
        takes[number]["base"] = f"t{number - 1}"
    takes[-1]["turns"].append(made.answer())
    return made.transcript(takes=takes, settings={"take": takes[-1]["name"], "max_turns": 2 * MANY})


def earlier(kept: Callable[[int], int]) -> dict[str, Any]:
    """Runs that each go on from the one before, and are started by it."""
    runs: list[dict[str, Any]] = [
        {
            "id": f"r{number}",
            "request": {"messages": [{"role": "user", "content": f"Question {number}"}]},
            "takes": [{"name": "only", "turns": [made.answer()]}],
        }
        for number in range(MANY)
    ]
    for number, run in enumerate(runs[1:], 1):
        run["parent"] = {"run": f"r{number - 1}"}
        run["request"]["after"] = {"run": f"r{number - 1}", "messages": kept(number)}
    return {**made.transcript(), "runs": runs}


CHAINS: dict[str, Callable[[], dict[str, Any]]] = {
    "bases": bases,
    "all of the run before": lambda: earlier(lambda number: 2 * number),
    "a part of the run before": lambda: earlier(lambda number: number),
    "one message of the run before": lambda: earlier(lambda number: 1),
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_long_chain_is_read(name: str, tmp_path: Path) -> None:
    """Loaded, checked, converted, and driven along all of it."""
    path = made.write(tmp_path / "chain.json", CHAINS[name]())
    scenario = load_file(path)
    assert list(check_paths([str(path)], texts("en"))) == []
    converted = tmp_path / "converted.json"
    converted.write_text(to_json(recordings.converted(scenario)), encoding="utf-8")
    again = load_file(converted)
    assert converted.stat().st_size < 3 * path.stat().st_size
    for one, other in list(zip(scenario.runs, again.runs, strict=True))[:: MANY - 1]:
        assert one.request.messages == other.request.messages
    run = replay(scenario, run=scenario.runs[-1].id)
    assert run.terminal_reason == "completed"
    assert run.model_calls == (MANY + 1 if name == "bases" else 1)


def test_what_no_take_holds_diverges() -> None:
    """A result that no take has leads away from all of them."""
    takes = small_tree()["takes"][:4]
    run = replay(made.scenario(takes=takes), observations={"t0.execute": "other"})
    assert run.terminal_reason == "diverged"
    assert run.stop is not None
    assert run.stop.difference is not None
    assert run.stop.difference.sent == "other"


def small_tree() -> dict[str, Any]:
    """Takes that leave others in the middle, at an end, and where their base leaves its own."""
    a, b, c, d = (made.round_of(name) for name in "abcd")
    return {
        "takes": [
            {"name": "one", "turns": [a, b, made.answer("one")]},
            {"name": "two", "base": "one", "after": 1, "turns": [c]},
            {"name": "three", "base": "two", "turns": [d, made.answer("three")]},
            {"name": "four", "base": "three", "after": 1, "turns": [made.answer("four")]},
            {"name": "empty", "base": "four", "after": 0, "turns": []},
        ]
    }


def test_takes_that_leave_others_hold_the_turns_before() -> None:
    """The turns of each take are its base's up to where it leaves, then its own."""
    (run,) = made.scenario(**small_tree()).runs
    said = {take.name: [_first(turn) for turn in run.turns_of(take)] for take in run.takes}
    assert said == {
        "one": ["a", "b", "one"],
        "two": ["a", "c"],
        "three": ["a", "c", "d", "three"],
        "four": ["a", "four"],
        "empty": [],
    }
    assert [(one.base and one.base.take.name, one.start) for one in branches(run)] == [
        (None, 0),
        ("one", 1),
        ("two", 2),
        ("one", 1),
        (None, 0),
    ]
    assert [take.name for take in leaves(run)] == ["one", "three", "four"]
    assert [take.name for take in heads(run)] == ["one", "two", "four", "empty"]
    assert longest_take(run) == 4


@pytest.mark.parametrize("take", ["one", "three", "four"])
def test_each_take_of_a_tree_is_replayed(take: str) -> None:
    """Every path through the tree gives its own answer."""
    run = replay(made.scenario(**small_tree()), take=take)
    assert (run.terminal_reason, run.result) == ("completed", take)


def test_a_take_that_stops_inside_a_tree_is_a_recording_that_ends() -> None:
    """What was recorded as a whole and goes on otherwise has ended there; it does not diverge."""
    assert replay(made.scenario(**small_tree()), take="two").result == "three"
    takes = small_tree()["takes"][:2]
    run = replay(made.scenario(takes=takes), take="two")
    assert (run.terminal_reason, run.model_calls) == ("recording_ended", 2)


def test_takes_that_repeat_too_much_are_one_line(tmp_path: Path) -> None:
    """Thousands of takes that each begin with thousands of turns of one are refused."""
    long = [made.round_of(f"c{number}") for number in range(1_000)]
    takes: list[dict[str, Any]] = [{"name": "long", "turns": long}]
    takes += [
        {"name": f"t{n}", "base": "long", "after": 900, "turns": [made.answer(str(n))]}
        for n in range(500)
    ]
    path = made.write(tmp_path / "bush.json", made.transcript(takes=takes))
    with pytest.raises(TranscriptError) as refused:
        load_file(path)
    (problem,) = refused.value.problems
    assert (problem.pointer, problem.key) == ("/runs/0/takes", "problem.too_many_again")
    assert "450,000" in str(refused.value)


def test_runs_that_start_each_other_are_one_line(tmp_path: Path) -> None:
    """A circle of parents is found by check, once."""
    data = made.transcript(made.answer())
    run = data["runs"][0]
    data["runs"] = [
        {**run, "id": name, "parent": {"run": parent}} for name, parent in ("ab", "bc", "ca")
    ]
    path = made.write(tmp_path / "circle.json", data)
    (line,) = check_paths([str(path)], texts("en"))
    assert line.startswith(f"{path}: /runs/0/parent/run: the run 'a' is started by a run")


def _first(turn: Any) -> str:
    block = turn.response["content"][0]
    return str(block.get("id", block.get("text")))
