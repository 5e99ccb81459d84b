"""What must fit together inside a transcript before it can be driven (beyond the schema)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from visualizer.errors import LoopError, Problem
from visualizer.loops.registry import require_loop
from visualizer.messages import Block, escape_pointer
from visualizer.transcript.history import conversation
from visualizer.transcript.records import ApiObject, RecordedRun, Take, Transcript, Turn
from visualizer.transcript.settings import DECIDED
from visualizer.transcript.takes import branches
from visualizer.transcript.world import WorldTools

MOST_AGAIN = 200_000
"""Turns that a run's takes may share with others in all, where they part from them."""


def structure_problems(transcript: Transcript, recording: Transcript) -> Iterator[Problem]:
    """Every problem that would keep the runs from being driven as recorded."""
    if (transcript.runs is None) == (transcript.recording is None):
        yield Problem("", "problem.runs_or_recording")
        return
    if transcript.runs is not None:
        yield from _runs_problems(transcript)
    yield from _settings_problems(transcript, recording)
    yield from _loop_problems(transcript.settings.loop, "/settings/loop")
    for number, note in enumerate(transcript.notes):
        yield from _loop_problems(note.loop, f"/notes/{number}/loop")


def _loop_problems(name: str | None, pointer: str) -> Iterator[Problem]:
    """A loop that is not one of ours: a file never leads to code."""
    try:
        if name is not None:
            require_loop(name)
    except LoopError as error:
        yield Problem(pointer, error.key, error.values)


def _runs_problems(transcript: Transcript) -> Iterator[Problem]:
    runs = transcript.runs or []
    ids = {run.id for run in runs}
    known: set[str] = set()
    lengths: dict[str, int] = {}
    world = WorldTools(transcript.world) if transcript.world else None
    for number, run in enumerate(runs):
        pointer = f"/runs/{number}"
        if run.id in known:
            yield Problem(f"{pointer}/id", "problem.same_name", {"name": run.id})
        known.add(run.id)
        if run.parent is not None and (run.parent.run not in ids or run.parent.run == run.id):
            yield Problem(f"{pointer}/parent/run", "problem.no_run", {"name": run.parent.run})
        yield from _earlier_problems(run, lengths, f"{pointer}/request/after")
        yield from _messages_problems(run.request.messages, f"{pointer}/request/messages")
        yield from _takes_problems(run, pointer, world)


def _earlier_problems(run: RecordedRun, lengths: dict[str, int], pointer: str) -> Iterator[Problem]:
    """Only an earlier run can come before, so runs can't go round in a circle."""
    after = run.request.after
    length = 0
    if after is not None:
        if after.run not in lengths:
            yield Problem(f"{pointer}/run", "problem.no_earlier_run", {"name": after.run})
        elif after.messages > (most := lengths[after.run]):
            values: dict[str, object] = {"name": after.run, "messages": most}
            yield Problem(f"{pointer}/messages", "problem.earlier_messages", values)
        length = after.messages
    if run.takes[0].base is None:  # a first take has none to begin with, which is said elsewhere
        length += sum(1 for _ in conversation(run))
    lengths[run.id] = length + len(run.request.messages)


def _takes_problems(run: RecordedRun, pointer: str, world: WorldTools | None) -> Iterator[Problem]:
    lengths: dict[str, int] = {}
    for number, take in enumerate(run.takes):
        here = f"{pointer}/takes/{number}"
        if take.name in lengths:
            yield Problem(f"{here}/name", "problem.same_name", {"name": take.name})
        if take.base is not None and take.base not in lengths:
            # Only an earlier take can be a base, so bases can't go round in a circle.
            yield Problem(f"{here}/base", "problem.no_base", {"name": take.base})
        base_length = lengths.get(take.base or "", 0)
        kept = base_length if take.after is None else take.after
        if take.after is not None and (take.base is None or kept > base_length):
            yield Problem(f"{here}/after", "problem.after", {"turns": base_length})
        lengths[take.name] = (min(kept, base_length) if take.base else 0) + len(take.turns)
        yield from _turns_problems(take, here, world)
    again = sum(branch.start for branch in branches(run) if branch.leaves_early)
    if again > MOST_AGAIN:
        values: dict[str, object] = {"turns": again, "most": MOST_AGAIN}
        yield Problem(f"{pointer}/takes", "problem.too_many_again", values)


