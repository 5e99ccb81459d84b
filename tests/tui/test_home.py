"""The home screen: the lessons as a course, the scenarios in groups, and how one finds them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tui.screens import GOLDEN, LANGUAGES, SIZES, Driven, opened
from visualizer.app.classroom import Classroom
from visualizer.collection.groups import scenario_groups
from visualizer.learner.progress import Progress
from visualizer.lessons.files import lesson_names, load_lesson
from visualizer.lessons.model import GUESSES
from visualizer.loading import load_transcript
from visualizer.tui.home.screen import LibraryScreen

BOTH = pytest.mark.parametrize(("size", "language"), list(zip(SIZES, LANGUAGES, strict=True)))


def learnt(file: Path, whole: int = 1, pages: int = 5, answered: bool = True) -> Path:
    """A file of progress: the first lessons whole, some pages of the one behind them."""
    progress = Progress.load(file)
    names = lesson_names()
    for name in names[:whole]:
        for page in load_lesson(name).pages:
            progress.see(name, page.id)
            for number, one in enumerate(page.asks):
                if answered and one.kind not in GUESSES:
                    progress.answer(name, page.id, number, True)
            if answered and page.experiment is not None:
                progress.solve(name, page.id)
    if whole < len(names):
        for page in load_lesson(names[whole]).pages[:pages]:
            progress.see(names[whole], page.id)
    assert progress.save() is None
    return file


def home_of(driven: Driven) -> LibraryScreen:
    """The home screen, which must be on top."""
    assert isinstance(driven.app.screen, LibraryScreen)
    return driven.app.screen


def chosen(driven: Driven) -> str:
    """The name of the chosen entry."""
    home = home_of(driven)
    return home.items[home.at].name


def row(driven: Driven, text: str) -> str:
    """The first line of the screen that holds a text."""
    return next(line for line in driven.text.split("\n") if text in line)


@BOTH
async def test_it_says_where_to_begin(size: tuple[int, int], language: str, tmp_path: Path) -> None:
    """Without progress the first lesson is where to begin, in words, and it is chosen."""
    async with opened(None, size, language, progress=tmp_path / "p.json") as driven:
        said = driven.app.texts
        lines = driven.text.split("\n")
        title = load_lesson("the-loop").title.in_language(language)
        expected = said("course.begin", number=1, title=title, minutes=30)
        assert expected in "".join(line.strip() for line in lines[1:3]) or expected in lines[1]
        assert said("course.state.begin") in row(driven, "[ ]")
        assert chosen(driven) == "the-loop"
        await driven.press("enter")
        assert driven.name == "LessonScreen"


@BOTH
async def test_it_says_what_is_done_where_one_is_and_what_comes(
    size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    """Done, here and ahead are told apart by signs and words; Enter goes on at the page."""
    async with opened(None, size, language, progress=learnt(tmp_path / "p.json")) as driven:
        said = driven.app.texts
        pages = load_lesson("the-edges").pages
        assert said("course.state.done") in row(driven, "[x]  1")
        here = said("course.state.here", page=5, pages=len(pages))
        assert here in row(driven, "[>]  2")
        assert row(driven, "[ ]  3")
        assert said("course.title", done=1, n=len(lesson_names())) in driven.text
        assert chosen(driven) == "the-edges"
        await driven.press("enter")
        assert pages[4].text(language).title in driven.text


async def test_after_a_whole_lesson_the_next_one_is_named(tmp_path: Path) -> None:
    """Where the last lesson seen is read, the one behind it comes next."""
    async with opened(None, progress=learnt(tmp_path / "p.json", 1, 0)) as driven:
        assert "Next: lesson 2, The edges" in driven.text
        assert "comes next" in row(driven, "[ ]  2")


async def test_what_was_left_out_is_said(tmp_path: Path) -> None:
    """A lesson whose pages were all seen counts as read; what is left to do is counted."""
    file = learnt(tmp_path / "p.json", 1, 0, answered=False)
    async with opened(None, progress=file) as driven:
        assert "left to do" in row(driven, "[x]  1")


async def test_after_all_lessons_it_says_so(tmp_path: Path) -> None:
    """When every lesson is read, nothing comes next."""
    file = learnt(tmp_path / "p.json", len(lesson_names()))
    async with opened(None, progress=file) as driven:
        assert "All lessons are read." in driven.text
        assert "comes next" not in driven.text


async def test_a_lesson_begun_elsewhere_goes_on_at_its_first_unseen_page(tmp_path: Path) -> None:
    """Two lessons are begun: the one seen last is here, the other one goes on where it stopped."""
    file = learnt(tmp_path / "p.json", 0, 3)
    progress = Progress.load(file)
    progress.see("the-edges", load_lesson("the-edges").pages[0].id)
    progress.save()
    async with opened(None, progress=file) as driven:
        assert "begun" in row(driven, "[/]  1")
        assert chosen(driven) == "the-edges"
        await driven.press("up", "enter")
        assert load_lesson("the-loop").pages[3].text("en").title in driven.text


async def test_only_what_is_more_than_the_order_is_said_to_build_on(tmp_path: Path) -> None:
    """Lesson 2 builds on the one before it, which goes without saying; lesson 4 only on 1."""
    async with opened(None, progress=tmp_path / "p.json") as driven:
        await driven.press("down")
        assert "builds on" not in driven.text
        await driven.press("down", "down")
        assert chosen(driven) == "coding-agent"
        assert "builds on lesson 1" in driven.text


@BOTH
async def test_every_scenario_is_reached_under_its_heading(
    size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    """PgDn leads from heading to heading; each group's first scenario is chosen and told."""
    async with opened(None, size, language, progress=tmp_path / "p.json") as driven:
        for group in scenario_groups():
            await driven.press("pagedown")
            assert chosen(driven) == group.names[0]
            assert group.heading(driven.app.texts) in driven.text
        await driven.press("pagedown")
        assert chosen(driven) == scenario_groups()[-1].names[-1]
        if len(scenario_groups()[-1].names) > 1:
            await driven.press("pageup")
            assert chosen(driven) == scenario_groups()[-1].names[0]
        await driven.press("home", "down", "end")
        assert chosen(driven) == scenario_groups()[-1].names[-1]


