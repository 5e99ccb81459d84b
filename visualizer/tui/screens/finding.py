"""Finding in a run: words in messages, and steps that meet a condition, forward and back."""

from __future__ import annotations

from visualizer.describe.phrases import safe
from visualizer.tui.screens.predicting import PredictingScreen

SAID = 60
"""Cells of what a step met, in the line that says it."""


class FindingScreen(PredictingScreen):
    """A screen with a place in a run that searches for the next one."""

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
        self._stop()
        self._jump("error", 1)

    def do_previous_error(self) -> None:
        """The step before with an error."""
        self._stop()
        self._jump("error", -1)

    def answered(self, kind: str, text: str) -> None:
        """A place or a search has been typed."""
        if not text.strip():
            if kind == "search":
                self.settings.query = ""
            return
        if kind == "go":
            self.do_go(text.strip())
        else:
            self.settings.query = text
            self.settings.selected = None
            self._find(1)

    def _find(self, direction: int) -> None:
        from visualizer.tui.conditions import parse, words_of  # noqa: PLC0415
        from visualizer.tui.find import find  # noqa: PLC0415

        query = self.settings.query
        if not query:
            self.ask("search")
            return
        if parse(query) is not None:
            self._jump(query, direction)
            return
        self.settings.query = query = words_of(query)
        found = find(self.seen, query, self.settings.selected, direction)
        if found is None:
            self.status = self.texts("screen.not_found", query=safe(query, SAID))
            return
        position, index = found
        if index is not None:
            self.session.move(index)
            self.status = self.texts("screen.found_later", message=position, index=index)
        self.settings.selected = position

    def _jump(self, query: str, direction: int) -> None:
        """To the next step that meets a condition; it does not go round, and says so."""
        from visualizer.tui.conditions import beyond, met, parse  # noqa: PLC0415

        condition = parse(query)
        if condition is None:
            return
        every = met(self.seen.run, condition, self.seen.shown.asides)
        found = beyond(every, self.session.index, direction)
        shown = safe(query, SAID)
        if not every:
            self.status = self.texts("screen.met.none", query=shown) + self._elsewhere(query)
        elif found is None:
            key = "screen.met.no_next" if direction > 0 else "screen.met.no_previous"
            self.status = self.texts(key, query=shown, n=len(every)) + self._elsewhere(query)
        else:
            number, one = found
            self.settings.selected = None
            self.session.move(one.step)
            said = self.texts(f"screen.met.how.{one.how}", what=safe(one.what, SAID))
            self.status = self.texts("screen.met.at", number=number, n=len(every), said=said)

    def _elsewhere(self, query: str) -> str:
        """That other runs of the recording have errors, where errors are searched for."""
        from visualizer.tui.recorded import errors_in  # noqa: PLC0415

        here, runs = self.session.run.recorded_run, self.session.scenario.runs
        if query != "error" or not any(errors_in(one) for one in runs if one.id != here):
            return ""
        return f" {self.texts('screen.met.elsewhere')}"
