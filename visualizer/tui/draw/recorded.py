"""What a recording says beside the loop, in words: how a run began and ended, what was put in."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.app.recorded import (
    STARTED,
    Aside,
    children,
    failed_text,
    inserted_text,
    number_of,
    said_end,
    started_text,
    stop_inferred,
)
from visualizer.app.view import View
from visualizer.describe.phrases import safe, scalar
from visualizer.i18n import Texts
from visualizer.text import display_safe, wrap
from visualizer.transcript.records import Attempt, Inserted, RecordedRun
from visualizer.tui.draw.segments import Line, Seg, fit

NAME = 24
VALUE = 40
KINDS = 60
BESIDE = " * "
"""Stands at the edge of what was in a request and is not in the loop's list."""


def recorded_run(view: View) -> RecordedRun:
    """The recorded stretch that is shown."""
    return view.session.scenario.run(view.run.recorded_run)


def of_several(view: View) -> str:
    """Which run of the recording this is; ``""`` where it has one only."""
    scenario = view.session.scenario
    if len(scenario.runs) < 2:
        return ""
    number = number_of(scenario, view.run.recorded_run)
    arriving = view.settings.arriving
    more = "+" if arriving is not None and arriving.reading else ""
    return view.texts("screen.header.run", number=number, n=f"{len(scenario.runs)}{more}")


def began(view: View) -> str:
    """How the run began, in a word, where it is one of a recording's."""
    scenario, run = view.session.scenario, recorded_run(view)
    if scenario.outside is None and len(scenario.runs) < 2:
        return ""
    return started_text(scenario, run, view.texts)


def remarks(view: View) -> list[str]:
    """What the recording adds to a step: how the run began, what went with a call."""
    texts, step, found = view.texts, view.step, view.shown.asides
    if step.phase == "start":
        return [_began_sentence(view)]
    if step.phase == "check" and stop_inferred(found, view.run, view.index):
        return [texts("screen.aside.flag_inferred")]
    if step.phase == "execute" and step.request is not None:
        started = children(view.session.scenario, view.run.recorded_run).get(step.request.id)
        return [] if started is None else [_subagent(view, started)]
    if step.phase != "call":
        return []
    call = view.run.call_at(view.index)
    under = found.under_call(call) if call is not None else []
    blocks = sum(len(put.content) for aside in under for put in aside.inserted)
    failed = sum(len(aside.attempts) for aside in under) if call and call.reply else 0
    said = [texts.count("screen.aside.put_in", blocks)] if blocks else []
    turn = found.of_call(call.turn) if call is not None else None
    if turn is not None and (changed := sum(one.count for one in turn.changed)):
        said.append(texts.count("screen.aside.changes", changed))
    return [*said, texts.count("screen.aside.failed_before", failed)] if failed else said


def _subagent(view: View, run_id: str) -> str:
    number = number_of(view.session.scenario, run_id)
    return view.texts("screen.aside.subagent", number=number)


def _began_sentence(view: View) -> str:
    scenario, run = view.session.scenario, recorded_run(view)
    if not began(view):
        return ""
    if run.parent is not None:
        number = number_of(scenario, run.parent.run)
        return view.texts("screen.began.subagent", number=number)
    if run.started_by in STARTED:
        return view.texts(f"screen.began.{run.started_by}")
    return view.texts("screen.began.other", how=safe(run.started_by, NAME))


def end_row(view: View) -> tuple[str, str, str] | None:
    """What the file itself says of the end: who says it, the word, the rest."""
    word, rest = said_end(recorded_run(view))
    if not word and not rest:
        return None
    details = [f"{safe(name, NAME)} {safe(str(scalar(value)), VALUE)}" for name, value in rest]
    what = safe(word, VALUE) if word else details.pop(0)
    return view.texts("screen.ended.recorded"), what, ", ".join(details)


def flag_note(view: View) -> str:
    """What is said beside a flag that the file does not hold; ``""`` where it does."""
    inferred = stop_inferred(view.shown.asides, view.run, view.index)
    return f" {view.texts('screen.aside.inferred')}" if inferred else ""


def rows(texts: Texts, asides: Sequence[Aside], indent: int, width: int) -> list[Line]:
    """One line for what was put in under a message, one for requests that failed there."""
    puts = [put for aside in asides for put in aside.inserted]
    tries = [attempt for aside in asides for attempt in aside.attempts]
    lines: list[Line] = []
    if puts:
        head = _inserted_head(texts, puts)
        text = safe(" ".join(map(inserted_text, puts)), width)
        lines.append((Seg(" " * indent), Seg(f"{head} ", "note"), Seg(text, "dim")))
    if tries:
        head = _failed_head(texts, tries[-1], len(tries))
        text = safe(failed_text(tries[-1]), width)
        lines.append((Seg(" " * indent), Seg(f"{head} ", "bad"), Seg(text, "dim")))
    return [fit(line, width) for line in lines]


def whole(texts: Texts, asides: Sequence[Aside], width: int) -> list[Line]:
    """All that was put in under a message and all requests that failed there, in full."""
    lines: list[Line] = []
    for aside in asides:
        for put in aside.inserted:
            head = _inserted_head(texts, [put])
            lines += _told(head, "note", inserted_text(put), width)
        for attempt in aside.attempts:
            head = _failed_head(texts, attempt, 1)
            lines += _told(head, "bad", failed_text(attempt), width)
    return lines


def _told(head: str, role: str, text: str, width: int) -> list[Line]:
    lines: list[Line] = [(Seg(BESIDE, role), Seg(head, role))]
    for part in wrap(display_safe(text, newlines=True), max(width - 7, 10)):
        lines.append((Seg(BESIDE, role), Seg("   "), Seg(part, "dim")))
    return lines


def _inserted_head(texts: Texts, puts: Sequence[Inserted]) -> str:
    kinds = dict.fromkeys(put.origin or "?" for put in puts)
    origin = safe(", ".join(kinds), KINDS)
    blocks = sum(len(put.content) for put in puts)
    return texts.count("screen.aside.inserted", blocks, origin=origin)


def _failed_head(texts: Texts, last: Attempt, count: int) -> str:
    key = "screen.aside.retried" if last.handled else "screen.aside.failed"
    return texts.count(key, count, status=last.status or "?")
