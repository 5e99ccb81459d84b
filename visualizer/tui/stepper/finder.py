"""Finding in a recording: words in messages, and steps that meet a condition, over all its runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from visualizer.app.recorded import number_of
from visualizer.describe.phrases import safe
from visualizer.tui.commands import command
from visualizer.tui.painted_screen import PaintedScreen
from visualizer.tui.run_screen import RunPart
from visualizer.tui.stepper.behind import Behind
from visualizer.tui.stepper.runs import Runs

if TYPE_CHECKING:
    from visualizer.app.search import Search

MET = 60
"""Cells of what a step met, in the line that says it."""

KEPT = 4
"""Queries whose answers are kept: what is searched for, errors, and two before."""

ALONGSIDE = frozenset(
    {
        *("theme", "language", "borders", "help", "palette", "blank", "copy", "request"),
        *("older", "newer", "select", "expand", "unfold", "counts", "reveal", "file"),
        "suspend",
    }
)
"""Commands that can be carried out while a search goes on. Any other ends it."""


class Landed(NamedTuple):
    """The last hit that was gone to, and where that has led: ``n`` goes on behind it."""

    search: Search
    hit: int
    run: str
    step: int
    selected: int | None


class Finder(RunPart):
    """The next place that holds what is searched."""

    def __init__(self, screen: PaintedScreen) -> None:
        super().__init__(screen)
        self._behind = Behind(self.screen)
        self._searches: dict[str, Search] = {}
        self._landed: Landed | None = None
        self._typed = ""

    def may(self, command: str) -> bool:
        """What would move what is searched in ends the search; Escape does nothing else."""
        if not self._behind.goes_on or command in ALONGSIDE:
            return True
        if (search := self._behind.end()) is not None:
            # What it has found so far is not kept: a thread may be at it still.
            self._searches.pop(search.query, None)
        if command == "library":
            self.screen.status = self.screen.texts("screen.search.stopped")
            return False
        return True

    @command("search", "/", group="find")
    def search(self) -> None:
        """Ask what to search for."""
        self.screen.pause()
        self.screen.ask("search", self._asked)

    @command("find_next", "n", group="find")
    def find_next(self) -> None:
        """The next message that holds what is searched, or step that meets the condition."""
        self._find(1)

    @command("find_previous", "N", group="find")
    def find_previous(self) -> None:
        """The message before that holds what is searched, or step that meets the condition."""
        self._find(-1)

    def seek(self, query: str, direction: int, fresh: bool = False) -> None:
        """To the next hit; from the last run of the recording on in the first."""
        from visualizer.app.search import Search  # noqa: PLC0415

        self.screen.pause()
        search = self._searches.pop(query, None) or Search(query)
        self._searches[query] = search
        while len(self._searches) > KEPT:
            del self._searches[next(iter(self._searches))]
        self._look_through(search, lambda: self._go_on(search, direction, fresh))

    @property
    def _everywhere(self) -> bool:
        """Whether the other runs are searched, too: not where what comes is asked for."""
        return self.screen.reader is None or not self.screen.reader.asks

    def _look_through(self, search: Search, done: Callable[[], object]) -> None:
        self._behind.look_through(search, self._everywhere, done)

    def _asked(self, text: str) -> None:
        from visualizer.app.conditions import words_of  # noqa: PLC0415

        settings = self.screen.settings
        if not text.strip():
            settings.query = ""
            return
        self._typed, settings.query = text, words_of(text)
        settings.selected = None
        self._find(1, fresh=True)

    def _find(self, direction: int, fresh: bool = False) -> None:
        from visualizer.app.conditions import words_of  # noqa: PLC0415

        query = self.screen.settings.query
        if query:  # without the quotes that were typed it may be a condition
            typed = self._typed if words_of(self._typed) == query else query
            self.seek(typed, direction, fresh)
        else:
            self.screen.ask("search", self._asked)

    def _go_on(self, search: Search, direction: int, fresh: bool) -> None:
        """From here to the next hit in this run, else to the next run that has one."""
        session, landed = self.screen.session, self._landed
        place = (session.run.recorded_run, session.index, self.screen.settings.selected)
        found: int | None
        if fresh and search.condition is None and search.hits:
            found = 0
        elif landed is not None and landed.search is search and landed[2:] == place:
            found = landed.hit + direction
            found = found if 0 <= found < len(search.hits) else None
        else:
            found = search.near(*place[1:], direction)
        if found is not None:
            self._arrive(search, found)
        elif not self._everywhere:
            self._confined(search, direction)
        else:
            self._on_in_recording(search, direction)
        self.screen.pane.repaint()

    def _confined(self, search: Search, direction: int) -> None:
        """Nothing further in the run as far as it is seen: words go round in it."""
        screen, shown = self.screen, safe(search.words, MET)
        if not search.hits:
            key = "screen.met.none" if search.condition is not None else "screen.not_found"
            screen.status = screen.texts(key, query=shown)
        elif search.condition is not None:
            key = "screen.met.no_next" if direction > 0 else "screen.met.no_previous"
            screen.status = screen.texts(key, query=shown, n=len(search.hits))
        else:
            self._arrive(search, 0 if direction > 0 else len(search.hits) - 1)

    def _on_in_recording(self, search: Search, direction: int) -> None:
        """To the next run that has a hit, and round the end of the recording."""
        texts = self.screen.texts
        scenario = self.screen.session.scenario
        beyond = search.run_beyond(scenario, direction)
        if beyond is None:
            self._nowhere(search)
            return
        run_id, round_the_end = beyond
        here = self.screen.session.run.recorded_run
        key = "no_more" if search.hits else "none_here"
        note = texts(f"screen.search.{key}", number=number_of(scenario, here))
        if round_the_end:
            way = "start" if direction > 0 else "end"
            note = texts(f"screen.search.from_the_{way}")
        if run_id == here:
            self._arrive(search, 0 if direction > 0 else len(search.hits) - 1, note)
            return
        self.screen.part(Runs).change(
            run_id,
            lambda: self._look_through(
                search, lambda: self._arrive_in_run(search, direction, note)
            ),
        )

    def _nowhere(self, search: Search) -> None:
        """No run of the recording has a hit."""
        query, n = safe(search.words, MET), len(self.screen.session.scenario.runs)
        if search.condition is not None:
            key = "screen.met.none_in_runs" if n > 1 else "screen.met.none"
        else:
            key = "screen.not_found_in_runs" if n > 1 else "screen.not_found"
        self.screen.status = self.screen.texts(key, query=query, n=n)

    def _arrive_in_run(self, search: Search, direction: int, note: str) -> None:
        """At the first hit of another run, or the last one; the drive may not come to it."""
        screen = self.screen
        if search.hits:
            screen.session.move(1)
            self._arrive(search, 0 if direction > 0 else len(search.hits) - 1, note)
        else:
            shown = safe(search.words, MET)
            screen.status = screen.texts("screen.search.not_reached", query=shown)
        screen.pane.repaint()

    def _arrive(self, search: Search, at: int, note: str = "") -> None:
        """At a hit: go where it is unless it is on the screen, and say which one it is."""
        hit, session, settings = search.hits[at], self.screen.session, self.screen.settings
        texts = self.screen.texts
        if hit.met is not None:
            session.move(hit.step)
            settings.selected = None
            met = texts(f"screen.met.how.{hit.met.how}", what=safe(hit.met.what, MET))
        else:
            if not self._is_there(hit.step, hit.message):
                session.move(hit.step)
            settings.selected = hit.message
            how = "beside" if hit.beside else "message"
            met = texts(f"screen.met.how.{how}", what=hit.message)
        run_id = session.run.recorded_run
        self._landed = Landed(search, at, run_id, session.index, settings.selected)
        number, n = search.number(session.scenario, at)
        runs = len(session.scenario.runs)
        where = {"number": number, "n": n, "said": met}
        if self._everywhere and runs > 1:
            run = number_of(session.scenario, run_id)
            told = texts("screen.met.at_run", run=run, runs=runs, **where)
        else:
            told = texts("screen.met.at", **where)
        self.screen.status = f"{note} {told}".strip()

    def _is_there(self, step: int, message: int) -> bool:
        """Whether the message that came in with a step is among those of this step."""
        run, here = self.screen.session.run, self.screen.session.index
        same = run.step(step).history == run.step(here).history
        return same and step <= here and message < run.step(here).messages


class Errors(RunPart):
    """The steps with an error."""

    @command("next_error", "x", group="find")
    def next_error(self) -> None:
        """The next step with an error."""
        self.screen.part(Finder).seek("error", 1)

    @command("previous_error", "X", group="find")
    def previous_error(self) -> None:
        """The step before with an error."""
        self.screen.part(Finder).seek("error", -1)
