"""Proves lessons: everything that a page names exists, and everything it says is so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

from visualizer.describe.phrases import value_text
from visualizer.errors import LessonError, Problem, VisualizerError
from visualizer.i18n import LANGUAGES, texts
from visualizer.lessons.facts import (
    FACTS,
    Place,
    Stage,
    as_said,
    fact,
    line_of,
    quoted_lines,
    try_at,
)
from visualizer.lessons.files import DECLARATION, INDEX, Found, load_folder, read_index
from visualizer.lessons.goals import State, is_met, missing_fields, needless_fields, solve, start_of
from visualizer.lessons.layout import COLUMNS, LINES, page_lines
from visualizer.lessons.model import PANES, Ask, Goal, Lesson, Page, Point
from visualizer.lessons.numbers import counts, digits, references
from visualizer.lessons.prose import (
    CLAIM,
    QUOTE,
    Claim,
    PageText,
    Quote,
    paragraph,
    quote_of,
)
from visualizer.lessons.questions import ask_on
from visualizer.lessons.quiz_proof import quiz_problems
from visualizer.lessons.tasks import Task
from visualizer.locator import Locator
from visualizer.run.timeline import Run
from visualizer.text import cells, lines_of

TITLE_COLUMNS = 60
HINT_LINES = 3


def prove_folder(folder: Path) -> Iterator[Found]:
    """Every problem of a folder of lessons, or of one lesson."""
    yield from prove_all(folder) if (folder / INDEX).is_file() else prove(folder)


def prove_all(folder: Path) -> Iterator[Found]:
    """Every problem of a folder of lessons: what it lists, and what stands in it."""
    index = folder / INDEX
    try:
        listed = read_index(folder).lessons
    except LessonError as error:
        yield from error.problems
        return
    for number, name in enumerate(listed):
        where, values = f"/lessons/{number}", {"name": name}
        if name in listed[:number]:
            yield str(index), Problem(where, "lesson.problem.listed_twice", {**values})
        elif not (folder / name / DECLARATION).is_file():
            yield str(index), Problem(where, "lesson.problem.no_folder", {**values})
        else:
            yield from prove(folder / name)
            yield from _builds_on(folder / name, listed[:number])
    for path in sorted(folder.iterdir()):
        if (path / DECLARATION).is_file() and path.name not in listed:
            yield str(index), Problem("/lessons", "lesson.problem.unlisted", {"name": path.name})


def _builds_on(folder: Path, before: tuple[str, ...]) -> Iterator[Found]:
    """Lessons that one is said to build on and that are not taken before it."""
    try:
        lesson = load_folder(folder)
    except LessonError:
        return  # said already
    for number, name in enumerate(lesson.builds_on):
        if name not in before:
            problem = Problem(f"/builds_on/{number}", "course.problem.builds_on", {"name": name})
            yield str(folder / DECLARATION), problem


def prove(folder: Path) -> Iterator[Found]:
    """Every problem of one lesson."""
    try:
        lesson = load_folder(folder)
    except LessonError as error:
        yield from error.problems
        return
    yield from _left_over(folder)
    stage = Stage()
    for number, page in enumerate(lesson.pages):
        declared = str(folder / DECLARATION)
        yield from ((declared, one) for one in _page(page, f"/page/{number}", stage))
        for language in LANGUAGES:
            source = str(folder / f"{language}.md")
            yield from ((source, one) for one in _text(page, language, stage))
        yield from ((str(folder / "ja.md"), one) for one in _same_claims(page))
    yield from _teaching(lesson, stage)
    yield from ((str(folder / DECLARATION), one) for one in quiz_problems(lesson, stage))


def _left_over(folder: Path) -> Iterator[Found]:
    """Files that nothing reads: most likely mistyped."""
    known = {DECLARATION, *(f"{n}{x}.md" for n in ("", "teaching.") for x in LANGUAGES)}
    for path in sorted(folder.iterdir()):
        if path.name not in known and not path.name.startswith("."):
            yield str(path), Problem("", "lesson.problem.left_over")


def _page(page: Page, pointer: str, stage: Stage) -> Iterator[Problem]:
    """The places, the point, the questions and the experiment of a page."""
    place, bad = _find(page.at, f"{pointer}/at", stage)
    yield from bad
    if page.beside is not None:
        yield from _find(page.beside, f"{pointer}/beside", stage)[1]
    if place is None:
        return
    if page.view == "request" and place.run.call_at(place.index) is None:
        yield Problem(f"{pointer}/view", "lesson.problem.no_call", {"place": str(page.at)})
    if page.point is not None:
        yield from _point(page.point, f"{pointer}/point", place, stage)
    for number, one in enumerate(page.asks):
        yield from _ask(one, page.task, f"{pointer}/ask/{number}", place, stage)
    if page.experiment is not None:
        state = start_of(page.experiment, place.scenario, place.run, place.index)
        yield from _experiment(page.experiment, f"{pointer}/experiment", state)


def _find(
    locator: Locator, pointer: str, stage: Stage, default: str = "start"
) -> tuple[Place | None, list[Problem]]:
    try:
        return stage.at(locator, default), []
    except VisualizerError as error:
        values: dict[str, object] = {"place": str(locator), "why": error}
        return None, [Problem(pointer, "lesson.problem.place", values)]


def _point(point: Point, pointer: str, place: Place, stage: Stage) -> Iterator[Problem]:
    known = point.pane in PANES
    if point.what and point.pane == "messages":
        number = point.what
        messages = place.run.step(place.index).messages
        known = number.isascii() and number.isdigit() and int(number[:9]) < messages
    elif point.what and point.pane == "code":
        known = line_of(point.what, place.run.loop, place.run, stage) is not None
    elif point.what:
        known = False
    if not known:
        shown = f"{point.pane}:{point.what}" if point.what else point.pane
        yield Problem(pointer, "lesson.problem.point", {"point": shown})


def _ask(
    one: Ask, task: Task | None, pointer: str, place: Place, stage: Stage
) -> Iterator[Problem]:
    if one.at is not None:
        found, bad = _find(Locator.written(one.at), f"{pointer}/at", stage)
        yield from bad
        if found is None:
            return
        place = found
    made = ask_on(one, place.run, place.index, texts("en"), place.scenario, task)
    if made is None:
        where = f"{place.run.scenario}@{place.run.step(place.index).place}"
        values: dict[str, object] = {"kind": one.kind, "place": where}
        yield Problem(f"{pointer}/kind", "lesson.problem.not_asked_here", values)


def _experiment(goal: Goal, pointer: str, start: State) -> Iterator[Problem]:
    for name in missing_fields(goal):
        values: dict[str, object] = {"kind": goal.kind, "name": name}
        yield Problem(f"{pointer}/{name}", "lesson.problem.goal_needs", values)
        return
    for name in needless_fields(goal):
        yield Problem(f"{pointer}/{name}", "lesson.problem.goal_has", {"kind": goal.kind})
    if is_met(goal, start):
        yield Problem(pointer, "lesson.problem.solved_at_start")
    elif solve(goal, start) is None:
        yield Problem(pointer, "lesson.problem.unsolvable")


def _text(page: Page, language: str, stage: Stage) -> Iterator[Problem]:
    """The length, the claims and the quotations of a page in one language."""
    text = page.text(language)
    place = _find(page.at, "", stage)[0]
    run = place.run if place else None
    yield from _length(page.id, text, run, stage)
    yield from _claims(page.id, text.claims, stage)
    yield from _numbers(page, text, stage)
    for quote in text.quotes:
        yield from _quote(page.id, quote, run, stage)
    if cells(text.title) > TITLE_COLUMNS:
        values: dict[str, object] = {"n": cells(text.title), "most": TITLE_COLUMNS}
        yield Problem(page.id, "lesson.problem.long_title", values)


def _numbers(page: Page, text: PageText, stage: Stage) -> Iterator[Problem]:
    """Counts that no claim makes, and references to what no run of the page has."""
    for count in (count for one in text.paragraphs for count in counts(one.bare)):
        yield Problem(page.id, "lesson.problem.no_claim", {"count": count})
    named = [Locator.written(one.at) for one in page.asks if one.at is not None]
    named += [Locator.parse(claim.at) for claim in text.claims]
    named += [page.at] if page.beside is None else [page.at, page.beside]
    found = (try_at(stage, locator) for locator in named)
    runs = [place.run for place in found if isinstance(place, Place)]
    for reference in (one for bare in text.bare for one in references(bare)):
        if runs and not any(reference.is_in(run) for run in runs):
            yield Problem(page.id, "lesson.problem.not_there", {"said": reference.said})


def _length(page_id: str, text: PageText, run: Run | None, stage: Stage) -> Iterator[Problem]:
    lines = len(page_lines(text, COLUMNS, run, stage))
    if lines > LINES:
        yield Problem(page_id, "lesson.problem.long", {"n": lines, "most": LINES})
    for hint in text.hints:
        if len(hint.lines(COLUMNS)) > HINT_LINES:
            values: dict[str, object] = {"n": len(hint.lines(COLUMNS)), "most": HINT_LINES}
            yield Problem(page_id, "lesson.problem.long_hint", values)


def _claims(where: str, claims: Iterable[Claim], stage: Stage) -> Iterator[Problem]:
    for claim in claims:
        if claim.fact not in FACTS:
            known = ", ".join(FACTS)
            yield Problem(where, "lesson.problem.no_fact", {"fact": claim.fact, "known": known})
            continue
        place, bad = _find(Locator.parse(claim.at), where, stage, "end")
        yield from bad
        if place is None:
            continue
        value = fact(claim.fact, place)
        if claim.said not in as_said(value):
            values: dict[str, object] = {
                "said": claim.said,
                "value": value_text(value),
                "fact": f"{claim.at}#{claim.fact}",
            }
            yield Problem(where, "lesson.problem.claim", values)


def _quote(where: str, quote: Quote, run: Run | None, stage: Stage) -> Iterator[Problem]:
    if not quoted_lines(quote, run, stage):
        shown = "#".join(filter(None, quote))
        yield Problem(where, "lesson.problem.quote", {"quote": shown})


def _same_claims(page: Page) -> Iterator[Problem]:
    """Both languages claim the same facts and hold the same numbers, in whatever order."""
    english, japanese = (page.text(language) for language in ("en", "ja"))
    pairs = [sorted((c.at, c.fact) for c in text.claims) for text in (english, japanese)]
    for left, right in zip_longest(*pairs):
        if left != right:
            shown = "#".join(left or right)
            yield Problem(page.id, "lesson.problem.claims_differ", {"fact": shown})
            return
    if differing := digits(english.bare) ^ digits(japanese.bare):
        shown = ", ".join(sorted(differing))
        yield Problem(page.id, "lesson.problem.numbers_differ", {"numbers": shown})
    if sorted(english.quotes) != sorted(japanese.quotes):
        yield Problem(page.id, "lesson.problem.quotes_differ")
    if len(english.hints) != len(japanese.hints):
        yield Problem(page.id, "lesson.problem.hints_differ")


def _teaching(lesson: Lesson, stage: Stage) -> Iterator[Found]:
    """The claims and the quotations of the instructor's pages."""
    for language, source in lesson.teaching.items():
        path = str(lesson.folder / f"teaching.{language}.md")
        for number, line in enumerate(lines_of(source), start=1):
            claims = paragraph(line).claims if CLAIM.search(line) else ()
            yield from ((path, one) for one in _claims(str(number), claims, stage))
            for found in re.finditer(QUOTE, line):
                bad = _quote(str(number), quote_of(found), None, stage)
                yield from ((path, one) for one in bad)
