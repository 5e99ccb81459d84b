"""Claude Code sessions made to measure: ``python -m tests.benchmarks.sessions LINES FILE``.

As the client writes them: one content block a line, each line naming the one before it, and
a tool's result twice (as a block, and as the client's own record of it).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LINES_A_PROMPT = 101
OUTPUT = 1_940
"""Characters of each tool result: with it 60,000 lines are 115 MB."""


def session(lines: int, lines_a_prompt: int = LINES_A_PROMPT) -> Iterator[dict[str, Any]]:
    """The lines of a session: prompts, each with rounds of three lines and an answer."""
    parent: str | None = None
    for number in range(lines):
        line = _line(number, lines_a_prompt)
        uuid = f"{number:08x}-0000-4000-8000-000000000000"
        yield {
            "parentUuid": parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/user/project",
            "sessionId": "5e551011-0000-4000-8000-000000000000",
            "version": "2.1.0",
            "gitBranch": "main",
            **line,
            "uuid": uuid,
            "timestamp": f"2026-01-01T{number // 3600 % 24:02}:{number // 60 % 60:02}:00.000Z",
        }
        parent = uuid


def _line(number: int, lines_a_prompt: int) -> dict[str, Any]:
    within = number % lines_a_prompt
    if within == 0:
        return {"type": "user", "message": {"role": "user", "content": f"Task {number}, please."}}
    if within == lines_a_prompt - 1:
        return _assistant(number, {"type": "text", "text": f"Task done at {number}."}, "end_turn")
    kind = (within - 1) % 3
    turn = number - kind
    if kind == 0:
        return _assistant(turn, {"type": "text", "text": f"Reading part {turn} now. " * 4}, None)
    if kind == 1:
        call = {"type": "tool_use", "id": _call_id(turn), "name": "Read", "input": {"part": turn}}
        return _assistant(turn, call, "tool_use")
    output = _output(turn)
    result = {"type": "tool_result", "tool_use_id": _call_id(turn), "content": output}
    return {
        "type": "user",
        "message": {"role": "user", "content": [result]},
        "toolUseResult": {"stdout": output, "stderr": "", "interrupted": False},
    }


def _assistant(turn: int, block: dict[str, Any], stop_reason: str | None) -> dict[str, Any]:
    usage = {"input_tokens": 4, "cache_read_input_tokens": turn, "output_tokens": 30}
    message = {
        "id": f"msg_{turn}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [block],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": usage,
    }
    return {"type": "assistant", "message": message, "requestId": f"req_{turn}"}


def _call_id(turn: int) -> str:
    return f"toolu_{turn:08}"


def _output(turn: int) -> str:
    """Text that looks like a source file, with what JSON must escape."""
    row = f'def part_{turn}(value):\n    return {{"part": {turn}, "value": value}}\n'
    return (row * (OUTPUT // len(row) + 1))[:OUTPUT]


def write(file: Path, lines: int, lines_a_prompt: int = LINES_A_PROMPT) -> None:
    """Write a session to a file."""
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for line in session(lines, lines_a_prompt):
            out.write(json.dumps(line, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    write(Path(sys.argv[2]), int(sys.argv[1]), *map(int, sys.argv[3:]))
