"""What the client does by itself: notices, compaction agents, workflows, replies not kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.made import text_block, tool_result, tool_use
from tests.made_outside import QUESTION, Session, Stream, calls_of, small_session, started
from visualizer.collection.recordings import counts_of
from visualizer.engine import replay
from visualizer.formats import Outside
from visualizer.loading import load_transcript


def kept(folder: Path, made: Session, agents: dict[str, Session], **meta: Any) -> Outside:
    """A session that lies beside files of its subagents; ``meta`` is what stands beside those."""
    (folder / "session.jsonl").write_bytes(made.text())
    for name, agent in agents.items():
        file = folder / "session" / "subagents" / f"{name}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(agent.text())
        if meta:
            file.with_suffix(".meta.json").write_text(json.dumps(meta), encoding="utf-8")
    outside = load_transcript(folder / "session.jsonl").outside
    assert outside is not None
    return outside


def agent_of(name: str, *texts: str) -> Session:
    """A subagent that is asked and answers, once a text; all agents' lines have the same uuids."""
    made = Session()
    side = {"isSidechain": True, "agentId": name}
    parent: str | None = None
    for number, text in enumerate(texts):
        asked = made.user(text, parent=parent, uuid=f"q{number}", **side)
        answer = {"uuid": f"r{number}", "parent": asked, **side}
        parent = made.reply(f"{name}-{number}", text_block("Done."), flag="end_turn", **answer)
    return made


def parents(outside: Outside) -> list[str | None]:
    """The tool request that started each run."""
    return [run.parent.tool_use_id if run.parent else None for run in outside.runs]


NOTICE = "<task-notification>\n<task-id>t</task-id>\n</task-notification>"


@pytest.mark.parametrize(
    ("content", "more"),
    [
        (NOTICE, {"origin": {"kind": "task-notification"}}),
        (NOTICE, {}),
        ([text_block(NOTICE)], {}),
        ("A hook has more.", {"origin": {"kind": "hook"}}),
        ('Another Claude session sent a message:\n<teammate-message id="x">', {}),
    ],
)
@pytest.mark.parametrize("kind", [Session, Stream])
def test_a_notice_of_the_host_is_no_prompt(kind: type[Session], content: Any, more: Any) -> None:
    """It begins a run that is the host's, with the notice as its last message."""
    made = kind()
    made.user(QUESTION)
    made.reply("m1", text_block("I wait."), flag="end_turn")
    made.user(content, **more)
    made.reply("m2", text_block("It is done."), flag="end_turn")
    made.user("Thanks.", origin={"kind": "human"})
    made.reply("m3", text_block("Yes."), flag="end_turn")
    outside = made.read()
    assert (outside.prompts, calls_of(outside)) == (2, [1, 1, 1])
    assert started(outside) == ["prompt", "continued", "prompt"]
    assert outside.runs[1].request.messages[-1] == {"role": "user", "content": content}


def test_a_notice_while_a_run_goes_on_is_put_in() -> None:
    """Between a result and the next reply it stands in that request, beside the loop's list."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("a"), flag="tool_use")
    made.result("a")
    made.user(NOTICE)
    made.reply("m2", text_block("Whitby."), flag="end_turn")
    outside = made.read()
    assert (outside.prompts, calls_of(outside)) == (1, [2])
    assert [put.origin for put in outside.runs[0].takes[0].turns[1].inserted] == ["host"]


def test_a_compaction_agent_is_one_run(tmp_path: Path) -> None:
    """It goes on from the session's own lines; reminders in it are no forks, its task no prompt."""
    made = small_session()
    agent = Session()
    side = {"isSidechain": True, "agentId": "acompact-1"}
    reminder = "<system-reminder>\nA hook said so.\n</system-reminder>"
    agent.user(reminder, parent="u4", uuid="s1", **side)
    agent.user(reminder, parent="u5", uuid="s2", **side)
    agent.user("Summarise the conversation.", parent=made.lines[-1]["uuid"], uuid="s3", **side)
    agent.reply("c1", text_block("A summary."), flag="end_turn", parent="s3", uuid="s4", **side)
    outside = kept(tmp_path, made, {"agent-acompact-1": agent})
    assert (outside.prompts, calls_of(outside)) == (1, [2, 1])
    assert list(outside.findings.faults()) == []
    roles = [message["role"] for message in outside.runs[1].request.messages]
    assert roles == ["user", "assistant", "user", "assistant", "user"]


def workflow(**more: Any) -> Session:
    """A session that ran a workflow."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("before"), flag="tool_use")
    made.result("before")
    call = {**tool_use("flow", script="..."), "name": "Workflow"}
    made.reply("m2", call, flag="tool_use")
    made.result("flow", "2 agents finished", **more)
    made.reply("m3", text_block("Whitby."), flag="end_turn")
    return made


@pytest.mark.parametrize("more", [{}, {"toolUseResult": {"runId": "wf_1"}}])
def test_agents_of_a_workflow(tmp_path: Path, more: Any) -> None:
    """They lie one folder deeper, have the same uuids, and belong to the workflow's call."""
    agents = {f"workflows/wf_1/agent-{name}": agent_of(name, "Check.") for name in ("a1", "a2")}
    outside = kept(tmp_path, workflow(**more), agents, agentType="workflow-subagent")
    assert (outside.prompts, calls_of(outside)) == (1, [3, 1, 1])
    assert parents(outside) == [None, "flow", "flow"]
    assert list(outside.findings.faults()) == []


