"""Which lines of a Codex rollout are its own, where it began with a copy of another session's.

A forked session writes its parent's lines again, mostly with the time of the fork on them. A
turn's id says when the turn began, so that the first turn that is not older than the session
is the first of its own. Where turns have no such ids, the copy ends where the parent's lines
do, or where time goes on: it was written all at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from visualizer.formats.blocks import entry
from visualizer.formats.codex.lines import Line, meta_of, seconds_of
from visualizer.formats.openai.items import is_output, role_of

_PAUSE = 1.0
"""Seconds without a line after which a copy has ended: none is written that slowly."""

_TURNS = ("task_started", "turn_started")


def own_lines(lines: list[Line], before: Iterable[list[Line]]) -> tuple[list[Line], list[Line]]:
    """The lines that a rollout copied, and its own; ``before`` are those of other sessions."""
    if not lines or lines[0].kind != "session_meta" or not _is_forked(meta_of(lines[0]), lines):
        return [], lines
    head = meta_of(lines[0])
    born = _born(head.get("id"))
    if born is None:
        born = seconds_of(head.get("timestamp", lines[0].time))
    end = None if born is None else _first_turn(lines, born)
    if end is None:
        end = _first_unknown(lines, before)
    if end is None and born is not None:
        end = _first_later(lines, born)
    return ([], lines) if end is None else (lines[1:end], [lines[0], *lines[end:]])


def is_without_its_copy(head: dict[str, Any], copied: list[Line]) -> bool:
    """Whether a session goes on with another one, of which its file holds nothing.

    Newer clients only name the session, and its line up to which this one goes on with it.
    """
    named = isinstance(head.get("history_base"), dict) or "forked_from_ordinal_exclusive" in head
    return named and not copied


def _is_forked(head: dict[str, Any], lines: list[Line]) -> bool:
    """Whether a session names the one that it was forked from, or holds another one's head."""
    if isinstance(head.get("forked_from_id"), str):
        return True
    source = entry(entry(head.get("source")).get("subagent")).get("thread_spawn")
    if not isinstance(entry(source).get("parent_thread_id"), str) or len(lines) < 2:
        return False
    return lines[1].kind == "session_meta" and meta_of(lines[1]).get("id") != head.get("id")


def _born(name: Any) -> float | None:
    """When an id was made, in seconds, where it says (UUID, version 7)."""
    try:
        found = UUID(name) if isinstance(name, str) else None
    except ValueError:
        return None
    if found is None or found.version != 7:
        return None
    return (found.int >> 80) / 1000


def _first_turn(lines: list[Line], born: float) -> int | None:
    """Where the first turn begins that is not older than the session.

    Behind the last line where all turns are older; None where turns don't say how old they are.
    """
    older: list[bool] = []
    for at, line in enumerate(lines[1:], 1):
        began = _born(line.what.get("turn_id"))
        if began is None and line.what.get("type") in _TURNS:
            said = line.what.get("started_at")
            began = said + 1 if isinstance(said, int | float) else None  # it is a whole second
        if began is not None and began >= born:
            return _with_its_prompt(lines, at)
        if "turn_id" in line.what:
            older.append(began is not None)
    return len(lines) if older and all(older) else None


def _with_its_prompt(lines: list[Line], at: int) -> int:
    """The same, with the prompt, where a turn names itself only behind it."""
    if lines[at].what.get("type") in _TURNS:
        return at
    began = at
    while began > 1 and _is_sent(lines[began - 1]) and _follows(lines[began - 1], lines[at]):
        began -= 1
    return began


def _is_sent(line: Line) -> bool:
    if line.kind == "response_item":
        return role_of(line.what) in ("user", "system") and not is_output(line.what)
    return line.kind == "event_msg" and line.what.get("type") == "user_message"


def _follows(one: Line, other: Line) -> bool:
    """Whether two lines were written in one go."""
    first, second = seconds_of(one.time), seconds_of(other.time)
    return first is not None and second is not None and abs(second - first) < _PAUSE


def _first_unknown(lines: list[Line], before: Iterable[list[Line]]) -> int | None:
    """The first line that none of the other sessions holds, where they hold any."""
    known = {_mark(line) for one in before for line in one}
    if not known:
        return None
    return next((at for at in range(1, len(lines)) if _mark(lines[at]) not in known), len(lines))


def _mark(line: Line) -> str:
    return json.dumps([line.kind, line.what], sort_keys=True)


def _first_later(lines: list[Line], born: float) -> int | None:
    """The first line of the session's time behind a pause, where replies stand before it."""
    replied = False
    last: float | None = None
    for at, line in enumerate(lines[1:], 1):
        time = seconds_of(line.time)
        if time is None:
            continue
        if last is not None and time >= born and time - last >= _PAUSE:
            return at if replied else None
        last = time
        replied = replied or (line.kind == "response_item" and role_of(line.what) == "assistant")
    return None
