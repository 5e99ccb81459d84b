"""What stands between a loop and its model and tools, on the screen: waits and gates."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import made_lessons
from tests.tui.learning import learning, lesson_of, solve_by_keys
from tests.tui.screens import LANGUAGES, SIZES, opened
from visualizer import load_transcript, replay
from visualizer.locator import Locator
from visualizer.text import cells
from visualizer.tui.stepper.steps import Places


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_a_wait_stands_on_the_ring_and_its_line_in_the_helper(
    size: tuple[int, int], language: str
) -> None:
    """The helper that waits is shown with the line that called it; no line is too long."""
    async with opened("retry-529", size, language, "t0.call.2") as driven:
        await driven.press("right")
        assert driven.place == "t0.wait.2"
        assert "production > ask" in driven.text
        assert "[WAIT]" in driven.text if language == "en" else "[待機]" in driven.text
        assert "sleep(failure.retry_after" in driven.text
        assert "reply = ask(" in driven.text
        assert all(cells(line) <= size[0] for line in driven.text.split("\n"))
        await driven.press("end")
        assert "production > ask" not in driven.text
        assert '"1974"' in driven.text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_what_is_left_stands_beside_the_turns(size: tuple[int, int], language: str) -> None:
    """The header counts money beside turns; at the end the budget is named, and nothing cut."""
    async with opened("budget", size, language, "t1.limit") as driven:
        assert "0.0483" in driven.text.split("\n")[0 if size[1] < 32 else 1]
        await driven.press("right", "right", "right", "right", "right")
        assert driven.place == "t2.limit"
        assert "limits.hit(reply.usage)" in driven.text
        await driven.press("end")
        assert "budget_exhausted" in driven.text
        assert "max_budget_usd" in driven.text
        assert all(cells(line) <= size[0] for line in driven.text.split("\n"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_a_call_is_allowed_or_denied_by_a_key_and_the_run_goes_on(
    size: tuple[int, int], language: str
) -> None:
    """Undecided the run stops; D and A give each its continuation, at the same place."""
    async with opened("approval", size, language, "t1.approve") as driven:
        stepper = driven.stepper
        assert stepper.session.run.terminal_reason == "undecided"
        await driven.press("D")
        assert driven.place == "t1.approve"
        assert "was denied" in stepper.session.run.result
        await driven.press("right")
        assert driven.place == "t1.append"
        assert "Not executed: the user denied this call." in driven.text
        assert stepper.session.locator == "approval@t1.append,deny=t1.approve"
        await driven.press("left", "A")
        assert driven.place == "t1.approve"
        assert "tagged and pushed" in stepper.session.run.result
        await driven.press("right")
        assert driven.place == "t1.execute"
        assert all(cells(line) <= size[0] for line in driven.text.split("\n"))


async def test_at_the_end_the_decision_is_still_to_be_made() -> None:
    """The stop says that a decision is missing; a key there goes back and makes it."""
    async with opened("approval", at="end") as driven:
        assert "undecided" in driven.text
        assert "A allow" in driven.text
        await driven.press("A")
        assert driven.place == "t1.approve"
        assert driven.stepper.session.run.terminal_reason == "completed"


async def test_where_nobody_is_asked_a_key_says_so() -> None:
    """The policy's own verdicts, and steps that are none, can't be decided."""
    async with opened("policy-denied", at="t0.approve.2") as driven:
        await driven.press("A")
        assert "The policy decides" in driven.text
        assert "denied" in driven.text
        await driven.press("right", "D")
        assert "No call waits" in driven.text


async def test_a_decided_run_stands_beside_the_undecided_one() -> None:
    """``v`` compares with the scenario as it is: there the run stops."""
    async with opened("approval", at="t1.approve") as driven:
        await driven.press("D", "v")
        assert driven.name == "CompareScreen"
        await driven.press("end")
        assert "undecided" in driven.text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_a_cut_result_is_shown_before_and_after(size: tuple[int, int], language: str) -> None:
    """What came back is cut before it is appended; ``e`` shows what was left out."""
    async with opened("flood", size, language, "t0.execute") as driven:
        await driven.press("right")
        assert driven.place == "t0.truncate"
        assert "5,883" in driven.text
        await driven.press("e")
        assert driven.name == "LostScreen"
        assert "[  1/180]" in driven.text
        await driven.press("end")
        assert "Error 1" in driven.text
        assert all(cells(line) <= size[0] for line in driven.text.split("\n"))
        await driven.press("escape", "right")
        assert driven.place == "t0.append"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_a_summary_stands_where_the_history_was(size: tuple[int, int], language: str) -> None:
    """At the step, and after it, a line says what was there; ``e`` shows it."""
    async with opened("compaction", size, language, "t3.append") as driven:
        await driven.press("right")
        assert driven.place == "t3.compact"
        assert "x x x" in driven.text
        assert "Summary of the work so far" in driven.text
        await driven.press("e")
        assert "toolu_01" in driven.text
        await driven.press("escape", "right")
        assert driven.place == "t4.call"
        assert all(cells(line) <= size[0] for line in driven.text.split("\n"))
        await driven.press("left", "left")
        assert "x x x" not in driven.text


async def test_the_plot_counts_tokens_where_the_context_is_what_matters() -> None:
    """On wide screens the bars of these scenarios are the tokens that each call sent."""
    async with opened("compaction", (140, 45), at="t4.check") as driven:
        assert "510 tokens" in driven.text
        assert "290 tokens" in driven.text


EXPERIMENT = 'at = "approval@t1.approve"\nexperiment = { kind = "returns", text = "%s" }'


async def test_a_decision_solves_the_experiment_of_a_lesson(tmp_path: Path) -> None:
    """On a page at a call that waits, the digits decide; what then is returned solves it."""
    text = replay(load_transcript("approval-denied")).result
    page = made_lessons.PAGE.replace('at = "aurora-run@t0.call"\n', EXPERIMENT % text)
    folder = made_lessons.small(tmp_path / "one")
    (folder / "lesson.toml").write_text(made_lessons.DECLARED + page, encoding="utf-8")
    assert made_lessons.problems(folder) == []
    async with learning(str(folder)) as driven:
        lesson = lesson_of(driven)
        assert lesson.tools == ("allow", "deny")
        await driven.press("2", "end")
        assert lesson.doing == "solved"
    async with learning(str(folder)) as driven:
        await solve_by_keys(driven)
        assert lesson_of(driven).doing == "solved"


async def test_deciding_while_predicting_asks_about_the_new_run() -> None:
    """The veil stays: the decided run is shown as far as its decision, and goes on from there."""
    async with opened("approval", at="t1.approve") as driven:
        await driven.press("p", "D")
        assert driven.place == "t1.approve"
        assert len(driven.stepper.seen.run.steps) < len(driven.stepper.session.run.steps)
        await driven.press("right")
        assert driven.place == "t1.append"
        assert "denied" in driven.text


async def test_another_cap_keeps_what_was_decided() -> None:
    """Decisions, cap and loop go together in the locator, and open the same run again."""
    async with opened("approval", at="t1.approve") as driven:
        await driven.press("A", "-")
        session = driven.stepper.session
        assert (session.run.max_turns, driven.place) == (9, "t1.approve")
        assert session.locator == "approval@t1.approve,max_turns=9,allow=t1.approve"
        driven.stepper.part(Places).open(Locator.parse(session.locator))
        assert driven.stepper.session.run.steps == session.run.steps
