"""A stepper on a recording that is still coming in: what comes is taken in, the place kept."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from textual.app import App

from visualizer.app.arriving import Arriving, StoppedReading, making_way
from visualizer.app.session import Shown, compute
from visualizer.errors import VisualizerError
from visualizer.loading import Scenario
from visualizer.transcript.history import SharedRequest
from visualizer.transcript.records import ApiObject, RecordedRun, Turn
from visualizer.tui.run_screen import RunPart

T = TypeVar("T")


class Wanted(NamedTuple):
    """What is on the screen, to be made anew from what has come: a run, driven in a way.

    ``tail``: the reader stands where the recording ended so far, and goes on with it.
    """

    run: str
    loop: str | None
    max_turns: int | None
    tail: bool


class Follow(RunPart):
    """Takes in what comes of the file that is shown, in a thread of its own."""

    thread: threading.Thread | None = None
    _failed = ""

    def begin(self, arriving: Arriving | None) -> None:
        """Take in what comes of the file that is shown; nothing, where it is read and stays."""
        if arriving is not None and not (arriving.follow or arriving.reading):
            arriving = None
        self.screen.settings.arriving = arriving
        if arriving is not None:
            work = _Work(self, self.screen.app, arriving, self.screen.session.scenario)
            self.thread = threading.Thread(target=work.run, daemon=True)
            self.thread.start()

    def stop_reading(self) -> bool:
        """Have no more read than is there; false where nothing is being read."""
        arriving = self.screen.settings.arriving
        if arriving is None or not arriving.reading:
            return False
        arriving.stop()
        self.screen.status = self.screen.texts("screen.arriving.stopped", percent=arriving.percent)
        return True

    def end(self) -> None:
        """Something else is shown from now on."""
        if self.screen.settings.arriving is not None:
            self.screen.settings.arriving.stop()
            self.screen.settings.arriving = None

    def replaced(self) -> None:
        """Another file is not followed by this part."""
        arriving = self.screen.settings.arriving
        if arriving is not None and arriving.path != self.screen.session.scenario.path:
            self.end()

    def wanted(self, scenario: Scenario) -> Wanted:
        """What is to be made of a recording in which more has come."""
        session = self.screen.session
        run, tail = session.run.recorded_run, self._at_tail()
        if tail and run == _newest(session.scenario):
            run = _newest(scenario)
        return Wanted(run, session.loop, session.max_turns, tail)

    def take_in(self, wanted: Wanted, scenario: Scenario, shown: Shown | None) -> bool:
        """Change over to it (no run: it is the same as before).

        False where something else is on the screen by now.
        """
        screen = self.screen
        arriving = screen.settings.arriving
        if arriving is None:
            return True
        if wanted != self.wanted(scenario):
            return False
        new = screen.session.arrived(scenario, shown)
        if wanted.tail:
            screen.session.move(len(screen.session.run.steps))
        if not arriving.follow:
            screen.settings.arriving = None
        elif new:
            screen.status = screen.texts.count("screen.arriving.came", new)
        elif self._failed and screen.status == self._failed:
            screen.status = ""  # it can be read again
        screen.pane.repaint()
        return True

    def cannot(self, error: VisualizerError) -> None:
        """The file can't be read just now; where it is not followed, no more comes."""
        arriving = self.screen.settings.arriving
        if arriving is not None and not arriving.follow:
            arriving.stop()
        self.screen.fail(error)
        self._failed = self.screen.status
        self.screen.pane.repaint()

    def _at_tail(self) -> bool:
        arriving, session = self.screen.settings.arriving, self.screen.session
        following = arriving is not None and arriving.follow and arriving.whole
        return following and session.index == len(session.run.steps)


class _Work:
    """What goes on in a thread of its own, until the app ends or something else is shown."""

    def __init__(self, part: Follow, app: App[Any], arriving: Arriving, scenario: Scenario) -> None:
        self._part = part
        self._app = app
        self._arriving = arriving
        self._before = scenario

    def run(self) -> None:
        """Read what has not been read, then, where the file is followed, what is new in it."""
        arriving = self._arriving
        try:
            if arriving.reading:
                self._read()
            while arriving.follow and arriving.grown():
                self._read()
        except StoppedReading:
            return

    def _read(self) -> None:
        try:
            with making_way():
                scenario = self._arriving.read(self._tell)
                self._bring_in(scenario)
        except VisualizerError as error:
            self._call(self._part.cannot, error)
        else:
            self._before = scenario

    def _bring_in(self, scenario: Scenario) -> None:
        """Make what is on the screen anew, until that is still what is on the screen."""
        taken = False
        while not taken and not self._arriving.stopped:
            wanted = self._call(self._part.wanted, scenario)
            new = _find(scenario, wanted.run) or scenario.runs[0]
            old = _find(self._before, wanted.run)
            there = scenario.on_run(new.id)
            made = None
            if old is None or not _is_same(old, new):
                made = Shown(there, compute(there, wanted.loop, wanted.max_turns)).settle()
            taken = self._call(self._part.take_in, wanted, there, made)

    def _tell(self, _percent: int) -> None:
        self._call(self._part.screen.pane.repaint)

    def _call(self, function: Callable[..., T], *arguments: object) -> T:
        try:
            return self._app.call_from_thread(function, *arguments)
        except RuntimeError:
            if self._app.is_running:
                raise
            raise StoppedReading from None


def _find(scenario: Scenario, run_id: str) -> RecordedRun | None:
    return next((one for one in scenario.runs if one.id == run_id), None)


def _newest(scenario: Scenario) -> str:
    """The last run that no subagent made."""
    own = [one.id for one in scenario.runs if one.parent is None]
    return own[-1] if own else scenario.runs[-1].id


def _is_same(old: RecordedRun, new: RecordedRun) -> bool:
    """Whether a run has got nothing new. Turns only come behind others, and results at them.

    Before the first reply more may come to what is sent.
    """
    if old.recorded != new.recorded or old.max_turns != new.max_turns:
        return False
    if _sent(old) != _sent(new):
        return False
    mine, theirs = old.takes[0].turns, new.takes[0].turns
    return len(mine) == len(theirs) and (not mine or _told(mine[-1]) == _told(theirs[-1]))


def _sent(run: RecordedRun) -> tuple[int, ApiObject | None]:
    """How many messages a run begins with, and the last of them."""
    request = run.request
    if isinstance(request, SharedRequest):
        return request.history[1], request.last
    return len(request.messages), request.messages[-1] if request.messages else None


def _told(turn: Turn) -> tuple[object, ...]:
    return turn.response, turn.results, len(turn.attempts), len(turn.inserted)
