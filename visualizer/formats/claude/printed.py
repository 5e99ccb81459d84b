"""Lines that a client prints beside a run: notices, denials, hooks, what follows the result.

They take no part in the run, so each is kept with the place of the step that it was printed at.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.telling.stretches import Thread
from visualizer.transcript.records import ApiObject, RecordedRun

_KEPT = frozenset({"informational", "permission_denied"})
_HOOK = "hook_"
_AFTER = "prompt_suggestion"
_LEFT_OUT = frozenset({"uuid", "session_id", "timestamp", "parent_tool_use_id", "sent"})


def is_kept(line: dict[str, Any]) -> bool:
    """Whether a line says something about the run that a reader of it may want to see."""
    if line.get("type") == _AFTER:
        return True
    kind = line.get("subtype")
    return line.get("type") == "system" and isinstance(kind, str) and _is_kept(kind)


def _is_kept(subtype: str) -> bool:
    return subtype in _KEPT or subtype.startswith(_HOOK)


class Printed:
    """The lines of a stream that wait for the run that they belong to."""

    def __init__(self) -> None:
        self._waiting: list[ApiObject] = []

    def line(self, thread: Thread, line: dict[str, Any]) -> None:
        """A line that was printed now."""
        kept = {name: value for name, value in line.items() if name not in _LEFT_OUT}
        if line.get("type") == _AFTER and thread.latest is not None:
            _put(thread.latest, "end", kept)
        elif thread.run is not None:
            _put(thread.run, _place(thread.run), kept)
        else:
            self._waiting.append(kept)

    def replied(self, thread: Thread) -> None:
        """A reply has come: what waited stands at its call, hooks at the start of the run."""
        run = thread.run
        if run is None or not self._waiting:
            return
        turn = len(run.takes[0].turns) - 1
        for line in self._waiting:
            hook = str(line.get("subtype", "")).startswith(_HOOK)
            _put(run, "start" if hook and turn == 0 else f"t{turn}.call", line)
        self._waiting = []


def _place(run: RecordedRun) -> str:
    """Where the run stands: at the tool whose result comes next, else at the next call."""
    turns = run.takes[0].turns
    last = turns[-1] if turns else None
    content = (last.response or {}).get("content") if last is not None else None
    asked = sum(block.get("type") == "tool_use" for block in content or ())
    done = len(last.results or ()) if last is not None else 0
    if done < asked:
        number = f".{done + 1}" if done else ""
        return f"t{len(turns) - 1}.execute{number}"
    return f"t{len(turns)}.call"


def _put(run: RecordedRun, at: str, line: ApiObject) -> None:
    if run.recorded is None:
        run.recorded = {}
    run.recorded.setdefault("lines", []).append({"at": at, "line": line})
