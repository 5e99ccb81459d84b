"""What a recording says beside the loop: the run's place in it, what a host put in, its end.

All of it is worked out once a run. Texts are as the file has them: not yet safe for a terminal.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from visualizer.describe.phrases import safe
from visualizer.gc_pause import no_collection
from visualizer.i18n import Texts
from visualizer.messages import Block, Message
from visualizer.run.replay_match import matched
from visualizer.run.timeline import Call, Run
from visualizer.transcript.records import Attempt, Inserted, RecordedRun, Turn

if TYPE_CHECKING:
    from pathlib import Path

    from visualizer.app.session import Session
    from visualizer.loading import Scenario

STOP_REASON = "/response/stop_reason"
STARTED = frozenset({"prompt", "resume", "compaction", "rewritten", "fork", "continued"})


@dataclass(frozen=True, slots=True)
class Aside:
    """What went with one call and is not in the loop's list: it stands under a message.

    ``step`` is the call's; nothing of this is known before it.
    """

    step: int
    inserted: tuple[Inserted, ...] = ()
    attempts: tuple[Attempt, ...] = ()


@dataclass(frozen=True, slots=True)
class Asides:
    """What a recording holds beside a run: its turns by call, and asides by message.

    ``turns`` has, for each call of the run by its number, the recorded turn that answered it.
    ``under`` is by (history, message), ``by_step`` by the step of the call.
    """

    turns: Mapping[int, Turn]
    under: Mapping[tuple[int, int], tuple[Aside, ...]]
    by_step: Mapping[int, list[Aside]]
    inferred: frozenset[int]

    def at(self, history: int, message: int, index: int) -> tuple[Aside, ...]:
        """What stands under a message at a step: nothing of later calls."""
        found = self.under.get((history, message), ())
        return tuple(one for one in found if one.step <= index)

    def under_call(self, call: Call) -> list[Aside]:
        """All that went with one call."""
        return self.by_step.get(call.step, [])

    def of_call(self, number: int) -> Turn | None:
        """The recorded turn behind a call (by its number from 0)."""
        return self.turns.get(number)


def asides(scenario: Scenario, run: Run) -> Asides:
    """Everything a recording holds beside a run. Linear in the run."""
    with no_collection():
        return _asides(scenario.run(run.recorded_run), run)


def _asides(recorded: RecordedRun, run: Run) -> Asides:
    turns = dict(matched(recorded, run))
    under: dict[tuple[int, int], list[Aside]] = {}
    inferred: set[int] = set()
    failed: dict[int, int] = {}
    for number, turn in turns.items():
        call = run.calls[number]
        if STOP_REASON in turn.inferred and call.reply is not None:
            inferred.add(call.step)
        last = max(call.sent - 1, 0)
        for put in turn.inserted:
            place = (call.history, min(put.message, last))
            under.setdefault(place, []).append(Aside(call.step, inserted=(put,)))
        attempts = [one for one in turn.attempts if one.handled == (call.reply is not None)]
        if call.reply is None:  # the loop got to know of each, one by one
            at = failed.get(id(turn), 0)
            failed[id(turn)] = at + 1
            attempts = attempts[at : at + 1]
        if attempts:
            aside = Aside(call.step, attempts=tuple(attempts))
            under.setdefault((call.history, last), []).append(aside)
    by_step: dict[int, list[Aside]] = {}
    for one in (one for found in under.values() for one in found):
        by_step.setdefault(one.step, []).append(one)
    places = {place: tuple(found) for place, found in under.items()}
    return Asides(turns, places, by_step, frozenset(inferred))


def stop_inferred(found: Asides, run: Run, index: int) -> bool:
    """Whether the flag of the latest call at a step is inferred, not said by the file."""
    call = run.call_at(index)
    return call is not None and call.step in found.inferred


def said_end(recorded: RecordedRun) -> tuple[str, tuple[tuple[str, Any], ...]]:
    """What the file itself says of a run's end: a word (or ``""``), and the rest by name."""
    said = dict(recorded.recorded or {})
    word = ""
    if said.pop("interrupted", False):
        word = "interrupted"
    for name in ("subtype", "end"):
        if not word and isinstance(said.get(name), str):
            word = str(said.pop(name))
    rest = tuple(
        (name, value)
        for name, value in said.items()
        if isinstance(value, (str, int, float, bool)) and value != ""
    )
    return word, rest


def number_of(scenario: Scenario, run_id: str) -> int:
    """Where a run stands in its recording, from 1."""
    return next((n for n, one in enumerate(scenario.runs, 1) if one.id == run_id), 1)


def prompt_of(run: RecordedRun) -> str:
    """The last message of a user that a run began with, as text."""
    from visualizer.transcript.history import SharedRequest  # noqa: PLC0415 - start-up time

    request = run.request
    last = request.last if isinstance(request, SharedRequest) else None
    if last is None or last.get("role") == "assistant":
        sent = [one for one in request.messages if one.get("role") != "assistant"]
        last = sent[-1] if sent else last
    message = Message.of(last or {})
    said = message.text or " ".join(block.result_text for block in message.results)
    return said if said.strip() else " ".join(f"({block.type})" for block in message.blocks)


def started_text(scenario: Scenario, run: RecordedRun, texts: Texts) -> str:
    """How a run began, in words; safe for a terminal."""
    if run.parent is not None:
        number = number_of(scenario, run.parent.run)
        return texts("screen.started.subagent", number=number)
    kind = run.started_by
    return texts(f"screen.started.{kind}") if kind in STARTED else safe(kind, 20)


def children(scenario: Scenario, run_id: str) -> Mapping[str, str]:
    """The runs that tool requests of a run started: the request's id, and the first run's id."""
    found: dict[str, str] = {}
    for one in scenario.runs:
        if one.parent is not None and one.parent.run == run_id:
            found.setdefault(one.parent.tool_use_id or "", one.id)
    return found


def command_for(session: Session, path: Path) -> str:
    """The command that opens a recording at the run, the place, and what it is driven with."""
    run = session.run
    words = ["visualizer", "open", str(path)]
    if len(session.scenario.runs) > 1:
        words += ["--run", run.recorded_run]
    words += ["--at", run.step(session.index).place]
    if session.loop is not None:
        words += ["--loop", session.loop]
    if session.max_turns is not None:
        words += ["--max-turns", str(session.max_turns)]
    for place, text in run.observations:
        words += ["--observe", f"{place}={text}"]
    return shlex.join(words)


def errors_in(run: RecordedRun) -> int:
    """Results and requests in a run that failed, counted without driving it."""
    count = 0
    for turn in run.takes[0].turns:
        count += len(turn.attempts)
        count += sum(block.get("is_error") is True for block in turn.results or ())
    return count


def faults_in(scenario: Scenario) -> int:
    """How many kinds of faults (each damaged line being one) reading the file has found."""
    outside = scenario.outside
    return 0 if outside is None else sum(1 for _ in outside.findings.faults())


def failed_text(attempt: Attempt) -> str:
    """What a failed request said, as far as it said anything."""
    error = attempt.error.get("error", attempt.error)
    if isinstance(error, dict):
        for name in ("message", "type"):
            if isinstance(error.get(name), str):
                return str(error[name])
    return error if isinstance(error, str) else ""


def inserted_text(put: Inserted) -> str:
    """The texts of the blocks that a host put in."""
    return " ".join(filter(None, (_text_of(block) for block in put.content)))


def _text_of(block: Any) -> str:
    if not isinstance(block, dict):
        return ""
    made = Block(block)
    return made.text or made.result_text or f"({made.type})"
