"""Searching over all runs of a recording: which hit is where, and how to get there."""

from __future__ import annotations

import pytest

from tests import made_runs, odd_loops
from tests.made import text_block, tool_result, tool_use
from tests.made_outside import QUESTION, Stream
from tests.tui.recording import loaded, recording, with_more
from tests.tui.screens import LANGUAGES, SIZES, Driven, opened
from visualizer.app.find import search_all
from visualizer.app.scan import MOST, Scan
from visualizer.app.search import Search
from visualizer.app.session import Session, Shown
from visualizer.engine import replay
from visualizer.loading import Scenario
from visualizer.transcript.history import SharedRequest
from visualizer.transcript.records import Attempt, Turn
from visualizer.tui.stepper.runs import Runs


def seen(session: Session, query: str, everywhere: bool = True) -> Search:
    """A search that has looked at everything."""
    search = Search(query)
    for _ in search.look(session.scenario, session.shown, everywhere):
        pass
    return search


def places(session: Session, query: str) -> list[tuple[str, int]]:
    """Where a query is met in the run shown: place of the step, message."""
    hits = seen(session, query).hits
    return [(session.run.step(hit.step).place, hit.message) for hit in hits]


def harbours() -> Scenario:
    """Four runs: a prompt that starts a subagent, the subagent, two more prompts of the first.

    "Whitby" is in a result of the first, said by the subagent and by the last; "tide" is
    said by the subagent only.
    """
    made = Stream()
    made.init()
    made.user(QUESTION)
    made.reply("m1", tool_use("task", "Task", prompt="Ask"), flag="tool_use")
    made.user([text_block("Ask the library.")], parent_tool_use_id="task")
    made.reply("s1", text_block("Whitby, at high TIDE."), parent_tool_use_id="task")
    made.user([tool_result("task", "whitby")])
    made.reply("m2", text_block("A harbour."), flag="end_turn")
    made.user("And when?")
    made.reply("n1", tool_use("when", "Bash", command="cal"), flag="tool_use")
    made.user([tool_result("when", "Exit code 2", is_error=True)])
    made.reply("n2", text_block("In 1871."), flag="end_turn")
    made.user("Thanks.")
    made.reply("o1", text_block("Whitby in 1871."), flag="end_turn")
    made.end()
    return loaded(made.text())


def run_of(driven: Driven) -> str:
    """The run on the screen."""
    return driven.stepper.session.run.recorded_run


async def search_for(driven: Driven, words: str) -> None:
    """Type a search."""
    await driven.press("/")
    await driven.type(words)
    await driven.press("enter")


def test_hits_of_a_run_come_in_the_order_of_its_steps() -> None:
    """Messages are found whatever their case, at the step that brings them."""
    session = Session.open(made_runs.aurora())
    found = places(session, "MARA")
    assert [message for _, message in found] == [2, 3, 4]
    assert found[0][0] == "t0.append"
    search = seen(session, "mara")
    here = session.run.locate("t0.append")
    assert search.near(here, None, 1) == 1
    assert search.near(here, 2, 1) == 1
    assert search.near(here, 4, 1) is None
    assert search.near(here, None, -1) == 0
    assert search.near(here, 2, -1) is None


def test_arguments_and_unknown_blocks_are_searched() -> None:
    """Arguments of a request are text, too; so is what a block of an unknown type holds."""
    strange = {"type": "server_tool_use", "input": {"deep": ["needle", 7]}}
    session = Session.open(made_runs.scenario(made_runs.turn(strange, flag="end_turn")), at="end")
    assert [message for _, message in places(session, "needle")] == [1]
    assert places(session, "7") == places(session, "needle")
    assert [message for _, message in places(Session.open(harbours()), "CAL")] == []
    assert search_all(harbours(), "cal") == {"3": 1}


def test_what_a_host_put_in_and_what_failed_is_found() -> None:
    """Both stand beside a message, at the call that they belong to."""
    session = Session.open(recording())
    for query, place in (("remember", "t0.call"), ("overloaded", "t1.call")):
        (hit,) = seen(session, query).hits
        assert hit.beside
        assert session.run.step(hit.step).place == place
        assert search_all(recording(), query) == {"1": 1}


def test_a_message_that_runs_share_is_counted_in_the_first_of_them() -> None:
    """The history of a later run is not searched again, nor is a shared one of hundreds."""
    scenario = harbours()
    assert isinstance(scenario.runs[3].request, SharedRequest)
    assert search_all(scenario, "whitby") == {"1": 1, "2": 1, "4": 1}
    assert search_all(scenario, "harbour") == {"1": 2}
    last = Session.open(scenario.on_run("4"))
    assert [message for _, message in places(last, "whitby")] == [9]
    assert places(last, "harbour") == []
    assert [hit.message for hit in seen(last, "harbour", everywhere=False).hits] == [0, 3]


