"""What a lesson shows at a moment: the page, the question, what is hidden and pointed at."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.app import options
from visualizer.app.beside import CompareSettings, CompareView
from visualizer.app.caps import CapTable, CapView
from visualizer.app.glyphs import Glyphs
from visualizer.app.lesson_session import PLACED, LessonSession
from visualizer.app.pages import End, Leaf, TaskView
from visualizer.app.prediction import choices, feedback, hidden_by
from visualizer.app.view import Asking, Lens
from visualizer.describe.phrases import kept
from visualizer.errors import VisualizerError
from visualizer.i18n import Texts
from visualizer.lessons.facts import quoted_lines
from visualizer.lessons.files import load_lesson
from visualizer.lessons.goals import sentence
from visualizer.lessons.model import GUESSES, Page
from visualizer.lessons.questions import Question
from visualizer.lessons.tasks import GATES
from visualizer.text import display_safe

STATES = {"question": "question", "welcome": "welcome", "experiment": "experiment"}


def lens_of(lesson: LessonSession, said: Texts) -> Lens:
    """What is asked, hidden and pointed at."""
    question = lesson.question(said)
    point = lesson.page.point
    line = lesson.line(said)
    pane = point.pane if point and not point.what and not line else ""
    message = int(point.what) if point and point.pane == "messages" and point.what else None
    return Lens(
        asking=asking_of(lesson, said),
        veiled=lesson.waits,
        hidden=_hidden(lesson, question),
        title=_recording(lesson, said) if lesson.waits else "",
        state=_state(lesson, said),
        choices=choices(question) if lesson.doing == "question" else (),
        pane=pane,
        line=line,
        message=message,
    )


def _hidden(lesson: LessonSession, question: Question | None) -> frozenset[str]:
    """What the question that waits would be answered by (else the run may be another one)."""
    if not lesson.waits:
        return frozenset()
    return hidden_by(question, lesson.session.run.step(lesson.home))


def asking_of(lesson: LessonSession, said: Texts) -> Asking | None:
    """The question or the experiment of the page, and what came of the last answer."""
    if lesson.page.experiment is not None:
        return _experiment(lesson, said)
    question = lesson.question(said)
    if question is None or lesson.doing == "welcome":
        return None
    stamp = said("screen.answer.question")
    told, good = "", None
    if lesson.chosen is not None:
        told, good = feedback(question, lesson.chosen, said)
    judged = question.kind == "judge"
    if lesson.doing == "answered":
        return Asking(stamp, question.prompt, feedback=told, good=good, judged=judged)
    if told:
        key = "again_line" if question.kind in PLACED and lesson.line(said) else "again"
        told = said(f"screen.lesson.{key}", feedback=told)
    labels, keys = options.labels(question, said), options.keys(question)
    kind = "judgement" if judged else "unscored"
    number = "" if question.scored else said(f"screen.answer.{kind}")
    return Asking(stamp, question.prompt, labels, keys, number=number, feedback=told, good=good)


def leaf_of(lesson: LessonSession, said: Texts, glyphs: Glyphs, names: Sequence[str]) -> Leaf:
    """The page in the reader's language; ``names`` are all lessons in order."""
    page = lesson.page
    text = page.text(said.language)
    run = lesson.session.run
    both = _both(lesson, said, glyphs)
    return Leaf(
        where=_where(lesson, said, names),
        title=text.title,
        blocks=text.blocks,
        quoted={quote: quoted_lines(quote, run, lesson.stage) for quote in text.quotes},
        hints=text.hints[: lesson.hints],
        welcome=said("screen.lesson.welcome") if lesson.doing == "welcome" else "",
        number=_number(lesson, said),
        look=page.view,
        both=both,
        caps=_caps(lesson, said, glyphs),
        task=_task(lesson),
    )


