"""The quiz of a lesson: questions computed from runs, another set on each attempt.

A quiz is a lesson whose pages ask one question each, so whatever shows a page shows it. What
is asked depends on the lesson's name and the attempt alone: places that the pages did not ask
about, in the recordings of the lesson and in ones of the same group that it did not use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import cycle, islice
from typing import TypeVar

from visualizer.collection.groups import scenario_groups
from visualizer.i18n import LANGUAGES, texts
from visualizer.lessons.facts import Place, Stage, try_at
from visualizer.lessons.model import GUESSES, Ask, Lesson, Page, QuestionKind, View
from visualizer.lessons.prose import PageText, Paragraph, Span
from visualizer.lessons.questions import ask
from visualizer.locator import Locator
from visualizer.text import display_safe

T = TypeVar("T")
GENERAL: tuple[QuestionKind, ...] = ("next_line", "sent", "exit", "tool_rounds", "returned")
"""Kinds that any run can be asked, where a lesson asks few kinds itself."""
FEWEST_KINDS = 4
NEAR = 3
"""A group is a lesson's own that it shows at least a third as often as the one it shows most."""
MOST_STEPS = 400
"""Longer runs are not drawn from."""
FRESH: frozenset[QuestionKind] = frozenset({"sent", "new"})
"""Of the first call these ask what nobody gets wrong."""
SHOWN: frozenset[View] = frozenset({"events", "chained"})
"""Views that a question needs beside it; others only help on their page."""


@dataclass(frozen=True, slots=True)
class _Pools:
    """The runs to draw from: those of the lesson, and others; what its pages ask already.

    ``changed`` are the kinds that its pages ask only where the reader has changed a result.
    """

    used: tuple[Locator, ...]
    unseen: tuple[Locator, ...]
    asked: frozenset[tuple[QuestionKind, Locator, int]]
    changed: frozenset[QuestionKind]

    def allow(self, kind: QuestionKind, at: Locator) -> bool:
        """Whether a kind may be asked in a run: some are about changed results only."""
        return kind not in self.changed or bool(at.observations)


def quiz(lesson: Lesson, attempt: int, stage: Stage | None = None) -> Lesson:
    """The quiz of an attempt (1, 2, …), as a lesson. It has fewer pages where too few are found."""
    stage = stage or Stage()
    pools = _pools(lesson, stage)
    views = _views(lesson)
    found = islice(_drawn(lesson, attempt, pools, stage), lesson.quiz.questions)
    pages = []
    for number, (kind, at) in enumerate(found, start=1):
        new = at._replace(place=None) in pools.unseen
        view = views.get(kind)
        words = {language: _text(at, new, stage, language) for language in LANGUAGES}
        pages.append(Page(f"quiz-{number}", at, words, view, asks=(Ask(kind),)))
    return replace(lesson, pages=tuple(pages))


def used(lesson: Lesson) -> Counter[str]:
    """The scenarios that the pages of a lesson show or ask about, and how often."""
    return Counter(at.name for at in _locators(lesson))


def unseen(lesson: Lesson) -> tuple[str, ...]:
    """The scenarios to draw from beside the lesson's own: named by it, or of its groups."""
    own = used(lesson)
    if lesson.quiz.scenarios:
        return tuple(name for name in lesson.quiz.scenarios if name not in own)
    groups = [group for group in scenario_groups(private=False) if group.title is not None]
    weights = [sum(own[name] for name in group.names) for group in groups]
    near = [
        group
        for group, weight in zip(groups, weights, strict=True)
        if weight and weight * NEAR >= max(weights)
    ]
    return tuple(name for group in near for name in group.names if name not in own)


def _locators(lesson: Lesson) -> Iterator[Locator]:
    """Every place that the pages of a lesson show or ask about."""
    for page in lesson.pages:
        yield page.at
        if page.beside is not None:
            yield page.beside
        yield from (Locator.written(one.at) for one in page.asks if one.at is not None)


