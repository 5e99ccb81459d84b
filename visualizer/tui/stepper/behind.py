"""Looking through a recording without keeping a key waiting: in slices, if need be in a thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from visualizer.describe.phrases import safe
from visualizer.tui.run_screen import RunScreen

if TYPE_CHECKING:
    from visualizer.app.scan import Slices
    from visualizer.app.search import Search

QUERY = 40
"""Cells of a query, in the line that says how far it is."""

AT_ONCE = 0.006
"""Seconds that looking may take before a key's frame; what takes longer goes on behind it."""

SLICE = 0.003
REST = 0.0005
"""Seconds of looking behind the screen, and of making way for it."""

TELL = 0.1
"""Seconds between two words on how far it is."""


@dataclass(eq=False)
class Looking:
    """A search that goes on behind the screen, and what is done when it is through."""

    search: Search
    job: Slices
    done: Callable[[], object]


class Behind:
    """Searches of one screen, of which at most one goes on behind it."""

    def __init__(self, screen: RunScreen) -> None:
        self._screen = screen
        self._looking: Looking | None = None

    def end(self) -> Search | None:
        """End the search that goes on, and give it."""
        looking, self._looking = self._looking, None
        return looking.search if looking is not None else None

    @property
    def goes_on(self) -> bool:
        """Whether a search goes on behind the screen."""
        return self._looking is not None

    def look_through(self, search: Search, everywhere: bool, done: Callable[[], object]) -> None:
        """Let a search look, for as long as a key may take; what is left, behind the screen."""
        screen = self._screen
        job = search.look(screen.session.scenario, screen.seen.shown, everywhere)
        until = time.perf_counter() + AT_ONCE
        for takes_long in job:
            if takes_long or time.perf_counter() > until:
                looking = self._looking = Looking(search, job, done)
                self._tell(looking)
                work = partial(self._look, looking)
                screen.run_worker(work, group="search", thread=True, exit_on_error=True)
                return
        done()

    def _look(self, looking: Looking) -> None:
        """The rest of a search. Whatever else runs, the screen has its turn between slices."""
        worker = get_current_worker()
        until = time.perf_counter() + SLICE
        tell = time.perf_counter() + TELL
        for _ in looking.job:
            if looking is not self._looking or worker.is_cancelled:
                return
            if (now := time.perf_counter()) > until:
                if now > tell:
                    self._screen.app.call_from_thread(self._tell, looking)
                    tell = now + TELL
                time.sleep(REST)
                until = time.perf_counter() + SLICE
        self._screen.app.call_from_thread(self._looked, looking)

    def _tell(self, looking: Looking) -> None:
        """How far it is, unless something else has been said meanwhile."""
        if looking is self._looking:
            screen = self._screen
            percent = looking.search.percent
            query = safe(looking.search.words, QUERY)
            screen.status = screen.texts("screen.search.going_on", query=query, percent=percent)
            screen.pane.repaint()

    def _looked(self, looking: Looking) -> None:
        if looking is self._looking:
            self._looking = None
            self._screen.status = ""
            looking.done()
            self._screen.pane.repaint()
