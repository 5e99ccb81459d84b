"""A lesson on paper: the worksheet and the answer key, as Markdown, computed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from visualizer.i18n import Texts
from visualizer.lessons.facts import Stage, quoted_lines
from visualizer.lessons.goals import sentence, solve, start_of
from visualizer.lessons.model import Goal, Lesson, Page
from visualizer.lessons.prose import CLAIM, QUOTE, Paragraph, Quote, Span, quote_of
from visualizer.lessons.questions import Question, ask_on
from visualizer.lessons.quiz import quiz
from visualizer.lessons.tasks import GATES
from visualizer.locator import Locator
from visualizer.text import display_safe, lines_of

_MARKS = {"": "", "bold": "**", "code": "`"}


def worksheet(lesson: Lesson, texts: Texts) -> Iterator[str]:
    """What learners get: the pages, the questions without their answers, room to write."""
    stage = Stage()
    yield f"# {_title(lesson, texts)}"
    yield ""
    yield display_safe(lesson.goal.in_language(texts.language))
    yield ""
    yield texts("lesson.handout.name")
    for number, page in enumerate(lesson.pages, start=1):
        yield from _page(page, number, texts, stage)
    yield from _quiz(lesson, texts, stage)


def answer_key(lesson: Lesson, texts: Texts) -> Iterator[str]:
    """What instructors get: the answers, and the page on how to teach the lesson."""
    stage = Stage()
    yield f"# {texts('lesson.handout.key', title=_title(lesson, texts))}"
    for number, page in enumerate(lesson.pages, start=1):
        answers = list(_answers(page, texts, stage))
        if answers:
            yield ""
            yield _heading(page, number, texts)
            yield ""
            yield from answers
    yield from ("", f"## {texts('quiz.handout')}", "")
    for page in quiz(lesson, 1, stage).pages:
        yield from _answers(page, texts, stage)
    yield ""
    yield from teaching(lesson, texts, stage)


def teaching(lesson: Lesson, texts: Texts, stage: Stage | None = None) -> Iterator[str]:
    """The instructor's page, its claims as plain text and its quotations filled in."""
    stage = stage or Stage()
    for line in lines_of(lesson.teaching[texts.language]):
        quote = QUOTE.fullmatch(line.strip())
        if quote is not None:
            yield from _code(quote_of(quote), None, stage)
        else:
            yield display_safe(re.sub(CLAIM, lambda claim: claim["said"], line))


def _quiz(lesson: Lesson, texts: Texts, stage: Stage) -> Iterator[str]:
    """The questions of the first attempt, each with its place and what it is about."""
    yield from ("", f"## {texts('quiz.handout')}")
    for number, page in enumerate(quiz(lesson, 1, stage).pages, start=1):
        about = " ".join(one.plain for one in page.text(texts.language).paragraphs)
        yield from ("", f"{number}. {about}", "")
        yield texts("lesson.handout.place", place=f"`visualizer open {page.at}`")
        for question, _ in _questions(page, texts, stage):
            yield from _to_answer(question)


def _title(lesson: Lesson, texts: Texts) -> str:
    return display_safe(lesson.title.in_language(texts.language))


def _heading(page: Page, number: int, texts: Texts) -> str:
    return f"## {number}. {page.text(texts.language).title}"


def _page(page: Page, number: int, texts: Texts, stage: Stage) -> Iterator[str]:
    yield ""
    yield _heading(page, number, texts)
    yield ""
    if page.task is not None:
        yield f"**{display_safe(page.task.title.in_language(texts.language))}**"
    else:
        yield texts("lesson.handout.place", place=f"`visualizer open {page.at}`")
    for block in page.text(texts.language).blocks:
        yield ""
        if isinstance(block, Paragraph):
            yield "".join(map(_marked, block.spans))
        else:
            yield from _code(block, page.at, stage)
    for question, elsewhere in _questions(page, texts, stage):
        if elsewhere is not None:
            yield ""
            yield texts("lesson.handout.place", place=f"`visualizer open {elsewhere}`")
        yield from _to_answer(question)
    if page.experiment is not None:
        place = stage.at(page.at)
        begun = start_of(page.experiment, place.scenario, place.run, place.index)
        if begun.lines:
            yield from ("", "```python", *begun.lines, "```")
        yield ""
        yield f"**{sentence(page.experiment, texts)}**"
        yield ""
        yield texts("lesson.handout.found")


def _to_answer(question: Question) -> Iterator[str]:
    """A question with its options to tick."""
    yield from ("", f"**{question.prompt}**", "")
    options = enumerate(question.options, start=1)
    yield from (f"- [ ] {digit}: {_option(option)}" for digit, option in options)


def _answers(page: Page, texts: Texts, stage: Stage) -> Iterator[str]:
    for question, _ in _questions(page, texts, stage):
        right = f"{question.right + 1}: {_option(question.options[question.right])}"
        if question.kind == "judge":
            right = texts("lesson.handout.judged", answer=right)
        elif not question.scored:
            right = texts("lesson.handout.unscored", answer=right)
        yield f"- {question.prompt} **{right}**"
    yield from _reasons(page, texts)
    if page.experiment is not None:
        yield from _solution(page.experiment, page, texts, stage)


def _reasons(page: Page, texts: Texts) -> Iterator[str]:
    """The answers to the four questions about a page's task, with their reasons."""
    if page.task is None or not page.asks:
        return
    for gate in GATES:
        judged = page.task.judged(gate)
        answer = texts(f"lesson.option.{judged.answer}")
        why = display_safe(judged.why.in_language(texts.language))
        name = texts(f"lesson.gate.{gate}")
        yield f"  - {texts('lesson.handout.reason', gate=name, answer=answer, why=why)}"


def _questions(page: Page, texts: Texts, stage: Stage) -> Iterator[tuple[Question, Locator | None]]:
    """The page's questions, each with its own place where it has one."""
    for one in page.asks:
        elsewhere = Locator.written(one.at) if one.at else None
        place = stage.at(elsewhere or page.at)
        asked = ask_on(one, place.run, place.index, texts, place.scenario, page.task)
        if asked is not None:
            yield asked, elsewhere


def _solution(goal: Goal, page: Page, texts: Texts, stage: Stage) -> Iterator[str]:
    """The experiment, and a state that meets it: a locator, or the lines in order."""
    place = stage.at(page.at)
    found = solve(goal, start_of(goal, place.scenario, place.run, place.index))
    if found is None:
        return
    if found.lines:
        yield from (f"- {sentence(goal, texts)}", "", "```python", *found.lines, "```")
        return
    cap, loop = found.run.max_turns, found.run.loop.name
    solution = Locator(
        found.scenario.name,
        found.run.step(found.index).place,
        None if cap == found.scenario.settings.max_turns else cap,
        page.at.loop if loop == place.run.loop.name else loop,
        tuple(one for one in found.run.decisions if one not in place.run.decisions),
        found.run.observations,
    )
    yield f"- {sentence(goal, texts)} **`{solution}`**"


def _code(quote: Quote, at: Locator | None, stage: Stage) -> Iterator[str]:
    run = stage.at(at).run if at else None
    yield "```python"
    yield from quoted_lines(quote, run, stage)
    yield "```"


def _marked(span: Span) -> str:
    mark = _MARKS.get(span.style, "")
    return f"{mark}{span.text}{mark}"


def _option(option: str) -> str:
    """An option as Markdown: code and values in code marks, words as they are."""
    plain = option.isascii() and re.search(r'^"|^None$|^return\b|\w\(|=', option)
    return f"`{option}`" if plain else option
