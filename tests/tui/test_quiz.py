"""Taking a quiz by keys: answers, the result, the places in the runs, another attempt."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tui.learning import learning, right_key, wrong_key
from tests.tui.screens import GOLDEN, LANGUAGES, SIZES, Driven, opened
from visualizer.app.classroom import Classroom
from visualizer.app.quiz_session import QuizSession
from visualizer.learner.progress import Progress
from visualizer.lessons.questions import Question
from visualizer.tui.lesson.quiz_screen import QuizScreen

BOTH = pytest.mark.parametrize(("size", "language"), list(zip(SIZES, LANGUAGES, strict=True)))
LAST = "what-is-left-out"


def quiz_of(driven: Driven) -> QuizSession:
    """The quiz on the screen, which must be on top."""
    assert isinstance(driven.app.screen, QuizScreen)
    return driven.app.screen.lesson


def waits(driven: Driven) -> Question:
    """The question that waits."""
    quiz = quiz_of(driven)
    question = quiz.question(driven.app.texts)
    assert quiz.doing == "question"
    assert question is not None
    return question


async def take(driven: Driven, *how: str) -> None:
    """Answer one question after the other: ``right``, ``wrong``, or leave it out."""
    for one in how:
        question = waits(driven)
        if one == "right":
            await driven.press(right_key(question), "right")
        elif one == "wrong":
            await driven.press(wrong_key(question), "right")
        else:
            await driven.press("pagedown")


@BOTH
async def test_a_quiz_is_offered_taken_and_scored(
    size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    """The end of a lesson offers it; p begins; the result counts and is kept."""
    file = tmp_path / "p.json"
    async with learning(page=LAST, size=size, language=language, file=file) as driven:
        said = driven.app.texts
        await driven.press("right")
        offer = "".join(said("quiz.offer", n=6, key="p").split())
        assert offer in "".join(driven.text.split())
        await driven.press("p")
        assert said("quiz.where", n=1, m=6) in driven.text
        await take(driven, "right", "wrong", "right", "leave", "right", "wrong")
        assert quiz_of(driven).doing == "end"
        assert said("quiz.score", right=3, n=6) in driven.text
        for name, count in (("right", 3), ("wrong", 2), ("skipped", 1)):
            stamp = said(f"quiz.stamp.{name}")
            rows = [line[4:].strip() for line in driven.text.split("\n") if line[3:4].isdigit()]
            assert sum(row.startswith(stamp) for row in rows) == count
        await driven.press("escape")
        assert driven.name == "LessonScreen"
        assert said("quiz.offer_best", right=3, n=6) in driven.text
        kept = Progress.load(file).quiz("the-loop")
        assert (kept.attempts, kept.right, kept.asked) == (1, 3, 6)
        await driven.press("escape")
        assert said("course.quiz", right=3, n=6) in driven.text


@BOTH
async def test_what_was_wrong_is_shown_in_its_run(
    size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    """Enter on a result goes to the step that shows the answer, and Enter comes back to it."""
    async with opened(None, size, language, progress=tmp_path / "p.json") as driven:
        await driven.press("home", "p")
        await take(driven, "right", "wrong", "leave", "right", "right", "right")
        said = driven.app.texts
        for number, word in ((1, said("screen.answer.wrong")), (2, said("quiz.skipped", right=""))):
            await driven.press("down", "enter")
            quiz = quiz_of(driven)
            question = quiz.question(said)
            assert question is not None
            assert (quiz.number, quiz.doing) == (number, "answered")
            assert quiz.session.index == question.shown_at
            assert word[:6] in driven.text
            assert question.prompt[:12] in driven.text
            await driven.press("enter")
            assert quiz.doing == "end"
            assert driven.app.screen.__dict__["at"] == number
        await driven.press("enter", "left")
        assert quiz_of(driven).doing == "end"


async def test_a_question_is_answered_once(tmp_path: Path) -> None:
    """After a wrong answer the right one is shown; turning back does not ask again."""
    async with opened(None, progress=tmp_path / "p.json") as driven:
        await driven.press("home", "p")
        question = waits(driven)
        await driven.press(wrong_key(question))
        assert quiz_of(driven).doing == "answered"
        assert "NOT SO" in driven.text
        await driven.press(right_key(question), "right", "pageup")
        quiz = quiz_of(driven)
        assert (quiz.number, quiz.doing) == (0, "answered")
        assert quiz.right == 0


async def test_nothing_can_be_peeked_at_while_a_question_waits(tmp_path: Path) -> None:
    """Going on, the end, and another cap stay behind the question."""
    async with opened(None, progress=tmp_path / "p.json") as driven:
        await driven.press("home", "p")
        quiz = quiz_of(driven)
        run, stand = quiz.session.run, quiz.stand
        await driven.press("right", "end", "+", "g", "]")
        assert quiz.doing == "question"
        assert quiz.session.index <= stand
        assert quiz.session.run is run


async def test_escape_leaves_at_any_time_and_nothing_is_lost(tmp_path: Path) -> None:
    """Left before an answer, the same set comes again; left after one, another set."""
    async with opened(None, progress=tmp_path / "p.json") as driven:
        sets = []
        for answered in (0, 1, 1):
            await driven.press("home", "p")
            quiz = quiz_of(driven)
            sets.append(str([page.at for page in quiz.lesson.pages]))
            await take(driven, *["right"] * answered)
            await driven.press("escape")
            assert driven.name == "LibraryScreen"
        assert sets[0] == sets[1] != sets[2]
        assert driven.app.progress.quiz("the-loop").attempts == 2
        assert driven.app.progress.quiz("the-loop").asked == 0


async def test_another_attempt_follows_on_the_result(tmp_path: Path) -> None:
    """p on the result begins the next attempt; in the middle of a quiz it says what goes on."""
    async with opened(None, progress=tmp_path / "p.json") as driven:
        await driven.press("home", "p", "p")
        assert "The quiz is going on" in driven.text
        await take(driven, *["right"] * 6)
        first = quiz_of(driven)
        assert "6 of 6 right" in driven.text
        await driven.press("p")
        again = quiz_of(driven)
        assert (again.attempt, again.number, again.doing) == (2, 0, "question")
        assert again.lesson.pages != first.lesson.pages
        await take(driven, *["wrong"] * 6)
        assert "0 of 6 right" in driven.text
        assert "the best so far: 6 of 6" in driven.text


async def test_the_language_changes_in_the_middle(tmp_path: Path) -> None:
    """The same questions and answers go on in the other language, the result too."""
    async with opened(None, progress=tmp_path / "p.json") as driven:
        await driven.press("home", "p")
        await take(driven, "right", "wrong")
        await driven.press("L")
        await take(driven, *["right"] * 4)
        assert "6 問中 5 問正解" in driven.text
        await driven.press("L")
        assert "5 of 6 right" in driven.text


async def test_everything_is_done_by_mouse(tmp_path: Path) -> None:
    """The offer, an option, a result and the way back are clicked."""
    async with learning(page=LAST, size=(140, 45), file=tmp_path / "p.json") as driven:
        await driven.press("right")
        await driven.click("Quiz: 6 questions")
        option = waits(driven).options[0]
        await driven.click(f"1  {option}")
        assert quiz_of(driven).given
        await driven.press(*["pagedown"] * 6)
        await driven.click("LEFT OUT")
        assert quiz_of(driven).doing == "answered"
        await driven.click("go on")
        assert quiz_of(driven).doing == "end"


async def test_a_class_does_not_see_the_best_result(tmp_path: Path) -> None:
    """With explanations that wait, the result is this attempt's alone."""
    progress = Progress.load(tmp_path / "p.json")
    progress.end_quiz("the-loop", 6, 6)
    async with opened(None, progress=progress, classroom=Classroom(True)) as driven:
        await driven.press("home", "p", *["pagedown"] * 6)
        assert "0 of 6 right" in driven.text
        assert "best" not in driven.text
        await driven.press("I")
        assert "the best so far: 6 of 6" in driven.text


