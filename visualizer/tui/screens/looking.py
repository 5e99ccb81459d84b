"""Looking through a recording without keeping a key waiting: in slices, if need be in a thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import work
from textual.worker import get_current_worker

from visualizer.describe.phrases import safe
from visualizer.tui.screens.predicting import PredictingScreen
from visualizer.tui.session import Session

if TYPE_CHECKING:
    from visualizer.tui.scan import Slices
    from visualizer.tui.search import Search

QUERY = 40
"""Cells of a query, in the line that says how far it is."""

AT_ONCE = 0.006
"""Seconds that looking may take before a key's frame; what takes longer goes on behind it."""

SLICE = 0.003
REST = 0.0005
"""Seconds of looking behind the screen, and of making way for it."""

TELL = 0.1
"""Seconds between two words on how far it is."""

BESIDE = frozenset(
    {
        *("theme", "language", "borders", "help", "palette", "blank", "copy", "request"),
        *("older", "newer", "select", "expand", "unfold", "counts", "reveal", "file"),
        "suspend",
    }
)
"""What can be done while a search goes on. Anything else ends it."""


@dataclass(eq=False)
class Looking:
    """A search that goes on behind the screen, and what is done when it is through."""

    search: Search
    job: Slices
    done: Callable[[], object]


class LookingScreen(PredictingScreen):
    """A screen that can look through the recording it shows."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._looking: Looking | None = None

    def act(self, what: str) -> None:
        """Carry out an action; where it would move what is searched in, the search ends."""
        looking = self._looking
        if looking is not None and what.partition(":")[0] not in BESIDE:
            self._looking = None
            self.left(looking.search)
            if what == "library":
                self.status = self.texts("screen.search.stopped")
                self.pane.repaint()
                return
        super().act(what)

    def left(self, search: Search) -> None:
        """A search was ended before it was through."""

    @property
    def everywhere(self) -> bool:
        """Whether the other runs are searched, too: not where what comes is asked for."""
        return self.WHERE == "stepper" and self.prediction is None

    def look_through(self, search: Search, done: Callable[[], object]) -> None:
        """Let a search look, for as long as a key may take; what is left, behind the screen."""
        job = search.look(self.session.scenario, self.seen.shown, self.everywhere)
        until = time.perf_counter() + AT_ONCE
        for takes_long in job:
            if takes_long or time.perf_counter() > until:
                self._looking = Looking(search, job, done)
                self._tell(self._looking)
                self._look_behind(self._looking)
                return
        done()

    @work(thread=True, group="search", exit_on_error=True)
    def _look_behind(self, looking: Looking) -> None:
        """The rest of a search. Whatever else runs, the screen has its turn between slices."""
        worker = get_current_worker()
        until = time.perf_counter() + SLICE
        tell = time.perf_counter() + TELL
        for _ in looking.job:
            if looking is not self._looking or worker.is_cancelled:
                return
            if (now := time.perf_counter()) > until:
                if now > tell:
                    self.app.call_from_thread(self._tell, looking)
                    tell = now + TELL
                time.sleep(REST)
                until = time.perf_counter() + SLICE
        self.app.call_from_thread(self._looked, looking)

    def _tell(self, looking: Looking) -> None:
        """How far it is, unless something else has been said meanwhile."""
        if looking is self._looking:
            percent = looking.search.percent
            query = safe(looking.search.words, QUERY)
            self.status = self.texts("screen.search.going_on", query=query, percent=percent)
            self.pane.repaint()

    def _looked(self, looking: Looking) -> None:
        if looking is self._looking:
            self._looking = None
            self.status = ""
            looking.done()
            self.pane.repaint()
