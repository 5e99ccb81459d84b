"""Rules of the protocol that recorded requests break, each with its place in the recording."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from visualizer.errors import Problem
from visualizer.messages import Message
from visualizer.protocol import Checker, Violation
from visualizer.transcript.history import History, SharedRequest
from visualizer.transcript.records import ApiObject, RecordedRun, Take
from visualizer.transcript.takes import leaves


def recorded_problems(
    runs: Sequence[RecordedRun], was_answered: Callable[[int], bool]
) -> Iterator[Problem]:
    """Rules that the requests of a transcript break, each once, at what brought it in.

    None is stated of runs whose requests an endpoint is known to have answered.
    """
    judged = {number: run for number, run in enumerate(runs) if not was_answered(number)}
    yield from outside_problems([run for run in judged.values() if _is_shared(run)])
    for number, run in judged.items():
        if _is_shared(run):
            continue
        told: set[tuple[str, str, str]] = set()  # takes share the turns of their base
        ends = leaves(run)
        for problem in chain(*(_take_problems(run, one, f"/runs/{number}") for one in ends)):
            what = (problem.pointer, problem.key, str(problem.values))
            if what not in told:
                told.add(what)
                yield problem


def _is_shared(run: RecordedRun) -> bool:
    """Whether a run may be judged together with others that share its messages."""
    return isinstance(run.request, SharedRequest) and len(run.takes) == 1


def _turn_pointers(run: RecordedRun, take: Take, pointer: str) -> list[str]:
    """Where in the file each turn of a take stands, those of its base in that."""
    numbers = {id(one): number for number, one in enumerate(run.takes)}
    return [f"{pointer}/takes/{numbers[id(one)]}/turns/{at}" for one, at in run.path(take)]


def _take_problems(run: RecordedRun, take: Take, pointer: str) -> Iterator[Problem]:
    """Rules that the recorded requests break, each once, at what brought it in."""
    pointers = _turn_pointers(run, take, pointer)
    request = _Request()
    request.add(run.request.messages, f"{pointer}/request/messages/")
    reported: set[Violation] = set()
    for here, turn in zip(pointers, run.turns_of(take), strict=True):
        if turn.history is not None:
            request = _Request()
            request.add(turn.history, f"{here}/history/")
        for violation in request.checker.violations():
            if violation not in reported:
                reported.add(violation)
                yield request.problem(violation)
        if turn.response is not None:
            request.add([{"role": "assistant", **turn.response}], f"{here}/response")
        if turn.results is not None:
            request.add([{"role": "user", "content": turn.results}], f"{here}/results")


def outside_problems(runs: Sequence[RecordedRun]) -> Iterator[Problem]:
    """Rules that requests of runs like an outside recording's break: the call, and where in it.

    Runs that share their messages are judged in one go: each costs what is new in it.
    """
    shared = [(run, run.request) for run in runs if isinstance(run.request, SharedRequest)]
    states: dict[int, _Judged] = {}
    left: dict[tuple[int, int], Checker] = {}  # what was fed where another history leaves one
    parting = {(id(base[0]), base[1]) for _, one in shared if (base := one.history[0].base)}
    for run, request in shared:
        history, count = request.history
        judged = states.get(id(history))
        if judged is None:
            judged = states[id(history)] = _Judged(id(history), parting, left)
            judged.begin(history.base)
        for message in history.first(count, judged.count):
            judged.feed(message)
        for number, turn in enumerate(run.takes[0].turns):
            for violation in judged.news():
                place = f"--run {run.id} --at t{number}.call"
                values = {"where": violation.pointer, "ids": ", ".join(violation.ids)}
                yield Problem(place, f"rule.{violation.code}", {**values})
            if turn.response is not None:
                judged.feed({"role": "assistant", **turn.response})
            if turn.results is not None:
                judged.feed({"role": "user", "content": turn.results})


class _Judged:
    """A history as far as it was judged."""

    def __init__(
        self, name: int, parting: set[tuple[int, int]], left: dict[tuple[int, int], Checker]
    ) -> None:
        self.count = 0
        self._name = name
        self._checker = Checker()
        self._reported: set[Violation] = set()
        self._parting, self._left = parting, left

    def begin(self, base: tuple[History, int] | None) -> None:
        """Begin where the history leaves another one that was judged so far."""
        known = self._left.get((id(base[0]), base[1])) if base is not None else None
        if base is not None and known is not None:
            self._checker, self.count = known.copy(), base[1]

    def feed(self, message: ApiObject) -> None:
        """Take the next message."""
        self._checker.feed(Message.of(message))
        self.count += 1
        if (self._name, self.count) in self._parting:
            self._left[self._name, self.count] = self._checker.copy()

    def news(self) -> Iterator[Violation]:
        """What is wrong with all so far, and was not reported."""
        for violation in self._checker.violations():
            if violation not in self._reported:
                self._reported.add(violation)
                yield violation


class _Request:
    """The messages of a request that grows, and where in the file each of them stands."""

    def __init__(self) -> None:
        self.checker = Checker()
        self._pointers: list[str] = []

    def add(self, messages: Sequence[ApiObject], pointer: str) -> None:
        """Messages that stand at ``pointer`` (with their number where it ends in a slash)."""
        for number, message in enumerate(messages):
            self.checker.feed(Message.of(message))
            self._pointers.append(f"{pointer}{number}" if pointer.endswith("/") else pointer)

    def problem(self, violation: Violation) -> Problem:
        """A broken rule as a problem of the file."""
        index, *rest = violation.pointer.split("/")[2:] or [""]  # the list as a whole has none
        at = int(index) if index.isdigit() and int(index) < len(self._pointers) else -1
        where = self._pointers[at] if self._pointers else "/runs"
        if where.endswith("/results"):
            rest = rest[1:]  # results are a content, not a message
        pointer = "/".join([where, *rest])
        values: dict[str, object] = {"where": pointer, "ids": ", ".join(violation.ids)}
        return Problem(pointer, f"rule.{violation.code}", values)
