"""Conditions on a run: where it meets an error, a tool, a stop_reason. Breakpoints, both ways.

``tool:NAME`` and ``stop:VALUE`` take ``*`` and ``?``; ``error`` is any error, ``error:WORDS``
one that holds the words. In quotes, and in any other form, a text is searched for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from visualizer.app.recorded import Asides, failed_text
from visualizer.loops import RequestFailed
from visualizer.messages import Block
from visualizer.run.timeline import Run
from visualizer.transcript.records import Attempt, Turn

FORM = re.compile(r"\s*(?:(tool|stop|error)\s*[:：]\s*(.*?)|(error))\s*", re.I | re.S)


class Condition(NamedTuple):
    """What to stop at: a kind, and what it is about (``""``: anything)."""

    kind: str
    about: str = ""


class Met(NamedTuple):
    """A step that meets a condition; ``how`` names a text, ``what`` fills it (not yet safe)."""

    step: int
    how: str
    what: str


def parse(query: str) -> Condition | None:
    """The condition that a query asks for; None where it is words to search for."""
    found = FORM.fullmatch(query)
    if found is None:
        return None
    return Condition((found[1] or found[3]).lower(), (found[2] or "").strip())


def words_of(query: str) -> str:
    """A query for words, without the quotes that keep it from being a condition."""
    stripped = query.strip()
    quoted = len(stripped) > 2 and stripped[0] == stripped[-1] == '"'
    return stripped[1:-1] if quoted and parse(stripped[1:-1]) is not None else query


def met(run: Run, condition: Condition, asides: Asides) -> list[Met]:
    """Every step that meets a condition, in order, each once."""
    finder = {"tool": _tools, "stop": _stops, "error": _errors}[condition.kind]
    found: dict[int, Met] = {}
    for one in finder(run, condition.about, asides):
        found.setdefault(one.step, one)
    return [found[step] for step in sorted(found)]


def count_in(turns: Sequence[Turn], condition: Condition) -> int:
    """How often recorded turns meet a condition, without driving a loop over them.

    What only a drive brings about (a rule that is broken, a divergence) is not in it.
    """
    count = {"tool": _tools_in, "stop": _stops_in, "error": _errors_in}[condition.kind]
    return sum(count(turn, condition.about) for turn in turns)


def _tools(run: Run, about: str, _: Asides) -> Iterator[Met]:
    """Where a tool was executed; where it was only asked for, the call that asked."""
    executed: set[str] = set()
    for step in run.steps:
        if step.request is not None:
            executed.add(step.request.id)
            if _is(step.request.name, about):
                yield Met(step.index, "tool", step.request.name)
    for call in run.calls:
        for request in call.reply.tool_calls if call.reply is not None else ():
            if request.id not in executed and _is(request.name, about):
                yield Met(call.step, "asked", request.name)


def _stops(run: Run, about: str, _: Asides) -> Iterator[Met]:
    """Where a stop_reason was read; where none was, the call that brought it."""
    read = {step.turn for step in run.steps if step.phase == "check"}
    if run.steps[-1].phase != "end" and run.calls:
        read.add(run.calls[-1].turn)  # the run goes on: it may be read yet
    for step in run.steps:
        if step.phase == "check" and _is(str(step.stop_reason), about):
            yield Met(step.index, "stop", str(step.stop_reason))
    for call in run.calls:
        if call.turn not in read and call.reply is not None and _is(str(call.stop_reason), about):
            yield Met(call.step, "stop", str(call.stop_reason))


def _errors(run: Run, about: str, asides: Asides) -> Iterator[Met]:
    wanted = about.casefold()
    for one in _all_errors(run, asides):
        if wanted in one.what.casefold():
            yield one


def _all_errors(run: Run, asides: Asides) -> Iterator[Met]:
    """Tools that failed, requests that failed, rules that were broken, and a bad end."""
    for step in run.steps:
        if step.result is not None and step.result.is_error:
            name = step.request.name if step.request is not None else "?"
            yield Met(step.index, "result", f"{name}: {step.result.result_text}")
    for call in run.calls:
        tried = [one for aside in asides.under_call(call) for one in aside.attempts]
        if tried:
            last = tried[-1]
            yield Met(call.step, "failed", f"{last.status or '?'} {failed_text(last)}".strip())
        elif call.reply is None and run.raised is not None:
            yield Met(call.step, "failed", f"{run.raised.type}: {run.raised.text}")
        for violation in call.violations:
            yield Met(call.step, "rule", violation.code)
    yield from _bad_end(run)


def _bad_end(run: Run) -> Iterator[Met]:
    last = len(run.steps)
    if run.raised is not None:
        yield Met(last, "raised", f"{run.raised.type}: {run.raised.text}")
    elif run.stop is not None and run.stop.reason != "recording_ended":
        codes = ", ".join(one.code for one in run.stop.violations)
        yield Met(last, "stopped", f"{run.stop.reason} {codes}".strip())


def _is(name: str, about: str) -> bool:
    return not about or fnmatchcase(name.casefold(), about.casefold())


def _tools_in(turn: Turn, about: str) -> int:
    """Each time a tool was executed, up to the first one whose result was not recorded.

    Where others were only asked for, once more for the call.
    """
    answered = {one.get("tool_use_id") for one in turn.results or ()}
    asked = _requests(turn)
    last = next((n for n, one in enumerate(asked) if one.id not in answered), len(asked))
    met = [_is(one.name, about) for one in asked]
    return sum(met[: last + 1]) + any(met[last + 1 :])


def _stops_in(turn: Turn, about: str) -> int:
    return turn.response is not None and _is(str(turn.response.get("stop_reason")), about)


def _errors_in(turn: Turn, about: str) -> int:
    """Results that report an error, the last request that failed, and that a run raised it."""
    wanted = about.casefold()
    names = {one.id: one.name for one in _requests(turn)}
    results = [Block(one) for one in turn.results or () if one.get("is_error") is True]
    said = [f"{names.get(one.tool_use_id, '?')}: {one.result_text}" for one in results]
    if turn.attempts:
        said.append(_failed(turn.attempts[-1]))
        if turn.response is None:
            last = turn.attempts[-1]
            said.append(f"{RequestFailed.__name__}: {RequestFailed(last.status, last.error)}")
    return sum(wanted in one.casefold() for one in said)


def _requests(turn: Turn) -> list[Block]:
    content = (turn.response or {}).get("content")
    blocks = content if isinstance(content, list) else []
    return [
        Block(one) for one in blocks if isinstance(one, Mapping) and one.get("type") == "tool_use"
    ]


def _failed(attempt: Attempt) -> str:
    return f"{attempt.status or '?'} {failed_text(attempt)}".strip()
