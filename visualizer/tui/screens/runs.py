"""The list of the runs in a recording, to choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from visualizer.describe.phrases import safe
from visualizer.i18n import Texts, texts
from visualizer.recordings import counts_of
from visualizer.transcript import RecordedRun
from visualizer.tui.paint.picker import Entry
from visualizer.tui.recorded import errors_in, prompt_of, started_text
from visualizer.tui.screens.choices import holding
from visualizer.tui.screens.picker import Offer, PickerScreen
from visualizer.tui.session import Session

TITLE = 60
END = 40


def runs(
    session: Session, chosen: Callable[[str], object], among: Sequence[str] = ()
) -> PickerScreen:
    """All runs of a recording (or those ``among`` them), the one that is shown chosen."""
    scenario = session.scenario
    numbered = enumerate(scenario.runs, 1)
    offered = [(n, one) for n, one in numbered if not among or one.id in among]

    @cache
    def entries(language: str) -> list[Entry]:
        return [_entry(session, n, one, texts(language)) for n, one in offered]

    def matching(said: Texts, words: str) -> list[Entry]:
        return holding(entries(said.language), words)

    current = session.run.recorded_run
    at = next((at for at, (_, one) in enumerate(offered) if one.id == current), 0)
    return PickerScreen(Offer("screen.picker.runs", matching, chosen), at)


def _entry(session: Session, number: int, run: RecordedRun, said: Texts) -> Entry:
    """A run: its number and prompt, what it counts and how it ended, what it began with."""
    counts = counts_of([run])
    errors = errors_in(run)
    parts = [
        *([said.count("screen.runs.errors", errors)] if errors else []),
        said.count("screen.runs.calls", counts.calls),
        said.count("screen.runs.rounds", counts.rounds),
        said("screen.runs.ended", end=safe(counts.end, END)),
    ]
    return Entry(
        run.id,
        f"{number}  {safe(prompt_of(run), TITLE)}",
        said("screen.runs.comma").join(parts),
        started_text(session.scenario, run, said),
    )
