"""Predict mode: it asks before it shows, gives nothing away, and keeps the score."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tui.screens import Driven, opened
from visualizer.app import options
from visualizer.app.prediction import Prediction
from visualizer.app.session import Session
from visualizer.app.veil import run_until
from visualizer.learner.progress import Progress
from visualizer.lessons.questions import Question
from visualizer.loading import load_transcript
from visualizer.text import cells
from visualizer.tui.stepper.predicting import Predicting
from visualizer.tui.stepper.steps import Player

SCENARIOS = ["aurora-run", "aurora-run-cutoff", "paris", "two-birth-years", "truncated", "pause"]

TELLING = ("CUT OFF", "two turns", "Cut short", "A pause")
"""What a title may tell."""


def prediction(driven: Driven) -> Prediction:
    """What is being predicted."""
    found = driven.stepper.part(Predicting).prediction
    assert found is not None
    return found


def waiting(driven: Driven) -> Question | None:
    """The question that waits."""
    return prediction(driven).waiting(driven.app.texts)


async def walk(driven: Driven, offset: int) -> list[str]:
    """To the end, answering each question with the option ``offset`` after the right one."""
    await driven.press("p")
    kinds: list[str] = []
    for _ in range(60):
        question = waiting(driven)
        if question is not None:
            kinds.append(question.kind)
            nothing_given_away(driven, question)
            await driven.press("right", "end", "pagedown")
            assert waiting(driven) == question  # nothing leads past it
            chosen = (question.right + offset) % len(question.options)
            await driven.press(options.keys(question)[chosen])
        elif driven.place == "end":
            break
        else:
            await driven.press("right")
        assert max(map(cells, driven.text.split("\n"))) <= driven.app.size.width
    assert driven.place == "end"
    return kinds


def nothing_given_away(driven: Driven, question: Question) -> None:
    """No total, no step to come, no name that tells the end; the asked count is not shown."""
    lines = driven.text.split("\n")
    shown, whole = prediction(driven).seen.run, driven.stepper.session.run
    index = driven.stepper.session.index
    assert len(shown.steps) == index
    assert f"{index} of {len(whole.steps)}" not in driven.text
    assert f"{index} / {len(whole.steps)}" not in driven.text
    assert not [word for word in TELLING if word in lines[0]]
    assert lines[-2].rstrip().endswith("?") or driven.app.size.height > 30
    if question.kind == "model_calls":
        assert f"{whole.model_calls} of " not in driven.text.split(question.prompt)[0]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", SCENARIOS)
async def test_all_right_and_all_wrong(name: str, language: str, tmp_path: Path) -> None:
    """Right answers score, wrong ones count as asked, guesses never do; the file keeps both."""
    for offset in (0, 1):
        async with opened(name, language=language) as driven:
            kinds = await walk(driven, offset)
            found = prediction(driven)
            assert kinds
            assert found.asked <= len(kinds)
            assert found.right == (0 if offset else found.asked)
            score = driven.app.texts("screen.predict.score", right=found.right, asked=found.asked)
            assert score in driven.text
            assert driven.app.progress.predictions[1] >= found.asked
    kept = Progress.load(driven.app.progress.path).predictions
    assert kept == driven.app.progress.predictions


async def test_guesses_have_no_score() -> None:
    """What a model will choose is asked as a guess, said to be one, and not counted."""
    async with opened() as driven:
        await driven.press("p")
        assert driven.app.texts("screen.answer.unscored") in driven.text
        await driven.press("2")
        assert prediction(driven).asked == 0
        assert 'Guessed "end_turn"; it was "tool_use".' in driven.text


async def test_stepping_back_never_asks_again() -> None:
    """What was answered stays answered; going forth again stops only where it had stopped."""
    async with opened() as driven:
        await driven.press("p", "1", "3")
        assert driven.place == "t0.check"
        await driven.press("home")
        assert waiting(driven) is None
        await driven.press("right", "right")
        assert driven.place == "t0.check"
        assert prediction(driven).asked == 1


async def test_a_search_does_not_look_ahead() -> None:
    """What has not come in is not found; nor can one go to a place not seen."""
    async with opened() as driven:
        await driven.press("p", "/")
        await driven.type("1951")
        await driven.press("enter")
        assert driven.place == "start"
        assert 'No message holds "1951".' in driven.text
        await driven.press("g")
        await driven.type("t1.check")
        await driven.press("enter")
        assert driven.place == "start"


async def test_requests_and_counts_show_what_was_seen() -> None:
    """The request screen ends with the last call seen; the plot and the strip do too."""
    async with opened("aurora-run", (140, 45)) as driven:
        await driven.press("p", "1", "r", "right")
        assert driven.app.texts("screen.request.no_other") in driven.text
        await driven.press("escape")
        assert "1974" not in driven.text


async def test_playing_stops_at_a_question() -> None:
    """Playing by itself waits where something is asked."""
    async with opened(at="t0.check") as driven:
        await driven.press("p", "enter")
        for _ in range(4):
            driven.stepper.part(Player).tick()
        assert driven.place == "t0.append"
        assert not driven.stepper.settings.playing


async def test_predicting_again_leaves_and_everything_is_back() -> None:
    """p ends it: the total, the title and the strip are whole again."""
    async with opened("aurora-run-cutoff") as driven:
        await driven.press("p")
        assert "1 of ?" in driven.text
        assert "two turns only" not in driven.text
        await driven.press("p")
        assert "1 of 10" in driven.text
        assert "two turns only" in driven.text
        await driven.press("end")
        assert driven.place == "end"


async def test_another_cap_or_scenario_is_predicted_on() -> None:
    """The score goes on; what was not seen is still hidden."""
    async with opened() as driven:
        await driven.press("p", "1", "3", "-")
        assert driven.stepper.session.run.max_turns == 9
        assert prediction(driven).asked == 1
        assert "of ?" in driven.text
        await driven.press("s")
        await driven.type("paris")
        await driven.press("enter")
        assert driven.stepper.session.scenario.name == "paris"
        assert waiting(driven) is not None
        assert prediction(driven).asked == 1


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_choosing_a_scenario_does_not_tell_the_end(language: str) -> None:
    """The list of scenarios has the task where the title, summary and name would tell the end."""
    async with opened("aurora-run-cutoff", (140, 45), language) as driven:
        await driven.press("p", "s")
        row = next(line for line in driven.text.split("\n") if line.startswith(" > "))
        assert row.strip(" >").startswith("In what year")
        assert "aurora-run-cutoff" not in driven.text
        await driven.type("aurora-run-cutoff")
        assert driven.app.texts("screen.picker.nothing") in driven.text
        await driven.press("escape", "p", "s")
        assert "aurora-run-cutoff" in driven.text


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_there_is_no_comparing_before_the_end(language: str) -> None:
    """v says why there is none; once the end has been seen, it compares."""
    async with opened("aurora-run-cutoff", language=language) as driven:
        await driven.press("p", "v")
        assert driven.name == "StepperScreen"
        assert driven.app.texts("screen.predict.no_compare")[:30] in driven.text
        assert "..." not in driven.text.split("\n")[-1]
        for _ in range(40):
            await driven.press("0", "right")
        assert driven.place == "end"
        await driven.press("v")
        assert driven.name != "StepperScreen"


async def test_full_width_digits_answer() -> None:
    """Digits typed with an input method on count as digits."""
    async with opened(language="ja") as driven:
        await driven.press("ｐ", "１")
        assert driven.place == "t0.call"
        await driven.press("０")
        assert driven.place == "t0.check"
        assert prediction(driven).asked == 0


async def test_options_can_be_clicked() -> None:
    """An option is a thing to click; so is a line of code that is one."""
    async with opened(at="t0.call", size=(140, 45)) as driven:
        await driven.press("p")
        await driven.click("3  results.append(tools(call))")
        assert driven.place == "t0.check"
        assert prediction(driven).right == 1
    async with opened(at="t0.call", size=(140, 45)) as driven:
        await driven.press("p")
        await driven.click("[2]")
        assert (prediction(driven).asked, prediction(driven).right) == (1, 0)


def test_a_run_that_is_cut_has_no_end() -> None:
    """A run up to a step holds its steps, calls and messages, and nothing of what follows."""
    run = Session.open(load_transcript("aurora-run")).run
    for last in range(1, len(run.steps) + 1):
        cut = run_until(run, last)
        assert cut.steps == run.steps[:last]
        assert cut.messages_at(last) == run.messages_at(last)
        assert len(cut.histories[0]) == run.step(last).messages
        assert (cut.result, cut.raised, cut.terminal_reason) == (None, None, "")
        assert "1974" not in json.dumps([one.to_json() for one in cut.histories[0]]) or last >= 8


def test_the_title_while_predicting_is_the_task() -> None:
    """A title may tell the end; the task never does. It is safe, too."""
    from visualizer.app.veil import neutral_title

    assert neutral_title(Session.open(load_transcript("truncated"))).startswith("In what")
