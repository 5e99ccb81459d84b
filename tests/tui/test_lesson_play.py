"""Every page of every lesson, played with keys, in both languages, on a small screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.learning import (
    learning,
    lesson_of,
    right_key,
    run_part,
    screen_of,
    solve_by_keys,
    waiting,
    wrong_key,
)
from tests.tui.screens import Driven
from visualizer.app.lesson_session import AFTERWARDS
from visualizer.learner.progress import Progress
from visualizer.lessons.files import lesson_names, load_lesson
from visualizer.lessons.model import GUESSES
from visualizer.lessons.prose import Paragraph
from visualizer.text import cells

GIVEN_AWAY = ("RETURNED", "CUT OFF", "NEVER SENT", "terminal_reason", "[EXIT", "STOPPED")
"""What says how a run ended."""
MOST = 400


def fits(driven: Driven) -> None:
    """The screen is whole: its lines have its width, its footer is there."""
    lines = driven.text.split("\n")
    assert len(lines) == driven.app.size.height
    assert max(map(cells, lines)) <= driven.app.size.width
    assert driven.app.texts("screen.foot.help") in lines[-1]


def page_is_there(driven: Driven) -> None:
    """The page's title and all of its text are on the screen, nothing cut."""
    text = lesson_of(driven).page.text(driven.app.texts.language)
    shown = driven.text
    assert text.title in shown.split("\n")[0]
    for block in text.blocks:
        for line in block.lines(76) if isinstance(block, Paragraph) else ():
            assert "".join(span.text for span in line).strip() in shown


def nothing_given_away(driven: Driven) -> None:
    """Below the page, the run shows nothing that comes after the question."""
    lesson, question = lesson_of(driven), waiting(driven)
    session = lesson.session
    seen = screen_of(driven).seen.run
    if lesson.stand < len(session.run.steps):
        assert len(seen.steps) == lesson.stand
        assert (seen.result, seen.terminal_reason) == (None, "")
    assert len(seen.calls) == sum(call.step <= lesson.stand for call in session.run.calls)
    lower = run_part(driven)
    if lesson.both is not None:  # the run on the right may have ended
        lower = "\n".join(line[: (driven.app.size.width - 1) // 2] for line in lower.split("\n"))
    if question.kind in AFTERWARDS and driven.app.texts.language == "en":
        assert not [word for word in GIVEN_AWAY if word in lower]


async def answer(driven: Driven) -> None:
    """Once wrongly (where there is a score), then rightly; both are said."""
    lesson, question = lesson_of(driven), waiting(driven)
    nothing_given_away(driven)
    if question.scored:
        await driven.press(wrong_key(question))
        assert lesson.doing == "question"
        assert driven.app.texts("screen.answer.wrong") in driven.text
        assert lesson.session.index == lesson.stand
        nothing_given_away(driven)
        fits(driven)
    await driven.press(right_key(question))
    assert lesson.doing == "answered"
    stamp = "view" if question.kind == "judge" else "right" if question.scored else "guess"
    assert driven.app.texts(f"screen.answer.{stamp}") in driven.text
    assert lesson.session.index == question.shown_at


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", lesson_names())
async def test_a_lesson_is_played_from_its_first_page_to_its_last(
    name: str, language: str, tmp_path: Path
) -> None:
    """Wrong answers ask again, right ones go on, experiments are solved; all of it is kept."""
    file = tmp_path / "kept.json"
    async with learning(name, language=language, file=file) as driven:
        lesson = lesson_of(driven)
        visited: list[str] = []
        for _ in range(MOST):
            if lesson.doing == "end":
                break
            fits(driven)
            page_is_there(driven)
            if lesson.page.id not in visited:
                visited.append(lesson.page.id)
            if lesson.doing == "question":
                await answer(driven)
            elif lesson.doing == "experiment":
                await solve_by_keys(driven)
                assert driven.app.texts("screen.lesson.solved") in driven.text
            else:
                await driven.press("right")
        assert visited == [page.id for page in lesson.lesson.pages]
        assert driven.app.texts("screen.lesson.end") in driven.text
        fits(driven)
    again = Progress.load(file).score(name)
    pages = load_lesson(name).pages
    scored = sum(one.kind not in GUESSES for page in pages for one in page.asks)
    assert again.seen == len(pages)
    assert again.right >= scored
    assert again.at_once <= again.right - scored
    assert again.solved == sum(page.experiment is not None for page in pages)


@pytest.mark.parametrize("page", ["nothing-stops-it", "with-a-bound"])
async def test_another_loop_may_end_long_before_the_place_of_the_page(
    page: str, tmp_path: Path
) -> None:
    """From the last of 202 steps to a run of a few: the page stays, the screen is whole."""
    async with learning("coding-agent", page, file=tmp_path / "kept.json") as driven:
        if lesson_of(driven).doing == "question":
            await driven.press(right_key(waiting(driven)))
        assert "step 202" in driven.text
        await driven.press("o")
        await driven.type("one_call")
        await driven.press("enter")
        assert lesson_of(driven).session.run.loop.name == "one_call"
        assert lesson_of(driven).page.id == page
        fits(driven)
