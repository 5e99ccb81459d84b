"""What a query meets: in the run shown by its steps, in the other runs by what was recorded.

Words are searched for in messages, conditions are met at steps. The order is that of the
recording: run after run, and round again. Runs that are not shown are never driven for it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from visualizer.app import conditions
from visualizer.app.find import InRecording, size_of, texts_beside, turns_of
from visualizer.app.scan import Scan, Slices
from visualizer.app.session import Shown
from visualizer.loading import Scenario
from visualizer.run.timeline import Run
from visualizer.transcript.records import RecordedRun, Turn

LONG = 5_000
"""Steps from which looking for conditions takes longer than a key may."""

TURNS = 100
"""Recorded turns that are counted in one slice."""

PLACED = 300
"""Hits whose steps are found in one slice."""

NONE = -1
"""The place of no message."""


class Hit(NamedTuple):
    """A place that was asked for: a message (by its place in the list) or a condition met.

    ``step`` is the first step at which it is there. ``beside``: what was found is not in the
    message but under it, put in by the host or failed there.
    """

    step: int
    message: int = NONE
    beside: bool = False
    met: conditions.Met | None = None


@dataclass
class Search:
    """One query over a recording. ``look`` before anything else is asked."""

    query: str
    hits: list[Hit] = field(default_factory=list)
    percent: int = 0
    _shown: Shown | None = None
    _everywhere: bool = False
    _recorded: dict[str, int] = field(default_factory=dict)
    _sizes: dict[str, tuple[RecordedRun, tuple[int, int]]] = field(default_factory=dict)
    _driven: dict[tuple[str, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.condition = conditions.parse(self.query)
        self.words = conditions.words_of(self.query)
        self._scan = Scan(self.words)
        self._words = None if self.condition is not None else InRecording(self._scan)

    def look(self, scenario: Scenario, shown: Shown, everywhere: bool) -> Slices:
        """Find out what is not known yet: of the run shown, and where wanted of the others.

        ``percent`` says how far that is.
        """
        self.percent = 0
        begun, size = self._scan.seen, len(shown.run.steps)
        if everywhere:
            size += sum(2 * len(turns_of(scenario, run)) for run in scenario.runs)
        for takes_long in self._look(scenario, shown, everywhere):
            self.percent = min(99, 100 * (self._scan.seen - begun) // size)
            yield takes_long

    def _look(self, scenario: Scenario, shown: Shown, everywhere: bool) -> Slices:
        if everywhere:
            yield from self._look_beyond(scenario, shown.run.recorded_run)
        if self._shown is not shown or self._everywhere != everywhere:
            self.hits = yield from self._look_here(shown, everywhere)
            self._shown, self._everywhere = shown, everywhere
        if everywhere:
            self._driven[shown.run.recorded_run, shown.run.loop.name] = len(self.hits)

    def _look_here(self, shown: Shown, everywhere: bool) -> Generator[bool, None, list[Hit]]:
        """What the run shown holds."""
        if self.condition is not None:
            if len(shown.run.steps) > LONG:
                yield True
            every = conditions.met(shown.run, self.condition, shown.asides)
            return [Hit(one.step, met=one) for one in every]
        first = None
        if everywhere and self._words is not None:
            first = self._words.runs[shown.run.recorded_run].first
        return (yield from hits_in(shown, self._scan, first))

    def _look_beyond(self, scenario: Scenario, here: str) -> Slices:
        """What was recorded of the other runs, where that is not known yet."""
        sizes = {run.id: (run, size_of(turns_of(scenario, run))) for run in scenario.runs}
        if any(sizes.get(run_id) != size for run_id, size in self._sizes.items()):
            self._driven.clear()  # a run has grown
        if self._words is not None:
            yield from self._words.look(scenario, here)
            self._recorded = {run_id: one.count for run_id, one in self._words.runs.items()}
        elif self.condition is not None:
            for run in scenario.runs:
                turns = turns_of(scenario, run)
                if self._sizes.get(run.id) != sizes[run.id]:
                    self._recorded[run.id] = yield from self._count(turns, self.condition)
                self._scan.seen += 2 * len(turns)
        self._sizes = sizes

    def _count(
        self, turns: list[Turn], condition: conditions.Condition
    ) -> Generator[bool, None, int]:
        count = 0
        for start in range(0, len(turns), TURNS):
            count += conditions.count_in(turns[start : start + TURNS], condition)
            yield False
        return count

    def counts(self, scenario: Scenario) -> list[int]:
        """How many hits each run of the recording has, in order."""
        loop = self._shown.run.loop.name if self._shown is not None else ""
        return [
            self._driven.get((run.id, loop), self._recorded.get(run.id, 0)) for run in scenario.runs
        ]

    def near(self, index: int, selected: int | None, direction: int) -> int | None:
        """The number (from 0) of the next hit in the run shown, from a step on.

        ``selected`` is the message that is selected there. None where no more is found.
        """
        assert self._shown is not None
        here: tuple[float, float] = (index, NONE)
        if self.condition is None:
            here = (index, float("inf"))
            if selected is not None:
                run = self._shown.run
                here = (first_step(run, run.step(index).history, selected), selected)
        if direction > 0:
            found = (n for n, hit in enumerate(self.hits) if hit[:2] > here)
        else:
            last = len(self.hits) - 1
            found = (last - n for n, hit in enumerate(reversed(self.hits)) if hit[:2] < here)
        return next(found, None)

    def run_beyond(self, scenario: Scenario, direction: int) -> tuple[str, bool] | None:
        """The next run with a hit, and whether that is round the end; None where there is none.

        The run shown is the last one asked: it is given where only it has any.
        """
        counts, here = self.counts(scenario), self._here(scenario)
        for away in range(1, len(counts) + 1):
            at = here + away * direction
            if counts[at % len(counts)]:
                return scenario.runs[at % len(counts)].id, not 0 <= at < len(counts)
        return None

    def number(self, scenario: Scenario, hit: int) -> tuple[int, int]:
        """Which of all hits one of the run shown is, from 1, and how many there are."""
        if not self._everywhere:
            return hit + 1, len(self.hits)
        counts = self.counts(scenario)
        return sum(counts[: self._here(scenario)]) + hit + 1, sum(counts)

    def _here(self, scenario: Scenario) -> int:
        shown = self._shown.run.recorded_run if self._shown is not None else ""
        return next((n for n, run in enumerate(scenario.runs) if run.id == shown), 0)


def hits_in(
    shown: Shown, scan: Scan, first: frozenset[int] | None
) -> Generator[bool, None, list[Hit]]:
    """Every message of a run that holds the words, and what stands beside one.

    ``first`` are the places in the run's first list that count (None: all that hold them):
    the others were found in the run that had them first.
    """
    run = shown.run
    places: list[tuple[int, int]] = []
    yield from scan.through(_messages(run, 0 if first is None else run.steps[0].messages), places)
    if len(run.histories) > 1:
        places = _each_once(run, places)
    places += [(0, place) for place in first or ()]
    hits = []
    spans = [_span(run, number) for number in range(len(run.histories))]
    for number, place in places:
        hits.append(Hit(_first_step(run, spans[number], place), place))
        if len(hits) % PLACED == 0:
            yield False
    under: dict[int, int] = {}
    texts = (
        ((one.step, place), texts_beside(one.inserted, one.attempts))
        for (_, place), asides in shown.asides.under.items()
        for one in asides
        if one.step <= len(run.steps)
    )
    beside: list[tuple[int, int]] = []
    yield from scan.through(texts, beside)
    for step, place in beside:
        under[step] = min(place, under.get(step, place))
    hits += [Hit(step, place, beside=True) for step, place in under.items()]
    return sorted(hits)


def first_step(run: Run, history: int, place: int) -> int:
    """The first step at which a message is there, given its list and its place in it."""
    return _first_step(run, _span(run, history), place)


def _first_step(run: Run, span: tuple[int, int], place: int) -> int:
    low, high = span
    at = bisect_left(run.steps, place + 1, low, high, key=lambda step: step.messages)
    return run.steps[min(at, high - 1)].index


def _span(run: Run, history: int) -> tuple[int, int]:
    low, high = (
        bisect_left(run.steps, number, key=lambda step: step.history)
        for number in (history, history + 1)
    )
    return low, high


def _messages(run: Run, start: int) -> Iterator[tuple[tuple[int, int], object]]:
    """What each message holds that the steps show, by list and place; the first from ``start``."""
    for number, history in enumerate(run.histories):
        low, high = _span(run, number)
        for place in range(
            0 if number else start, run.steps[high - 1].messages if high > low else 0
        ):
            yield (number, place), [block.data for block in history[place].blocks]


def _each_once(run: Run, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """A message that stays when a loop rewrites its list was found before."""
    known = set(run.histories[0][: run.steps[0].messages])
    kept = []
    for number, place in places:
        message = run.histories[number][place]
        if (number == 0 and place < run.steps[0].messages) or message not in known:
            known.add(message)
            kept.append((number, place))
    return kept
