"""Small transcripts made in the tests, as objects and as files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from visualizer.loading import Scenario, parse, scenario_of

TEXT = {"en": "A test", "ja": "テスト"}
LOOPS = Path(__file__).parent / "loops"
AWKWARD = str(LOOPS / "awkward.py")


def text_block(text: str) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": text}


def tool_use(call_id: str, name: str = "look", **arguments: Any) -> dict[str, Any]:
    """A tool request."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def tool_result(call_id: str, content: str = "found", **more: Any) -> dict[str, Any]:
    """A tool result."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def response(*content: dict[str, Any], stop_reason: str | None = None, **more: Any) -> Any:
    """A Message object; the stop reason follows from its content unless given."""
    asks = any(block["type"] == "tool_use" for block in content)
    flag = stop_reason or ("tool_use" if asks else "end_turn")
    return {
        "type": "message",
        "role": "assistant",
        "content": list(content),
        "stop_reason": flag,
        **more,
    }


def round_of(*ids: str, **more: Any) -> dict[str, Any]:
    """A turn that asks for one tool per id and has all the results."""
    return {
        "response": response(*(tool_use(i, item=i) for i in ids)),
        "results": [tool_result(i, f"result of {i}") for i in ids],
        **more,
    }


def answer(text: str = "done", **more: Any) -> dict[str, Any]:
    """A last turn with an answer."""
    return {"response": response(text_block(text)), **more}


def transcript(*turns: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A transcript of one run with one take, as JSON data."""
    takes = more.pop("takes", [{"name": "only", "turns": list(turns)}])
    request = {"messages": [{"role": "user", "content": "Look into it."}]}
    request |= more.pop("request", {})
    return {
        "format_version": 1,
        "title": TEXT,
        "summary": TEXT,
        "runs": [{"id": "main", "request": request, "takes": takes}],
        **more,
    }


def scenario(*turns: dict[str, Any], **more: Any) -> Scenario:
    """A scenario over ``transcript(…)``."""
    data = json.dumps(transcript(*turns, **more)).encode("ascii")
    return scenario_of(parse(data, "made.json"), "made")


def jsonl(values: Iterable[Any]) -> bytes:
    """``values`` as a file with one JSON value a line."""
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def write(path: Path, data: Any) -> Path:
    """``data`` as a JSON file."""
    path.write_text(json.dumps(data), encoding="utf-8")
    return path
