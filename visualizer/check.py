"""Checks transcripts: the schema, the protocol, and replay against what they expect.

Lessons are found here and proved in ``lessons.proof``.

Later checks need what earlier ones prove, so a file is reported at the first kind of
problem it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import chain
from pathlib import Path
from typing import Any

from visualizer.describe.phrases import scalar
from visualizer.engine import replay
from visualizer.errors import LoopError, PlaceError, Problem, TranscriptError
from visualizer.history import History, SharedRequest
from visualizer.i18n import Texts
from visualizer.loading import Scenario, load_file
from visualizer.loops.registry import loop_names
from visualizer.messages import Block, Message, escape_pointer
from visualizer.protocol import Checker, Violation
from visualizer.resources import shipped
from visualizer.standard_input import STANDARD_INPUT
from visualizer.tool_schemas import Misfit, Verdict, check_arguments
from visualizer.transcript import ApiObject, Note, RecordedRun, Take, Turn

NAMES = {"tool_use": ("id", "name"), "tool_result": ("tool_use_id",)}
"""What names something in a block, by the block's type."""


def check_paths(paths: Sequence[str], texts: Texts) -> Iterator[str]:
    """A line for every problem in transcripts and lessons (no paths: the shipped ones).

    The path ``-`` is standard input.
    """
    named = [STANDARD_INPUT if one == str(STANDARD_INPUT) else Path(one) for one in paths]
    for path in named or [shipped("transcripts"), shipped("lessons")]:
        for source, problem in _check_path(path):
            yield problem.line(source, texts)


def _check_path(path: Path) -> Iterator[tuple[str, Problem]]:
    if path is STANDARD_INPUT or not path.is_dir():
        yield from _check_file(path)
        return
    if (path / "index.toml").is_file() or (path / "lesson.toml").is_file():
        from visualizer.lessons.proof import prove_folder  # noqa: PLC0415 - only for lessons

        yield from prove_folder(path)
        return
    from visualizer.groups import FILE, group_problems  # noqa: PLC0415 - only for folders

    if (path / FILE).is_file() or path == shipped("transcripts"):
        yield from group_problems(path)
    files = sorted(path.glob("*.json"))
    if not files:
        yield str(path), Problem("", "problem.no_transcripts")
    for file in files:
        yield from _check_file(file)


def _check_file(path: Path) -> Iterator[tuple[str, Problem]]:
    try:
        scenario = load_file(path)
    except TranscriptError as error:
        # The problem may be in a recording that this file refers to: that is then the source.
        yield from ((error.source, problem) for problem in error.problems)
        return
    if scenario.outside is not None:
        problems = chain(scenario.outside.findings.faults(), outside_problems(scenario.runs))
        yield from ((str(path), problem) for problem in problems)
        return
    yield from ((str(path), problem) for problem in check_scenario(scenario))


def check_scenario(scenario: Scenario) -> Iterator[Problem]:
    """Every problem of a scenario that could be loaded."""
    found = False
    if scenario.recording is scenario.transcript:
        for kind in (_type_problems, _parent_problems, _protocol_problems, _argument_problems):
            for problem in kind(scenario) if not found else ():
                found = True
                yield problem
    if not found:
        yield from _loop_problems(scenario)
        yield from _note_problems(scenario)


def _type_problems(scenario: Scenario) -> Iterator[Problem]:
    """Names and ids that are no strings, wherever a reply or its results hold one."""
    for number, run in enumerate(scenario.runs):
        for take_number, take in enumerate(run.takes):
            for at, turn in enumerate(take.turns):
                here = f"/runs/{number}/takes/{take_number}/turns/{at}"
                said = (turn.response or {}).get("content", [])
                for pointer, blocks in (("response/content", said), ("results", turn.results)):
                    yield from _named_problems(blocks or [], f"{here}/{pointer}")


def _parent_problems(scenario: Scenario) -> Iterator[Problem]:
    """Runs that start each other in a circle, each circle once."""
    parents = {run.id: run.parent.run for run in scenario.runs if run.parent is not None}
    ended: set[str] = set()
    for number, run in enumerate(scenario.runs):
        way: dict[str, None] = {}
        name: str | None = run.id
        while name is not None and name not in ended and name not in way:
            way[name] = None
            name = parents.get(name)
        if name is not None and name in way:
            yield Problem(f"/runs/{number}/parent/run", "problem.parent_circle", {"name": name})
        ended |= way.keys()


