"""Subagents of a Codex session, in rollouts of their own beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats.test_codex_rollout import (
    CONTEXT,
    HEAD,
    Line,
    event,
    item,
    line,
    tokens,
    user,
)
from tests.formats.test_openai_responses import DONE, call, output
from tests.made import jsonl
from tests.made_outside import calls_of, started
from visualizer.formats import Outside, read

CHILD = "01a00000-0000-7000-8000-00000000000a"
OTHER = "01a00000-0000-7000-8000-00000000000b"
SPAWN = {**call("s", '{"message": "Look."}'), "name": "spawn_agent"}
NAMED = output("s", json.dumps({"agent_id": CHILD, "nickname": "Mate"}))
UNNAMED = output("s", json.dumps({"task_name": "/root/look"}))
ACTIVITY = {"agent_thread_id": CHILD, "kind": "started", "agent_path": "/root/look"}


def activity(name: str) -> Line:
    what = {"type": "sub_agent_activity", "event_id": name, **ACTIVITY}
    return {"type": "event_msg", "payload": what}


WAYS: dict[str, list[Line]] = {
    "result": [item(NAMED)],
    "old event": [
        item(UNNAMED),
        event("collab_agent_spawn_end", call_id="s", new_thread_id=CHILD),
    ],
    "event": [activity("s"), item(UNNAMED)],
    "item": [
        event("item_completed", item={"type": "SubAgentActivity", "id": "s", **ACTIVITY}),
        item(UNNAMED),
    ],
}


def parent(*lines: Line) -> list[Line]:
    """A session that starts a subagent, then answers."""
    return [*HEAD, item(SPAWN), *lines, tokens(2), item(DONE), tokens(3)]


def meta(name: str, above: str = "s1", **more: object) -> Line:
    spawned = {"thread_spawn": {"parent_thread_id": above, "depth": 1}}
    return line("session_meta", id=name, source={"subagent": spawned}, **more)


def child(name: str = CHILD) -> list[Line]:
    """A subagent's session: a call, its result and an answer."""
    work = [item(call(f"in-{name}")), tokens(4), item(output(f"in-{name}")), item(DONE), tokens(5)]
    return [meta(name), user("Look."), CONTEXT, *work]


SENT = [
    item(
        {
            "type": "agent_message",
            "author": "/root/look",
            "content": [{"type": "input_text", "text": "Done."}],
        }
    ),
    line("inter_agent_communication_metadata", trigger_turn=True),
]
FORKED = [
    meta(CHILD, forked_from_id="s1"),
    *HEAD,
    *[user("Look."), item(DONE), tokens(9)],
]
"""A subagent's session that begins with its parent's lines."""


def written(folder: Path, lines: list[Line], *others: tuple[str, list[Line]]) -> Outside:
    for name, told in others:
        file = folder / f"rollout-2026-01-02T03-04-06-{name}.jsonl"
        file.write_bytes(jsonl(told))
    path = folder / "rollout-2026-01-02T03-04-05-01a00000-0000-7000-8000-000000000001.jsonl"
    path.write_bytes(jsonl(lines))
    return read(path)


@pytest.mark.parametrize("way", WAYS)
def test_a_subagents_rollout_is_a_run_of_its_own(way: str, tmp_path: Path) -> None:
    """Wherever the parent's file names it, it hangs on the call, and is no prompt of a user."""
    outside = written(tmp_path, parent(*WAYS[way]), (CHILD, child()), (OTHER, child(OTHER)))
    assert (calls_of(outside), outside.prompts) == ([2, 2], 1)
    main, sub = outside.runs
    assert sub.parent is not None
    assert (sub.parent.run, sub.parent.tool_use_id) == (main.id, "s")


def test_a_subagent_of_a_subagent(tmp_path: Path) -> None:
    """Its rollout is named in the one of the agent that started it; circles are no matter.

    The third run is the first subagent's, too: it went on after an answer.
    """
    spawn = {**SPAWN, "call_id": "t", "id": "fc_t"}
    named = output("t", json.dumps({"agent_id": OTHER}))
    inner = [*child(), item(spawn), item(named), activity("t"), item(DONE)]
    outside = written(tmp_path, parent(item(NAMED)), (CHILD, inner), (OTHER, child(OTHER)))
    parents = [run.parent and (run.parent.run, run.parent.tool_use_id) for run in outside.runs]
    assert parents == [None, ("1", "s"), ("1", "s"), ("3", "t")]
    assert outside.prompts == 1


def test_a_subagent_that_began_with_a_copy(tmp_path: Path) -> None:
    """What it copied from its parent is context, and no call is counted twice."""
    outside = written(tmp_path, parent(item(NAMED)), (CHILD, FORKED))
    assert (calls_of(outside), started(outside)) == ([2, 1], ["prompt", "fork"])
    sent = outside.runs[1].request.messages
    first = outside.runs[0].request.messages
    assert sent[: len(first)] == first
    assert sent[-1]["content"] == [{"type": "text", "text": "Look."}]
    assert outside.findings.number("format.double_request") == 0


def test_agents_that_are_not_there(tmp_path: Path) -> None:
    """Without its file a subagent is only a call; bytes without a place have no neighbours."""
    assert calls_of(written(tmp_path, parent(item(NAMED)))) == [2]
    assert calls_of(read(jsonl(parent(item(NAMED))))) == [2]
    odd = [item(output("s", text)) for text in ("{", "[]", '{"agent_id": 7}')]
    for one in odd:
        assert calls_of(written(tmp_path, parent(one), (CHILD, child()))) == [2]


def test_what_agents_send_each_other() -> None:
    """In a round it is put into the next request, else it is what the next run begins with."""
    outside = read(jsonl([*parent(item(NAMED), *SENT), SENT[0], item(DONE)]))
    assert (calls_of(outside), started(outside)) == ([2, 1], ["prompt", "prompt"])
    put = outside.runs[0].takes[0].turns[1].inserted
    assert [(one.origin, one.content[0]["text"]) for one in put] == [("agent", "Done.")]
    assert outside.prompts == 2
