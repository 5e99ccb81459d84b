"""The runs of a recording as a tree: what forked from which run, which call started which.

A run that goes on where another one ended (the next prompt, a resume) stands beside it. A fork
and a subagent's run stand below the run that they come from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from visualizer.transcript.history import SharedRequest
from visualizer.transcript.records import RecordedRun

DEEPEST = 8
"""Levels that are told apart; what lies deeper looks like the deepest."""


class Branch(NamedTuple):
    """A run, its level from 0, its number, and that of the run it goes on from (None: of none).

    Numbers are from 1, in the recording's order.
    """

    run: RecordedRun
    depth: int
    number: int
    origin: int | None


def tree(runs: Sequence[RecordedRun]) -> list[Branch]:
    """All runs, each below the one that it branched off; siblings as the recording has them."""
    origins, above = _origins(runs)
    below: dict[str | None, list[RecordedRun]] = {}
    numbers = {run.id: number for number, run in enumerate(runs, 1)}
    for run in runs:
        place = above.get(run.id)
        below.setdefault(place if place in numbers else None, []).append(run)

    def branch(run: RecordedRun, depth: int) -> Branch:
        origin = numbers.get(origins.get(run.id) or "")
        return Branch(run, min(depth, DEEPEST), numbers[run.id], origin)

    found: list[Branch] = []
    waiting = [(run, 0) for run in reversed(below.get(None, []))]
    while waiting:
        run, depth = waiting.pop()
        found.append(branch(run, depth))
        waiting += [(one, depth + 1) for one in reversed(below.pop(run.id, []))]
    reached = {branch.run.id for branch in found}
    lost = [run for run in runs if run.id not in reached]  # runs that claim to start each other
    return found + [branch(run, 0) for run in lost]


def _origins(
    runs: Sequence[RecordedRun],
) -> tuple[dict[str, str | None], dict[str, str | None]]:
    """For each run the one that it goes on from, and the one below which it stands."""
    origins: dict[str, str | None] = {}
    above: dict[str, str | None] = {}
    members: dict[int, list[tuple[int, str]]] = {}
    for run in runs:
        if run.parent is not None:
            origins[run.id] = above[run.id] = run.parent.run
        if not isinstance(run.request, SharedRequest):
            continue
        history, count = run.request.history
        same = members.setdefault(id(history), [])
        if run.parent is None:
            base = history.base
            if same:
                origins[run.id] = same[-1][1]
                forked = run.started_by == "fork"
                above[run.id] = same[-1][1] if forked else above.get(same[-1][1])
            elif base is not None:
                origins[run.id] = above[run.id] = _member(members.get(id(base[0]), []), base[1])
        same.append((count, run.id))
    return origins, above


def _member(members: list[tuple[int, str]], kept: int) -> str | None:
    """The last run of a history that began within the messages that were kept of it."""
    at = bisect_right(members, kept, key=lambda one: one[0])
    return members[at - 1][1] if at else None