def _named_problems(blocks: Sequence[ApiObject], pointer: str) -> Iterator[Problem]:
    for number, block in enumerate(blocks):
        for name in NAMES.get(block["type"], ()):
            if not isinstance(block.get(name, ""), str):
                values: dict[str, object] = {"expected": "string"}
                yield Problem(f"{pointer}/{number}/{name}", "problem.type", values)


def _protocol_problems(scenario: Scenario) -> Iterator[Problem]:
    runs = scenario.runs
    yield from outside_problems([run for run in runs if _is_shared(run)])
    for number, run in enumerate(runs):
        if _is_shared(run):
            continue
        told: set[tuple[str, str, str]] = set()  # takes share the turns of their base
        leaves = run.leaves()
        for problem in chain(*(_take_problems(run, one, f"/runs/{number}") for one in leaves)):
            what = (problem.pointer, problem.key, str(problem.values))
            if what not in told:
                told.add(what)
                yield problem


def _is_shared(run: RecordedRun) -> bool:
    """Whether a run may be judged together with others that share its messages."""
    return isinstance(run.request, SharedRequest) and len(run.takes) == 1


def _argument_problems(scenario: Scenario) -> Iterator[Problem]:
    """Calls that don't fit the tools of their request, although their result is no error.

    What was recorded is a fact: only what somebody wrote can contradict itself.
    """
    for number, run in enumerate(scenario.runs):
        for take_number, take in enumerate(run.takes):
            for turn_number, turn in enumerate(take.turns):
                here = f"/runs/{number}/takes/{take_number}/turns/{turn_number}"
                tools = turn.request.get("tools", run.request.tools)
                for at, verdict, name in _contradictions(turn, tools):
                    pointer = f"{here}/response/content/{at}/input"
                    written = scenario.provenance(f"{here}/results")
                    if written is None or written.kind != "recorded":
                        first = next(iter(verdict.misfits), Misfit("", "", None, None))
                        values = {"name": name, "rule": first.rule, "pointer": first.pointer}
                        yield Problem(pointer, f"tools.check.{verdict.state}", dict(values))


def _contradictions(turn: Turn, tools: Any) -> Iterator[tuple[int, Verdict, str]]:
    """(number of the block, verdict, tool) of each call that ran and should not have."""
    ran = {one.tool_use_id for one in map(Block, turn.results or ()) if not one.is_error}
    for at, block in enumerate(map(Block, (turn.response or {}).get("content", ()))):
        if block.type == "tool_use" and block.id in ran:
            verdict = check_arguments(tools, block)
            if verdict.contradicts:
                yield at, verdict, block.name


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
    """Rules that requests of an outside recording break, each once, at run and message.

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
        for turn in run.takes[0].turns:
            for violation in judged.news():
                where = f"/runs/{run.id}{violation.pointer}"
                values: dict[str, object] = {"where": where, "ids": ", ".join(violation.ids)}
                yield Problem(where, f"rule.{violation.code}", values)
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


def _loop_problems(scenario: Scenario) -> Iterator[Problem]:
    """Expectations of loops that do not exist, and runs that do not come to what is expected."""
    known = loop_names()
    for loop, expect in scenario.transcript.expect.items():
        pointer = f"/expect/{escape_pointer(loop)}"
        if loop not in known:
            yield Problem(pointer, "problem.no_loop_name", {"name": loop, "known": tuple(known)})
            continue
        try:
            run = replay(scenario, loop=loop)
        except LoopError as error:
            yield Problem(pointer, error.key, error.values)
            continue
        pairs = {
            field.name: (getattr(expect, field.name), scalar(getattr(run, field.name)))
            for field in fields(expect)
        }
        wrong = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
        if wrong:
            expected = ", ".join(f"{name} {pair[0]!r}" for name, pair in wrong.items())
            found = ", ".join(f"{name} {pair[1]!r}" for name, pair in wrong.items())
            yield Problem(pointer, "problem.expect", {"expected": expected, "found": found})


def _note_problems(scenario: Scenario) -> Iterator[Problem]:
    """Notes on places that no loop with an expectation comes to."""
    known = [name for name in scenario.transcript.expect if name in loop_names()]
    loops: list[str | None] = [*known] or [None]
    for number, note in enumerate(scenario.transcript.notes):
        if not any(_has_place(scenario, note, loop) for loop in loops):
            yield Problem(f"/notes/{number}/at", "problem.note_place", {"place": note.at})


def _has_place(scenario: Scenario, note: Note, loop: str | None) -> bool:
    if note.loop is not None and loop is not None and note.loop != loop:
        return False
    try:
        replay(scenario, loop=note.loop or loop, max_turns=note.max_turns).locate(note.at)
    except (PlaceError, LoopError):
        return False
    return True