def _turns_problems(take: Take, pointer: str, world: WorldTools | None) -> Iterator[Problem]:
    for number, turn in enumerate(take.turns):
        here = f"{pointer}/turns/{number}"
        last = number == len(take.turns) - 1
        if turn.repeats and not last:
            yield Problem(f"{here}/repeats", "problem.repeats_last")
        if turn.compacted and turn.history is None:
            yield Problem(f"{here}/compacted", "problem.compacted_history")
        if turn.response is None:
            if not (last and turn.attempts):
                yield Problem(f"{here}/response", "problem.no_response")
        else:
            yield from _response_problems(turn.response, f"{here}/response")
        yield from _blocks_problems(turn.results or [], f"{here}/results")
        yield from _messages_problems(turn.history or [], f"{here}/history")
        for at, one in enumerate(turn.changed):
            yield from _messages_problems(one.messages, f"{here}/changed/{at}/messages")
        if world is not None:
            yield from _world_problems(turn, here, world)


def _response_problems(response: ApiObject, pointer: str) -> Iterator[Problem]:
    content = response.get("content")
    if not isinstance(content, list):
        yield Problem(f"{pointer}/content", "problem.type", {"expected": "array"})
    else:
        yield from _blocks_problems(content, f"{pointer}/content")
    if not isinstance(response.get("stop_reason"), str | None):
        yield Problem(f"{pointer}/stop_reason", "problem.type", {"expected": "string"})
    if response.get("role", "assistant") != "assistant":
        yield Problem(f"{pointer}/role", "problem.one_of", {"expected": "'assistant'"})


def _messages_problems(messages: list[ApiObject], pointer: str) -> Iterator[Problem]:
    for number, message in enumerate(messages):
        here = f"{pointer}/{number}"
        if not isinstance(message.get("role"), str):
            yield Problem(f"{here}/role", "problem.type", {"expected": "string"})
        content = message.get("content")
        if isinstance(content, list):
            yield from _blocks_problems(content, f"{here}/content")
        elif not isinstance(content, str):
            yield Problem(f"{here}/content", "problem.type", {"expected": "string"})


def _blocks_problems(blocks: list[Any], pointer: str) -> Iterator[Problem]:
    for number, block in enumerate(blocks):
        here = f"{pointer}/{number}"
        if not isinstance(block, dict):
            yield Problem(here, "problem.type", {"expected": "object"})
        elif not isinstance(block.get("type"), str):
            yield Problem(f"{here}/type", "problem.type", {"expected": "string"})


def _world_problems(turn: Turn, pointer: str, world: WorldTools) -> Iterator[Problem]:
    """A recorded result that looking it up in the world does not give."""
    content = (turn.response or {}).get("content")
    said = content if isinstance(content, list) else []
    blocks = [Block(one) for one in said if isinstance(one, dict)]
    calls = {block.id: block for block in blocks if block.type == "tool_use"}
    for number, result in enumerate(map(Block, turn.results or [])):
        call = calls.get(result.tool_use_id)
        if call is None or result.type != "tool_result":
            continue
        looked_up = world.look_up(call.name, call.input)
        recorded = (result.data.get("content"), result.is_error)
        if recorded != looked_up:
            where = f"{pointer}/results/{number}/content"
            yield Problem(where, "problem.world_differs", {"found": looked_up[0]})


def _settings_problems(transcript: Transcript, recording: Transcript) -> Iterator[Problem]:
    runs = recording.runs or []
    wanted = transcript.settings.run
    if wanted is not None and wanted not in [run.id for run in runs]:
        yield Problem("/settings/run", "problem.no_run", {"name": wanted})
        return
    run = next((run for run in runs if wanted in (None, run.id)), None)
    settings = transcript.settings
    if settings.limits.max_budget_usd is not None and settings.prices is None:
        yield Problem("/settings/prices", "problem.needs_prices")
    for place in settings.decisions:
        if not DECIDED.fullmatch(place):
            pointer = f"/settings/decisions/{escape_pointer(place)}"
            yield Problem(pointer, "problem.no_decision", {"place": place})
    take = settings.take
    if take is not None and run and take not in [other.name for other in run.takes]:
        yield Problem("/settings/take", "problem.no_take", {"name": take})
