"""The lesson screen at work: the first start, moving about, hints, the end, progress."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import made_lessons
from tests.tui.learning import (
    learning,
    lesson_of,
    right_key,
    run_part,
    screen_of,
    waiting,
    wrong_key,
)
from tests.tui.screens import Driven, opened
from visualizer.app.classroom import Classroom
from visualizer.app.opening import Lesson, OneRun
from visualizer.errors import NotFoundError
from visualizer.learner.progress import Progress
from visualizer.lessons.files import lesson_names, load_lesson
from visualizer.tui import app as app_module
from visualizer.tui.app import VisualizerApp, run_app
from visualizer.tui.home.screen import LibraryScreen
from visualizer.tui.lesson.screen import LessonScreen
from visualizer.tui.stepper.screen import StepperScreen


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[VisualizerApp]:
    """Apps that would have been started."""
    found: list[VisualizerApp] = []

    def run(self: VisualizerApp) -> None:
        found.append(self)

    monkeypatch.setattr(app_module.VisualizerApp, "run", run)
    return found


async def test_the_very_first_screen_has_one_line_to_press(tmp_path: Path) -> None:
    """Lesson 1, page 1; one line says what to press; three keys are offered."""
    async with learning(file=tmp_path / "none.json") as driven:
        assert "Press Right or Space." in driven.text
        assert driven.text.split("\n")[-1].split() == (
            ["→", "go", "on", "←", "look", "back", "?", "all", "keys"]
        )
        await driven.press("space")
        assert "Press Right or Space." not in driven.text
        assert waiting(driven).kind == "who_next"


def test_the_first_start_opens_the_first_lesson_and_no_other_does(
    started: list[VisualizerApp], tmp_path: Path
) -> None:
    """Without a file of progress: lesson 1, page 1. With one: the library."""
    file = tmp_path / "progress.json"
    run_app(progress=file)
    screen = started[0].get_default_screen()
    assert isinstance(screen, LessonScreen)
    assert (screen.lesson.lesson.name, screen.lesson.number) == (lesson_names()[0], 0)
    started[0].progress.save()
    run_app(progress=file)
    assert isinstance(started[1].get_default_screen(), LibraryScreen)
    run_app(OneRun("paris"), progress=tmp_path / "other.json")
    assert isinstance(started[2].get_default_screen(), StepperScreen)


def test_a_lesson_and_a_page_can_be_asked_for(started: list[VisualizerApp], tmp_path: Path) -> None:
    """That page is opened; an unknown lesson is raised before."""
    run_app(Lesson("the-edges", "same-way-back"), progress=tmp_path / "p.json")
    screen = started[0].get_default_screen()
    assert isinstance(screen, LessonScreen)
    assert screen.lesson.page.id == "same-way-back"
    with pytest.raises(NotFoundError):
        run_app(Lesson("the-lop"))


def test_a_lesson_opens_beside_an_agenda(started: list[VisualizerApp], tmp_path: Path) -> None:
    """An instructor with an agenda gets the lesson that was asked for, not the home screen."""
    classroom = Classroom(on=True)
    run_app(Lesson("the-loop"), classroom=classroom, progress=tmp_path / "p.json")
    assert isinstance(started[0].get_default_screen(), LessonScreen)
    run_app(classroom=classroom, progress=tmp_path / "p.json")
    assert isinstance(started[1].get_default_screen(), LibraryScreen)


async def test_a_wrong_answer_says_both_and_asks_again() -> None:
    """Both are said, the line that shows it is marked, and the same question waits."""
    async with learning(page="check-reads-a-flag") as driven:
        question = waiting(driven)
        await driven.press(wrong_key(question))
        said = driven.text.replace("\n", " ")
        assert "NOT SO" in said
        assert "answer again" in " ".join(said.split())
        assert waiting(driven) == question
        marked = [line for line in driven.text.split("\n") if line.startswith("*")]
        assert any("results.append(tools(call))" in line for line in marked)
        await driven.press(right_key(question))
        assert "RIGHT" in driven.text
        assert lesson_of(driven).session.index == question.shown_at
        record = driven.app.progress.page("the-loop", "check-reads-a-flag").answers["0"]
        assert (record.right, record.at_once, record.tries) == (True, False, 2)


async def test_one_looks_back_while_a_question_waits() -> None:
    """Left goes back in the run, Right comes back to the question and no further."""
    async with learning(page="again-unaided") as driven:
        home = lesson_of(driven).session.index
        await driven.press("left", "left")
        assert lesson_of(driven).session.index == home - 2
        await driven.press("right", "right", "right", "end")
        assert lesson_of(driven).session.index == home
        assert driven.app.texts("screen.predict.waiting") in driven.text


async def test_nothing_changes_the_run_under_a_question() -> None:
    """+, -, another loop, another scenario and g are refused while a question waits."""
    async with learning(page="again-unaided") as driven:
        run = lesson_of(driven).session.run
        for key in ("+", "-", "o", "s", "g"):
            await driven.press(key)
            assert driven.name == "LessonScreen"
            assert driven.app.texts("screen.predict.waiting") in driven.text
        assert lesson_of(driven).session.run is run
        waiting(driven)


async def test_what_was_answered_is_not_asked_again() -> None:
    """Back on a page that is done, its answer is shown, and Right goes on."""
    async with learning(page="a-call-sends-everything") as driven:
        await driven.press(right_key(waiting(driven)), "right", "pageup")
        assert lesson_of(driven).doing == "answered"
        assert "RIGHT" in driven.text
        await driven.press("left")
        assert lesson_of(driven).page.id == "once-round"


async def test_zero_skips_and_the_page_comes_back_at_the_end() -> None:
    """A skipped question and a skipped experiment are listed at the end, to click."""
    async with learning(page="the-bound") as driven:
        await driven.press("0")
        for _ in range(40):
            if lesson_of(driven).doing == "end":
                break
            await driven.press("0" if lesson_of(driven).doing == "question" else "right")
            if lesson_of(driven).doing == "question" and "0 skip" not in driven.text:
                await driven.press("pagedown")  # there 0 is an answer
        assert "End of the lesson" in driven.text
        await driven.press("left", "right")
        assert "You are the loop" in driven.text
        await driven.click("You are the loop")
        assert lesson_of(driven).number == 0


async def test_the_last_page_leads_to_the_next_lesson() -> None:
    """After the end, Right opens the next lesson at its first page; after the last, the library."""
    async with learning(page="what-is-left-out") as driven:
        await driven.press("right")
        assert "Next lesson: The edges. Press Right." in " ".join(driven.text.split())
        await driven.press("right")
        assert (lesson_of(driven).lesson.name, lesson_of(driven).number) == ("the-edges", 0)
    last = load_lesson(lesson_names()[-1])
    async with learning(last.name, last.pages[-1].id) as driven:
        await driven.press("pagedown", "right")
        assert driven.name == "LibraryScreen"


async def test_numbers_are_answered_with_themselves() -> None:
    """Who means 3 presses 3; where 0 is an option, 0 answers and nothing is skipped."""
    async with learning(page="one-message-back") as driven:
        assert "3  3 messages" in driven.text
        await driven.press("3")
        assert lesson_of(driven).doing == "answered"
    async with learning(page="n-plus-1") as driven:
        assert "0 skip" not in driven.text
        await driven.press("0")
        assert (lesson_of(driven).doing, lesson_of(driven).asked) == ("answered", 0)


async def test_full_width_keys_work() -> None:
    """Digits and letters of an input method answer, hint and skip."""
    async with learning(page="one-message-back", language="ja") as driven:
        await driven.press("ｈ")
        assert driven.app.texts("screen.lesson.hint") in driven.text
        await driven.press("３")
        assert lesson_of(driven).doing == "answered"


async def test_language_changes_in_the_middle_of_a_question() -> None:
    """The same options in the same order, in the other language; feedback too."""
    async with learning(page="a-call-sends-everything") as driven:
        question = waiting(driven)
        await driven.press(wrong_key(question), "L")
        assert driven.app.texts.language == "ja"
        assert driven.app.texts("screen.answer.wrong") in driven.text
        assert waiting(driven).right == question.right
        await driven.press(right_key(waiting(driven)))
        assert lesson_of(driven).doing == "answered"


async def test_progress_is_kept_and_resumed(tmp_path: Path) -> None:
    """A new start shows pages and answers in the library and opens the page seen last."""
    file = tmp_path / "p.json"
    async with learning(page="a-call-sends-everything", file=file) as driven:
        await driven.press(right_key(waiting(driven)), "right")
        last = lesson_of(driven).page.id
    async with opened(None, progress=file) as driven:
        assert "page 2 of 21, right 1 of" in driven.text
        await driven.press("enter")
        assert lesson_of(driven).page.id == last
        await driven.press(right_key(waiting(driven)), "escape")
        assert "right 2 of" in driven.text


async def test_a_damaged_file_of_progress_is_a_notice(tmp_path: Path) -> None:
    """The lesson opens all the same, and says what happened to the file."""
    file = tmp_path / "p.json"
    file.write_text("{", encoding="utf-8")
    async with learning(file=file, size=(140, 45)) as driven:
        assert "p.json" in driven.text.split("\n")[-1]
        await driven.press("right")
        assert lesson_of(driven).doing == "question"
    assert json.loads(file.read_text(encoding="utf-8"))["version"] == 1
    assert (tmp_path / "p.json.damaged-1").exists()


async def test_progress_that_can_not_be_written_stops_nobody(tmp_path: Path) -> None:
    """Where the file can't be written, that is said once, and the lesson goes on."""
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    async with learning(page="once-round", file=blocked / "p.json", size=(140, 45)) as driven:
        await driven.press("pagedown")
        assert lesson_of(driven).page.id == "a-call-sends-everything"