def test_an_agent_whose_call_stands_beside_it(tmp_path: Path) -> None:
    """What the client keeps beside the agent's file names the request."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("task"), flag="tool_use")
    made.result("task", "Whitby.")
    outside = kept(tmp_path, made, {"agent-b1": agent_of("b1", "Ask.")}, toolUseId="task")
    assert parents(outside) == [None, "task"]


def test_an_agent_whose_call_is_not_known(tmp_path: Path) -> None:
    """Its run is read and said to be unattached."""
    outside = kept(tmp_path, small_session(), {"agent-b1": agent_of("b1", "Ask.")})
    assert (calls_of(outside), parents(outside)) == ([2, 1], [None, None])
    assert outside.findings.number("format.unattached") == 1


def test_an_agent_that_is_sent_another_message(tmp_path: Path) -> None:
    """Its second stretch goes on from the first, and belongs to the call that sent it."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("first", prompt="Ask."), flag="tool_use")
    made.result("first", "Done.", toolUseResult={"agentId": "b1"})
    made.reply("m2", tool_use("second", to="b1", message="Ask again."), flag="tool_use")
    made.result("second", '{"success": true, "resumedAgentId": "b1"}')
    made.reply("m3", text_block("Whitby."), flag="end_turn")
    outside = kept(tmp_path, made, {"agent-b1": agent_of("b1", "Ask.", "Ask again.")})
    assert (calls_of(outside), outside.prompts) == ([3, 1, 1], 1)
    assert parents(outside) == [None, "first", "second"]
    assert len(outside.runs[2].request.messages) == 3


def test_requests_whose_reply_was_not_kept() -> None:
    """An empty reply was asked for again: the file names three requests and holds two replies."""
    made = Session()
    made.user(QUESTION)
    for name in ("r1", "r2", "r3"):
        made.bare("api-request", id=name)
    made.reply("m1", tool_use("a"), flag="tool_use", requestRef="r1")
    made.result("a")
    made.user("No visible output: go on.", isMeta=True)
    made.reply("m3", text_block("Whitby."), flag="end_turn", requestRef="r3")
    outside = made.read()
    assert calls_of(outside) == [2]
    assert outside.findings.number("format.unkept_reply") == 1
    assert list(outside.findings.faults()) == []


def test_a_failed_request_was_not_lost() -> None:
    """The error of a request that was tried again is in the file."""
    made = Session()
    made.user(QUESTION)
    for name in ("r1", "r2"):
        made.bare("api-request", id=name)
    made.line("system", subtype="api_error", error={"status": 529, "message": "Overloaded"})
    made.reply("m1", text_block("Whitby."), flag="end_turn", requestRef="r2")
    assert made.read().findings.number("format.unkept_reply") == 0


@pytest.mark.parametrize("kind", [Session, Stream])
def test_a_cut_off_request_that_the_host_answered(kind: type[Session], tmp_path: Path) -> None:
    """The loop runs no tool of a reply that was cut short: the file, its run, its list agree."""
    made = kind()
    made.user(QUESTION)
    made.reply("m1", tool_use("a"), flag="max_tokens")
    made.user([tool_result("a", "could not be parsed", is_error=True)])
    made.reply("m2", text_block("Whitby."), flag="end_turn")
    (tmp_path / "made.jsonl").write_bytes(made.text())
    scenario = load_transcript(tmp_path / "made.jsonl")
    assert [counts_of([run])[:3] for run in scenario.runs] == [(1, 0, 0), (1, 0, 0)]
    runs = [replay(scenario, run=run.id) for run in scenario.runs]
    assert [(run.model_calls, run.tool_rounds, run.tool_calls) for run in runs] == [
        (1, 0, 0),
        (1, 0, 0),
    ]
    assert [run.terminal_reason for run in runs] == ["truncated", "completed"]
    assert [message["role"] for message in scenario.runs[1].request.messages][-1] == "user"


@pytest.mark.parametrize("kind", [Session, Stream])
def test_blank_texts_are_not_sent_back(kind: type[Session], tmp_path: Path) -> None:
    """The client takes them out: so do the run's messages, and what was taken out is said."""
    made = kind()
    made.user(QUESTION)
    made.reply("m1", text_block("\n\n"), tool_use("a"), flag="tool_use")
    made.result("a")
    made.reply("m2", text_block("Whitby."), flag="end_turn")
    (tmp_path / "made.jsonl").write_bytes(made.text())
    scenario = load_transcript(tmp_path / "made.jsonl")
    run = replay(scenario)
    assert (run.model_calls, run.tool_calls, run.terminal_reason) == (2, 1, "completed")
    response = scenario.runs[0].takes[0].turns[0].response
    assert response is not None
    assert [block["type"] for block in response["content"]] == ["tool_use"]
    assert scenario.outside is not None
    assert scenario.outside.findings.number("format.blank_text") == 1


def test_another_clients_session_is_not_claimed() -> None:
    """Its lines look alike, and its messages have parts: another reader takes them."""
    made = Session()
    made.line("user", message={"role": "user", "parts": [{"text": "Which harbour?"}]})
    made.line("system", subtype="telemetry")
    assert made.read().format == "qwen-code"
