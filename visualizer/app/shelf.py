"""What can be opened by name: lessons, then scenarios, read only when one is looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from visualizer.collection.groups import Group, scenario_groups
from visualizer.errors import VisualizerError
from visualizer.files.resources import transcript_files
from visualizer.i18n import Texts
from visualizer.loading import load_listed, scenario_names

if TYPE_CHECKING:
    from visualizer.lessons.model import LessonFile
    from visualizer.loading import Scenario


class Item(NamedTuple):
    """Something on the shelf; ``group`` is the heading that a scenario stands under."""

    kind: Literal["lesson", "scenario"]
    name: str
    group: Group | None = None


@dataclass
class Shelf:
    """Names, and what was read under them: a scenario, or the reason why there is none."""

    names: list[str] = field(default_factory=lambda: list(scenario_names()))
    lessons: list[str] = field(default_factory=list)
    _groups: dict[bool, tuple[Group, ...]] = field(default_factory=dict)
    _read: dict[str, Scenario | VisualizerError] = field(default_factory=dict)
    _learnt: dict[str, LessonFile | VisualizerError] = field(default_factory=dict)

    @classmethod
    def with_lessons(cls) -> Shelf:
        """The scenarios, and the lessons that come with the program; without, where none can."""
        from visualizer.lessons.files import lesson_names  # noqa: PLC0415

        try:
            return cls(lessons=lesson_names())
        except VisualizerError:
            return cls()

    def groups(self, private: bool = True) -> tuple[Group, ...]:
        """The scenarios by what they show; without what is ``private``, for a class."""
        if private not in self._groups:
            known = transcript_files()
            files = {name: known.get(name, Path()) for name in self.names}
            self._groups[private] = scenario_groups(files, private)
        return self._groups[private]

    def items(self, private: bool = True) -> list[Item]:
        """Everything in its order."""
        lessons = [Item("lesson", name) for name in self.lessons]
        scenarios = [
            Item("scenario", name, group) for group in self.groups(private) for name in group.names
        ]
        return [*lessons, *scenarios]

    def words(self, item: Item, texts: Texts) -> str:
        """What an entry is found by: its name, and what the list and its details say."""
        language = texts.language
        if item.kind == "lesson":
            lesson = self.outline(item.name)
            if isinstance(lesson, VisualizerError):
                return f"{item.name} {lesson.text(texts)}"
            title, goal = (one.in_language(language) for one in (lesson.title, lesson.goal))
            return f"{item.name} {title} {goal}"
        scenario = self.entry(item.name)
        if isinstance(scenario, VisualizerError):
            return f"{item.name} {scenario.text(texts)}"
        heading = item.group.heading(texts) if item.group else ""
        told = f"{scenario.title(language)} {scenario.summary(language)}"
        return f"{item.name} {told} {heading}"

    def entry(self, name: str) -> Scenario | VisualizerError:
        """The scenario of a name, or what is wrong with it."""
        if name not in self._read:
            self._read[name] = load_listed(name)
        return self._read[name]

    def outline(self, name: str) -> LessonFile | VisualizerError:
        """What the lesson of a name declares, or what is wrong with it."""
        from visualizer.lessons.files import load_outline  # noqa: PLC0415

        if name not in self._learnt:
            try:
                self._learnt[name] = load_outline(name)
            except VisualizerError as error:
                self._learnt[name] = error
        return self._learnt[name]
