"""What can be opened by name: lessons, then scenarios, read only when one is looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from visualizer.errors import VisualizerError
from visualizer.loading import load_transcript, scenario_names

if TYPE_CHECKING:
    from visualizer.lessons.model import Lesson
    from visualizer.loading import Scenario
    from visualizer.progress import Progress


class Item(NamedTuple):
    """Something on the shelf."""

    kind: Literal["lesson", "scenario"]
    name: str


class Told(NamedTuple):
    """How far a reader has come in a lesson: pages seen and all, right answers and all."""

    seen: int
    pages: int
    right: int
    questions: int


@dataclass
class Shelf:
    """Names, and what was read under them: a scenario, or the reason why there is none."""

    names: list[str] = field(default_factory=scenario_names)
    lessons: list[str] = field(default_factory=list)
    _read: dict[str, Scenario | VisualizerError] = field(default_factory=dict)
    _learnt: dict[str, Lesson | VisualizerError] = field(default_factory=dict)

    @classmethod
    def with_lessons(cls) -> Shelf:
        """The scenarios, and the lessons that come with the program; without, where none can."""
        from visualizer.lessons.files import lesson_names  # noqa: PLC0415

        try:
            return cls(lessons=lesson_names())
        except VisualizerError:
            return cls()

    @property
    def items(self) -> list[Item]:
        """Everything in its order."""
        lessons = [Item("lesson", name) for name in self.lessons]
        return [*lessons, *(Item("scenario", name) for name in self.names)]

    def entry(self, name: str) -> Scenario | VisualizerError:
        """The scenario of a name, or what is wrong with it."""
        if name not in self._read:
            try:
                self._read[name] = load_transcript(name)
            except VisualizerError as error:
                self._read[name] = error
        return self._read[name]

    def lesson(self, name: str) -> Lesson | VisualizerError:
        """The lesson of a name, or what is wrong with it."""
        from visualizer.lessons.files import load_lesson  # noqa: PLC0415

        if name not in self._learnt:
            try:
                self._learnt[name] = load_lesson(name)
            except VisualizerError as error:
                self._learnt[name] = error
        return self._learnt[name]


def told(lesson: Lesson, progress: Progress) -> Told:
    """How far a reader has come in a lesson."""
    score = progress.score(lesson.name)
    scored = sum(one.kind != "next_flag" for page in lesson.pages for one in page.asks)
    return Told(min(score.seen, len(lesson.pages)), len(lesson.pages), score.right, scored)
