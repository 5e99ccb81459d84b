"""Outside recordings as text and as JSON: the runs in a file, a line a file, conversion."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from visualizer import plain
from visualizer.engine import replay
from visualizer.errors import Problem, TranscriptError
from visualizer.formats import Outside
from visualizer.history import apart
from visualizer.i18n import Texts
from visualizer.loading import Scenario, load_file, unforeseen
from visualizer.text import clip, display_safe
from visualizer.transcript import RecordedRun, Transcript

SUFFIXES = frozenset(
    {".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".traj", ".eval", ".responses"}
)


class Counts(NamedTuple):
    """What a recording holds, counted without driving anything.

    ``end`` is what the file says of its last end, else the last stop reason.
    """

    calls: int
    rounds: int
    tool_calls: int
    tokens_in: int
    tokens_out: int
    end: str


def counts_of(runs: Iterable[RecordedRun]) -> Counts:
    """Counts over some recorded runs."""
    calls = rounds = tools = tokens_in = tokens_out = 0
    end = "?"
    for run in runs:
        for turn in run.takes[0].turns:
            if turn.response is None:
                end = "request failed"
                continue
            calls += 1
            rounds += bool(turn.results)
            tools += len(turn.results or ())
            usage = turn.response.get("usage")
            some, more = _tokens(usage if isinstance(usage, dict) else {})
            tokens_in, tokens_out = tokens_in + some, tokens_out + more
            end = str(turn.response.get("stop_reason"))
        end = _said_end(run) or end
    return Counts(calls, rounds, tools, tokens_in, tokens_out, end)


def json_of(
    scenario: Scenario, outside: Outside, runs: Iterable[RecordedRun], texts: Texts, **how: Any
) -> dict[str, Any]:
    """``{file, format, findings, runs: [RUN, …]}``; ``how`` is what runs are driven with."""
    place = how.pop("place", None)
    return {
        "file": None if scenario.path is None else str(scenario.path),
        "format": outside.format,
        "prompts": outside.prompts,
        "findings": [finding.text(texts) for finding in outside.findings.problems()],
        "runs": [_run_json(scenario, run, texts, place, how) for run in runs],
    }


def _run_json(
    scenario: Scenario, recorded: RecordedRun, texts: Texts, place: str | None, how: dict[str, Any]
) -> dict[str, Any]:
    run = replay(scenario, run=recorded.id, **how)
    index = None if place is None else run.locate(place)
    parent = recorded.parent
    return {
        "run": recorded.id,
        "started_by": recorded.started_by,
        "recorded": plain.plain_data(recorded.recorded),
        "parent": parent and {"run": parent.run, "tool_use_id": parent.tool_use_id},
        **plain.to_json(run, scenario, texts, index),
    }


def text_of(
    scenario: Scenario, outside: Outside, runs: list[RecordedRun], texts: Texts, **how: Any
) -> Iterator[str]:
    """What a file holds, the list of its runs, and the steps of those asked for."""
    place = how.pop("place", None)
    yield file_line(scenario, outside, texts)
    for finding in outside.findings.problems():
        yield texts("format.finding", text=finding.text(texts))
    yield ""
    for recorded in scenario.runs:
        yield run_line(recorded, texts)
    for recorded in runs:
        run = replay(scenario, run=recorded.id, **how)
        index = None if place is None else run.locate(place)
        yield ""
        yield texts("format.run_title", run=recorded.id, of=len(scenario.runs))
        yield from plain.text_lines(run, scenario, texts, index)
        if index is None:
            yield from _beside(recorded, texts)
        if (said := _said_end(recorded)) and index is None:
            yield texts("format.recorded_end", end=display_safe(said))


def _beside(recorded: RecordedRun, texts: Texts) -> Iterator[str]:
    """What the recorded requests held, or met with, that the loop does not know of."""
    for number, turn in enumerate(recorded.takes[0].turns):
        place = f"t{number}.call"
        for put in turn.inserted:
            said = [str(block.get("text", block.get("content", ""))) for block in put.content]
            text, origin = _short(" ".join(said)), display_safe(put.origin or "?")
            yield texts("format.beside_inserted", place=place, origin=origin, text=text)
        for attempt in turn.attempts:
            if attempt.handled:
                error = attempt.error.get("error")
                text = str(error.get("message", "")) if isinstance(error, dict) else ""
                status = attempt.status or "?"
                yield texts("format.beside_retried", place=place, status=status, text=_short(text))


def _short(text: str) -> str:
    return clip(display_safe(" ".join(text[:2000].split())), 100)


def run_line(run: RecordedRun, texts: Texts) -> str:
    """One run of a recording in a line."""
    counts = counts_of([run])
    parent = texts("format.parent", run=run.parent.run) if run.parent else ""
    return texts(
        "format.run_line",
        run=run.id,
        started_by=display_safe(run.started_by) + parent,
        counts=_counts_text(counts, texts),
        end=display_safe(counts.end),
    )


def file_line(scenario: Scenario, outside: Outside, texts: Texts) -> str:
    """One recording in a line."""
    counts = counts_of(outside.runs)
    return texts(
        "format.file_line",
        file=display_safe(scenario.name),
        format=outside.format,
        prompts=texts.count("format.prompts", outside.prompts),
        runs=texts.count("format.runs", len(outside.runs)),
        counts=_counts_text(counts, texts),
        tokens=texts("format.tokens", sent=counts.tokens_in, received=counts.tokens_out),
        end=display_safe(counts.end),
    )


def file_json(scenario: Scenario, outside: Outside) -> dict[str, Any]:
    """One recording as plain data."""
    return {
        "file": None if scenario.path is None else str(scenario.path),
        "format": outside.format,
        "prompts": outside.prompts,
        "runs": len(outside.runs),
        **counts_of(outside.runs)._asdict(),
    }


def files_in(folder: Path) -> Iterator[Path]:
    """The files in a folder that may be recordings; links to folders are not followed."""
    for where, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(where, name)
            if path.suffix in SUFFIXES and _is_regular(path):
                yield path


def listed(
    files: Iterable[tuple[Path, str]], texts: Texts, watch: Callable[[str], None]
) -> Iterator[tuple[Scenario | None, str]]:
    """Each of some files: its scenario and a line, or None and why it can't be read.

    A file goes with the name that it is shown by, which ``watch`` is told before it is read.
    """
    for path, shown in files:
        watch(shown)
        try:
            scenario = load_file(path, shown)
        except TranscriptError as error:
            yield None, error.text(texts)
            continue
        except Exception as error:
            yield None, unforeseen(shown, error).text(texts)
            continue
        named = replace(scenario, name=shown)
        if named.outside is None:
            title = plain.title_line(named, texts)
            yield named, texts("command.list.entry", name=display_safe(shown), title=title)
        else:
            yield named, file_line(named, named.outside, texts)


def converted(scenario: Scenario, run_id: str | None = None) -> Transcript:
    """A recording as a transcript of our own, with all its runs or one of them."""
    runs = [scenario.run(run_id)] if run_id is not None else list(scenario.runs)
    kept = {run.id for run in runs}
    known = [
        replace(run, parent=None) if run.parent is not None and run.parent.run not in kept else run
        for run in runs
    ]
    return replace(scenario.recording, runs=apart(known))


def write_new(path: Path, text: str, force: bool) -> None:
    """Write a file; one that is there stays, unless ``force``. Raises ``TranscriptError``."""
    try:
        with path.open("w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise TranscriptError(str(path), [Problem("", "format.exists")]) from None


def _said_end(run: RecordedRun) -> str | None:
    """What a file says of a run's end, in a word."""
    said = run.recorded or {}
    if said.get("interrupted"):
        return "interrupted"
    for name in ("subtype", "end"):
        if isinstance(said.get(name), str):
            return str(said[name])
    return None


def _counts_text(counts: Counts, texts: Texts) -> str:
    parts = [
        texts.count("command.run.model_calls", counts.calls),
        texts.count("command.run.tool_rounds", counts.rounds),
        texts.count("command.run.tool_calls", counts.tool_calls),
    ]
    return texts("command.run.comma").join(parts)


def _tokens(usage: dict[str, Any]) -> tuple[int, int]:
    sent = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    numbers = [usage.get(name) for name in (*sent, "output_tokens")]
    whole = [one if isinstance(one, int) else 0 for one in numbers]
    return sum(whole[:3]), whole[3]


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
