"""The course map: a line a lesson with its state in a sign and in words, the chosen one at length.

In class nothing of what a reader has done is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from visualizer.app.course import Course, Station
from visualizer.errors import VisualizerError
from visualizer.i18n import Texts
from visualizer.text import display_safe, wrap
from visualizer.tui.draw.segments import Line, Seg, fit, spread

if TYPE_CHECKING:
    from visualizer.app.shelf import Shelf
    from visualizer.lessons.model import LessonFile

SIGNS = {"done": "[x]", "read": "[x]", "here": "[>]", "begun": "[/]"}
ROLES = {"done": "note", "read": "note", "here": "next", "begin": "next", "next": "next"}
INDENT = 11


def begin_line(shelf: Shelf, course: Course | None, texts: Texts, width: int) -> list[Line]:
    """Where to begin, or to go on: a thing to click."""
    if course is None:
        return _begin(texts("course.in_class"), "text", "", width)
    if course.at is None:
        return _begin(texts("course.finished"), "text", "", width)
    station = course.stations[course.at]
    lesson = shelf.outline(station.name)
    if isinstance(lesson, VisualizerError):
        return _begin(texts("course.in_class"), "text", "", width)
    key = {"begin": "begin", "here": "go_on", "begun": "go_on"}.get(station.state, "next")
    said = texts(
        f"course.{key}",
        number=course.at + 1,
        title=display_safe(lesson.title.in_language(texts.language)),
        minutes=lesson.minutes,
        page=(station.page or 0) + 1,
        pages=station.told.pages,
    )
    return _begin(said, "next", f"choose:{course.at}", width)


def course_heading(shelf: Shelf, course: Course | None, texts: Texts, width: int) -> Line:
    """How many lessons there are, and how many are done."""
    count = len(shelf.lessons)
    if course is None:
        said = texts("course.title_in_class", n=count)
    else:
        said = texts("course.title", done=course.done, n=count)
    return fit([Seg(f" {said}", "title")], width)


def lesson_lines(
    shelf: Shelf, course: Course | None, number: int, chosen: bool, texts: Texts, width: int
) -> list[Line]:
    """A lesson; the chosen one with its goal, what is done in it, and what it builds on."""
    name = shelf.lessons[number]
    lesson = shelf.outline(name)
    mark = Seg(" > " if chosen else "   ", "done")
    if isinstance(lesson, VisualizerError):
        head = fit([mark, Seg(f"[?] {number + 1:>2}  {display_safe(name)}", "strong")], width)
        return [head, *_text(lesson.text(texts), width, "bad")]
    station = course.stations[number] if course else None
    sign = SIGNS.get(station.state, "[ ]") if station else "   "
    title = display_safe(lesson.title.in_language(texts.language))
    left = [mark, Seg(f"{sign} ", "done"), Seg(f"{number + 1:>2}  ", "dim"), Seg(title, "strong")]
    minutes = texts("course.minutes", n=lesson.minutes)
    state, role = _state(station, texts)
    right = [Seg(f"  {state}", role), Seg(f"   {minutes:>6} ", "dim")]
    lines = [spread(left, right, width)]
    if chosen:
        lines += _text(display_safe(lesson.goal.in_language(texts.language)), width)
        detail = "   ".join(_details(shelf, lesson, number, station, texts))
        lines += _text(detail, width, "dim") if detail else []
    return lines


def _state(station: Station | None, texts: Texts) -> tuple[str, str]:
    """Where the reader stands in a lesson, in words."""
    if station is None:
        return "", "dim"
    right, asked = station.quiz
    quiz = [texts("course.quiz", right=right, n=asked)] if asked else []
    if station.state == "ahead":
        return "".join(quiz), "text"
    said = texts(
        f"course.state.{station.state}",
        page=(station.page or 0) + 1,
        pages=station.told.pages,
        open=station.told.left,
    )
    return texts("course.comma").join([said, *quiz]), ROLES.get(station.state, "text")


def _details(
    shelf: Shelf, lesson: LessonFile, number: int, station: Station | None, texts: Texts
) -> list[str]:
    """What is done in the lesson, and what it builds on where that is not the one before."""
    found = []
    if station is not None and station.told.seen:
        done = station.told
        found.append(
            texts(
                "screen.library.progress",
                seen=done.seen,
                pages=done.pages,
                right=done.right,
                questions=done.questions,
            )
        )
    needs = [shelf.lessons.index(one) for one in lesson.builds_on if one in shelf.lessons]
    if needs and needs != [number - 1]:
        names = texts("course.comma").join(str(one + 1) for one in sorted(needs))
        found.append(texts("course.builds_on", lessons=names))
    return found


def _begin(text: str, role: str, click: str, width: int) -> list[Line]:
    return [fit([Seg(" "), Seg(part, role, click)], width) for part in wrap(text, width - 2, 2)]


def _text(text: str, width: int, role: str = "text") -> list[Line]:
    parts = wrap(text, width - INDENT - 2, 2)
    return [fit([Seg(" " * INDENT), Seg(part, role)], width) for part in parts]