async def test_lessons_and_scenarios_are_opened_from_the_library_in_turn() -> None:
    """Going to and fro leaves one lesson's screen, one stepper and one library."""
    async with opened(None) as driven:
        for _ in range(2):
            await driven.press("home", "enter")
            assert driven.name == "LessonScreen"
            await driven.press("escape", "pagedown", "enter")
            assert driven.name == "StepperScreen"
            await driven.press("escape")
            assert driven.name == "LibraryScreen"
        assert len(driven.app.screen_stack) == 1


async def test_pages_point_visibly_without_colour() -> None:
    """A pane, a line and a message are pointed at with words and a mark at the edge."""
    async with learning(page="once-round") as driven:
        assert "the loop" in next(line for line in pointed(driven) if "──" in line)
    async with learning(page="a-call-sends-everything") as driven:
        assert any(line.startswith("*CALL") for line in pointed(driven))
    async with learning(page="one-message-back") as driven:
        assert any(line.startswith("*2 user") for line in pointed(driven))


def pointed(driven: Driven) -> list[str]:
    """The lines that are pointed at."""
    return [line for line in driven.text.split("\n") if "<== look here" in line]


async def test_what_a_call_sent_is_hidden_while_it_is_asked() -> None:
    """The asked value is a question mark beside its line, then it is there."""
    async with learning(page="a-call-sends-everything") as driven:
        line = next(row for row in driven.text.split("\n") if "reply = model(messages) <" in row)
        assert line.rstrip().endswith("?")
        await driven.press(right_key(waiting(driven)))
        assert "sent message 0" in run_part(driven)


