"""The list of the runs in a recording, to choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from visualizer.app.recorded import errors_in, prompt_of, started_text
from visualizer.app.session import Session
from visualizer.app.tree import Branch, tree
from visualizer.collection.recordings import counts_of
from visualizer.describe.phrases import safe
from visualizer.i18n import Texts, texts
from visualizer.tui.lists.choices import holding
from visualizer.tui.lists.painter import Entry
from visualizer.tui.lists.screen import Offer, PickerScreen

TITLE = 60
END = 40


def runs(
    session: Session, chosen: Callable[[str], object], among: Sequence[str] = ()
) -> PickerScreen:
    """All runs of a recording (or those ``among`` them), the one that is shown chosen."""
    scenario = session.scenario
    offered = [one for one in tree(scenario.runs) if not among or one.run.id in among]

    @cache
    def entries(language: str) -> list[Entry]:
        return [_entry(session, one, texts(language)) for one in offered]

    def matching(said: Texts, words: str) -> list[Entry]:
        return holding(entries(said.language), words)

    current = session.run.recorded_run
    at = next((n for n, one in enumerate(offered) if one.run.id == current), 0)
    return PickerScreen(Offer("screen.picker.runs", matching, chosen), at)


def _entry(session: Session, branch: Branch, said: Texts) -> Entry:
    """A run: its number and prompt, what it counts and how it ended, what it began with."""
    run = branch.run
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
        f"{_indent(branch.depth)}{branch.number}  {safe(prompt_of(run), TITLE)}",
        said("screen.runs.comma").join(parts),
        _started(session, branch, said),
    )


def _indent(depth: int) -> str:
    """The lines of the tree, in signs that every terminal has."""
    return "   " * (depth - 1) + " +- " if depth else ""


def _started(session: Session, branch: Branch, said: Texts) -> str:
    """How a run began, and from which run it goes on."""
    kind = branch.run.started_by
    if branch.run.parent is None and branch.origin is not None and kind in ("fork", "resume"):
        return said(f"window.started.{kind}", number=branch.origin)
    return started_text(session.scenario, branch.run, said)
