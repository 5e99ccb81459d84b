"""Searching in a recording: every text that its runs hold, without driving one of them.

Runs share their first messages: a message is counted in the run that held it first, and its
text is looked through once.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field

from visualizer.app.recorded import failed_text
from visualizer.app.scan import Scan, Slices, texts_in
from visualizer.loading import Scenario
from visualizer.transcript.history import SharedRequest
from visualizer.transcript.records import ApiObject, Attempt, Inserted, RecordedRun, Turn

__all__ = [
    "InRecording",
    "InRun",
    "search_all",
    "size_of",
    "texts_beside",
    "texts_in",
    "turns_of",
]

PASSED = 500
"""Messages that are passed over between two pauses."""


def search_all(scenario: Scenario, query: str) -> dict[str, int]:
    """How many messages of each run hold the words, by the run's id; runs without are left out.

    What a host put into a request, or what failed before it, counts as one.
    """
    found = InRecording(Scan(query))
    for _ in found.look(scenario):
        pass
    return {run_id: one.count for run_id, one in found.runs.items() if one.count}


@dataclass(slots=True)
class InRun:
    """What one run holds of some words.

    ``first`` are the messages of its request, by place, that no run had before; ``later`` is
    how many messages of its turns, None where they have not been counted.
    """

    run: RecordedRun
    first: frozenset[int]
    size: tuple[int, int] = (0, 0)
    later: int | None = None

    @property
    def count(self) -> int:
        """All of them."""
        return len(self.first) + (self.later or 0)


@dataclass(slots=True)
class InRecording:
    """What the runs of a recording hold of some words, as far as it has been looked at."""

    scan: Scan
    runs: dict[str, InRun] = field(default_factory=dict)
    _seen: set[int] = field(default_factory=set)
    _walked: dict[int, int] = field(default_factory=dict)

    def look(self, scenario: Scenario, but: str | None = None) -> Slices:
        """Look through all runs, only at what is new; of run ``but`` at its request alone.

        A run that has grown is looked through again; what has been read anew, all of it.
        """
        if any(run.id in self.runs and self.runs[run.id].run is not run for run in scenario.runs):
            self.runs, self._seen, self._walked = {}, set(), {}
        for run in scenario.runs:
            one = self.runs.get(run.id)
            if one is None:
                one = InRun(run, frozenset((yield from self._request(run))))
                self.runs[run.id] = one
            turns = turns_of(scenario, run)
            if (size := size_of(turns)) != one.size:
                one.size, one.later = size, None
                self._seen.update(id(content) for turn in turns for content in _contents(turn))
            if one.later is None and run.id != but:
                one.later = yield from self._later(run, turns)

    def _request(self, run: RecordedRun) -> Generator[bool, None, list[int]]:
        """The places of the messages in a request that are new with it and hold the words."""
        found: list[int] = []
        yield from self.scan.through(self._new_in(run), found)
        return found

    def _new_in(self, run: RecordedRun) -> Iterator[tuple[int, object]]:
        """What a request holds that no turn before held, by its place.

        Nothing stands for a number of those that are passed over.
        """
        passed = 0
        for place, message in self._unwalked(run):
            content = message.get("content")
            if id(content) not in self._seen:
                yield place, content
            elif (passed := passed + 1) % PASSED == 0:
                yield place, None

    def _unwalked(self, run: RecordedRun) -> Iterator[tuple[int, ApiObject]]:
        request = run.request
        if not isinstance(request, SharedRequest):
            yield from enumerate(request.messages)
            return
        history, count = request.history
        for part, first, end in reversed(list(history.parts(count))):
            start = self._walked.get(id(part), first)
            yield from enumerate(part.own(start, end), start)
            self._walked[id(part)] = max(start, end)

    def _later(self, run: RecordedRun, turns: list[Turn]) -> Generator[bool, None, int]:
        """How many messages of a run's turns hold the words."""
        found: list[int] = []
        yield from self.scan.through(_each(turns), found)
        count = len(found)
        if any(turn.history for turn in turns):
            count += yield from self._rewritten(run, turns)
        return count

    def _rewritten(self, run: RecordedRun, turns: list[Turn]) -> Generator[bool, None, int]:
        """How many messages hold the words that are in rewritten lists only."""
        known = [message.get("content") for message in run.request.messages]
        known += [content for turn in turns for content in _contents(turn)]
        lists = [turn.history for turn in turns if turn.history]
        contents = [message.get("content") for one in lists for message in one]
        found: list[int] = []
        yield from self.scan.through(enumerate(contents), found)
        count = 0
        for content in (contents[place] for place in found):
            if content not in known:
                known.append(content)
                count += 1
        return count


def turns_of(scenario: Scenario, run: RecordedRun) -> list[Turn]:
    """The turns that a drive of a run is given: those of the scenario's take, or the first."""
    wanted = scenario.settings.take
    take = next((one for one in run.takes if one.name == wanted), run.takes[0])
    return run.turns_of(take)


def size_of(turns: list[Turn]) -> tuple[int, int]:
    """What tells that a run has grown: turns come behind others, and results at the last."""
    return len(turns), len(turns[-1].results or ()) if turns else 0


def _each(turns: list[Turn]) -> Iterator[tuple[int, object]]:
    """Everything that came with each turn, by the turn's number."""
    for number, turn in enumerate(turns):
        if turn.response is not None:
            yield number, turn.response.get("content")
        if turn.results is not None:
            yield number, turn.results
        if turn.inserted or turn.attempts:
            yield number, texts_beside(turn.inserted, turn.attempts)


def _contents(turn: Turn) -> tuple[object, ...]:
    """What a turn adds to the list of messages."""
    if turn.response is None:
        return () if turn.results is None else (turn.results,)
    said = turn.response.get("content")
    return (said,) if turn.results is None else (said, turn.results)


def texts_beside(inserted: Iterable[Inserted], attempts: Iterable[Attempt]) -> list[object]:
    """What went with a request and is not in the loop's list: put in by the host, or failed."""
    put_in = [block for put in inserted for block in put.content]
    return [*put_in, *map(failed_text, attempts)]
