"""The lessons as a course: what is done, where one is, what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from visualizer.app.shelf import Shelf
from visualizer.errors import VisualizerError

if TYPE_CHECKING:
    from visualizer.learner.progress import Progress
    from visualizer.lessons.model import LessonFile

State = Literal["begin", "here", "next", "begun", "read", "done", "ahead"]


class Told(NamedTuple):
    """How far a reader has come in a lesson: of everything, what is done and all there is."""

    seen: int
    pages: int
    right: int
    questions: int
    solved: int
    experiments: int

    @property
    def left(self) -> int:
        """Questions and experiments that are still to do."""
        return max(self.questions - self.right, 0) + max(self.experiments - self.solved, 0)


class Station(NamedTuple):
    """A lesson in the course. ``page`` is where to go on in it (0-based, None: at its start).

    ``quiz`` is the best result of its quiz: right, and all questions.
    """

    name: str
    state: State
    told: Told
    page: int | None = None
    quiz: tuple[int, int] = (0, 0)


class Course(NamedTuple):
    """The lessons in order, and the number of the one to go on with; None when all are read."""

    stations: tuple[Station, ...]
    at: int | None

    @property
    def done(self) -> int:
        """How many lessons are done."""
        return sum(station.state in ("done", "read") for station in self.stations)


def course(shelf: Shelf, progress: Progress) -> Course:
    """Where a reader stands. A lesson that can't be read is one that is still ahead."""
    stations = [_station(shelf.outline(name), name, progress) for name in shelf.lessons]
    at = _at(stations, progress)
    if at is not None and stations[at].state == "ahead":
        fresh = all(station.state == "ahead" for station in stations)
        stations[at] = stations[at]._replace(state="begin" if fresh else "next")
    return Course(tuple(stations), at)


def told(lesson: LessonFile, name: str, progress: Progress) -> Told:
    """How far a reader has come in a lesson."""
    from visualizer.lessons.model import GUESSES  # noqa: PLC0415 - read already, by then

    score = progress.score(name, [page.id for page in lesson.page])
    return Told(
        seen=score.seen,
        pages=len(lesson.page),
        right=score.right,
        questions=sum(one.kind not in GUESSES for page in lesson.page for one in page.ask),
        solved=score.solved,
        experiments=sum(page.experiment is not None for page in lesson.page),
    )


def _station(found: LessonFile | VisualizerError, name: str, progress: Progress) -> Station:
    if isinstance(found, VisualizerError):
        return Station(name, "ahead", Told(0, 0, 0, 0, 0, 0))
    how_far = told(found, name, progress)
    ids = [page.id for page in found.page]
    last = progress.last
    here = last is not None and last[0] == name and last[1] in ids
    page = ids.index(last[1]) if last is not None and here else None
    state: State = "ahead"
    if how_far.seen == how_far.pages:
        state = "read" if how_far.left else "done"
    elif here:
        state = "here"
    elif how_far.seen:
        state = "begun"
        page = next(at for at, one in enumerate(ids) if not progress.has_seen(name, one))
    best = progress.quiz(name)
    return Station(name, state, how_far, page, (best.right, best.asked))


def _at(stations: list[Station], progress: Progress) -> int | None:
    """The lesson to go on with: the one seen last, else the first unread one behind it."""
    names = [station.name for station in stations]
    last = progress.last[0] if progress.last is not None else ""
    start = names.index(last) if last in names else 0
    order = [*range(start, len(stations)), *range(start)]
    return next((at for at in order if stations[at].state not in ("done", "read")), None)
