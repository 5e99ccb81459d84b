"""What a reader decides or changes in a run: it is computed again, and the place kept."""

from __future__ import annotations

from visualizer.app import decisions, observations
from visualizer.app.prompt import Prompt
from visualizer.app.session import Session, Shown
from visualizer.describe import tool_text
from visualizer.describe.phrases import excerpt, safe
from visualizer.run.timeline import Step
from visualizer.transcript.settings import Choice
from visualizer.tui.commands import command
from visualizer.tui.run_screen import RunPart

EXCERPT = 40
"""Cells of a result or a question, in the line that says what was put where."""


class Decisions(RunPart):
    """Whether a call that waits for a person may run."""

    @command("allow", "A", group="decide")
    def allow(self) -> None:
        """The call that waits here may run: the run is computed again."""
        self._decide("allow")

    @command("deny", "D", group="decide")
    def deny(self) -> None:
        """The call that waits here may not run."""
        self._decide("deny")

    def _decide(self, choice: Choice) -> None:
        screen = self.screen
        screen.pause()
        session = screen.session
        place = decisions.asked_here(session)
        if not place:
            screen.status = screen.texts(f"screen.decide.{decisions.why_not(session)}")
            return
        scenario = decisions.deciding(session, place, choice)
        screen.later(
            lambda: decisions.decided(session, scenario),
            lambda shown: self._decided(session, shown, place, choice),
        )

    def _decided(self, session: Session, shown: Shown, place: str, choice: Choice) -> None:
        decisions.show(session, shown, place)
        self.screen.forget_place()
        self.screen.status = self.screen.texts(f"screen.decide.{choice}", place=place)


class Observations(RunPart):
    """The texts of tool results, which may be changed."""

    @command("observe", "O", group="decide")
    def observe(self, place: str = "") -> None:
        """Change the text of the tool's result here (or at a place): type what stands instead."""
        step = self._result_here(place)
        if step is None or step.result is None:
            return
        text = step.result.result_text
        line = observations.typed_form(text)
        kind = "observe" if line or not text else "observe_anew"
        prompt = Prompt(kind, line, len(line), observations.MOST, lines=True)
        self.screen.ask(prompt, lambda typed: self._typed(step, kind, line, typed))

    @command("ask_world", "W", group="decide")
    def ask_world(self) -> None:
        """Ask the recording's world something else; what it says stands instead."""
        step = self._result_here()
        if step is None:
            return
        asked = observations.query_of(self.screen.session, step)
        if asked is None:
            self.screen.status = self.screen.texts("screen.observe.no_world")
            return
        prompt = Prompt("ask_world", asked[1], len(asked[1]))
        self.screen.ask(prompt, lambda query: self._asked_world(step, query))

    @command("recorded_again", "z", group="decide")
    def recorded_again(self) -> None:
        """The recorded observation again: the one here, else the one changed last."""
        screen = self.screen
        screen.pause()
        changed = [place for place, _ in screen.session.run.observations]
        step = observations.result_here(screen.session, screen.settings.selected)
        if not changed:
            screen.status = screen.texts("screen.observe.unchanged")
        elif step is not None and step.place in changed:
            self._put(step.place, None, "again")
        else:
            self._put(changed[-1], None, "again")

    def _typed(self, step: Step, kind: str, before: str, text: str) -> None:
        if kind == "observe":
            same = text == before
            self._put(step.place, observations.typed_text(text), "same" if same else "now")
        elif text:
            self._put(step.place, observations.typed_text(text), "now")

    def _result_here(self, place: str = "") -> Step | None:
        """The step whose result can be changed; why there is none is said."""
        screen = self.screen
        screen.pause()
        if screen.settings.arriving is not None:
            screen.status = screen.texts("screen.observe.arriving")
            return None
        run = screen.seen.run
        step = run.step(run.locate(place)) if place else None
        step = step or observations.result_here(screen.seen, screen.settings.selected)
        if step is None:
            screen.status = screen.texts("screen.observe.nothing")
        return step

    def _asked_world(self, step: Step, query: str) -> None:
        session = self.screen.session
        asked = observations.query_of(session, step)
        told = observations.world_says(session.scenario, asked[0], query) if asked else None
        if asked is not None and told is not None:
            self._put(step.place, told, "world", query)

    def _put(self, place: str, text: str | None, how: str, query: str = "") -> None:
        """Compute the run with a text in a result (None: the recorded one), and show it there."""
        session = self.screen.session
        scenario = observations.observing(session, place, text)
        self.screen.later(
            lambda: decisions.decided(session, scenario),
            lambda shown: self._shown(session, shown, place, how, query),
        )

    def _shown(self, session: Session, shown: Shown, place: str, how: str, query: str) -> None:
        decisions.show(session, shown, place)
        self.screen.forget_place()
        step = shown.run.step(session.index)
        if how == "now" and not shown.run.observations:
            how = "same"
        call = tool_text(step.request) if step.request is not None else "?"
        text = excerpt(step.result.result_text, EXCERPT) if step.result is not None else ""
        self.screen.status = self.screen.texts(
            f"screen.observe.{how}", place=place, call=call, text=text, query=safe(query, EXCERPT)
        )
