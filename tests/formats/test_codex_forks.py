"""Forked sessions of the Codex client: which lines are a copy, and which are its own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.formats.test_codex_rollout import AFTER, HEAD, Line, event, item, line, tokens
from tests.formats.test_codex_rollout import user as said
from tests.formats.test_openai_responses import DONE
from tests.made import jsonl
from tests.made_outside import calls_of, started
from visualizer.collection.recordings import counts_of
from visualizer.engine import replay
from visualizer.formats import Outside, read
from visualizer.loading import load_transcript

BEGAN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PARENT, CHILD = "s1", "s2"
COPIED = [one for one in AFTER[1:] if "turn_id" not in one["payload"]]


def version_7(at: datetime, number: int = 1) -> str:
    """An id that says when it was made."""
    digits = f"{int(at.timestamp() * 1000):012x}7000{0x8000000000000000 + number:016x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def written(lines: list[Line], first: datetime, each: float = 0.0) -> list[Line]:
    """Lines with the times at which they were written, in seconds one after another."""
    times = (first + timedelta(seconds=each * at) for at in range(len(lines)))
    return [{**one, "timestamp": time.isoformat()} for one, time in zip(lines, times, strict=True)]


def turn(name: str, **more: Any) -> list[Line]:
    return [
        event("task_started", turn_id=name, **more),
        line("turn_context", model="model-y", turn_id=name),
    ]


def own(*beginning: Line) -> list[Line]:
    """A prompt and an answer that only the fork has."""
    return [*beginning, said("And the Skua?"), item(DONE), tokens(20)]


def meta(name: str, **more: Any) -> Line:
    return line("session_meta", id=name, timestamp=BEGAN.isoformat(), **more)


def by_turns() -> list[Line]:
    """Turns whose ids say that the first began an hour before the fork."""
    old, new = version_7(BEGAN - timedelta(hours=1)), version_7(BEGAN + timedelta(seconds=2))
    head = meta(version_7(BEGAN), forked_from_id=PARENT)
    return written([head, meta(PARENT), *turn(old), *COPIED, *own(*turn(new))], BEGAN)


def by_their_begin() -> list[Line]:
    """Ids that say nothing; the beginning of each turn says when it was."""
    old = turn("6b1c7d0e-0000-4000-8000-000000000001", started_at=BEGAN.timestamp() - 3600)
    new = turn("6b1c7d0e-0000-4000-8000-000000000002", started_at=int(BEGAN.timestamp()))
    head = meta(CHILD, forked_from_id=PARENT)
    return written([head, meta(PARENT), *old, *COPIED, *own(*new)], BEGAN)


def by_a_pause() -> list[Line]:
    """Nothing but the times: the copy was written at once, then the user took a while."""
    copied = written([meta(CHILD, forked_from_id=PARENT), meta(PARENT), *COPIED], BEGAN, 0.001)
    return [*copied, *written(own(), BEGAN + timedelta(seconds=9))]


def by_its_times() -> list[Line]:
    """The copied lines kept the times that they had in the other session."""
    copied = written([meta(PARENT), *COPIED], BEGAN - timedelta(hours=1), 5)
    head = written([meta(CHILD, forked_from_id=PARENT)], BEGAN)
    return [*head, *copied, *written(own(), BEGAN + timedelta(seconds=9))]


def counted(outside: Outside) -> tuple[int, int, int, int | None]:
    counts = counts_of(outside.runs)
    return outside.prompts, counts.calls, counts.tool_calls, counts.tokens_in


@pytest.mark.parametrize("lines", [by_turns, by_their_begin, by_a_pause, by_its_times])
def test_what_a_fork_copied_is_its_history(lines: Any, tmp_path: Path) -> None:
    """Only what is its own is counted; the copy is what its first call sends."""
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(jsonl(lines()))
    scenario = load_transcript(path)
    outside = scenario.outside
    assert outside is not None
    assert (counted(outside), started(outside)) == ((1, 1, 0, 10), ["fork"])
    assert outside.findings.number("format.copied_lines") >= len(COPIED)
    assert list(outside.findings.faults()) == []
    run = replay(scenario)
    assert (run.result, run.model_calls) == ("Whitby.", 1)
    kinds = [one["role"] for one in scenario.runs[0].request.messages]
    assert kinds == ["user", "user", "assistant", "user", "assistant", "user"]


def test_a_prompt_may_stand_before_its_turn_is_named() -> None:
    """Older clients name a turn only behind its prompt: that is the fork's own all the same."""
    new = line("turn_context", turn_id=version_7(BEGAN + timedelta(seconds=2)))
    before = by_turns()[: len(COPIED) + 4]
    mine = [said("And the Skua?"), event("user_message", message="And the Skua?"), new]
    answer = written([*mine, item(DONE), tokens(20)], BEGAN + timedelta(seconds=2))
    outside = read(jsonl([*before, *answer]))
    assert (counted(outside), started(outside)) == ((1, 1, 0, 10), ["fork"])


def test_a_copy_is_counted_nowhere_in_it() -> None:
    """A count that only says the parent's sum again is none of the fork's."""
    lines = by_turns()
    again = [*lines[:-3], tokens(3), *lines[-3:]]
    assert counted(read(jsonl(again))) == (1, 1, 0, 10)


def test_a_compaction_in_the_copy() -> None:
    """The fork goes on from what its parent's conversation had come to, not from all of it."""
    lines = by_turns()
    summary = line("compacted", message="", replacement_history=[said("A summary.")["payload"]])
    outside = read(jsonl([*lines[:-5], summary, *lines[-5:]]))
    assert len(outside.runs[0].request.messages) == 2


def test_a_fork_without_a_turn_of_its_own() -> None:
    """Its parent's conversation is all that there is to show, and the file says whose it is."""
    outside = read(jsonl(by_turns()[:-5]))
    assert (outside.prompts, calls_of(outside)) == (1, [2])
    assert [one.key for one in outside.findings.faults()] == ["format.only_copied"]


@pytest.mark.parametrize(
    "named", [{"history_base": {"thread_id": PARENT}}, {"forked_from_ordinal_exclusive": 13}]
)
def test_a_fork_that_only_names_what_it_goes_on_from(named: dict[str, Any]) -> None:
    """Newer clients copy nothing: what was sent before is not in the file, and that is said."""
    head = meta(version_7(BEGAN), forked_from_id=PARENT, **named)
    new = turn(version_7(BEGAN + timedelta(seconds=2)))
    outside = read(jsonl(written([head, *own(*new)], BEGAN)))
    assert (counted(outside), started(outside)) == ((1, 1, 0, 10), ["fork"])
    assert outside.findings.number("format.not_recorded") == 1
    assert len(outside.runs[0].request.messages) == 2


def test_a_fork_with_nothing_to_copy() -> None:
    """A session forked before its first turn has only lines of its own, slow as they come."""
    head = meta(CHILD, forked_from_id=PARENT)
    outside = read(jsonl(written([head, *HEAD[1:], *AFTER[5:]], BEGAN, 3)))
    assert (outside.prompts, calls_of(outside)) == (1, [2])
    assert outside.findings.number("format.copied_lines") == 0