@pytest.mark.parametrize("query", ["whitby", "1871", "harbour", "exit", "nothing of it", "tool"])
def test_what_is_recorded_of_a_run_is_what_its_drive_shows(query: str) -> None:
    """Counted without driving and counted in the drive, every run has as many hits."""
    for scenario in (harbours(), with_more(harbours(), "exit")):
        counted = search_all(scenario, query)
        for recorded in scenario.runs:
            session = Session.open(scenario.on_run(recorded.id))
            assert len(seen(session, query).hits) == counted.get(recorded.id, 0)


@pytest.mark.parametrize(
    "query", ["error", "error:exit", "error:529", "tool:*", "tool:bash", "stop:*", "stop:tool_use"]
)
def test_conditions_are_counted_as_their_runs_meet_them(query: str) -> None:
    """Without driving a run it is known how many of its steps meet a condition."""
    failing = harbours()
    body = {"error": {"type": "overloaded_error", "message": "Overloaded"}}
    failing.runs[3].takes[0].turns = [Turn(None, attempts=[Attempt(529, body)])]
    unanswered = harbours()
    response = unanswered.runs[3].takes[0].turns[0].response
    assert response is not None
    response["content"] += [tool_use(name, "Bash", command="ls") for name in ("lost", "also")]
    response["stop_reason"] = "tool_use"
    for scenario in (harbours(), recording(), failing, unanswered):
        counts = seen(Session.open(scenario), query).counts(scenario)
        for recorded, count in zip(scenario.runs, counts, strict=True):
            session = Session.open(scenario.on_run(recorded.id))
            assert len(seen(session, query).hits) == count, recorded.id


def test_a_run_that_has_grown_is_looked_at_again() -> None:
    """While a file is written to, the same search counts what has come in."""
    scenario = harbours()
    session = Session.open(scenario)
    words, errors = seen(session, "whitby"), seen(session, "error")
    assert (words.counts(scenario), errors.counts(scenario)) == ([1, 1, 0, 1], [0, 0, 1, 0])
    turns = scenario.runs[3].takes[0].turns
    failed = [tool_result("x", "no Whitby here", is_error=True)]
    turns.append(Turn({"content": [text_block("To WHITBY.")], "stop_reason": "tool_use"}, failed))
    for search in (words, errors):
        for _ in search.look(scenario, session.shown, True):
            pass
    assert (words.counts(scenario), errors.counts(scenario)) == ([1, 1, 0, 3], [0, 0, 1, 1])
    again = Session.open(harbours().on_run("4"))
    for search in (words, errors):
        for _ in search.look(again.scenario, again.shown, True):
            pass
    assert (words.counts(scenario), errors.counts(scenario)) == ([1, 1, 0, 1], [0, 0, 1, 0])


def test_words_do_not_reach_from_one_text_into_the_next() -> None:
    """What ends one message and begins another is not found; a long text is, at its seams."""
    found: list[int] = []
    for _ in Scan("in stern").through(enumerate(["cabin", " stern", "x in Stern"]), found):
        pass
    assert found == [2]
    long = "x" * (4 * MOST)
    slices = list(Scan("needle").through([(0, f"{long}nee"), (1, f"{long}needle{long}")], found))
    assert found == [2, 1]
    assert len(slices) > 2
    parts = [text_block(f"{long}nee"), text_block("dle"), text_block(f"{long}x needle")]
    for _ in Scan("needle").through([(3, parts[:2]), (4, parts)], found):
        pass
    assert found == [2, 1, 4]


def test_rare_and_frequent_words_are_all_found() -> None:
    """Looked through many at a time or one by one, the same messages hold the words."""
    contents = [f"message {n} {'often' if n % 400 < 20 else 'x' * 50}" for n in range(4000)]
    found: list[int] = []
    scan = Scan("OFTEN")
    assert len(list(scan.through(enumerate(contents), found))) > 1
    assert found == [n for n in range(4000) if n % 400 < 20]
    assert scan.seen == 4000


def test_a_rewritten_list_is_searched_for_what_is_new_in_it() -> None:
    """A loop that takes messages out shows the rest in a new list; it is found once."""
    scenario = made_runs.aurora()
    run = replay(scenario, loop=odd_loops.shortens, contained=False)
    session = Session(scenario, Shown(scenario, run))
    assert len(run.histories) > 1
    texts = [
        (number, place)
        for number, history in enumerate(run.histories)
        for place, message in enumerate(history)
        if "aurora" in f"{message!r}".casefold()
    ]
    found = places(session, "aurora")
    assert found
    assert len(found) < len(texts)


