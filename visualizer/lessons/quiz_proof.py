"""Proves that a lesson's quiz can be made: enough questions, in every language."""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.errors import Problem, VisualizerError
from visualizer.i18n import LANGUAGES, texts
from visualizer.lessons.facts import Stage, try_at
from visualizer.lessons.model import Lesson
from visualizer.lessons.questions import ask
from visualizer.lessons.quiz import quiz, used
from visualizer.locator import Locator

ATTEMPTS = (1, 2)
"""The attempts that are tried out."""


def quiz_problems(lesson: Lesson, stage: Stage) -> Iterator[Problem]:
    """What is wrong with the quiz of a lesson, at its place in the declaration."""
    own = used(lesson)
    if any(isinstance(try_at(stage, Locator(name)), VisualizerError) for name in own):
        return  # a page names what there is not: that is said there
    named = False
    for number, name in enumerate(lesson.quiz.scenarios):
        pointer = f"/quiz/scenarios/{number}"
        try:
            stage.at(Locator(name))
        except VisualizerError as error:
            values: dict[str, object] = {"place": name, "why": error}
            yield Problem(pointer, "lesson.problem.place", values)
            named = True
            continue
        if name in own:
            yield Problem(pointer, "quiz.problem.used", {"name": name})
    for attempt in () if named else ATTEMPTS:
        yield from _attempt(lesson, attempt, stage)


def _attempt(lesson: Lesson, attempt: int, stage: Stage) -> Iterator[Problem]:
    pages = quiz(lesson, attempt, stage).pages
    wanted = lesson.quiz.questions
    if len(pages) < wanted:
        values: dict[str, object] = {"n": len(pages), "wanted": wanted, "attempt": attempt}
        yield Problem("/quiz/questions", "quiz.problem.few", values)
    for page in pages:
        place = stage.at(page.at)
        made = [
            ask(page.asks[0].kind, place.run, place.index, texts(language), place.scenario)
            for language in LANGUAGES
        ]
        for language, question in zip(LANGUAGES, made, strict=True):
            if question is None or question.right != (made[0] and made[0].right):
                values = {"place": str(page.at), "language": language}
                yield Problem("/quiz", "quiz.problem.language", values)