async def test_a_page_quotes_code_by_inclusion() -> None:
    """The quoted line on the page is the line of the loop that ran."""
    async with learning(page="a-call-sends-everything") as driven:
        page, run = driven.text.split(run_part(driven).split("\n")[0])
        assert "reply = model(messages)" in page
        assert "reply = model(messages)" in run


async def test_a_lesson_from_a_folder_has_no_number(tmp_path: Path) -> None:
    """A lesson that is not listed is played like the others."""
    folder = made_lessons.small(tmp_path / "mine", 'ask = [{ kind = "sent" }]')
    async with learning(str(folder), file=tmp_path / "p.json") as driven:
        assert driven.text.startswith(" Lesson  page 1 of 1  The first")
        await driven.press("right", right_key_of(driven), "right", "right")
        assert driven.name == "LibraryScreen"


def right_key_of(driven: Driven) -> str:
    """The digit of the right option of the question to come."""
    question = screen_of(driven).lesson.question(driven.app.texts)
    assert question is not None
    return right_key(question)


def test_scores_of_another_file_are_its_own(tmp_path: Path) -> None:
    """Two files of progress know nothing of each other."""
    one, other = Progress.load(tmp_path / "a.json"), Progress.load(tmp_path / "b.json")
    one.see("the-loop", "once-round")
    assert one.save() is None
    assert other.score("the-loop").seen == 0
