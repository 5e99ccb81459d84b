"""What every command and screen says of one recording, and where two of them contradict."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.independent.counter import counts_of
from tests.independent.raw import Count
from visualizer.app.glyphs import BOX
from visualizer.app.session import Session
from visualizer.app.tree import tree
from visualizer.app.view import Settings, View
from visualizer.collection import folders, recordings
from visualizer.engine import replay
from visualizer.formats import Outside
from visualizer.i18n import texts
from visualizer.loading import Scenario, load_file, load_transcript
from visualizer.run.timeline import Run
from visualizer.transcript.schema import to_json
from visualizer.tui.draw.segments import plain
from visualizer.tui.lists import runs as runs_screen
from visualizer.tui.sheets import file_text as file
from visualizer.tui.stepper import counts

ENGLISH = texts("en")
_END = re.compile(r"\d+ model calls?, \d+ tool rounds?, \d+ tool calls?\.")
Numbers = tuple[int, int, int]
"""Model calls, tool rounds, tool calls."""


def contradictions(path: Path, folder: Path) -> list[str]:
    """Everything about a recording that two places tell otherwise, or that the bytes deny.

    ``folder`` takes what the recording is converted to.
    """
    scenario = load_file(path, path.name)
    if scenario.outside is None:
        return []
    outside = scenario.outside
    driven = [replay(scenario, run=one.id) for one in scenario.runs]
    found = [*_with_the_runs(scenario, outside, driven), *_with_screens(scenario, driven)]
    found += _with_the_converted(scenario, driven, folder)
    counted = counts_of(path)
    return found if counted is None else [*found, *_with_the_bytes(outside, counted)]


def _with_the_runs(scenario: Scenario, outside: Outside, driven: list[Run]) -> Iterator[str]:
    """``list``, ``run`` and their JSON against the runs as a loop drives them."""
    total = _sum(driven)
    assert scenario.path is not None
    listed = next(folders.listed([(scenario.path, "it")], ENGLISH, lambda shown: None))[1]
    runs = list(scenario.runs)
    told = list(recordings.text_of(scenario, outside, runs, ENGLISH))
    for where, line in (("list", listed), ("run", told[0])):
        if _phrase(total) not in line:
            yield f"{where} says {line!r}, its runs {_phrase(total)}"
        if f"{outside.prompts} prompt" not in line or f", {len(driven)} run" not in line:
            yield f"{where} says {line!r}: {outside.prompts} prompts, {len(driven)} runs"
    as_json = recordings.file_json(scenario, outside)
    if (as_json["calls"], as_json["rounds"], as_json["tool_calls"]) != total:
        yield f"list --json says {as_json}, its runs {total}"
    if (as_json["prompts"], as_json["runs"]) != (outside.prompts, len(driven)):
        yield f"list --json says {as_json}: {outside.prompts} prompts, {len(driven)} runs"
    lines = [line for line in told if line.startswith("  run ")][: len(driven)]
    ends = [line for line in told if _END.fullmatch(line)]
    data = recordings.json_of(scenario, outside, runs, ENGLISH)["runs"]
    for run, line, end, one in zip(driven, lines, ends, data, strict=True):
        said = (one["model_calls"], one["tool_rounds"], one["tool_calls"])
        if said != _numbers(run):
            yield f"run --json says {said} of run {run.recorded_run}, it has {_numbers(run)}"
        if end != ENGLISH("command.run.counts", counts=_phrase(_numbers(run))):
            yield f"run says {end!r} at the end of run {run.recorded_run}: {_numbers(run)}"
        if _phrase(_numbers(run)) not in line:
            yield f"the line of run {run.recorded_run} says {line!r}, it has {_numbers(run)}"


def _with_screens(scenario: Scenario, driven: list[Run]) -> Iterator[str]:
    """The sheet on the file, the list of runs and the stepper's counts at a run's end."""
    calls, rounds, tools = _sum(driven)
    sheet = [plain(line).split() for line in file.file_lines(scenario, ENGLISH, 100)]
    for name, number in (("calls", calls), ("rounds", rounds), ("tool_calls", tools)):
        label = ENGLISH(f"screen.file.{name}").split()
        if [*label, f"{number:,}"] not in sheet:
            yield f"the sheet on the file does not say {number} {name}"
    session = Session.open(scenario)
    for branch in tree(scenario.runs):
        run = next(one for one in driven if one.recorded_run == branch.run.id)
        said = runs_screen._entry(session, branch, ENGLISH).detail
        for name, number in (("calls", run.model_calls), ("rounds", run.tool_rounds)):
            if ENGLISH.count(f"screen.runs.{name}", number) not in said:
                yield f"the list of runs says {said!r} of run {branch.run.id}: {_numbers(run)}"
        one = session.on_run(branch.run.id)
        one.go("end")
        line = plain(counts.counts_line(View(one, ENGLISH, BOX, Settings()), 200))
        if not line.startswith(" calls {}  rounds {}  tools {} ".format(*_numbers(run))):
            yield f"the stepper says {line!r} at the end of run {branch.run.id}: {_numbers(run)}"


def _with_the_converted(scenario: Scenario, driven: list[Run], folder: Path) -> Iterator[str]:
    """The same recording as a transcript of this program."""
    path = folder / "converted.json"
    path.write_text(to_json(recordings.converted(scenario)), encoding="utf-8")
    again = load_transcript(path)
    if recordings.counts_of(again.runs) != recordings.counts_of(scenario.runs):
        yield f"converted it counts {recordings.counts_of(again.runs)}"
    for run in driven:
        other = replay(again, run=run.recorded_run)
        if _numbers(other) != _numbers(run) or other.terminal_reason != run.terminal_reason:
            yield f"converted, run {run.recorded_run} comes to {_numbers(other)}: {_numbers(run)}"


def _with_the_bytes(outside: Outside, counted: Count) -> Iterator[str]:
    """What reading found against what the bytes hold, statement by statement."""
    known = recordings.counts_of(outside.runs)
    number = outside.findings.number
    turns = [turn for run in outside.runs for turn in run.takes[0].turns]
    attempts = [attempt for turn in turns for attempt in turn.attempts]
    results = sum(len(turn.results or ()) for turn in turns)
    late = number("format.late_result")
    aside = late + number("format.answered_by_host")
    exact = [
        ("model calls", known.calls, counted.replies),
        ("tool requests with a result", results + aside, counted.answered),
        ("format.unanswered", number("format.unanswered") - late, counted.unanswered),
        ("format.orphan_result", number("format.orphan_result"), counted.orphans),
        ("prompts", outside.prompts, counted.prompts),
        ("failed requests", len(attempts), counted.failed),
        ("format.double_line", number("format.double_line"), counted.repeated),
    ]
    for what, said, true in exact:
        if true is not None and said != true:
            yield f"{what}: {said} are told, {true} are in the file"
    tokens = counted.tokens_out
    least = known.at_least and (known.tokens_out or 0) <= (tokens or 0)
    if tokens is not None and (known.tokens_out or 0) != tokens and not least:
        yield f"tokens out: {known.tokens_out} are told, {tokens} are in the file"
    retried = sum(attempt.handled for attempt in attempts)
    if number("format.retried") != retried:
        yield f"format.retried: {number('format.retried')} are told, {retried} are in the runs"


def _numbers(run: Run) -> Numbers:
    return run.model_calls, run.tool_rounds, run.tool_calls


def _sum(driven: list[Run]) -> Numbers:
    calls, rounds, tools = (sum(column) for column in zip(*map(_numbers, driven), strict=True))
    return calls, rounds, tools


def _phrase(numbers: Numbers) -> str:
    names = ("model_calls", "tool_rounds", "tool_calls")
    pairs = zip(names, numbers, strict=True)
    return ", ".join(ENGLISH.count(f"command.run.{name}", number) for name, number in pairs)
