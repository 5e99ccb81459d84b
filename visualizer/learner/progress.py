"""What a reader has done in the lessons, kept in one file per user.

The file is JSON with a version, written whole to a temporary file that then takes its place.
Several windows may keep the same file: each adds what is new in it to what the others wrote.
A file that can't be read is set aside (``.damaged-1`` …), one of a later version is left
alone; both are said in a notice, and neither stops anyone.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from visualizer.errors import say
from visualizer.files.kept_file import locked, replace_whole
from visualizer.i18n import Texts
from visualizer.learner.progress_records import (
    VERSION,
    Answer,
    Kept,
    PageRecord,
    QuizRecord,
    take_over,
    take_over_quiz,
)

VARIABLE = "VISUALIZER_PROGRESS"
"""Environment variable: the file to use, instead of the user's."""
MAX_BYTES = 1 << 24


class Score(NamedTuple):
    """What a lesson has come to: pages seen, questions answered rightly (at once), solved."""

    seen: int
    right: int
    at_once: int
    solved: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell the reader about the file."""

    key: str
    values: Mapping[str, object]

    def text(self, texts: Texts) -> str:
        """The notice in a language, safe for a terminal."""
        return say(texts, self.key, dict(self.values))


class Progress:
    """The progress of one reader. Every change is kept by ``save``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notice: Notice | None = None
        self.writable = True
        self._data = Kept(VERSION)
        self._known = Kept(VERSION)  # what the file held when it was last read or written

    @classmethod
    def load(cls, path: str | Path | None = None) -> Progress:
        """The progress in a file, by default the user's. Never raises for what is in it."""
        progress = cls(progress_file() if path is None else Path(path))
        progress._data = progress._read() or progress._data
        progress._known = deepcopy(progress._data)
        return progress

    @classmethod
    def peek(cls, path: str | Path | None = None) -> Progress:
        """As ``load``, for a glance before: a damaged file waits for who will tell of it."""
        progress = cls(progress_file() if path is None else Path(path))
        progress._data = progress._read(aside=False) or progress._data
        return progress

    @property
    def last(self) -> tuple[str, str] | None:
        """The lesson and the page seen last."""
        return self._data.last

    @property
    def predictions(self) -> tuple[int, int]:
        """Right predictions outside lessons, and all of them."""
        return self._data.predicted_right, self._data.predicted

    def page(self, lesson: str, page: str) -> PageRecord:
        """What is known about a page; changing it changes the progress."""
        return self._data.lessons.setdefault(lesson, {}).setdefault(page, PageRecord())

    def has_seen(self, lesson: str, page: str) -> bool:
        """Whether the reader has looked at a page."""
        known = self._data.lessons.get(lesson, {}).get(page)
        return known is not None and known.seen

    def see(self, lesson: str, page: str) -> None:
        """The reader looks at a page."""
        self.page(lesson, page).seen = True
        self._data.last = (lesson, page)

    def answer(self, lesson: str, page: str, number: int, right: bool) -> None:
        """The reader answers the scored question with this number on a page."""
        answer = self.page(lesson, page).answers.setdefault(str(number), Answer())
        if not answer.right:
            answer.tries += 1
            answer.right = right
            answer.at_once = right and answer.tries == 1

    def solve(self, lesson: str, page: str) -> None:
        """The reader has done a page's experiment."""
        self.page(lesson, page).solved = True

    def quiz(self, lesson: str) -> QuizRecord:
        """What is known about the quiz of a lesson."""
        return self._data.quizzes.get(lesson, QuizRecord())

    def begin_quiz(self, lesson: str) -> None:
        """The reader answers the first question of an attempt: the next one is another."""
        self._data.quizzes.setdefault(lesson, QuizRecord()).attempts += 1

    def end_quiz(self, lesson: str, right: int, asked: int) -> None:
        """The reader comes to the end of an attempt: the best one is kept."""
        record = self._data.quizzes.setdefault(lesson, QuizRecord())
        if record.is_below(right, asked):
            record.right, record.asked = right, asked

    def predict(self, right: bool) -> None:
        """The reader answers a scored question in predict mode."""
        self._data.predicted += 1
        self._data.predicted_right += right

    def score(self, lesson: str, page_ids: Iterable[str] | None = None) -> Score:
        """What a lesson has come to; ``page_ids`` are its pages today (others don't count)."""
        known = self._data.lessons.get(lesson, {})
        wanted = known if page_ids is None else page_ids
        pages = [known[page] for page in wanted if page in known]
        answers = [answer for page in pages for answer in page.answers.values()]
        return Score(
            seen=sum(page.seen for page in pages),
            right=sum(answer.right for answer in answers),
            at_once=sum(answer.at_once for answer in answers),
            solved=sum(page.solved for page in pages),
        )

    def resume(self, lessons: Sequence[str]) -> tuple[str, str | None]:
        """Where to go on: the page seen last, else the first lesson."""
        if self.last is not None and self.last[0] in lessons:
            return self.last
        return lessons[0], None

    def save(self) -> Notice | None:
        """Write the file, whole or not at all; a notice where that can't be done."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = self.path.resolve()
            if file.is_symlink():  # links in a circle, which Python 3.13 leaves as they are
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            with locked(file):
                self._merge()
                if self.writable:
                    replace_whole(file, json.dumps(asdict(self._data), indent=1))
                    self._known = deepcopy(self._data)
        except (OSError, RuntimeError) as error:  # the latter for links that lead in a circle
            reason = getattr(error, "strerror", None) or str(error)
            return Notice("lesson.progress.unwritable", {"file": self.path, "reason": reason})
        return None

    def _read(self, aside: bool = True) -> Kept | None:
        """What the file holds; where nothing can be had of it, None and a notice."""
        try:
            if not self.path.exists():
                return None
            if not self.path.is_file() or self.path.stat().st_size > MAX_BYTES:
                self._keep_off("not_a_file")
                return None
            data = self.path.read_bytes()
        except OSError as error:
            self._keep_off("unreadable", reason=error.strerror or str(error))
            return None
        if (_version(data) or 0) > VERSION:
            self._keep_off("newer")
            return None
        found = _parsed(data)
        if found is None and aside:
            self._set_aside()
        return found

    def _keep_off(self, why: str, **values: object) -> None:
        """Leave the file as it is."""
        self.writable = False
        self.notice = Notice(f"lesson.progress.{why}", {"file": self.path, **values})

    def _set_aside(self) -> None:
        """Give a damaged file another name, so that a new one can be written."""
        aside = _free_name(self.path)
        try:
            self.path.replace(aside)
        except OSError as error:
            self._keep_off("unreadable", reason=error.strerror or str(error))
            return
        self.notice = Notice("lesson.progress.damaged", {"file": self.path, "aside": aside.name})

    def _merge(self) -> None:
        """Take over what another window has written since; nothing done is undone."""
        self.writable = True
        theirs = self._read()
        if theirs is None:
            return
        ours, known = self._data, self._known
        ours.predicted += theirs.predicted - known.predicted
        ours.predicted_right += theirs.predicted_right - known.predicted_right
        ours.last = theirs.last if ours.last == known.last else ours.last
        for lesson, pages in theirs.lessons.items():
            for name, page in pages.items():
                before = known.lessons.get(lesson, {}).get(name, PageRecord())
                take_over(self.page(lesson, name), before, page)
        for lesson, quiz in theirs.quizzes.items():
            mine = ours.quizzes.setdefault(lesson, QuizRecord())
            take_over_quiz(mine, known.quizzes.get(lesson, QuizRecord()), quiz)
        self._known = theirs


def progress_file(environment: Mapping[str, str] | None = None) -> Path:
    """The file of ``VISUALIZER_PROGRESS``, else the user's."""
    given = (os.environ if environment is None else environment).get(VARIABLE, "")
    if given:
        return Path(given)
    import platformdirs  # noqa: PLC0415 - only needed where no file is named

    folder = platformdirs.user_data_path("agent-loop-visualizer", appauthor=False)
    return Path(folder) / "progress.json"


def _version(data: bytes) -> int | None:
    """The version that a file says it has, however the rest of it looks."""
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        return None
    version = found.get("version") if isinstance(found, dict) else None
    return version if type(version) is int else None


def _parsed(data: bytes) -> Kept | None:
    """The content of a file of this version, None where it is damaged."""
    try:
        return TypeAdapter(Kept).validate_json(data)
    except ValidationError:
        return None


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return aside
