"""Outside recordings on the screen: their runs, what stands beside the loop, conditions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests import made_runs
from tests.tui.recording import recording
from tests.tui.screens import LANGUAGES, opened
from tests.tui.test_hostile import ALL, check, written  # noqa: F401 - a fixture
from tests.tui.test_paint import paint, text
from visualizer.app.conditions import Condition, met, parse, words_of
from visualizer.app.recorded import prompt_of
from visualizer.app.session import Session, step_of_request
from visualizer.app.veil import veiled
from visualizer.i18n import texts
from visualizer.text import cells
from visualizer.transcript.records import RecordedRun, Request
from visualizer.tui.draw.segments import plain
from visualizer.tui.lists.runs import runs

SIZES = [(60, 20), (80, 24), (120, 36), (140, 45)]


def met_at(session: Session, query: str) -> list[str]:
    """The places that meet a query."""
    condition = parse(query)
    assert condition is not None
    found = met(session.run, condition, session.shown.asides)
    return [session.run.step(one.step).place for one in found]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("hostile", [False, True])
def test_every_step_of_every_run_fills_the_screen(
    size: tuple[int, int], language: str, hostile: bool
) -> None:
    """What stands beside the loop changes no line's width, hostile or not."""
    scenario = recording(ALL.replace("SURROGATE", "")) if hostile else recording()
    for recorded in scenario.runs:
        one = Session.open(scenario.on_run(recorded.id))
        for index in range(1, len(one.run.steps) + 1):
            one.move(index)
            lines = paint(one, *size, language).lines
            assert [cells(plain(item)) for item in lines] == [size[0]] * size[1]


def test_what_a_host_put_in_is_marked_where_it_happened() -> None:
    """Inserted blocks and failed requests stand under their message, from their call on."""
    one = Session.open(recording(), at="start")
    assert "inserted" not in text(paint(one, 120, 36))
    one.go("t0.call")
    shown = text(paint(one, 120, 36))
    assert "inserted by the host, 2 blocks (reminder" in shown
    assert "(reminder Look it up.): Remember: Look" in text(paint(one, 220, 45))
    shown = " ".join(shown.split())
    assert "The host had put 2 blocks into this request." in shown
    assert "request failed" not in shown
    one.go("t1.call")
    shown = text(paint(one, 120, 36))
    assert "request failed (529) and was tried again" in shown
    assert "Before it, 1 request failed." in shown


def test_the_call_that_started_a_subagent_says_so() -> None:
    """Where the subagent's call is executed, its run is named, with the key that goes there."""
    one = Session.open(recording(), at="t1.execute")
    shown = " ".join(text(paint(one, 80, 24)).split())
    assert "This call started run 2, a subagent's (f goes there)." in shown
    one.go("t0.execute")
    assert "subagent's" not in text(paint(one, 80, 24))


def test_inferred_values_are_marked() -> None:
    """A flag that the file lacks is called inferred where it is read and at the end."""
    one = Session.open(recording(), at="t2.check")
    shown = text(paint(one, 120, 36))
    assert '"end_turn" (inferred)' in shown
    assert "The file does not say this flag: it is inferred." in " ".join(shown.split())
    one.go("end")
    assert "(inferred) " in text(paint(one, 80, 24))
    one.go("t0.check")
    assert "inferred" not in text(paint(one, 120, 36))


def test_the_end_that_the_file_reports_stands_at_the_end() -> None:
    """Beside the model's and the loop's last word: the recording's, at every size."""
    one = Session.open(recording().on_run("3"), at="end")
    for size in SIZES:
        assert "error_during_execution" in text(paint(one, *size)), size
    assert "num_turns 4" in text(paint(one, 120, 36))