@BOTH
async def test_typing_narrows_the_list_and_the_choice_is_kept(
    size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    """What holds the words stays, under its heading; Escape shows all, the same one chosen."""
    async with opened(None, size, language, progress=tmp_path / "p.json") as driven:
        await driven.press("/")
        await driven.type("refus")
        names = [item.name for item in home_of(driven).items]
        assert "refusal" in names
        assert "paris" not in names
        await driven.press("down")
        kept = chosen(driven)
        await driven.press("escape")
        assert chosen(driven) == kept
        assert len(home_of(driven).items) > len(names)
        await driven.press("/")
        await driven.type("python-files")
        await driven.press("enter")
        assert driven.stepper.session.scenario.name == "python-files"
        await driven.press("escape")
        assert chosen(driven) == "python-files"


async def test_words_that_nothing_holds_say_so(tmp_path: Path) -> None:
    """An empty list says that nothing matches; Enter does nothing then."""
    async with opened(None, progress=tmp_path / "p.json") as driven:
        await driven.press("/")
        await driven.type("zebra")
        assert "Nothing matches." in driven.text
        await driven.press("enter", "backspace", "up", "escape")
        assert chosen(driven) == "the-loop"


async def test_everything_is_done_by_mouse(tmp_path: Path) -> None:
    """The line that says where to begin, a row, and the footer's entries are clicked."""
    async with opened(None, size=(140, 45), progress=tmp_path / "p.json") as driven:
        await driven.click("Begin here")
        assert driven.name == "LessonScreen"
        await driven.press("escape")
        await driven.click("two-birth-years")
        assert driven.stepper.session.scenario.name == "two-birth-years"
        await driven.press("escape")
        await driven.click("/ search")
        assert home_of(driven).prompt is not None


async def test_a_class_sees_nothing_of_what_one_has_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In class the course has no signs, states or scores, and private transcripts are gone."""
    data = Path(load_transcript("paris").path or "").read_bytes()
    (tmp_path / "secret.json").write_bytes(data)
    monkeypatch.setattr("visualizer.files.resources._user_folder", lambda: tmp_path)
    file = learnt(tmp_path / "p.json.kept")
    async with opened(None, size=(140, 60), progress=file) as driven:
        await driven.press("end")
        assert "secret" in driven.text
    async with opened(None, size=(140, 60), progress=file, classroom=Classroom(True)) as driven:
        assert chosen(driven) == "the-loop"
        await driven.press("down", "end")
        for private in ("[x]", "[>]", "done", "you are here", "right", "secret", "Your own"):
            assert private not in driven.text, private
        await driven.press("pageup", "enter", "s", *"secret")
        assert "Nothing matches." in driven.text
        await driven.press("escape", "escape", "I", "end")
        assert "secret" in driven.text


@pytest.mark.parametrize("name", ["home-80x24-en", "home-80x24-ja", "home-140x45-en"])
async def test_it_looks_as_it_did(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first screen is, character by character, the one that was looked at and kept.

    With four lessons and three groups of scenarios, whatever else is added to the course.
    """
    names = [one for group in scenario_groups()[:3] for one in group.names]
    lessons = ["the-loop", "the-edges", "six-mistakes", "coding-agent"]
    monkeypatch.setattr("visualizer.app.shelf.scenario_names", lambda: names)
    monkeypatch.setattr("visualizer.lessons.files.lesson_names", lambda: lessons)
    _, size, language = name.split("-")
    width, height = map(int, size.split("x"))
    file = learnt(tmp_path / "p.json")
    async with opened(None, (width, height), language, progress=file) as driven:
        shown = driven.text + "\n"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")