def end_of(
    lesson: LessonSession, said: Texts, following: str | None, best: tuple[int, int] = (0, 0)
) -> End:
    """What the lesson has come to, and what to do next."""
    pages = lesson.lesson.pages
    left = [number for number, page in enumerate(pages) if _is_left(lesson, page)]
    return End(
        where=said("screen.lesson.end"),
        title=display_safe(lesson.lesson.title.in_language(said.language)),
        goal=display_safe(lesson.lesson.goal.in_language(said.language)),
        score=lesson.progress.score(lesson.lesson.name),
        pages=len(pages),
        questions=sum(len(_scored(page)) for page in pages),
        experiments=sum(page.experiment is not None for page in pages),
        left=[(number, pages[number].text(said.language).title) for number in left],
        following="" if following is None else lesson_title(following, said),
        quiz=lesson.lesson.quiz.questions,
        best=best,
    )


def lesson_title(name: str, said: Texts) -> str:
    """The title of a lesson, or what is wrong with it."""
    try:
        return display_safe(load_lesson(name).title.in_language(said.language))
    except VisualizerError as error:
        return error.text(said)


def _both(lesson: LessonSession, said: Texts, glyphs: Glyphs) -> CompareView | None:
    """This run and the other one of the page, where it has another."""
    beside = lesson.both
    if beside is None:
        return None
    return CompareView(beside, said, glyphs, CompareSettings(), lesson.line(said))


def _caps(lesson: LessonSession, said: Texts, glyphs: Glyphs) -> CapView | None:
    """The cap families on the recording of the page, where it shows them."""
    session = lesson.session
    if lesson.page.view != "caps":
        return None
    table = kept(session.run, "_cap_table", lambda _: CapTable.around(session))
    hidden = range(len(table.rows) if lesson.waits else 0)
    return CapView(table, said, glyphs, frozenset(hidden))


def _task(lesson: LessonSession) -> TaskView | None:
    """The task of the page: an answer is shown once the reader has given their own."""
    page = lesson.page
    if page.task is None:
        return None
    open_from = lesson.asked + (lesson.doing == "answered")
    waiting = page.asks[open_from:] if lesson.doing != "read" else ()
    hidden = {one.on for one in waiting if one.kind == "judge"}
    shown = frozenset(gate for gate in GATES if gate not in hidden and None not in hidden)
    asked = page.asks[lesson.asked].on if lesson.doing in ("question", "answered") else None
    return TaskView(page.task, shown, asked)


def _experiment(lesson: LessonSession, said: Texts) -> Asking | None:
    goal = lesson.page.experiment
    if goal is None:
        return None
    told = sentence(goal, said)
    if lesson.doing == "solved":
        stamp = said("screen.lesson.try")
        return Asking(stamp, told, feedback=said("screen.lesson.solved"), good=True)
    tools = tuple(said(f"screen.lesson.tool.{name}") for name in lesson.tools)
    digits = tuple(str(number) for number in range(1, len(tools) + 1))
    return Asking(said("screen.lesson.try"), told, tools, digits, waits=False)


def _recording(lesson: LessonSession, said: Texts) -> str:
    """The recording's title: the scenario's own may tell how the run ends."""
    return display_safe(lesson.session.scenario.recording.title.in_language(said.language))


def _state(lesson: LessonSession, said: Texts) -> str:
    """Which keys the footer offers."""
    question = lesson.question(said)
    if lesson.doing == "question" and question and "0" in options.keys(question):
        return "number"
    return STATES.get(lesson.doing, "")


def _where(lesson: LessonSession, said: Texts, names: Sequence[str]) -> str:
    name = lesson.lesson.name
    page = {"n": lesson.number + 1, "m": len(lesson.lesson.pages)}
    if name in names:
        return said("screen.lesson.where", lesson=names.index(name) + 1, **page)
    return said("screen.lesson.where_alone", **page)


def _number(lesson: LessonSession, said: Texts) -> str:
    """Which question of the lesson this is."""
    if lesson.doing not in ("question", "answered") or not lesson.page.asks:
        return ""
    number, count = lesson.counted
    return said("screen.lesson.question", n=number, m=count)


def _scored(page: Page) -> set[int]:
    return {at for at, one in enumerate(page.asks) if one.kind not in GUESSES}


def _is_left(lesson: LessonSession, page: Page) -> bool:
    """Whether a page has a question not answered rightly, or an experiment not done."""
    record = lesson.progress.page(lesson.lesson.name, page.id)
    done = {int(asked) for asked, one in record.answers.items() if one.right}
    return bool(_scored(page) - done) or (page.experiment is not None and not record.solved)
