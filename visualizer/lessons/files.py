"""From a name or a folder to a lesson, with every problem of its files at once."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from visualizer.errors import LessonError, LoopError, NotFoundError, Problem, TranscriptError
from visualizer.files.reading import read_file
from visualizer.files.resources import NAME, shipped
from visualizer.files.toml_file import read_toml
from visualizer.i18n import LANGUAGES
from visualizer.lessons.model import Index, Lesson, LessonFile, Page, PageEntry, Point
from visualizer.lessons.prose import PageText, sections
from visualizer.lessons.tasks import Task
from visualizer.locator import Locator
from visualizer.loops.registry import require_loop

INDEX = "index.toml"
DECLARATION = "lesson.toml"

T = TypeVar("T")
Found = tuple[str, Problem]


def lesson_names() -> list[str]:
    """The lessons that come with the program, in order. Raises ``LessonError``."""
    return list(read_index(shipped("lessons")).lessons)


def read_index(folder: Path) -> Index:
    """The index of a folder of lessons. Raises ``LessonError``."""
    return _read_toml(folder / INDEX, Index)


def load_lesson(name_or_path: str | Path) -> Lesson:
    """A lesson by its name, or from its folder.

    Raises ``NotFoundError`` where there is neither, ``LessonError`` with every problem where
    the files can't be used.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, str) and NAME.fullmatch(text):
        folder = shipped("lessons") / text
        if (folder / DECLARATION).is_file():
            return load_folder(folder)
    if (Path(name_or_path) / DECLARATION).is_file():
        return load_folder(Path(name_or_path))
    nearest = difflib.get_close_matches(text, lesson_names(), n=3, cutoff=0.4)
    raise NotFoundError("lesson.problem.no_lesson", text, nearest)


def load_outline(name: str) -> LessonFile:
    """What a shipped lesson's declaration says, without its texts. Raises ``LessonError``."""
    return _read_toml(shipped("lessons") / name / DECLARATION, LessonFile)


def load_folder(folder: Path) -> Lesson:
    """A lesson from its folder. Raises ``LessonError``."""
    declared = _read_toml(folder / DECLARATION, LessonFile)
    problems: list[Found] = []
    texts: dict[str, dict[str, PageText]] = {}
    teaching: dict[str, str] = {}
    for language in LANGUAGES:
        texts[language] = dict(_read_texts(folder / f"{language}.md", declared.page, problems))
        teaching[language] = _read_text(folder / f"teaching.{language}.md", problems)
    source = str(folder / DECLARATION)
    for number, entry in enumerate(declared.page):
        pointer = f"/page/{number}"
        problems += [(source, one) for one in _entry_problems(entry, pointer, declared.page)]
    problems += [(source, one) for one in _task_problems(declared)]
    if problems:
        raise LessonError(problems)
    tasks = {task.id: task for task in declared.task}
    pages = tuple(_page(entry, texts, tasks) for entry in declared.page)
    return Lesson(
        name=folder.name,
        folder=folder,
        title=declared.title,
        goal=declared.goal,
        minutes=declared.minutes,
        builds_on=declared.builds_on,
        quiz=declared.quiz,
        pages=pages,
        teaching=teaching,
    )


def _page(
    entry: PageEntry, texts: Mapping[str, Mapping[str, PageText]], tasks: Mapping[str, Task]
) -> Page:
    return Page(
        id=entry.id,
        at=Locator.written(entry.at),
        texts={language: pages[entry.id] for language, pages in texts.items()},
        view=entry.view,
        beside=Locator.written(entry.beside) if entry.beside else None,
        point=Point.parse(entry.point) if entry.point else None,
        task=tasks[entry.task] if entry.task else None,
        asks=entry.ask,
        experiment=entry.experiment,
    )


def _entry_problems(
    entry: PageEntry, pointer: str, pages: tuple[PageEntry, ...]
) -> Iterator[Problem]:
    """What is wrong with a page's table by itself."""
    if sum(page.id == entry.id for page in pages) > 1:
        yield Problem(f"{pointer}/id", "lesson.problem.same_id", {"id": entry.id})
    if entry.ask and entry.experiment is not None:
        yield Problem(pointer, "lesson.problem.two_actions")
    if (entry.view == "compare") != (entry.beside is not None):
        yield Problem(f"{pointer}/beside", "lesson.problem.beside")
    for where, loop in _loops(entry):
        try:
            require_loop(loop)
        except LoopError as error:
            yield Problem(f"{pointer}/{where}", error.key, error.values)


def _loops(entry: PageEntry) -> Iterator[tuple[str, str]]:
    """Each loop that a page's table names, and where."""
    places = [("at", entry.at), ("beside", entry.beside)]
    places += [(f"ask/{number}/at", one.at) for number, one in enumerate(entry.ask)]
    for where, place in places:
        if place is not None and (loop := Locator.parse(place).loop) is not None:
            yield where, loop
    if entry.experiment is not None and entry.experiment.loop is not None:
        yield "experiment/loop", entry.experiment.loop


def _task_problems(declared: LessonFile) -> Iterator[Problem]:
    """Tasks that are named twice, or that no page gives; pages that name none there is."""
    have = [task.id for task in declared.task]
    wanted = {page.task for page in declared.page}
    for number, name in enumerate(have):
        if name in have[:number]:
            yield Problem(f"/task/{number}/id", "lesson.problem.same_id", {"id": name})
        elif name not in wanted:
            yield Problem(f"/task/{number}/id", "lesson.problem.unused_task", {"id": name})
    for number, page in enumerate(declared.page):
        if page.task is not None and page.task not in have:
            yield Problem(f"/page/{number}/task", "lesson.problem.no_task", {"id": page.task})


def _read_texts(
    path: Path, pages: tuple[PageEntry, ...], problems: list[Found]
) -> Iterator[tuple[str, PageText]]:
    """The texts of one language by page id; what is missing or left over is a problem."""
    source = _read_text(path, problems)
    if not source:
        return
    found, bad = sections(source)
    problems += [(str(path), problem) for problem in bad]
    wanted = [page.id for page in pages]
    have = [section.id for section in found]
    for page_id in wanted:
        if page_id not in have:
            problem = Problem("", "lesson.problem.no_text", {"id": page_id})
            problems.append((str(path), problem))
    for number, section in enumerate(found):
        where, values = str(section.line), {"id": section.id}
        if section.id not in wanted:
            problems.append((str(path), Problem(where, "lesson.problem.no_page", {**values})))
        elif section.id in have[:number]:
            problems.append((str(path), Problem(where, "lesson.problem.same_id", {**values})))
        elif not section.text.blocks:
            problems.append((str(path), Problem(where, "lesson.problem.no_words", {**values})))
        yield section.id, section.text
    if sorted(have) == sorted(wanted) and have != wanted:
        problems.append((str(path), Problem("", "lesson.problem.order")))


def _read_text(path: Path, problems: list[Found]) -> str:
    """The text of a file; ``""`` and a problem where it can't be read."""
    try:
        return read_file(path, str(path)).decode("utf-8-sig")
    except TranscriptError as error:
        problems += [(error.source, problem) for problem in error.problems]
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        problems.append((str(path), Problem("", "problem.not_utf8", {"line": line})))
    return ""


def _read_toml(path: Path, kind: type[T]) -> T:
    try:
        return read_toml(path, kind)
    except TranscriptError as error:
        raise LessonError([(error.source, problem) for problem in error.problems]) from None