async def test_a_scenario_has_no_quiz(tmp_path: Path) -> None:
    """On the home screen p is about lessons, and says so elsewhere."""
    async with opened(None, progress=tmp_path / "p.json") as driven:
        await driven.press("end", "p")
        assert driven.name == "LibraryScreen"
        assert "A quiz belongs to a lesson" in driven.text


GOLDENS = {
    "quiz-80x24-en": ("right", "wrong"),
    "quiz-80x24-ja": ("right", "wrong"),
    "quiz-end-80x24-en": ("right", "wrong", "leave", "right", "wrong", "right"),
    "quiz-end-140x45-ja": ("right", "wrong", "leave", "right", "wrong", "right"),
}


@pytest.mark.parametrize("name", GOLDENS)
async def test_it_looks_as_it_did(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question and a result are, character by character, those that were looked at."""
    others = ("aurora-run-talkative",)  # whatever else is added to the group
    monkeypatch.setattr("visualizer.lessons.quiz.unseen", lambda lesson: others)
    size, language = name.split("-")[-2:]
    width, height = map(int, size.split("x"))
    async with opened(None, (width, height), language, progress=tmp_path / "p.json") as driven:
        await driven.press("home", "p")
        await take(driven, *GOLDENS[name])
        if "end" in name:
            await driven.press("down")
        shown = driven.text + "\n"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")