def _pools(lesson: Lesson, stage: Stage) -> _Pools:
    own = dict.fromkeys(at._replace(place=None) for at in _locators(lesson))
    often = Counter(at.loop for at in own)
    loops = [None, *(loop for loop in often if loop is not None and often[loop] > 1)]
    fresh = [Locator(name, loop=loop) for name in unseen(lesson) for loop in loops]
    asked: set[tuple[QuestionKind, Locator, int]] = set()
    plain: set[QuestionKind] = set()
    changed: set[QuestionKind] = set()
    for page in lesson.pages:
        for one in page.asks:
            at = Locator.written(one.at) if one.at else page.at
            (changed if at.observations else plain).add(one.kind)
            place = try_at(stage, at)
            if isinstance(place, Place):
                asked.add((one.kind, at._replace(place=None), place.index))
    return _Pools(tuple(own), tuple(fresh), frozenset(asked), frozenset(changed - plain))


def _kinds(lesson: Lesson) -> list[QuestionKind]:
    """What to ask: what the pages ask and can be scored; more where that is little."""
    own = [
        one.kind
        for page in lesson.pages
        for one in page.asks
        if one.kind not in GUESSES and one.on is None
    ]
    kinds = list(dict.fromkeys(own))
    return kinds if len(kinds) >= FEWEST_KINDS else list(dict.fromkeys([*kinds, *GENERAL]))


def _views(lesson: Lesson) -> dict[QuestionKind, View]:
    """The view that a kind of question needs, as the pages have it."""
    return {
        one.kind: page.view
        for page in reversed(lesson.pages)
        for one in page.asks
        if page.view in SHOWN
    }


def _drawn(
    lesson: Lesson, attempt: int, pools: _Pools, stage: Stage
) -> Iterator[tuple[QuestionKind, Locator]]:
    """Questions without end or until there are no more: kinds in turn, every other one new."""
    seed = f"{lesson.name}/{attempt}"
    kinds = _mixed(_kinds(lesson), seed)
    taken: set[tuple[QuestionKind, Locator]] = set()
    often: dict[str, int] = {}
    misses = 0
    for number, kind in enumerate(cycle(kinds)):
        both = (pools.unseen, pools.used) if number % 2 else (pools.used, pools.unseen)
        at = None
        for runs in both:
            mixed = _mixed(runs, f"{seed}/{number}")
            least = sorted(mixed, key=lambda run: often.get(run.name, 0))
            fresh = (run for run in least if (kind, run) not in taken and pools.allow(kind, run))
            at = at or _place(kind, fresh, f"{seed}/{number}", pools, stage)
        misses = 0 if at else misses + 1
        if misses > len(kinds):
            return
        if at is not None:
            taken.add((kind, at._replace(place=None)))
            often[at.name] = often.get(at.name, 0) + 1
            yield kind, at


def _place(
    kind: QuestionKind, runs: Iterator[Locator], seed: str, pools: _Pools, stage: Stage
) -> Locator | None:
    """A place in one of some runs where a kind can be asked, with a score, for the first time."""
    said = texts("en")
    for at in runs:
        start = try_at(stage, at)
        if not isinstance(start, Place) or len(start.run.steps) > MOST_STEPS:
            continue
        run = start.run
        for step in _mixed(run.steps, f"{seed}/{at}", lambda one: one.place):
            if (kind, at, step.index) in pools.asked or run.locate(step.place) != step.index:
                continue
            if kind in FRESH and (not run.calls or step.index <= run.calls[0].step):
                continue
            question = ask(kind, run, step.index, said, start.scenario)
            if question is not None and question.scored:
                return at._replace(place=step.place)
    return None


def _mixed(items: Sequence[T], seed: str, name: Callable[[T], object] = str) -> list[T]:
    """The items in an order that the seed alone decides, on any machine."""

    def key(item: T) -> bytes:
        return blake2b(f"{seed}/{name(item)}".encode(), digest_size=8).digest()

    return sorted(items, key=key)


def _text(at: Locator, new: bool, stage: Stage, language: str) -> PageText:
    """Which recording a question is about. Its scenario's own title may tell how it ends."""
    said = texts(language)
    recording = stage.decided(at).recording
    title = display_safe(recording.title.in_language(language))
    key = "quiz.page.new" if new else "quiz.page.known"
    return PageText(said("quiz.title"), (Paragraph((Span(said(key, title=title)),)),))
