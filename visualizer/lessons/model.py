"""What a lesson is: pages in an order, each with a place in a run and something to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import ConfigDict, Field

from visualizer.lessons.prose import PageText
from visualizer.lessons.tasks import Gate, Task, TaskId
from visualizer.locator import Locator
from visualizer.transcript.fields import AtLeastOne, Count, Name, NonEmpty
from visualizer.transcript.records import Localized, TerminalReason
from visualizer.transcript.settings import Choice

QuestionKind = Literal[
    "next_flag",
    "next_line",
    "next_phase",
    "sent",
    "new",
    "returns_now",
    "returned",
    "exit",
    "model_calls",
    "tool_rounds",
    "tool_calls",
    "sent_in_all",
    "smallest_max_turns",
    "never_read",
    "who_ended",
    "who_next",
    "could_share",
    "outcome",
    "same_steps",
    "first_limit",
    "judge",
    "num_turns",
    "assistant_lines",
    "subtype",
    "thread_sent",
    "fits",
    "misfit",
    "largest_part",
    "unchanged",
]
GoalKind = Literal[
    "cut_off",
    "ends",
    "returns",
    "reach_text",
    "reach_place",
    "reach_turn",
    "scenario",
    "loop",
    "order",
    "diverges",
    "restores",
    "asks_world",
    "decide",
    "run",
]
View = Literal["request", "plot", "parts", "compare", "events", "chained", "tools", "caps"]

GUESSES: frozenset[QuestionKind] = frozenset({"next_flag", "judge"})
"""Never scored: what a model will choose, and what is a matter of judgement."""
QUESTION_KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)
PANES = ("sentence", "meter", "ring", "code", "messages", "hand", "counts", "strip")
"""What a page can point at; of ``code`` and ``messages`` also one line or message."""

_CLOSED = ConfigDict(extra="forbid", strict=True)
PageId = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to compute: its kind, and the place where that is not the page's.

    ``known`` says that the reader has seen the recording before, so that what the model
    chose in it can be asked for with a score. ``on`` is one of the four questions about
    the page's task.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    kind: QuestionKind
    at: NonEmpty | None = None
    known: bool = False
    on: Gate | None = None


@dataclass(frozen=True, slots=True)
class Goal:
    """An experiment: what the reader should bring about. Which fields count: ``goals``."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    kind: GoalKind
    text: NonEmpty | None = None
    place: NonEmpty | None = None
    turn: Count | None = None
    scenario: Name | None = None
    loop: Name | None = None
    reason: TerminalReason | None = None
    choice: Choice | None = None
    run: NonEmpty | None = None
    smallest: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """A pane, and of the code or the messages what in it: a phase, a line's text, a number."""

    pane: str
    what: str = ""

    @classmethod
    def parse(cls, text: str) -> Point:
        """``messages:2``, ``code:check``, ``meter``."""
        pane, _, what = text.partition(":")
        return cls(pane, what)


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page as ``lesson.toml`` has it."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    id: PageId
    at: NonEmpty
    view: View | None = None
    beside: NonEmpty | None = None
    point: NonEmpty | None = None
    task: TaskId | None = None
    ask: tuple[Ask, ...] = ()
    experiment: Goal | None = None


@dataclass(frozen=True, slots=True)
class QuizOptions:
    """How many questions the quiz has, and scenarios to draw from beside the lesson's own."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    questions: Annotated[int, Field(ge=5, le=8)] = 6
    scenarios: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class LessonFile:
    """The whole of ``lesson.toml``. ``builds_on`` are the lessons that this one needs."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    title: Localized
    goal: Localized
    minutes: AtLeastOne
    page: Annotated[tuple[PageEntry, ...], Field(min_length=1)]
    task: tuple[Task, ...] = ()
    builds_on: tuple[Name, ...] = ()
    quiz: QuizOptions = field(default_factory=QuizOptions)


@dataclass(frozen=True, slots=True)
class Index:
    """The whole of ``index.toml``: the folders of the lessons, in order."""

    __pydantic_config__: ClassVar[ConfigDict] = _CLOSED
    lessons: Annotated[tuple[Name, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Page:
    """One page: where it stands in a run, what to look at, what to do, what it says.

    ``beside`` is the other run of the ``compare`` view; a ``task`` to judge stands in the
    place of the run. A page asks or gives an experiment,
    never both.
    """

    id: str
    at: Locator
    texts: Mapping[str, PageText]
    view: View | None = None
    beside: Locator | None = None
    point: Point | None = None
    task: Task | None = None
    asks: tuple[Ask, ...] = ()
    experiment: Goal | None = None

    def text(self, language: str) -> PageText:
        """What the page says in a language."""
        return self.texts[language]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson as it was read; ``teaching`` is the instructor's page (Markdown), by language."""

    name: str
    folder: Path
    title: Localized
    goal: Localized
    minutes: int
    pages: tuple[Page, ...]
    teaching: Mapping[str, str] = field(default_factory=dict)
    builds_on: tuple[str, ...] = ()
    quiz: QuizOptions = field(default_factory=QuizOptions)

    def number(self, page_id: str) -> int | None:
        """The 0-based number of a page, None where there is none of that id."""
        return next((n for n, page in enumerate(self.pages) if page.id == page_id), None)
