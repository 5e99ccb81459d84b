"""Changing an observation: a tool's result gets another text, and the run is computed again."""

from __future__ import annotations

from visualizer.describe import tool_text
from visualizer.describe.phrases import excerpt, safe
from visualizer.timeline import Step
from visualizer.tui import decisions, observations
from visualizer.tui.prompt import Prompt
from visualizer.tui.screens.arriving import ArrivingScreen
from visualizer.tui.session import Session, Shown

SAID = 40


class ObservingScreen(ArrivingScreen):
    """A screen with a run whose tool results may be changed."""

    _changing: Step | None = None

    def do_observe(self, place: str = "") -> None:
        """Change the text of the tool's result here (or at a place): type what stands instead."""
        step = self._result_here(place)
        if step is None or step.result is None:
            return
        text = step.result.result_text
        line = observations.typed_form(text)
        kind = "observe" if line or not text else "observe_anew"
        self._begin(Prompt(kind, line, len(line), observations.MOST, lines=True), step)

    def do_ask_world(self) -> None:
        """Ask the recording's world something else; what it says stands instead."""
        step = self._result_here()
        if step is None:
            return
        asked = observations.query_of(self.session, step)
        if asked is None:
            self.status = self.texts("screen.observe.no_world")
            return
        self._begin(Prompt("ask_world", asked[1], len(asked[1])), step)

    def do_recorded_again(self) -> None:
        """The recorded observation again: the one here, else the one changed last."""
        self._stop()
        changed = [place for place, _ in self.session.run.observations]
        step = observations.result_here(self.session, self.settings.selected)
        if not changed:
            self.status = self.texts("screen.observe.unchanged")
        elif step is not None and step.place in changed:
            self._put(step.place, None, "again")
        else:
            self._put(changed[-1], None, "again")

    def answered(self, kind: str, text: str) -> None:
        """What was typed: for an observation, for the world, or for something else."""
        step, self._changing = self._changing, None
        if step is None or kind not in ("observe", "observe_anew", "ask_world"):
            super().answered(kind, text)
        elif kind == "ask_world":
            self._asked_world(step, text)
        elif kind == "observe" and step.result is not None:
            before = observations.typed_form(step.result.result_text)
            same = text == before
            self._put(step.place, observations.typed_text(text), "same" if same else "now")
        elif text:
            self._put(step.place, observations.typed_text(text), "now")

    def _result_here(self, place: str = "") -> Step | None:
        """The step whose result can be changed; why there is none is said."""
        self._stop()
        if self.settings.arriving is not None:
            self.status = self.texts("screen.observe.arriving")
            return None
        run = self.seen.run
        step = run.step(run.locate(place)) if place else None
        step = step or observations.result_here(self.seen, self.settings.selected)
        if step is None:
            self.status = self.texts("screen.observe.nothing")
        return step

    def _begin(self, prompt: Prompt, step: Step) -> None:
        self._changing, self.prompt = step, prompt

    def _asked_world(self, step: Step, query: str) -> None:
        asked = observations.query_of(self.session, step)
        said = observations.world_says(self.session.scenario, asked[0], query) if asked else None
        if asked is not None and said is not None:
            self._put(step.place, said, "world", query)

    def _put(self, place: str, text: str | None, how: str, query: str = "") -> None:
        """Compute the run with a text in a result (None: the recorded one), and show it there."""
        session = self.session
        scenario = observations.observing(session, place, text)
        self._later(
            lambda: decisions.decided(session, scenario),
            lambda shown: self._shown(session, shown, place, how, query),
        )

    def _shown(self, session: Session, shown: Shown, place: str, how: str, query: str) -> None:
        decisions.show(session, shown, place)
        self.settings.selected = None
        self.settings.revealed.clear()
        step = shown.run.step(session.index)
        if how == "now" and not shown.run.observations:
            how = "same"
        call = tool_text(step.request) if step.request is not None else "?"
        text = excerpt(step.result.result_text, SAID) if step.result is not None else ""
        self.status = self.texts(
            f"screen.observe.{how}", place=place, call=call, text=text, query=safe(query, SAID)
        )
