"""A lesson being read: its page, what is asked or tried out there, and the run beside it.

Everything here is a plain function call; the screen draws what this says.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from visualizer.app import options
from visualizer.app.beside import Beside
from visualizer.app.decisions import asked_here
from visualizer.app.session import Session, Shown
from visualizer.app.veil import veiled
from visualizer.comparison import Comparison, compare
from visualizer.i18n import Texts, texts
from visualizer.lessons.facts import Stage, line_of
from visualizer.lessons.goals import State, is_met
from visualizer.lessons.questions import Question, ask_on
from visualizer.locator import Locator

if TYPE_CHECKING:
    from visualizer.learner.progress import Progress
    from visualizer.lessons.model import Lesson, Page

Doing = Literal["welcome", "read", "question", "answered", "experiment", "solved", "end"]

AFTERWARDS = frozenset(
    {
        *("returned", "exit", "never_read", "who_ended", "outcome", "first_limit"),
        *("num_turns", "subtype"),
    }
)
"""Asked at the end of a run, these are asked one step before it: the end shows the answer."""
PLACED = frozenset(
    {"next_line", "next_phase", "returns_now", "returned", "exit", "who_next", "sent", "new"}
)
"""What is right here is seen at one line of the code."""
TOOLS = {
    "cut_off": ("lower_cap", "raise_cap"),
    "returns": ("lower_cap", "raise_cap"),
    "ends": ("loop", "lower_cap", "raise_cap"),
    "loop": ("loop",),
    "scenario": ("scenario",),
    "order": ("shuffle",),
    "diverges": ("observe",),
    "restores": ("recorded_again", "observe"),
    "asks_world": ("ask_world",),
    "decide": ("allow", "deny"),
    "run": ("into", "runs"),
}
"""What helps in an experiment, on the digits: kind of goal -> actions."""


@dataclass
class LessonSession:
    """One lesson, one reader, one page at a time.

    ``number`` is the page (0-based; after the last one comes the end), ``asked`` the question
    on it, ``home`` the step at which that is asked, ``chosen`` the last answer to it. ``lines``
    are the lines of a loop in the reader's order, where that is the experiment.
    """

    lesson: Lesson
    progress: Progress
    session: Session
    stage: Stage
    number: int = 0
    doing: Doing = "read"
    asked: int = 0
    home: int = 1
    chosen: int | None = None
    hints: int = 0
    lines: tuple[str, ...] = ()
    _both: Comparison | None = None
    _questions: dict[tuple[int, int, str], Question | None] = field(default_factory=dict)

    @classmethod
    def open(cls, lesson: Lesson, progress: Progress, page: str | None = None) -> LessonSession:
        """A lesson at a page, or at its first one. Raises what a page's place can raise."""
        stage = Stage()
        first = lesson.pages[0].at
        one = cls(lesson, progress, session_at(stage, first), stage)
        new = progress.last is None
        one.turn_to((lesson.number(page) if page else None) or 0)
        if new and one.number == 0 and one.doing == "question":
            one.doing = "welcome"
        return one

    @property
    def page(self) -> Page:
        """The page; at the end the last one."""
        return self.lesson.pages[min(self.number, len(self.lesson.pages) - 1)]

    def turn_to(self, number: int) -> None:
        """Open a page, or the end of the lesson; its scenario, settings and step with it."""
        self.number = max(0, min(number, len(self.lesson.pages)))
        self.asked = self.hints = 0
        self.chosen, self.lines = None, ()
        if self.number == len(self.lesson.pages):
            self.doing = "end"
            return
        page = self.page
        self.progress.see(self.lesson.name, page.id)
        self._stand(page.at)
        if page.experiment is not None:
            self.doing = "experiment"
        elif page.asks:
            self._first_open()
        else:
            self.doing = "read"

    def question(self, said: Texts) -> Question | None:
        """The question of the page that is asked, or was answered last."""
        if self.doing not in ("welcome", "question", "answered") or not self.page.asks:
            return None
        key = (self.number, self.asked, said.language)
        if key not in self._questions:
            one = self.page.asks[self.asked]
            session = self.session
            self._questions[key] = ask_on(
                one, session.run, self.home, said, session.scenario, self.page.task
            )
        return self._questions[key]

    @property
    def waits(self) -> bool:
        """Whether a question waits: what would answer it is hidden."""
        return self.doing in ("welcome", "question") and bool(self.page.asks)

    @property
    def stand(self) -> int:
        """The step that is shown while the question waits."""
        if not self.page.asks:
            return self.home
        one = self.page.asks[self.asked]
        steps = self.session.run.steps  # of another run, once the reader has chosen one
        over = self.home <= len(steps) and steps[self.home - 1].phase == "end"
        return self.home - 1 if over and one.kind in AFTERWARDS and self.home > 1 else self.home

    @property
    def seen(self) -> Session:
        """The session as far as the reader may look at it."""
        return veiled(self.session, self.stand) if self.waits else self.session

    def answer(self, digit: str, said: Texts) -> bool | None:
        """Answer with a digit; whether that is right, None for a guess or no option."""
        question = self.question(said)
        chosen = options.chosen(question, digit) if question else None
        if self.doing != "question" or question is None or chosen is None:
            return None
        right = chosen == question.right
        self.chosen = chosen
        if question.scored:
            self.progress.answer(self.lesson.name, self.page.id, self.asked, right)
        if right or not question.scored:
            self._reveal(question)
        else:
            self.session.move(self.stand)
        return right if question.scored else None

    def skip(self) -> None:
        """Leave the question, or the experiment, as it is."""
        if self.doing in ("question", "experiment"):
            self._advance()

    def go_on(self) -> bool:
        """On: a step of the run while there is something to do, else what comes next."""
        if self.doing == "welcome":
            self._first_open()
        elif self.doing in ("question", "experiment"):
            return self.session.move(self.session.index + 1)
        elif self.doing != "end":
            self._advance()
        return True

    def look_back(self) -> None:
        """Back: a step of the run while there is something to do, else the page before."""
        busy = self.doing in ("question", "experiment")
        moved = busy and self.session.move(self.session.index - 1)
        if not moved and self.number:
            self.turn_to(self.number - 1)

    def check(self) -> bool:
        """Whether the experiment has just been solved."""
        goal = self.page.experiment
        if self.doing != "experiment" or goal is None:
            return False
        session = self.session
        state = State(session.scenario, session.run, session.index, self.lines)
        if not is_met(goal, state):
            return False
        self.doing = "solved"
        self.progress.solve(self.lesson.name, self.page.id)
        return True

    @property
    def tools(self) -> tuple[str, ...]:
        """The actions that the digits stand for in an experiment."""
        goal = self.page.experiment
        if goal and self.doing == "experiment" and asked_here(self.session):
            return ("allow", "deny")
        return TOOLS.get(goal.kind, ()) if goal and self.doing == "experiment" else ()

    @property
    def counted(self) -> tuple[int, int]:
        """Which question of the lesson this is (1-based), and how many there are."""
        before = sum(len(page.asks) for page in self.lesson.pages[: self.number])
        return before + self.asked + 1, sum(len(page.asks) for page in self.lesson.pages)

    @property
    def both(self) -> Beside | None:
        """This run and the other one of a comparison, which goes along with it."""
        if self.page.beside is None:
            return None
        session, other = self.session, self.stage.at(self.page.beside, "end")
        if self._both is None or self._both.left is not session.run:
            self._both = compare(session.run, other.run)
        at = self._both.index_of("left", session.index)
        there = other.index
        if session.index not in (self.home, self.stand):
            there = self._both.positions[at][1]
        right = Session(other.scenario, Shown(other.scenario, other.run), there)
        return Beside(self.seen, right, self._both, at)

    def line(self, said: Texts) -> int:
        """The line of code to look at: after a wrong answer, the one that shows the right one."""
        question = self.question(said)
        run = self.session.run
        if question is not None and self.chosen is not None and question.kind in PLACED:
            if question.lines:
                return question.lines[question.right]
            step = run.step(question.shown_at)
            return step.line if step.phase != "start" else 0
        point = self.page.point
        if point is None or point.pane != "code" or not point.what:
            return 0
        return line_of(point.what, run.loop, run, self.stage) or 0

    def _first_open(self) -> None:
        """The first question of the page that has not been answered; else all are done."""
        record = self.progress.page(self.lesson.name, self.page.id)
        done = {int(number) for number, one in record.answers.items() if one.right}
        left = [number for number in range(len(self.page.asks)) if number not in done]
        if left:
            self._ask(left[0])
            return
        self._ask(len(self.page.asks) - 1)
        question = self.question(texts("en"))
        if question is not None:
            self.chosen = question.right
            self._reveal(question)

    def _advance(self) -> None:
        """The next question of the page, else the next page."""
        asks = self.page.asks
        if self.doing in ("question", "answered") and self.asked + 1 < len(asks):
            self._ask(self.asked + 1)
        else:
            self.turn_to(self.number + 1)

    def _ask(self, number: int) -> None:
        """Ask a question; one that can't be asked there counts as answered."""
        self.asked, self.chosen, self.doing, self.hints = number, None, "question", 0
        one = self.page.asks[number]
        self._stand(Locator.written(one.at) if one.at else self.page.at)
        self.home = self.session.index
        if self.question(texts("en")) is None:
            self._advance()
            return
        self.session.move(self.stand)
        self.session.gate = self._gate

    def _gate(self, index: int) -> int:
        return min(index, self.stand)

    def _reveal(self, question: Question) -> None:
        """Show the answer in the run."""
        self.doing = "answered"
        self.session.gate = None
        self.session.move(question.shown_at)

    def _stand(self, at: Locator) -> None:
        """Show a place."""
        self.session = session_at(self.stage, at)
        self.home = self.session.index


def session_at(stage: Stage, at: Locator) -> Session:
    """A session of its own at a place."""
    return Session.open(stage.decided(at), at.loop, at.max_turns, at.place)
