"""Finding in a recording: words in messages, and steps that meet a condition, over all its runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from visualizer.describe.phrases import safe
from visualizer.tui.recorded import number_of
from visualizer.tui.screens.looking import LookingScreen
from visualizer.tui.session import Session

if TYPE_CHECKING:
    from visualizer.tui.search import Search

SAID = 60
"""Cells of what a step met, in the line that says it."""

KEPT = 4
"""Queries whose answers are kept: what is searched for, errors, and two before."""


class Landed(NamedTuple):
    """The last hit that was gone to, and where that has led: ``n`` goes on behind it."""

    search: Search
    hit: int
    run: str
    step: int
    selected: int | None


class FindingScreen(LookingScreen):
    """A screen with a place in a recording that searches for the next one."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._searches: dict[str, Search] = {}
        self._landed: Landed | None = None
        self._typed = ""

    def change_run(self, run_id: str, then: Callable[[], object]) -> None:
        """Change to another run of the recording, and go on when it is there."""
        raise NotImplementedError

    def do_search(self) -> None:
        """Ask what to search for."""
        self._stop()
        self.ask("search")

    def do_find_next(self) -> None:
        """The next message that holds what is searched, or step that meets the condition."""
        self._find(1)

    def do_find_previous(self) -> None:
        """The message before that holds what is searched, or step that meets the condition."""
        self._find(-1)

    def do_next_error(self) -> None:
        """The next step with an error."""
        self._seek("error", 1)

    def do_previous_error(self) -> None:
        """The step before with an error."""
        self._seek("error", -1)

    def answered(self, kind: str, text: str) -> None:
        """A place or a search has been typed."""
        if not text.strip():
            if kind == "search":
                self.settings.query = ""
            return
        if kind == "go":
            self.do_go(text.strip())
        else:
            from visualizer.tui.conditions import words_of  # noqa: PLC0415

            self._typed, self.settings.query = text, words_of(text)
            self.settings.selected = None
            self._find(1, fresh=True)

    def _find(self, direction: int, fresh: bool = False) -> None:
        from visualizer.tui.conditions import words_of  # noqa: PLC0415

        query = self.settings.query
        if query:  # without the quotes that were typed it may be a condition
            typed = self._typed if words_of(self._typed) == query else query
            self._seek(typed, direction, fresh)
        else:
            self.ask("search")

    def left(self, search: Search) -> None:
        """What it has found so far is not kept: a thread may be at it still."""
        self._searches.pop(search.query, None)

    def _seek(self, query: str, direction: int, fresh: bool = False) -> None:
        """To the next hit; from the last run of the recording on in the first."""
        from visualizer.tui.search import Search  # noqa: PLC0415

        self._stop()
        search = self._searches.pop(query, None) or Search(query)
        self._searches[query] = search
        while len(self._searches) > KEPT:
            del self._searches[next(iter(self._searches))]
        self.look_through(search, lambda: self._go_on(search, direction, fresh))

    def _go_on(self, search: Search, direction: int, fresh: bool) -> None:
        """From here to the next hit in this run, else to the next run that has one."""
        session, landed = self.session, self._landed
        place = (session.run.recorded_run, session.index, self.settings.selected)
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
        elif not self.everywhere:
            self._confined(search, direction)
        else:
            self._on_in_recording(search, direction)
        self.pane.repaint()

    def _confined(self, search: Search, direction: int) -> None:
        """Nothing further in the run as far as it is seen: words go round in it."""
        shown = safe(search.words, SAID)
        if not search.hits:
            key = "screen.met.none" if search.condition is not None else "screen.not_found"
            self.status = self.texts(key, query=shown)
        elif search.condition is not None:
            key = "screen.met.no_next" if direction > 0 else "screen.met.no_previous"
            self.status = self.texts(key, query=shown, n=len(search.hits))
        else:
            self._arrive(search, 0 if direction > 0 else len(search.hits) - 1)

    def _on_in_recording(self, search: Search, direction: int) -> None:
        """To the next run that has a hit, and round the end of the recording."""
        scenario = self.session.scenario
        beyond = search.run_beyond(scenario, direction)
        if beyond is None:
            self._nowhere(search)
            return
        run_id, round_the_end = beyond
        here = self.session.run.recorded_run
        key = "no_more" if search.hits else "none_here"
        note = self.texts(f"screen.search.{key}", number=number_of(scenario, here))
        if round_the_end:
            way = "start" if direction > 0 else "end"
            note = self.texts(f"screen.search.from_the_{way}")
        if run_id == here:
            self._arrive(search, 0 if direction > 0 else len(search.hits) - 1, note)
            return
        self.change_run(
            run_id,
            lambda: self.look_through(search, lambda: self._arrive_in_run(search, direction, note)),
        )

    def _nowhere(self, search: Search) -> None:
        """No run of the recording has a hit."""
        query, n = safe(search.words, SAID), len(self.session.scenario.runs)
        if search.condition is not None:
            key = "screen.met.none_in_runs" if n > 1 else "screen.met.none"
        else:
            key = "screen.not_found_in_runs" if n > 1 else "screen.not_found"
        self.status = self.texts(key, query=query, n=n)

    def _arrive_in_run(self, search: Search, direction: int, note: str) -> None:
        """At the first hit of another run, or the last one; the drive may not come to it."""
        if search.hits:
            self.session.move(1)
            self._arrive(search, 0 if direction > 0 else len(search.hits) - 1, note)
        else:
            shown = safe(search.words, SAID)
            self.status = self.texts("screen.search.not_reached", query=shown)
        self.pane.repaint()

    def _arrive(self, search: Search, at: int, note: str = "") -> None:
        """At a hit: go where it is unless it is on the screen, and say which one it is."""
        hit, session = search.hits[at], self.session
        if hit.met is not None:
            session.move(hit.step)
            self.settings.selected = None
            said = self.texts(f"screen.met.how.{hit.met.how}", what=safe(hit.met.what, SAID))
        else:
            if not self._is_there(hit.step, hit.message):
                session.move(hit.step)
            self.settings.selected = hit.message
            how = "beside" if hit.beside else "message"
            said = self.texts(f"screen.met.how.{how}", what=hit.message)
        run_id, selected = session.run.recorded_run, self.settings.selected
        self._landed = Landed(search, at, run_id, session.index, selected)
        number, n = search.number(session.scenario, at)
        runs = len(session.scenario.runs)
        where = {"number": number, "n": n, "said": said}
        if self.everywhere and runs > 1:
            run = number_of(session.scenario, run_id)
            told = self.texts("screen.met.at_run", run=run, runs=runs, **where)
        else:
            told = self.texts("screen.met.at", **where)
        self.status = f"{note} {told}".strip()

    def _is_there(self, step: int, message: int) -> bool:
        """Whether the message that came in with a step is among those of this step."""
        run, here = self.session.run, self.session.index
        same = run.step(step).history == run.step(here).history
        return same and step <= here and message < run.step(here).messages
