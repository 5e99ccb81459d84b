"""What is being looked at: a scenario, the run a loop makes of it, and a place in that run."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from visualizer.app.listing import helpers, phase_steps, statement_lines
from visualizer.app.recorded import Asides, asides, command_for
from visualizer.describe import context_size, request_labels
from visualizer.errors import LoopError
from visualizer.locator import Locator
from visualizer.run.timeline import Run, keep_place
from visualizer.transcript.takes import longest_take

if TYPE_CHECKING:
    from visualizer.loading import Scenario

LONG = 2_000
"""Recorded turns from which a replay is no longer done between two key presses."""

ROOMY = 10
"""The cap to put a run beside that was cut off, unless more was recorded."""

Gate = Callable[[int], int]
"""How far a move may go that wants to go to a step: a question may wait before it."""


def compute(scenario: Scenario, loop: str | None, max_turns: int | None) -> Run:
    """The run of a loop over a scenario (imported late: the first screen may not need one)."""
    from visualizer.engine import replay  # noqa: PLC0415

    return replay(scenario, loop=loop, max_turns=max_turns)


@dataclass(frozen=True)
class Shown:
    """A run with what is worked out once for all its steps."""

    scenario: Scenario
    run: Run

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """The short name of each tool request, by its id."""
        return request_labels(self.run)

    @cached_property
    def phase_lines(self) -> Mapping[int, str]:
        """The phase that ran on each line of the loop, as far as one did."""
        return {line: phase for line, (phase, _) in self.phase_steps.items()}

    @cached_property
    def phase_steps(self) -> Mapping[int, tuple[str, int]]:
        """For each line on which a phase ran: the phase, and its first step."""
        return phase_steps(self.run)

    @cached_property
    def changed(self) -> frozenset[str]:
        """The ids of the requests whose results a reader changed."""
        places = dict(self.run.observations)
        steps = (one for one in self.run.steps if one.place in places) if places else ()
        return frozenset(one.request.id for one in steps if one.request is not None)

    @cached_property
    def asides(self) -> Asides:
        """What the recording holds beside the run: inserted blocks, failed requests."""
        return asides(self.scenario, self.run)

    def settle(self) -> Shown:
        """Work out now what steps through the run will need, and give the run itself.

        What a long run is made of is kept from the garbage collector, which would stop for
        half a second in the middle of a step to look at 60,000 messages. What was kept before
        may be garbage by now.
        """
        _ = self.labels, self.phase_lines, self.statements, self.asides
        if self.run.calls:
            context_size(self.run, self.run.calls[-1])
        gc.unfreeze()
        if len(self.run.steps) > LONG:
            gc.collect()
            gc.freeze()
        return self

    @cached_property
    def statements(self) -> tuple[int, ...]:
        """The lines on which a statement begins: those that can be skipped."""
        names = (self.run.loop.function, *helpers(self.run))
        return tuple(line for name in names for line in statement_lines(self.run.loop, name))


def turns_in(scenario: Scenario, run_id: str | None = None) -> int:
    """The recorded turns of a run, of its longest take."""
    recorded = scenario.run(run_id)
    return longest_take(recorded)


def runs_apart(loop: str | None) -> bool:
    """Whether a loop is a reader's own: it runs in another process, as long as it likes."""
    return loop is not None and ".py" in loop


def step_of_request(run: Run, request_id: str) -> int | None:
    """The step that executed a tool request, else the call that asked for it."""
    for step in run.steps:
        if step.request is not None and step.request.id == request_id:
            return step.index
    for call in run.calls:
        if call.reply is not None and any(one.id == request_id for one in call.reply.tool_calls):
            return call.step
    return None


