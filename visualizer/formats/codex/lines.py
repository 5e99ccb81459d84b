"""The lines of a Codex rollout: what kind each is, what it holds, and when it was written."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from visualizer.formats.blocks import entry
from visualizer.formats.openai.items import type_of

_WRAPPED = (
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
    "world_state",
)
_OTHERS = ("parentUuid", "sessionId", "projectHash")
"""What lines of other clients have, and those of this one never."""

_BARE = ("message", "reasoning", "compaction", "ghost_snapshot")
"""Items that may stand in a line as they are, beside calls and what they gave."""

ANOTHER = "another client"
"""The kind of a line of another client."""


class Line(NamedTuple):
    """What kind of line it is, what it holds, and when it was written, where it says."""

    kind: str
    what: dict[str, Any]
    time: Any = None


def is_wrapped(line: dict[str, Any]) -> bool:
    """Whether a line names its kind beside what it holds, as all but the oldest files do."""
    return line.get("type") in _WRAPPED and isinstance(line.get("payload"), dict)


def is_header(line: dict[str, Any]) -> bool:
    """Whether it is a head, or a state, of the oldest files."""
    return "record_type" in line or ("instructions" in line and "type" not in line)


def unwrapped(line: dict[str, Any]) -> Line:
    """A line of a file as what it holds."""
    if isinstance(line.get("type"), str) and isinstance(line.get("payload"), dict):
        return Line(line["type"], line["payload"], line.get("timestamp"))
    if is_header(line):
        return Line("state" if "record_type" in line else "session_meta", line)
    if any(name in line for name in _OTHERS):
        return Line(ANOTHER, line)
    kind = type_of(line)
    if kind in _BARE or kind.endswith(("_call", "_output")):
        return Line("response_item", line)
    return Line(f"{kind[:40]}?", line)


def meta_of(line: Line) -> dict[str, Any]:
    """What the head of a session says; old clients put it one level deeper."""
    return entry(line.what.get("meta")) or line.what


def seconds_of(time: Any) -> float | None:
    """A time of day as a number of seconds, None where it can't be read as one."""
    if not isinstance(time, str):
        return None
    try:
        found = datetime.fromisoformat(time)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
