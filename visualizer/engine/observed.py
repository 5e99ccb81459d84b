"""Observations that a reader changed: another text in the result of a tool.

The tool runs as ever, so what was recorded (or looked up) is known beside it. A text equal to
that changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from visualizer.engine.recorded import RecordedTools
from visualizer.messages import Block
from visualizer.run.timeline import Call, Observed


class ObservedTools:
    """The recorded tools, with a reader's texts in place of some results."""

    def __init__(self, tools: RecordedTools, texts: Mapping[str, str]) -> None:
        self._tools = tools
        self._texts = texts
        self._changed: dict[str, Observed] = {}

    def run(self, call: Any, place: str) -> Block:
        """The result block of a call that is executed at ``place``. Raises ``RunStopped``."""
        result = self._tools.run(call)
        text = self._texts.get(place)
        if text is None or text == result.result_text:
            return result
        self._changed[str(call.id)] = Observed(result)
        return Block({**result.data, "content": _like(result.data.get("content"), text)})

    def changed(self, call: Any) -> Observed | None:
        """What a reader changed in the call that has just run, if anything."""
        return self._changed.pop(str(call.id), None)


def _like(content: Any, text: str) -> Any:
    """A text in the shape of what it replaces: a block where that was one, else as it is."""
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], Mapping):
        block = content[0]
        return [{**block, "text": text}] if block.get("type") == "text" else text
    return text


def place_of(call: Any, calls: Sequence[Call]) -> str:
    """Where a call of another thread will be executed: those are taken in request order."""
    last = calls[-1] if calls else None
    if last is None or last.reply is None:
        return ""
    ids = [block.id for block in last.reply.tool_calls]
    number = ids.index(call.id) + 1 if call.id in ids else 1
    return f"t{last.turn}.execute" + (f".{number}" if number > 1 else "")
