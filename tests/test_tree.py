"""Runs as a tree: what goes on stands beside, what forks and what a call starts stands below."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made import TEXT, answer, text_block
from tests.made_outside import QUESTION, Session
from tests.tui.screens import opened
from visualizer.app.session import Session as Shown
from visualizer.app.tree import DEEPEST, tree
from visualizer.cli.main import main
from visualizer.errors import NotFoundError
from visualizer.i18n import texts
from visualizer.lessons.facts import Stage
from visualizer.lessons.goals import State, is_met, solve
from visualizer.lessons.model import Goal
from visualizer.loading import Scenario, load_transcript, parse, scenario_of
from visualizer.locator import Locator
from visualizer.transcript.records import Parent, RecordedRun


def run_of(name: str, after: tuple[str, int] | None = None, **more: Any) -> dict[str, Any]:
    """A run with one prompt and one answer, behind the messages of another."""
    request: dict[str, Any] = {"messages": [{"role": "user", "content": name}]}
    if after is not None:
        request["after"] = {"run": after[0], "messages": after[1]}
    take = {"name": "only", "turns": [answer(f"answer to {name}")]}
    return {"id": name, "request": request, "takes": [take], **more}


def recorded(*runs: dict[str, Any]) -> Scenario:
    data = {"format_version": 1, "title": TEXT, "summary": TEXT, "runs": list(runs)}
    return scenario_of(parse(json.dumps(data).encode("ascii"), "made.json"), "made")


def drawn(*runs: dict[str, Any]) -> list[tuple[str, int, int | None]]:
    return [(one.run.id, one.depth, one.origin) for one in tree(recorded(*runs).runs)]


def started(parents: dict[str, str | None]) -> list[RecordedRun]:
    """Runs, each by the one that started it, as an outside recording may claim."""
    runs = recorded(*map(run_of, parents)).runs
    return [
        replace(run, parent=None if by is None else Parent(by))
        for run, by in zip(runs, parents.values(), strict=True)
    ]


def test_prompts_and_resumes_stand_beside_each_other() -> None:
    """What goes on with the whole list is no branch, however long the chain is."""
    runs = [run_of("a"), run_of("b", ("a", 2)), run_of("c", ("b", 4), started_by="resume")]
    assert drawn(*runs) == [("a", 0, None), ("b", 0, 1), ("c", 0, 2)]


def test_a_fork_stands_below_the_run_whose_beginning_it_has() -> None:
    """After the run that it left; what goes on with the fork stands beside it."""
    runs = [
        run_of("a"),
        run_of("b", ("a", 2)),
        run_of("fork", ("a", 2), started_by="fork"),
        run_of("on", ("fork", 4)),
        run_of("deep", ("b", 2), started_by="fork"),
    ]
    assert drawn(*runs) == [
        ("a", 0, None),
        ("fork", 1, 1),
        ("on", 1, 3),
        ("deep", 1, 1),
        ("b", 0, 1),
    ]


def test_a_fork_at_the_end_of_a_run_is_a_branch_because_it_says_so() -> None:
    """Nothing else has gone on there: only the word tells it from a resume."""
    runs = [run_of("a"), run_of("fork", ("a", 2), started_by="fork")]
    assert drawn(*runs) == [("a", 0, None), ("fork", 1, 1)]


def test_subagents_stand_below_the_run_that_started_them() -> None:
    """Each level one further in, also where the recording names the parent later."""
    found = tree(started({"deepest": "sub", "main": None, "sub": "main", "lost": "lost"}))
    shown = [(one.run.id, one.depth) for one in found]
    assert shown == [("main", 0), ("sub", 1), ("deepest", 2), ("lost", 0)]


def test_a_session_of_a_client_is_a_tree_too() -> None:
    """A prompt that is asked differently stands below the run whose answer it follows."""
    made = Session()
    made.user(QUESTION)
    tip = made.reply("m1", text_block("Whitby."), flag="end_turn")
    made.user("And then?")
    made.reply("m2", text_block("Bergen."), flag="end_turn")
    made.user("And before?", parent=tip)
    made.reply("m3", text_block("Hull."), flag="end_turn")
    found = tree(made.read().runs)
    assert [(one.number, one.depth, one.origin) for one in found] == [
        (1, 0, None),
        (3, 1, 1),
        (2, 0, 1),
    ]


@given(st.lists(st.integers(0, 20), min_size=1, max_size=21))
def test_every_run_is_in_the_tree_once(parents: list[int]) -> None:
    """Whoever claims to be whose parent: nothing is lost, nothing doubled, no level too deep."""
    found = tree(started({str(at): str(up) for at, up in enumerate(parents)}))
    assert sorted(int(one.run.id) for one in found) == list(range(len(parents)))
    assert all(0 <= one.depth <= DEEPEST for one in found)


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_the_list_of_runs_shows_the_tree(language: str) -> None:
    """``fork``: the fork is set in below the first run and says from which; then the resume."""
    async with opened("fork", (80, 24), language) as driven:
        await driven.press("u")
        lines = driven.text.split("\n")
        texts = driven.app.texts
        (fork,) = (at for at, line in enumerate(lines) if "+- 3" in line)
        assert texts("window.started.fork", number=1) in lines[fork]
        assert texts("window.started.resume", number=1) in lines[fork + 1]
        assert "1  Why is" in lines[fork - 1]


def test_a_place_may_be_in_another_run() -> None:
    """The locator says which run; it leads there, and is copied from there."""
    text = "subagent@t0.call,run=reader"
    place = Stage().at(Locator.parse(text))
    assert (place.run.recorded_run, place.run.calls[0].sent) == ("reader", 1)
    assert str(Locator.parse(text)) == text
    assert Locator.parse(text).arguments()[-2:] == ["--run", "reader"]
    session = Shown.open(load_transcript("subagent"), at="t0.execute")
    assert session.locator == "subagent@t0.execute"
    assert session.on_run("reader").locator == "subagent@start,run=reader"
    with pytest.raises(NotFoundError):
        Stage().at(Locator.parse("subagent@t0.call,run=nobody"))


def test_a_resumed_and_a_forked_run_send_all_of_the_first_and_leave_it_as_it_was() -> None:
    """Both begin with its four messages; its own list holds no more than those."""
    stage = Stage()
    first, resumed, forked = (
        stage.at(Locator("fork", "t0.call", run=name)).run
        for name in ("first", "resumed", "forked")
    )
    whole = first.messages
    assert [run.calls[0].sent for run in (resumed, forked)] == [5, 5]
    for run in (resumed, forked):
        assert [one.to_json() for one in run.messages[:4]] == [one.to_json() for one in whole]
    assert len(whole) == 4


def test_what_a_subagent_reads_does_not_come_into_the_run_that_started_it() -> None:
    """Only its last text does, as the result of the call."""
    stage = Stage()
    main, reader = (
        stage.at(Locator("subagent", "end", run=name)).run for name in ("main", "reader")
    )
    (result,) = main.messages[2].results
    assert result.result_text == reader.result
    told = json.dumps([message.to_json() for message in main.messages])
    assert "leap second" not in told
    assert "leap second" in json.dumps([message.to_json() for message in reader.messages])


def test_going_into_a_run_is_an_experiment() -> None:
    """Done when the run is shown; none is found where the recording has no such run."""
    place = Stage().at(Locator.parse("subagent@t0.execute"))
    start = State(place.scenario, place.run, place.index)
    goal = Goal("run", run="reader")
    assert not is_met(goal, start)
    found = solve(goal, start)
    assert found is not None
    assert found.run.recorded_run == "reader"
    assert solve(Goal("run", run="nobody"), start) is None


def test_the_command_line_takes_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    """In the place or as an option; both may say it, but not differently."""

    def run(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["run", *arguments, "--lang", "en"])
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.err or told.out

    code, told = run("fork@end,run=forked")
    assert code == 0
    assert "With the cache" in told
    assert run("fork@end,run=forked", "--run", "forked") == (0, told)
    code, told = run("fork@end,run=forked", "--run", "first")
    assert code != 0
    assert texts("en")("command.error.twice", name="fork@end,run=forked") in told
    code, told = run("fork@end,run=nobody")
    assert code != 0
    assert told.count("\n") == 1