def test_how_a_run_began_is_said() -> None:
    """Which run of how many, and what it began with, stand in the header and the sentence."""
    one = Session.open(recording().on_run("2"))
    shown = text(paint(one, 120, 36))
    assert "run 2 of 3" in shown
    assert "began: subagent of run 1" in shown
    assert "A call of run 1 started this one" in shown
    one.scenario.run("2").parent = None
    for kind, said in (("continued", "would have stopped"), ("rewritten", "had rewritten")):
        one.scenario.run("2").started_by = kind
        assert said in text(paint(one, 120, 36))
    one.scenario.run("2").started_by = "\x1b[2J"
    assert "This run began otherwise: \\x1b[2J." in text(paint(one, 120, 36))


def test_a_run_without_words_is_listed_by_what_it_holds() -> None:
    """Where the first message has no text, the types of its blocks stand for it."""
    run = recording().runs[0]
    run.request = Request([{"role": "user", "content": [{"type": "image"}]}])
    assert prompt_of(run) == "(image)"
    run.request = Request([])
    assert "?" in prompt_of(run)


async def test_a_request_shows_what_was_put_in_and_inferred() -> None:
    """In both forms; the message, expanded, has it too."""
    async with opened(recording(), (120, 36), at="t0.call") as driven:
        await driven.press("r")
        assert driven.text.count("inserted by the host, 2 blocks") == 1
        assert "2 inserted" in driven.text.split("\n")[0]
        await driven.press("r")
        assert "inserted by the host, 2 blocks" in driven.text
        await driven.press("right", "r")
        assert "request failed (529) and was tried again:" in driven.text
        await driven.press("right")
        assert "inferred, not in the file: response/stop_reason" in driven.text
        await driven.press("escape", "k", "k", "e")
        assert "Remember: Look it up." in driven.text


@pytest.mark.parametrize(
    ("query", "condition"),
    [
        ("tool:Bash", Condition("tool", "Bash")),
        (" STOP: max_tokens ", Condition("stop", "max_tokens")),
        ("error", Condition("error")),
        ("error：time out", Condition("error", "time out")),
        ("errors", None),
        ('"error"', None),
        ("tools", None),
        ("an error", None),
    ],
)
def test_conditions_are_told_from_words(query: str, condition: Condition | None) -> None:
    """Only the three forms are conditions; quotes keep the words searchable."""
    assert parse(query) == condition
    assert words_of('"error"') == "error"
    assert words_of('"Aurora"') == '"Aurora"'


def test_conditions_are_met_where_they_happen() -> None:
    """Tools where they run, flags where they are read, errors of every kind once a step."""
    one = Session.open(recording())
    assert met_at(one, "tool:bash") == ["t0.execute"]
    assert met_at(one, "tool:*a*") == ["t0.execute", "t1.execute"]
    assert met_at(one, "tool:ba") == []
    assert met_at(one, "stop:tool_use") == ["t0.check", "t1.check"]
    assert met_at(one, "stop:*") == ["t0.check", "t1.check", "t2.check"]
    assert met_at(one, "error") == ["t0.execute", "t1.call"]
    assert met_at(one, "error:overloaded") == ["t1.call"]


def test_a_loop_that_breaks_a_rule_or_raises_has_errors() -> None:
    """What was refused or raised is an error at the end of the run."""
    from tests import odd_loops
    from visualizer.app.session import Shown
    from visualizer.engine import replay

    aurora = made_runs.aurora()
    for loop in (odd_loops.raises, odd_loops.forgets):
        run = replay(aurora, loop=loop, contained=False)
        one = Session(aurora, Shown(aurora, run))
        assert met_at(one, "error")[-1] == "end"
    asked = Session(aurora, Shown(aurora, replay(aurora, loop=odd_loops.looks_finished)))
    assert met_at(asked, "stop:*")


async def test_what_is_copied_opens_the_run_again() -> None:
    """A recording has no name to be found by: the command with its run and place is copied."""
    async with opened(recording().on_run("3"), at="t0.check") as driven:
        await driven.press("-", "y")
        path = driven.stepper.session.scenario.path
        wanted = f"visualizer open {path} --run 3 --at t0.check --max-turns 1"
        assert driven.app.clipboard == wanted


