"""All that a painter of the stepper needs to know, as one value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from visualizer.app.glyphs import Glyphs
from visualizer.app.session import Session, Shown
from visualizer.i18n import Texts
from visualizer.run.timeline import Run, Step
from visualizer.text import display_safe

if TYPE_CHECKING:
    from visualizer.app.arriving import Arriving


@dataclass(slots=True)
class Settings:
    """What the reader has switched on and off.

    ``hidden``: the explanation of this step waits to be revealed; ``revealed`` are the steps
    whose explanations an instructor has shown. ``arriving`` is a file that is still coming in.
    """

    unfolded: bool = False
    counts: bool = False
    selected: int | None = None
    query: str = ""
    speed: float = 1.0
    playing: bool = False
    computing: bool = False
    hidden: bool = False
    arriving: Arriving | None = None
    revealed: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question on the screen, what came of the last answer, or both.

    ``stamp`` is the word before it, ``keys`` are the digits of the options; ``number`` says
    which of the questions this is; ``good`` whether the answer was right (None for a guess),
    ``earlier`` that it was to another question, ``judged``
    that there is no right one. In an experiment the options are things to
    do, and nothing waits (``waits``) for one of them.
    """

    stamp: str = ""
    prompt: str = ""
    options: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    waits: bool = True
    number: str = ""
    feedback: str = ""
    good: bool | None = None
    earlier: bool = False
    judged: bool = False


@dataclass(frozen=True, slots=True)
class Lens:
    """What is asked, hidden and pointed at; nothing, in the plain stepper.

    ``veiled`` says that the run shown ends before the whole run does. ``hidden`` names values
    that are asked for: ``sent``, ``new``, ``calls``, ``rounds``. ``pane``, ``line`` (of the
    loop's file) and ``message`` are what a lesson points at. ``choices`` are lines that are
    options, with their digits. ``state`` chooses the footer.
    """

    asking: Asking | None = None
    veiled: bool = False
    hidden: frozenset[str] = frozenset()
    title: str = ""
    score: str = ""
    state: str = ""
    pane: str = ""
    line: int = 0
    message: int | None = None
    choices: tuple[tuple[int, str], ...] = ()


PLAIN = Lens()


@dataclass(frozen=True, slots=True)
class View:
    """A place in a run, in a language, with the reader's settings."""

    session: Session
    texts: Texts
    glyphs: Glyphs
    settings: Settings
    status: str = ""
    lens: Lens = PLAIN

    @property
    def shown(self) -> Shown:
        """The run and what is known about all of it."""
        return self.session.shown

    @property
    def run(self) -> Run:
        """The run."""
        return self.session.shown.run

    @property
    def index(self) -> int:
        """Where in the run."""
        return self.session.index

    @property
    def step(self) -> Step:
        """The step there."""
        return self.run.step(self.session.index)

    @property
    def following(self) -> Step | None:
        """The step to come."""
        at_end = self.index >= len(self.run.steps)
        return None if at_end else self.run.step(self.index + 1)

    @property
    def title(self) -> str:
        """The scenario's title, or what stands for it; safe for a terminal."""
        return self.lens.title or display_safe(self.session.scenario.title(self.texts.language))

    @property
    def at_end(self) -> bool:
        """Whether the run is over."""
        return self.step.phase == "end"

    @property
    def total(self) -> str:
        """How many steps the run has, as far as that is told."""
        return "?" if self.lens.veiled else str(len(self.run.steps))

    @property
    def waiting(self) -> bool:
        """Whether a question waits for its answer."""
        asking = self.lens.asking
        return asking is not None and bool(asking.options) and asking.waits

    @property
    def cut_off(self) -> bool:
        """Whether the run ended here because its turns were used up."""
        return self.at_end and self.run.terminal_reason == "max_turns"

    @property
    def stamp(self) -> str:
        """The role of the word for the current step: an answer and the cap have their own."""
        answered = self.run.terminal_reason == "completed" and self.run.result is not None
        if self.at_end and answered:
            return "won"
        return "cut" if self.cut_off else "phase"
