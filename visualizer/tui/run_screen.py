"""A screen with a run: the stepper, a lesson, a table of runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from textual import work
from textual.screen import Screen

from visualizer.app.session import Session
from visualizer.app.view import PLAIN, Lens, Settings, View
from visualizer.errors import VisualizerError
from visualizer.i18n import Texts
from visualizer.tui.commands import REVEAL
from visualizer.tui.painted_screen import PaintedScreen, Part

T = TypeVar("T")


class Reader(Protocol):
    """How far the reader may look, and what is asked of them."""

    @property
    def seen(self) -> Session:
        """The session as far as the reader may look at it."""

    @property
    def asks(self) -> bool:
        """Whether what comes is asked for before it is shown."""

    def lens(self, texts: Texts) -> Lens:
        """What is asked, hidden and pointed at."""

    def waits(self, texts: Texts) -> bool:
        """Whether a question waits for its answer."""


class RunPart(Part):
    """A part of a screen that shows a run."""

    screen: RunScreen


class RunScreen(PaintedScreen):
    """A run at one of its steps, and how it is shown."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.settings = Settings()
        super().__init__()

    @property
    def reader(self) -> Reader | None:
        """Who says how far the reader may look; None where that is to the end."""
        return None

    @property
    def seen(self) -> Session:
        """The session as far as the reader may look at it."""
        return self.session if self.reader is None else self.reader.seen

    def lens(self) -> Lens:
        """What is asked, hidden and pointed at."""
        return PLAIN if self.reader is None else self.reader.lens(self.texts)

    def view(self) -> View:
        """What the painters need to know."""
        self.settings.hidden = self.hides
        lens = self.lens()
        return View(self.seen, self.texts, self.glyphs, self.settings, self.status, lens)

    @property
    def stuck(self) -> str:
        """Why there is no going on: a question waits, or this is the end."""
        waits = self.reader is not None and self.reader.waits(self.texts)
        return self.texts("screen.predict.waiting" if waits else "screen.at_end")

    @property
    def hides(self) -> bool:
        """Whether the explanation of this step waits to be revealed."""
        return self.visualizer.classroom.on and self.session.index not in self.settings.revealed

    @REVEAL
    def reveal(self) -> None:
        """Show the explanation of this step, or hide it again."""
        self.settings.revealed ^= {self.session.index}

    def wheel(self, area: str, direction: int) -> None:
        """Over the messages the wheel selects, elsewhere it steps."""
        if area == "messages":
            self.act("newer" if direction > 0 else "older")
        else:
            self.act("next" if direction > 0 else "back")

    def pause(self) -> None:
        """Stop what goes on by itself."""
        for part in self.parts:
            part.pause()

    def show(self, session: Session) -> None:
        """Change to another session; how things are shown stays."""
        self.pause()
        self.session = session
        self.forget_place()
        self.settings.computing = False
        self.status = ""
        for part in self.parts:
            part.replaced()

    def forget_place(self) -> None:
        """The run is another one: nothing in it is chosen or revealed."""
        self.settings.selected = None
        self.settings.revealed.clear()

    def later(
        self, make: Callable[[], T], done: Callable[[T], object], long: bool | None = None
    ) -> None:
        """Make something now, or in the background where that takes long; then go on with it."""
        if self.session.is_long if long is None else long:
            self.settings.computing = True
            self._make(make, done)
            return
        try:
            made = make()
        except VisualizerError as error:
            self.fail(error)
        else:
            done(made)
        self.pane.repaint()

    @work(thread=True, exclusive=True, exit_on_error=True)
    def _make(self, make: Callable[[], T], done: Callable[[T], object]) -> None:
        try:
            made = make()
        except VisualizerError as error:
            self.app.call_from_thread(self._made, self.fail, error)
        else:
            self.app.call_from_thread(self._made, done, made)

    def _made(self, done: Callable[[T], object], made: T) -> None:
        self.settings.computing = False
        done(made)
        self.acted()
        self.pane.repaint()

    def fail(self, error: VisualizerError) -> None:
        """Say what is wrong."""
        self.status = error.text(self.texts)


def steps_through(screen: Screen[object]) -> bool:
    """Whether a screen steps through a run: the stepper, a lesson."""
    return isinstance(screen, RunScreen) and screen.reader is not None
