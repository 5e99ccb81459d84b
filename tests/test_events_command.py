"""``run --events``: a run as the stream of messages an SDK would emit, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.made_outside import QUESTION
from tests.test_cli import Output, call, complaint


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUALIZER_LANG", "en")
    monkeypatch.setenv("COLUMNS", "80")


def stream_file(folder: Path) -> Path:
    """A small stream of a client, with two prompts."""
    lines: list[dict[str, object]] = []
    for number in (1, 2):
        lines.append(
            {"type": "user", "session_id": "s", "message": {"role": "user", "content": QUESTION}}
        )
        reply = {
            "id": f"msg_{number}",
            "role": "assistant",
            "content": [{"type": "text", "text": "Whitby."}],
            "stop_reason": None,
        }
        lines.append({"type": "assistant", "session_id": "s", "message": reply})
        result = {"type": "result", "subtype": "success", "num_turns": number, "result": "Whitby."}
        lines.append({**result, "session_id": "s", "stop_reason": "end_turn"})
    path = folder / "recorded.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    return path


def test_a_stream_as_text(capsys: Output) -> None:
    """Each step stands beside its lines; whose words these are, and the counts, are said."""
    assert call("run", "client-cutoff", "--events") == 0
    out = capsys.readouterr().out
    assert "this is not the SDK" in out
    rows = [line.split() for line in out.split("\n")]
    assert ["t0.check", "CHECK", "-"] in rows
    assert any(row[:4] == ["end", "RETURNED", "result", "error_max_turns"] for row in rows)
    assert "num_turns 3   model calls 2   max_turns 2" in out


def test_a_stream_as_json(capsys: Output) -> None:
    """The lines with their places, the counts, and the client's own line beside them."""
    assert call("run", "client-parallel", "--events", "--json", "--lang", "ja") == 0
    text = capsys.readouterr().out
    assert text.isascii()
    data = json.loads(text)
    assert (data["inferred"], data["num_turns"], data["model_calls"]) == (True, 4, 2)
    assert (data["recorded_result"]["num_turns"], data["differences"]) == (4, [])
    assert [one["place"] for one in data["events"]][:3] == ["start", "t0.call", "t0.call"]


def test_another_cap_and_loop_give_another_stream(capsys: Output) -> None:
    """The settings of a run are those of its stream."""
    assert call("run", "aurora-run", "--max-turns", "1", "--events") == 0
    assert "num_turns 2   model calls 1" in capsys.readouterr().out
    assert call("run", "truncated", "--loop", "production", "--events") == 0
    assert 'result "1974"' in capsys.readouterr().out


def test_raw_events_on_request(capsys: Output) -> None:
    """``--partial`` brings them, and means nothing alone."""
    assert call("run", "paris", "--events", "--partial") == 0
    assert "message_delta" in capsys.readouterr().out
    assert "--events" in complaint(capsys, "run", "paris", "--partial")
    assert complaint(capsys, "run", "paris@t0.call", "--events")


def test_every_run_of_a_recording(capsys: Output, tmp_path: Path) -> None:
    """An outside file gives a stream a run; its own result line shows where ours differs."""
    path = str(stream_file(tmp_path))
    assert call("run", path, "--events") == 0
    assert capsys.readouterr().out.count("RETURNED") == 2
    assert call("run", path, "--events", "--json") == 0
    streams = json.loads(capsys.readouterr().out)["streams"]
    assert [one["differences"] for one in streams] == [[], ["num_turns"]]
    assert call("run", path, "--events", "--run", "2", "--json") == 0
    assert json.loads(capsys.readouterr().out)["run"] == "2"
