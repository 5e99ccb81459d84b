"""Outside recordings as text and as JSON: the runs in a file, its line, conversion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from visualizer.collection.tokens import Tokens
from visualizer.describe import plain
from visualizer.describe.phrases import counts_text
from visualizer.engine import replay
from visualizer.errors import Problem, TranscriptError
from visualizer.formats import Outside
from visualizer.formats.blocks import returns
from visualizer.i18n import Texts
from visualizer.loading import Scenario
from visualizer.messages import Block, Message
from visualizer.run.timeline import Run
from visualizer.text import clip, display_safe
from visualizer.transcript.history import apart
from visualizer.transcript.records import ApiObject, RecordedRun, Transcript, Turn


class Counts(NamedTuple):
    """What a recording holds, counted without driving anything, as a loop over it counts.

    No loop gets to what a host answered although the reply had not stopped for its tools, nor
    past a request without a result: that is not counted, and a round without all of its results
    is still open. ``end`` is what the
    file says of its last end, else the last stop reason. Tokens are None where the file has no
    counts, and ``at_least`` these where they were noted before a reply was whole.
    """

    calls: int
    rounds: int
    tool_calls: int
    tokens_in: int | None
    tokens_out: int | None
    end: str
    at_least: bool = False


def counts_of(runs: Iterable[RecordedRun]) -> Counts:
    """Counts over some recorded runs."""
    calls = rounds = tools = 0
    tokens = Tokens()
    end = "?"
    for run in runs:
        for turn in run.takes[0].turns:
            if turn.response is None:
                end = "request failed"
                continue
            calls += 1
            asked, answered = _executed(turn)
            rounds += 0 < asked == answered
            tools += answered
            tokens.add(turn)
            end = str(turn.response.get("stop_reason"))
        tokens.said((run.recorded or {}).get("usage"))
        end = _said_end(run) or end
    return Counts(calls, rounds, tools, *tokens.sums(), end, tokens.at_least)


def _executed(turn: Turn) -> tuple[int, int]:
    """How many tools a reply asked a loop for, and how many of these calls come to a result."""
    if returns(turn) or turn.response is None:
        return 0, 0
    given = {block.get("tool_use_id") for block in turn.results or ()}
    asked = [one.get("id") for one in turn.response["content"] if one.get("type") == "tool_use"]
    return len(asked), sum(1 for _ in takewhile(given.__contains__, asked))


def json_of(
    scenario: Scenario, outside: Outside, runs: Iterable[RecordedRun], texts: Texts, **how: Any
) -> dict[str, Any]:
    """``{file, format, findings, runs: [RUN, …]}``; ``how`` is what runs are driven with."""
    place = how.pop("place", None)
    return {
        "file": None if scenario.path is None else str(scenario.path),
        "format": outside.format,
        "prompts": outside.prompts,
        "not_kept": list(outside.not_kept),
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
        "recorded_counts": counts_of([recorded])._asdict(),
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
    if outside.not_kept:
        text = texts("format.lacking", what=", ".join(outside.not_kept))
        yield texts("format.finding", text=text)
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
            yield from _differs(recorded, run, texts)
            yield from _beside(recorded, texts)
        if (said := _said_end(recorded)) and index is None:
            yield texts("format.recorded_end", end=display_safe(said))


def _differs(recorded: RecordedRun, run: Run, texts: Texts) -> Iterator[str]:
    """What the recorded stretch counts, where the loop came to something else."""
    counts = counts_of([recorded])
    if counts[:3] != (run.model_calls, run.tool_rounds, run.tool_calls):
        yield texts("format.recorded_counts", counts=counts_text(*counts[:3], texts))


def _beside(recorded: RecordedRun, texts: Texts) -> Iterator[str]:
    """What the recorded requests held, or met with, that the loop does not know of."""
    told: _Told = {}
    for number, turn in enumerate(recorded.takes[0].turns):
        place = f"t{number}.call"
        yield from _changed(turn, told, place, texts)
        told = {one.message: (one.count, one.messages) for one in turn.changed}
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


_Told = dict[int, tuple[int, list[ApiObject]]]
"""What was sent in place of messages, by the first of them: how many, and what."""


def _changed(turn: Turn, told: _Told, place: str, texts: Texts) -> Iterator[str]:
    """What a client sent otherwise than the loop's list has it, and not so in the call before."""
    for one in turn.changed:
        if told.get(one.message) == (one.count, one.messages):
            continue
        if one.messages:
            blocks = [block for message in one.messages for block in Message.of(message).blocks]
            text = _short(" ".join(_text(block) for block in blocks))
            yield texts("format.beside_changed", place=place, message=one.message, text=text)
        else:
            last = one.message + one.count - 1
            which = str(one.message) if one.count == 1 else f"{one.message}-{last}"
            yield texts("format.beside_left_out", place=place, which=which)


def _text(block: Block) -> str:
    asked = f"{block.name} {block.id}" if block.type == "tool_use" else f"({block.type})"
    return block.text or block.result_text or asked


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
        counts=counts_text(*counts[:3], texts),
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
        counts=counts_text(*counts[:3], texts),
        tokens=tokens_text(counts, texts),
        end=display_safe(counts.end),
    )


def tokens_text(counts: Counts, texts: Texts, spec: str = "") -> str:
    """The tokens that the file counts, that it counts none, or the least that there were.

    ``spec`` is how a number is written.
    """
    if counts.tokens_out is None:
        return texts("format.tokens_none")
    key = "format.tokens_least" if counts.at_least else "format.tokens"
    return texts(key, sent=f"{counts.tokens_in:{spec}}", received=f"{counts.tokens_out:{spec}}")


def file_json(scenario: Scenario, outside: Outside) -> dict[str, Any]:
    """One recording as plain data."""
    return {
        "file": None if scenario.path is None else str(scenario.path),
        "format": outside.format,
        "prompts": outside.prompts,
        "runs": len(outside.runs),
        **counts_of(outside.runs)._asdict(),
    }


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