@pytest.mark.parametrize(("size", "language"), list(zip(SIZES, LANGUAGES, strict=True)))
async def test_a_search_goes_on_in_the_next_run(size: tuple[int, int], language: str) -> None:
    """Through the result, the subagent's reply and the last answer, and round; then back."""
    async with opened(harbours(), size, language) as driven:
        texts = driven.app.texts

        def said(number: int, run: int, message: int) -> str:
            told = texts("screen.met.how.message", what=message)
            return texts("screen.met.at_run", number=number, n=3, run=run, runs=4, said=told)

        await search_for(driven, "whitby")
        assert (run_of(driven), driven.place) == ("1", "t0.append")
        assert said(1, 1, 2) in driven.text
        await driven.press("n")
        assert run_of(driven) == "2"
        assert f"{texts('screen.search.no_more', number=1)} {said(2, 2, 1)}" in driven.text
        assert driven.stepper.settings.selected == 1
        await driven.press("n")
        assert (run_of(driven), driven.place) == ("4", "t0.call")
        assert said(3, 4, 9) in driven.text
        await driven.press("n")
        assert run_of(driven) == "1"
        assert f"{texts('screen.search.from_the_start')} {said(1, 1, 2)}" in driven.text
        await driven.press("N")
        assert run_of(driven) == "4"
        assert f"{texts('screen.search.from_the_end')} {said(3, 4, 9)}" in driven.text
        await driven.press("N")
        assert run_of(driven) == "2"


async def test_runs_without_a_hit_are_not_driven(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hit in another run alone is gone to directly; one that is nowhere leads nowhere."""
    driven_runs: list[str] = []
    on_run = Session.on_run

    def noted(session: Session, run_id: str) -> Session:
        driven_runs.append(run_id)
        return on_run(session, run_id)

    monkeypatch.setattr(Session, "on_run", noted)
    async with opened(harbours().on_run("4")) as driven:
        await search_for(driven, "no such thing")
        assert 'No message of the 4 runs holds "no such thing".' in driven.text
        assert (run_of(driven), driven.place, driven_runs) == ("4", "start", [])
        await search_for(driven, "tide")
        assert run_of(driven) == "2"
        assert "From the start again. 1 of 1, run 2 of 4: message 1" in driven.text
        await driven.press("n")
        assert "From the start again. 1 of 1, run 2 of 4" in driven.text
        assert driven_runs == ["2"]


async def test_errors_and_conditions_lead_into_other_runs() -> None:
    """x goes to the one error there is, in run 3; a condition goes on from run to run."""
    async with opened(harbours()) as driven:
        await driven.press("x")
        assert (run_of(driven), driven.place) == ("3", "t0.execute")
        assert "Run 1 has none. 1 of 1, run 3 of 4: tool error, Bash: Exit code 2" in driven.text
        await driven.press("X")
        assert (run_of(driven), driven.place) == ("3", "t0.execute")
        assert "From the end again. 1 of 1" in driven.text
        await search_for(driven, "stop:end_turn")
        assert (run_of(driven), driven.place) == ("3", "t1.check")
        await driven.press("n", "n")
        assert (run_of(driven), driven.place) == ("1", "t1.check")
        await search_for(driven, "tool:none")
        assert 'Nothing in the 4 runs meets "tool:none".' in driven.text


async def test_a_search_goes_on_from_where_the_reader_stands() -> None:
    """After a step, a selection or a change of run the next hit is the one behind that."""
    async with opened(harbours()) as driven:
        await search_for(driven, "whitby")
        await driven.press("end", "n")
        assert run_of(driven) == "2"
        await driven.press("end", "N")
        assert "2 of 3, run 2 of 4" in driven.text
        driven.stepper.part(Runs).runs("1")
        await driven.press("home", "n")
        assert "1 of 3, run 1 of 4" in driven.text


async def test_a_hit_that_the_loop_does_not_come_to_is_said_to_be_one() -> None:
    """A run that ends before the recorded message says so, and n goes on."""
    scenario = harbours()
    scenario.runs[3].max_turns = 1
    scenario.runs[2].max_turns = 1
    async with opened(scenario) as driven:
        await search_for(driven, "in 1871")
        assert run_of(driven) == "3"
        assert '"in 1871" was recorded in this run' in driven.text
        await driven.press("n")
        assert run_of(driven) == "4"
        assert "1 of 1, run 4 of 4" in driven.text


async def test_while_predicting_only_what_was_seen_is_searched() -> None:
    """No other run is gone to, and nothing of it is counted."""
    async with opened(harbours()) as driven:
        await driven.press("p")
        await search_for(driven, "tide")
        assert 'No message holds "tide".' in driven.text
        await driven.press("x")
        assert 'Nothing in this run meets "error".' in driven.text
        await search_for(driven, "harbour")
        assert "1 of 1: message 0" in driven.text
        assert run_of(driven) == "1"


async def test_a_quoted_condition_stays_words() -> None:
    """n after a search for the word "error" in quotes looks for the word, not for errors."""
    async with opened(harbours()) as driven:
        await search_for(driven, '"error"')
        await driven.press("n")
        assert 'No message of the 4 runs holds "error".' in driven.text
        assert run_of(driven) == "1"
