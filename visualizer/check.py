"""Checks transcripts: the schema, the protocol, and replay against what they expect.

Lessons are found here and proved in ``lessons.proof``.

Later checks need what earlier ones prove, so a file is reported at the first kind of
problem it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from visualizer.describe.phrases import scalar
from visualizer.engine import replay
from visualizer.errors import LoopError, PlaceError, Problem, TranscriptError
from visualizer.files.resources import shipped
from visualizer.files.standard_input import STANDARD_INPUT
from visualizer.i18n import Texts
from visualizer.loading import Scenario, load_file
from visualizer.loops.registry import loop_names
from visualizer.messages import Block, escape_pointer
from visualizer.tool_schemas import Misfit, Verdict, check_arguments
from visualizer.transcript.recorded_rules import outside_problems, recorded_problems
from visualizer.transcript.records import ApiObject, Note, Turn

__all__ = ["check_paths", "check_scenario", "outside_problems"]

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
    from visualizer.collection.groups import FILE, group_problems  # noqa: PLC0415 - only for folders

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
        # What its requests hold was answered: no rule says that an endpoint would refuse them.
        yield from ((str(path), problem) for problem in scenario.outside.findings.faults())
        return
    yield from ((str(path), problem) for problem in check_scenario(scenario))


def check_scenario(scenario: Scenario) -> Iterator[Problem]:
    """Every problem of a scenario that could be loaded."""
    found = False
    if scenario.recording is scenario.transcript:
        kinds = (_type_problems, _parent_problems, _rule_problems, _argument_problems)
        for kind in kinds:
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


def _rule_problems(scenario: Scenario) -> Iterator[Problem]:
    return recorded_problems(scenario.runs, scenario.was_answered)


def _named_problems(blocks: Sequence[ApiObject], pointer: str) -> Iterator[Problem]:
    for number, block in enumerate(blocks):
        for name in NAMES.get(block["type"], ()):
            if not isinstance(block.get(name, ""), str):
                values: dict[str, object] = {"expected": "string"}
                yield Problem(f"{pointer}/{number}/{name}", "problem.type", values)


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
