"""What a Codex session tells in events: prompts without items, and files of events alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats.test_codex_rollout import (
    AFTER,
    CONTEXT,
    HOST,
    META,
    Line,
    event,
    item,
    tokens,
    user,
)
from tests.formats.test_openai_responses import DONE
from tests.made import jsonl
from tests.made_outside import QUESTION, calls_of, started
from visualizer.formats import read

ASKED = event("user_message", message=QUESTION)
BEGIN = event("task_started", turn_id="t1")
END = event("task_complete", turn_id="t1")


def finished(kind: str, name: str, **more: Any) -> Line:
    return event("item_completed", turn_id="t1", item={"type": kind, "id": name, **more})


PROMPT = finished("UserMessage", "i1", content=[{"type": "text", "text": QUESTION}])
COMMAND = {"command": ["look"], "cwd": "/w", "aggregated_output": "no log", "exit_code": 2}
FINISHED: list[Line] = [
    META,
    BEGIN,
    PROMPT,
    finished("Reasoning", "i2", summary_text=["Hm."], raw_content=[]),
    finished("CommandExecution", "i3", status="completed", **COMMAND),
    finished("AgentMessage", "i4", content=[{"type": "Text", "text": "Whitby."}]),
    END,
]
INVOCATION = {"server": "charts", "tool": "find", "arguments": {"x": 1}}
OLDER: list[Line] = [
    META,
    BEGIN,
    ASKED,
    event("agent_reasoning", text="Hm."),
    event("exec_command_end", call_id="i3", process_id="7", **COMMAND),
    event("agent_message", message="Whitby."),
    END,
]


def prompts_in(lines: list[Line]) -> tuple[int, list[str]]:
    """How many prompts there are, and the last text that the first run begins with."""
    outside = read(jsonl(lines))
    last = outside.runs[0].request.messages[-1]["content"]
    return outside.prompts, [one["text"] for one in last]


@pytest.mark.parametrize("told", [ASKED, PROMPT], ids=["event", "finished item"])
def test_a_prompt_that_only_an_event_tells(told: Line) -> None:
    """It is what the run begins with, and no message is missing."""
    lines = [META, HOST, CONTEXT, BEGIN, told, item(DONE), tokens(2), END]
    assert prompts_in(lines) == (1, [QUESTION])
    assert read(jsonl(lines)).findings.number("format.not_recorded") == 0


@pytest.mark.parametrize(
    "lines",
    [
        [META, BEGIN, ASKED, user(QUESTION), item(DONE)],
        [META, user(QUESTION), BEGIN, ASKED, PROMPT, item(DONE)],
        [META, BEGIN, ASKED, PROMPT, item(DONE)],
        [
            META,
            BEGIN,
            event("user_message", message="Ask: " + QUESTION),
            user(QUESTION),
            item(DONE),
        ],
        [META, user(QUESTION), event("user_message", message=QUESTION + "\n\n"), item(DONE)],
    ],
    ids=["before its item", "behind it, twice", "in both events", "in other words", "with space"],
)
def test_a_prompt_is_taken_once(lines: list[Line]) -> None:
    """Where an item holds it, or two events tell it, it is still one prompt."""
    assert prompts_in(lines) == (1, [QUESTION])


def test_a_second_prompt_of_which_only_the_event_is_there() -> None:
    """The item of the first is no reason to leave out the second; the same words come twice."""
    again = [*AFTER, BEGIN, ASKED, item(DONE), tokens(9)]
    outside = read(jsonl(again))
    assert (outside.prompts, calls_of(outside)) == (2, [2, 1])


@pytest.mark.parametrize("lines", [FINISHED, OLDER], ids=["finished items", "older events"])
def test_a_file_of_events_alone(lines: list[Line]) -> None:
    """A command is a call with its result, which failed by its exit code."""
    outside = read(jsonl(lines))
    assert (calls_of(outside), started(outside), outside.prompts) == ([2], ["prompt"], 1)
    first, last = outside.runs[0].takes[0].turns
    assert first.response is not None
    assert last.response is not None
    thought, call = first.response["content"]
    assert (thought["thinking"], call["name"]) == ("Hm.", "command_execution")
    assert call["input"] == {"command": ["look"], "cwd": "/w"}
    assert [(one["content"], one["is_error"]) for one in first.results or []] == [("no log", True)]
    assert last.response["content"][0]["text"] == "Whitby."
    assert list(outside.findings.faults()) == []


def test_other_tools_in_events() -> None:
    """A server's tool has its name, arguments, result or error; a patch that failed is an error."""
    gave = {"Ok": {"content": [{"type": "text", "text": "chart 7"}]}}
    ends = [
        event("mcp_tool_call_end", call_id="m1", invocation=INVOCATION, result=gave),
        event("mcp_tool_call_end", call_id="m2", invocation=INVOCATION, result={"Err": "Gone."}),
        event("patch_apply_end", call_id="p1", changes={}, stdout="No.", success=False),
    ]
    outside = read(jsonl([*OLDER[:4], *ends, *OLDER[5:]]))
    told = [one for turn in outside.runs[0].takes[0].turns for one in turn.results or []]
    texts = [one["content"] if isinstance(one["content"], str) else "chart 7" for one in told]
    assert texts == ["chart 7", "Gone.", "No."]
    assert [one.get("is_error", False) for one in told] == [False, True, True]


def test_events_are_left_aside_where_items_tell_the_same() -> None:
    """A file that has both is read once, from its items."""
    both = [*AFTER[:-1], *FINISHED[3:6], *OLDER[3:6], AFTER[-1]]
    assert calls_of(read(jsonl(both))) == calls_of(read(jsonl(AFTER)))
