"""Long transcripts made to measure: ``python tests/benchmarks/generate.py TURNS FILE``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def long_transcript(turns: int) -> dict[str, Any]:
    """A transcript of ``turns`` model calls: one tool round each, and an answer at the end."""
    return {
        "format_version": 1,
        "title": {"en": f"{turns} turns", "ja": f"{turns} ターン"},
        "summary": {"en": "Made to measure.", "ja": "計測用です。"},
        "runs": [
            {
                "id": "main",
                "request": {"messages": [{"role": "user", "content": "Count the lines."}]},
                "takes": [{"name": "only", "turns": [_turn(n, turns) for n in range(turns)]}],
            }
        ],
        "settings": {"max_turns": turns},
    }


def _turn(number: int, turns: int) -> dict[str, Any]:
    if number == turns - 1:
        content: list[dict[str, Any]] = [{"type": "text", "text": f"{number} lines."}]
        return {"response": _response(content, "end_turn")}
    call_id = f"toolu_{number}"
    text = {"type": "text", "text": f"Reading part {number} of the file now."}
    request = {"type": "tool_use", "id": call_id, "name": "read", "input": {"part": number}}
    result = {
        "type": "tool_result",
        "tool_use_id": call_id,
        "content": f"part {number}: " + "x" * 80,
    }
    return {"response": _response([text, request], "tool_use"), "results": [result]}


def _response(content: list[dict[str, Any]], stop_reason: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": content, "stop_reason": stop_reason}


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(long_transcript(int(sys.argv[1]))), encoding="utf-8")
