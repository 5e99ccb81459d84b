"""Where the findings on single requests and results are: by run and turn, to be opened there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from visualizer.transcript.records import RecordedRun, Turn

UNANSWERED = "format.unanswered"
STRAYS = {f"format.{kind}": kind for kind in ("orphan_result", "double_result", "late_result")}
"""Findings on results that found no request, by what they were put into the next request as."""

LOCATED = frozenset({UNANSWERED, *STRAYS})
MOST = 3
"""Places that are named of each kind."""


def places(runs: Iterable[RecordedRun], keys: Iterable[str]) -> dict[str, list[str]]:
    """The first places of some kinds of findings, as options that open them, by kind.

    A result that no request was sent after has none.
    """
    wanted = LOCATED.intersection(keys)
    found: dict[str, list[str]] = {key: [] for key in wanted}
    for run in runs if wanted else ():
        for number, turn in enumerate(run.takes[0].turns):
            for key in _found(turn, wanted):
                if len(found[key]) <= MOST:
                    found[key].append(f"--run {run.id} --at t{number}.call")
    return found


def named(found: list[str]) -> str:
    """Places in brackets behind a sentence; ``""`` where there are none."""
    if not found:
        return ""
    more = ", ..." if len(found) > MOST else ""
    return f" ({', '.join(found[:MOST])}{more})"


def _found(turn: Turn, wanted: frozenset[str]) -> Iterator[str]:
    """The kinds of findings that are at a turn."""
    origins = {put.origin for put in turn.inserted}
    yield from (key for key, kind in STRAYS.items() if key in wanted and kind in origins)
    if UNANSWERED in wanted and turn.response is not None:
        asked = [one for one in turn.response["content"] if one.get("type") == "tool_use"]
        if len(asked) > len(turn.results or ()):
            yield UNANSWERED
