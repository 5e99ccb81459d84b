"""Lessons as text: every page, in every state, at every size, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from visualizer.app import options
from visualizer.app.glyphs import ASCII, BOX
from visualizer.app.lesson_session import LessonSession
from visualizer.app.lesson_view import end_of, leaf_of, lens_of
from visualizer.app.view import Settings, View
from visualizer.i18n import texts
from visualizer.learner.progress import Progress
from visualizer.lessons.files import lesson_names, load_lesson
from visualizer.lessons.prose import Paragraph
from visualizer.text import cells
from visualizer.tui.draw.segments import Painted, plain
from visualizer.tui.lesson import painter
from visualizer.tui.lesson.end import lesson_end
from visualizer.tui.stepper import counts

SIZES = [(60, 20), (80, 24), (120, 36), (140, 45)]


@cache
def names() -> list[str]:
    """The shipped lessons."""
    return lesson_names()


def opened(name: str) -> LessonSession:
    """A lesson without a file of progress."""
    return LessonSession.open(load_lesson(name), Progress(Path("nowhere.json")))


def paint(one: LessonSession, size: tuple[int, int], language: str) -> Painted:
    """The lesson's screen at a size."""
    said, glyphs = texts(language), ASCII if language == "ja" else BOX
    view = View(one.seen, said, glyphs, Settings(), "", lens_of(one, said))
    return painter.lesson(view, leaf_of(one, said, glyphs, names()), *size)


def states(one: LessonSession) -> Iterator[str]:
    """Every page as it opens; with a hint; after a wrong answer, and after the right one."""
    said = texts("en")
    yield "welcome"
    for number in range(len(one.lesson.pages)):
        one.turn_to(number)
        yield "opened"
        one.hints = 1 if one.page.text("en").hints else 0
        yield "hint"
        one.hints = 0
        while one.doing == "question":
            question = one.question(said)
            assert question is not None
            if question.scored:
                one.answer(options.keys(question)[question.right - 1], said)
                yield "wrong"
            one.answer(options.keys(question)[question.right], said)
            yield "answered"
            if one.asked + 1 < len(one.page.asks):
                one.go_on()
                yield "opened"


def squeezed(text: str) -> str:
    """A text without spaces and line breaks."""
    return "".join(text.split())


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", SIZES, ids=["60x20", "80x24", "120x36", "140x45"])
@pytest.mark.parametrize("name", names())
def test_every_page_fills_the_screen_and_nothing_of_it_is_cut(
    name: str, size: tuple[int, int], language: str
) -> None:
    """Exact lines; the page's text (or its hint), the question and its options are whole."""
    one, said = opened(name), texts(language)
    for state in states(one):
        painted = paint(one, size, language)
        lines = [plain(line) for line in painted.lines]
        where = (one.page.id, state)
        assert [cells(line) for line in lines] == [size[0]] * size[1], where
        shown = squeezed("".join(lines))
        asking = lens_of(one, said).asking
        if asking is not None:
            assert squeezed(asking.feedback) in shown, where
            for label in asking.options:
                assert squeezed(label) in shown, (where, label)
            if not asking.number:
                assert squeezed(asking.prompt) in shown, where
        if state != "hint":
            for block in one.page.text(language).blocks:
                if isinstance(block, Paragraph):
                    assert squeezed(block.plain) in shown, where


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", SIZES, ids=["60x20", "80x24", "120x36", "140x45"])
def test_a_hint_is_whole_and_the_question_stays(size: tuple[int, int], language: str) -> None:
    """Every hint can be read, with the question still on the screen."""
    said = texts(language)
    for name in names():
        one = opened(name)
        for number, page in enumerate(one.lesson.pages):
            one.turn_to(number)
            for count, hint in enumerate(page.text(language).hints, start=1):
                one.hints = count
                shown = squeezed("".join(map(plain, paint(one, size, language).lines)))
                assert squeezed(hint.plain) in shown, (page.id, count)
                question = one.question(said)
                if question is not None and question.scored:
                    assert squeezed(question.prompt) in shown, page.id


@pytest.mark.parametrize("size", SIZES, ids=["60x20", "80x24", "120x36", "140x45"])
def test_panes_are_apart(size: tuple[int, int]) -> None:
    """The areas of the mouse wheel lie inside the screen and on different lines."""
    for name in names():
        one = opened(name)
        for state in states(one):
            taken: set[tuple[int, int]] = set()
            for area in paint(one, size, "en").areas:
                assert area.y + area.height <= size[1], (one.page.id, state, area)
                spots = {
                    (x, y)
                    for x in (area.x, area.x + area.width - 1)
                    for y in range(area.y, area.y + area.height)
                }
                assert not taken & spots, (one.page.id, state, area)
                taken |= spots


@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_a_page_points_at_is_marked(language: str) -> None:
    """From 80x24 on, every page that points at something shows it with a mark or words."""
    said = texts(language)
    for name in names():
        one = opened(name)
        for number, page in enumerate(one.lesson.pages):
            one.turn_to(number)
            if page.point is None or page.view == "compare" or page.point.pane == "hand":
                continue
            for size in SIZES[1:]:
                lines = [plain(line) for line in paint(one, size, language).lines]
                words = f"<== {said('screen.point')}"
                assert any(words in line or line.startswith("*") for line in lines), (
                    page.id,
                    size,
                )


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", SIZES, ids=["60x20", "80x24", "120x36", "140x45"])
def test_the_end_of_a_lesson_fills_the_screen(size: tuple[int, int], language: str) -> None:
    """Score, next lesson and the pages left over, as many as fit."""
    said, glyphs = texts(language), ASCII if language == "ja" else BOX
    for name in names():
        one = opened(name)
        one.turn_to(len(one.lesson.pages))
        for following in (None, names()[0]):
            painted = lesson_end(end_of(one, said, following), said, glyphs, *size)
            sizes = [cells(plain(line)) for line in painted.lines]
            assert sizes == [size[0]] * size[1]


@pytest.mark.parametrize("size", [(59, 20), (60, 19), (20, 5)])
def test_a_window_too_small_says_so(size: tuple[int, int]) -> None:
    """Below 60x20 one sentence says what is needed."""
    painted = paint(opened(names()[0]), size, "en")
    assert [cells(plain(line)) for line in painted.lines] == [size[0]] * size[1]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_tool_calls_that_are_asked_for_are_not_counted_meanwhile(language: str) -> None:
    """Both forms of the counts show ? for them until the question is answered, then the number."""
    said = texts(language)
    one = opened("coding-agent")
    one.turn_to(one.lesson.number("at-least-three") or 0)
    shown = []
    for _ in range(2):
        view = View(one.seen, said, BOX, Settings(), "", lens_of(one, said))
        rows = [*counts.counts(view, 60, 6), counts.counts_line(view, 80)]
        shown.append("\n".join(map(plain, rows)))
        question = one.question(said)
        assert question is not None
        one.answer(options.keys(question)[question.right], said)
    waiting, answered = shown
    name = said("screen.counts.tools")
    assert [line.split()[-1] for line in waiting.split("\n") if name in line] == ["?"]
    assert waiting.count("?") == 2
    assert "?" not in answered
