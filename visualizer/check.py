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
from visualizer.history import SharedRequest
from visualizer.i18n import Texts
from visualizer.loading import Scenario, load_file
from visualizer.loops.registry import loop_names
from visualizer.messages import Block, Message, escape_pointer
from visualizer.protocol import Checker, Violation
from visualizer.resources import shipped
from visualizer.standard_input import STANDARD_INPUT
from visualizer.tool_schemas import Misfit, Verdict, check_arguments
from visualizer.transcript import ApiObject, Note, RecordedRun, Take, Turn


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
        for problem in _protocol_problems(scenario.runs):
            found = True
            yield problem
    if not found and scenario.recording is scenario.transcript:
        for problem in _argument_problems(scenario):
            found = True
            yield problem
    if not found:
        yield from _loop_problems(scenario)
        yield from _note_problems(scenario)


def _protocol_problems(runs: Sequence[RecordedRun]) -> Iterator[Problem]:
    shared = [r for r in runs if isinstance(r.request, SharedRequest) and len(r.takes) == 1]
    yield from outside_problems(shared)
    for number, run in enumerate(runs):
        if run in shared:
            continue
        told: set[tuple[str, str, str]] = set()  # takes share the turns of their base
        for problem in chain(*(_take_problems(run, one, f"/runs/{number}") for one in run.takes)):
            what = (problem.pointer, problem.key, str(problem.values))
            if what not in told:
                told.add(what)
                yield problem


def _argument_problems(scenario: Scenario) -> Iterator[Problem]:
    """Calls that don't fit the tools of their request, although their result is no error.

    What was recorded is a fact: only what somebody wrote can contradict itself.
    """
    told: set[str] = set()  # takes share the turns of their base
    for number, run in enumerate(scenario.runs):
        for take in run.takes:
            pointers = _turn_pointers(run, take, f"/runs/{number}")
            for here, turn in zip(pointers, run.turns_of(take), strict=True):
                tools = turn.request.get("tools", run.request.tools)
                for at, verdict, name in _contradictions(turn, tools):
                    pointer = f"{here}/response/content/{at}/input"
                    written = scenario.provenance(f"{here}/results")
                    if pointer not in told and (written is None or written.kind != "recorded"):
                        told.add(pointer)
                        first = next(iter(verdict.misfits), Misfit("", "", None, None))
                        values = {"name": name, "rule": first.rule, "pointer": first.pointer}
                        yield Problem(pointer, f"tools.check.{verdict.state}", dict(values))


def _contradictions(turn: Turn, tools: Any) -> Iterator[tuple[int, Verdict, str]]:
    """(number of the block, verdict, tool) of each call that ran and should not have."""
    ran = {
        block.get("tool_use_id")
        for block in turn.results or ()
        if block.get("is_error") is not True
    }
    for at, block in enumerate((turn.response or {}).get("content", ())):
        if block.get("type") == "tool_use" and block.get("id") in ran:
            verdict = check_arguments(tools, Block(block))
            if verdict.contradicts:
                yield at, verdict, str(block.get("name"))


def _turn_pointers(run: RecordedRun, take: Take, pointer: str) -> list[str]:
    """Where in the file each turn of a take stands, those of its base in that."""
    here = f"{pointer}/takes/{run.takes.index(take)}/turns"
    own = [f"{here}/{number}" for number in range(len(take.turns))]
    if take.base is None:
        return own
    return _turn_pointers(run, run.take(take.base), pointer)[: take.after] + own


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
    """Rules that requests of an outside recording break, each once: the call, and where in it.

    Runs that share their messages are judged in one go: each costs what is new in it.
    """
    states: dict[int, tuple[Checker, int, set[Violation]]] = {}
    for run in runs:
        if not isinstance(run.request, SharedRequest):
            continue
        history, count = run.request.history
        checker, fed, reported = states.get(id(history), (Checker(), 0, set()))
        for message in history.first(count)[fed:]:
            checker.feed(Message.of(message))
        for number, turn in enumerate(run.takes[0].turns):
            for violation in checker.violations():
                if violation not in reported:
                    reported.add(violation)
                    place = f"--run {run.id} --at t{number}.call"
                    values = {"where": violation.pointer, "ids": ", ".join(violation.ids)}
                    yield Problem(place, f"rule.{violation.code}", {**values})
            if turn.response is not None:
                checker.feed(Message.of({"role": "assistant", **turn.response}))
                count += 1
            if turn.results is not None:
                checker.feed(Message.of({"role": "user", "content": turn.results}))
                count += 1
        states[id(history)] = checker, count, reported


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
        _, _, index, *rest = violation.pointer.split("/")
        at = int(index) if index.isdigit() and int(index) < len(self._pointers) else -1
        where = self._pointers[at] if self._pointers else "/runs"
        if where.endswith("/results"):
            rest = rest[1:]  # results are a content, not a message
        pointer = "/".join([where, *rest])
        values: dict[str, object] = {"where": pointer, "ids": ", ".join(violation.ids)}
        return Problem(pointer, f"rule.{violation.code}", values)


def _loop_problems(scenario: Scenario) -> Iterator[Problem]:
    """Loops that do not exist, and runs that do not come to what is expected."""
    known = loop_names()
    wanted = scenario.settings.loop
    if wanted is not None and wanted not in known:
        unknown = Problem(
            "/settings/loop", "problem.no_loop", {"name": wanted, "known": ", ".join(known)}
        )
        yield unknown
        return
    for loop, expect in scenario.transcript.expect.items():
        pointer = f"/expect/{escape_pointer(loop)}"
        if loop not in known:
            yield Problem(pointer, "problem.no_loop", {"name": loop, "known": ", ".join(known)})
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
