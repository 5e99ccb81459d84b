"""A run as far as it has been seen. What is not in it can't be given away.

Painters get a run that ends where the reader is, so nothing they draw (the strip, the counts,
the line to come, a search) knows of what follows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from visualizer.app.recorded import Asides
from visualizer.app.session import Session, Shown
from visualizer.describe.phrases import safe
from visualizer.messages import Message
from visualizer.run.timeline import Run

TITLE = 60
KEPT = ("_request_labels", "_context_spans", "_turn_names", "_helpers")
"""What is kept with a run and holds for its beginning, too (labels are letters in order)."""


@dataclass(frozen=True)
class Veiled(Shown):
    """The first steps of a run. A loop's statements need no second look."""

    whole: Shown

    @property
    def phase_lines(self) -> Mapping[int, str]:
        """The phases as far as they have been seen."""
        last = len(self.run.steps)
        steps = self.whole.phase_steps.items()
        return {line: phase for line, (phase, first) in steps if first <= last}

    @property
    def asides(self) -> Asides:
        """What the recording holds beside the whole run; each of it says from which step on."""
        return self.whole.asides

    @property
    def statements(self) -> tuple[int, ...]:
        """The statements of the loop, which are no secret."""
        return self.whole.statements


def veiled(session: Session, last: int) -> Session:
    """The session with the run up to step ``last`` only; the place stays."""
    shown = session.shown
    if last >= len(shown.run.steps):
        return session
    cut = Veiled(shown.scenario, run_until(shown.run, last), shown)
    return replace(session, shown=cut, index=min(session.index, last), gate=None)


def run_until(run: Run, last: int) -> Run:
    """A run that has come to step ``last`` and has no end yet."""
    steps = run.steps[:last]
    here = steps[-1]
    calls = run.calls[: bisect_right(run.calls, last, key=lambda call: call.step)]
    cut = replace(
        run,
        steps=steps,
        calls=calls,
        histories=tuple(
            _until(history, number, here.history, here.messages)
            for number, history in enumerate(run.histories)
        ),
        result=None,
        raised=None,
        stop=None,
        terminal_reason="",
    )
    cut.__dict__.update((name, run.__dict__[name]) for name in KEPT if name in run.__dict__)
    return cut


def neutral_title(session: Session) -> str:
    """What the run is about: its task. A scenario's own title may tell how it ends."""
    messages = session.run.histories[0]
    return safe(messages[0].text, TITLE) if messages else ""


def _until(
    history: Sequence[Message], number: int, current: int, messages: int
) -> Sequence[Message]:
    if number < current:
        return history
    return history[:messages] if number == current else []
