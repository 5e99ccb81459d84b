"""All that a painter of the stepper needs to know, as one value."""

from __future__ import annotations

from dataclasses import dataclass

from visualizer.i18n import Texts
from visualizer.text import display_safe
from visualizer.timeline import Run, Step
from visualizer.tui.paint.glyphs import Glyphs
from visualizer.tui.session import Session, Shown


@dataclass(slots=True)
class Settings:
    """What the reader has switched on and off."""

    unfolded: bool = False
    counts: bool = False
    selected: int | None = None
    query: str = ""
    speed: float = 1.0
    playing: bool = False
    computing: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A place in a run, in a language, with the reader's settings."""

    session: Session
    texts: Texts
    glyphs: Glyphs
    settings: Settings
    status: str = ""

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
        """The scenario's title, safe for a terminal."""
        return display_safe(self.session.scenario.title(self.texts.language))

    @property
    def at_end(self) -> bool:
        """Whether the run is over."""
        return self.step.phase == "end"

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