async def test_a_condition_typed_is_a_breakpoint() -> None:
    """n and N go on to the next and the previous step that meets what was typed."""
    async with opened(recording()) as driven:
        await driven.press("/")
        assert "tool:NAME" in driven.text
        await driven.type("stop:tool_use")
        await driven.press("enter")
        assert driven.place == "t0.check"
        assert "1 of 2, run 1 of 3: stop_reason tool_use" in driven.text
        await driven.press("n")
        assert driven.place == "t1.check"
        await driven.press("n")
        assert driven.place == "t0.check"
        assert "From the start again. 1 of 2" in driven.text
        await driven.press("/")
        await driven.type('"error"')
        await driven.press("enter")
        assert 'No message of the 3 runs holds "error".' in driven.text


def test_what_is_to_come_is_not_found_while_predicting() -> None:
    """A condition looks no further than the reader may."""
    one = veiled(Session.open(recording()), 2)
    assert met_at(one, "error") == []
    assert met_at(one, "stop:*") == []
    assert "request failed" not in text(paint(one, 80, 24))


async def test_lowering_no_cap_sets_one_at_the_calls_so_far() -> None:
    """+ says that there is none to raise; - asks what a cap here would have done."""
    async with opened(recording(), at="t1.check") as driven:
        await driven.press("+")
        assert "No cap was recorded. - sets one at the calls so far." in driven.text
        await driven.press("-")
        run = driven.stepper.session.run
        assert (run.max_turns, run.terminal_reason, driven.place) == (2, "max_turns", "t1.check")


async def test_several_subagents_of_one_turn_are_chosen_from() -> None:
    """Where a turn started more than one, they are listed, and only they."""
    scenario = recording()
    parent = scenario.runs[2].parent = scenario.runs[1].parent
    assert parent is not None
    parent.tool_use_id = "bash"
    async with opened(scenario, at="t0.execute") as driven:
        await driven.press("f")
        assert driven.stepper.session.run.recorded_run == "2"
    assert step_of_request(Session.open(scenario).run, "bash") == 4
    assert step_of_request(Session.open(scenario).run, "nothing") is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 45)], ids=["60", "80", "140"])
async def test_hostile_recordings_are_shown_safely(
    written: list[str],  # noqa: F811 - the fixture
    size: tuple[int, int],
    language: str,
) -> None:
    """Runs, inserted blocks, failed requests and jumps over hostile text: none gets out."""
    hostile = recording(ALL.replace("SURROGATE", "\ud800"))
    hostile.runs[0].started_by = f"began{ALL}"
    hostile.runs[0].recorded = {"subtype": f"end{ALL}", f"name{ALL}": f"value{ALL}"}
    async with opened(hostile, size, language) as driven:
        await driven.press(*["right"] * 7, "end", "X", "X", "x", "u", "down", "escape", "r", "r")
        await driven.press("end", "right", "escape", "home", "k", "e", "end", "escape")
        await driven.press("/")
        await driven.type("error:\\")
        await driven.press("enter", "n", "N", "u", "end", "down", "enter", "end", "F")
        assert driven.name == "StepperScreen"
    check(written)


class Counted(tuple[RecordedRun, ...]):
    """Runs that count how often someone goes through them."""

    times = 0

    def __iter__(self) -> Iterator[RecordedRun]:
        self.times += 1
        return super().__iter__()


def test_the_list_of_runs_goes_through_them_once() -> None:
    """Not once for each run: a file of ten thousand prompts has its list at once."""
    scenario = recording()
    counted = Counted(scenario.runs)
    offer = runs(Session.open(replace(scenario, runs=counted)), lambda _: None).offer
    before = counted.times
    entries = offer.matching(texts("en"), "")
    assert [entry.title.lstrip(" +-")[:1] for entry in entries] == ["1", "2", "3"]
    assert counted.times - before <= 1  # where the subagent's parent stands