@dataclass
class Session:
    """A place in a run, moved by the reader. Everything here is a plain function call."""

    scenario: Scenario
    shown: Shown
    index: int = 1
    loop: str | None = None
    max_turns: int | None = None
    gate: Gate | None = None
    places: dict[str, int] = field(default_factory=dict)

    @classmethod
    def open(
        cls,
        scenario: Scenario,
        loop: str | None = None,
        max_turns: int | None = None,
        at: str | None = None,
    ) -> Session:
        """A session at ``at``, or at the start. Raises ``LoopError`` and ``PlaceError``."""
        run = compute(scenario, loop, max_turns)
        session = cls(scenario, Shown(scenario, run).settle(), 1, loop, max_turns)
        if at is not None:
            session.index = run.locate(at)
        return session

    @property
    def run(self) -> Run:
        """The run shown."""
        return self.shown.run

    def move(self, index: int) -> bool:
        """Go to a step, or the nearest there is. False where that is where we are."""
        index = max(1, min(index, len(self.run.steps)))
        if self.gate is not None:
            index = self.gate(index)
        moved = index != self.index
        self.index = index
        return moved

    def next_turn(self) -> bool:
        """Go to the first step of the next turn, or to the end."""
        index, turn = self.index, self.run.step(self.index).turn
        while index < len(self.run.steps):
            index += 1
            if self.run.step(index).turn != turn:
                break
        return self.move(index)

    def previous_turn(self) -> bool:
        """Go to the first step of this turn, from there to that of the turn before."""
        start = self.run.turn_start(self.index)
        if start == self.index and start > 1:
            start = self.run.turn_start(start - 1)
        return self.move(start)

    def go(self, place: str) -> bool:
        """Go to a step number or a place. Raises ``PlaceError``."""
        return self.move(self.run.locate(place))

    def on_run(self, run_id: str) -> Session:
        """Another run of the recording, at the place where it was left, by the same loop."""
        self.places[self.run.recorded_run] = self.index
        other = Session.open(self.scenario.plain.on_run(run_id), self.loop)
        other.places = self.places
        other.move(self.places.get(run_id, 1))
        return other

    def requests_here(self) -> tuple[str, ...]:
        """The ids of the tool requests at this step: the one executed, else all of the turn."""
        step = self.run.step(self.index)
        if step.request is not None:
            return (step.request.id,)
        call = self.run.call_at(self.index)
        reply = call.reply if call is not None else None
        return tuple(one.id for one in reply.tool_calls) if reply is not None else ()

    @property
    def is_long(self) -> bool:
        """Whether a replay takes so long that it belongs in the background, or may do so."""
        return runs_apart(self.loop) or turns_in(self.scenario, self.run.recorded_run) > LONG

    def cap_after(self, change: int, wanted: int | None = None) -> int | None:
        """The cap after raising or lowering it (or one on its way); None where that can't be.

        Where there is none, lowering it sets one: the calls so far.
        """
        cap = wanted or self.run.max_turns
        if cap is None and self.run.loop.takes_max_turns and change < 0:
            return max(1, self.run.step(self.index).model_calls)
        if cap is None or not self.run.loop.takes_max_turns or cap + change < 1:
            return None
        return cap + change

    @property
    def why_no_cap(self) -> str:
        """Why the cap can't be changed: ``none``, ``uncapped``, ``lowest``."""
        if not self.run.loop.takes_max_turns:
            return "none"
        return "uncapped" if self.run.max_turns is None else "lowest"

    def computed(self, cap: int | None) -> Shown:
        """The run under another cap (slow for a long one, so it may be called in a thread)."""
        return Shown(self.scenario, compute(self.scenario, self.loop, cap)).settle()

    def show(self, shown: Shown, cap: int | None) -> None:
        """Change over to a run under another cap, keeping the place as far as both agree."""
        self.index = keep_place(self.run, self.index, shown.run)
        self.shown, self.max_turns = shown, cap

    def arrived(self, scenario: Scenario, shown: Shown | None) -> int:
        """Change over to the same recording with more in it; how many steps are new.

        ``shown`` is its run, or another one of it that is shown from now on; None where the
        run is the same as before.
        """
        self.scenario = scenario
        if shown is None:
            self.shown = replace(self.shown, scenario=scenario)
            return 0
        before = len(self.run.steps)
        if shown.run.recorded_run != self.run.recorded_run:
            self.places[self.run.recorded_run] = self.index
            self.shown, self.index = shown, 1
            return len(shown.run.steps)
        self.show(shown, self.max_turns)
        return max(0, len(shown.run.steps) - before)

    def driven_by(self, loop: str) -> Shown:
        """The run of another loop; a cap goes with it where that loop takes one."""
        try:
            run = compute(self.scenario, loop, self.max_turns)
        except LoopError:
            run = compute(self.scenario, loop, None)
        return Shown(self.scenario, run).settle()

    def show_loop(self, shown: Shown, loop: str) -> None:
        """Change over to the run of another loop, keeping the place as far as both agree."""
        from visualizer.app.beside import kept_place  # noqa: PLC0415 - not needed to step

        self.index = kept_place(self.run, self.index, shown.run)
        self.shown, self.loop = shown, loop
        self.max_turns = self.max_turns if shown.run.loop.takes_max_turns else None

    @property
    def cap_for_all(self) -> int | None:
        """A cap that leaves room for all that was recorded, where this run was cut off."""
        if self.run.terminal_reason != "max_turns":
            return None
        recorded = self.scenario.run(self.run.recorded_run)
        longest = longest_take(recorded)
        return max(longest, ROOMY) if max(longest, ROOMY) != self.run.max_turns else None

    @property
    def locator(self) -> str:
        """The place as a command line takes it: ``aurora-run@t1.check,max_turns=2``.

        A file has no such name: there it is the command that opens it at the run and place.
        """
        if self.scenario.outside is not None and self.scenario.path is not None:
            return command_for(self, self.scenario.path)
        settings = self.scenario.settings
        cap = self.run.max_turns if self.run.max_turns != settings.max_turns else None
        loop = self.loop if self.loop not in (None, settings.loop) else None
        decided = tuple(self.scenario.decided.items())
        place = self.run.step(self.index).place
        changed = self.run.observations
        run = self.run.recorded_run
        other = None if run == self.scenario.runs[0].id else run
        return str(Locator(self.scenario.name, place, cap, loop, decided, changed, other))
