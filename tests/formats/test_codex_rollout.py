"""Sessions of the Codex client: which items make one reply, and what else stands between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats.test_openai_responses import DONE, THOUGHT, call, message, output, text
from tests.made import jsonl, text_block, tool_result
from tests.made_outside import QUESTION, calls_of, flags, started
from visualizer.engine import replay
from visualizer.formats import Outside, detect, read
from visualizer.loading import load_transcript

Line = dict[str, Any]


def line(kind: str, **payload: Any) -> Line:
    return {"timestamp": "2026-01-02T03:04:05Z", "type": kind, "payload": payload}


def item(one: Line) -> Line:
    return line("response_item", **one)


def event(kind: str, **more: Any) -> Line:
    return line("event_msg", type=kind, **more)


def user(said: str, role: str = "user") -> Line:
    part = {"type": "input_text", "text": said}
    return item({"type": "message", "role": role, "content": [part]})


def tokens(total: int) -> Line:
    last = {"input_tokens": 10, "cached_input_tokens": 4, "output_tokens": total}
    whole = {"input_tokens": 10 * total, "output_tokens": total}
    return event("token_count", info={"last_token_usage": last, "total_token_usage": whole})


META = line("session_meta", id="s1", cli_version="1.0", base_instructions={"text": "Be kind."})
CONTEXT = line("turn_context", model="model-y", approval_policy="never")
HOST = user("<environment_context>\n  <shell>sh</shell>\n</environment_context>")
HEAD = [META, user("Sandbox: off.", "developer"), HOST, user(QUESTION), CONTEXT]
LOOK = [THOUGHT, message(text("I look."))]
A, B = call("a", '{"command": ["ls"]}'), call("b")
FOUND = json.dumps({"output": "log 3", "metadata": {"exit_code": 1}})

AFTER: list[Line] = [
    *HEAD,
    event("task_started", turn_id="t1"),
    event("user_message", message=QUESTION),
    event("agent_reasoning", text="Hm."),
    *map(item, [*LOOK, A, output("a", FOUND), B, output("b", "chart 7")]),
    tokens(2),
    tokens(2),
    item(DONE),
    tokens(3),
    event("task_complete", turn_id="t1"),
]
"""A token count closes each reply, the same one twice; results stand between two calls."""

BEFORE: list[Line] = [
    *HEAD,
    tokens(2),
    *map(item, [*LOOK, A, B, output("b", "chart 7"), output("a", FOUND)]),
    CONTEXT,
    tokens(3),
    item(DONE),
]
"""A token count comes before the items of its reply, as older clients write it."""


def usages(outside: Outside) -> list[int]:
    turns = outside.runs[0].takes[0].turns
    return [turn.response["usage"]["output_tokens"] for turn in turns if turn.response]


@pytest.mark.parametrize("lines", [AFTER, BEFORE], ids=["after", "before"])
def test_a_round_and_an_answer(lines: list[Line], tmp_path: Path) -> None:
    """Two calls in one reply, whatever stands between them; each reply has its own counts."""
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(jsonl(lines))
    assert detect(jsonl(lines)) == "codex-rollout"
    scenario = load_transcript(path)
    run = replay(scenario)
    assert (run.model_calls, run.tool_rounds, run.tool_calls) == (2, 1, 2)
    assert (run.result, run.terminal_reason) == ("Whitby.", "completed")
    assert scenario.outside is not None
    assert usages(scenario.outside) == [2, 3]
    assert (scenario.outside.prompts, len(scenario.runs)) == (1, 1)
    request = scenario.runs[0].request
    assert (request.model, len(request.messages)) == ("model-y", 2)
    assert request.system == [text_block("Be kind."), text_block("Sandbox: off.")]


def test_thoughts_are_read_once() -> None:
    """An event says again what an item says: the item is read, the event is counted."""
    outside = read(jsonl(AFTER))
    reply = outside.runs[0].takes[0].turns[0].response
    assert reply is not None
    assert [one["type"] for one in reply["content"]] == ["thinking", "text", "tool_use", "tool_use"]
    assert outside.findings.number("format.other_line") == 2
    assert list(outside.findings.faults()) == []
    assert outside.runs[0].recorded == {"end": "task_complete"}


def test_outputs_are_what_the_model_saw() -> None:
    """JSON in a text and plain text stay the texts they were; an exit code makes an error."""
    results = read(jsonl(AFTER)).runs[0].takes[0].turns[0].results
    assert results == [tool_result("a", FOUND, is_error=True), tool_result("b", "chart 7")]


PLAIN = "Chunk ID: 1\nWall time: 0.05 seconds\nProcess exited with code {}\nOutput:\nlog 3"


@pytest.mark.parametrize(
    ("told", "failed"),
    [
        (json.dumps({"output": "", "metadata": {"exit_code": 2}}), True),
        (json.dumps({"output": "log 3", "metadata": {"exit_code": 0}}), False),
        (json.dumps({"output": '"exit_code": 1', "metadata": {}}), False),
        ('{"exit_code": 1', False),
        (PLAIN.format(1), True),
        (PLAIN.format(0), False),
        ("Exit code: 127\nWall time: 0 seconds\nOutput:\nlook: not found", True),
        ("Exit code: 0\nOutput:\nExit code: 1\n", False),
        ("failed in sandbox MacosSeatbelt with execution error: exit code: 1", True),
        ("aborted by user after 3.2s", True),
        ("patch rejected by user", True),
        ("aborted", True),
        ("aborted takeoffs: 3", False),
        ("The exit code: 1 is in the log.", False),
        ([{"type": "input_text", "text": PLAIN.format(9)}], True),
        ({"content": "Gone.", "success": False}, True),
    ],
)
def test_a_command_that_failed_is_an_error(told: Any, failed: bool, tmp_path: Path) -> None:
    """By its exit code, in JSON or in the lines before its output, or since it never ran."""
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(jsonl([*HEAD, item(A), tokens(1), item(output("a", told)), item(DONE)]))
    scenario = load_transcript(path)
    results = scenario.runs[0].takes[0].turns[0].results
    assert [one.get("is_error", False) for one in results or []] == [failed]
    run = replay(scenario)
    assert (run.terminal_reason, run.tool_calls) == ("completed", 1)


def test_counts_of_the_session_alone() -> None:
    """Where only the sum so far is told, each reply has what was added; none is counted twice."""
    sums = [{"input_tokens": 10, "output_tokens": 2}, {"input_tokens": 25, "output_tokens": 5}]
    first, second = (event("token_count", info={"total_token_usage": one}) for one in sums)
    first_reply = [item(A), first, first, item(output("a", "log 3"))]
    outside = read(jsonl([*HEAD, *first_reply, item(DONE), second, second]))
    assert usages(outside) == [2, 3]


def test_counts_in_lines_of_their_own() -> None:
    """Newer clients write a record a reply; beside token counts it only says them again."""
    record = line("token_usage_record", usage={"input_tokens": 8, "output_tokens": 3})
    replies = [item(A), record, item(output("a", "log 3")), item(DONE)]
    assert usages(read(jsonl([*HEAD, *replies, record]))) == [3, 3]
    both = [*HEAD, item(A), record, item(output("a", "log 3")), tokens(2), item(DONE), tokens(3)]
    assert usages(read(jsonl(both))) == [2, 3]


def test_without_token_counts_results_end_a_reply() -> None:
    """What the model says after results is its next reply; a thought always begins one."""
    plain = [one for one in AFTER if one["payload"].get("type") != "token_count"]
    assert calls_of(read(jsonl(plain))) == [3]
    thinks = [*BEFORE[:-2], item(THOUGHT), item(DONE)]
    assert calls_of(read(jsonl(thinks))) == [2]


def test_the_oldest_files_have_bare_items() -> None:
    """A header without a type, states between, messages that do not say that they are."""
    head = {"id": "s0", "timestamp": "2025-01-02T03:04:05Z", "instructions": "Be kind."}
    asked = {"role": "user", "content": [{"type": "input_text", "text": QUESTION}]}
    said = {"role": "assistant", "content": [text("Whitby.")]}
    lines: list[Line] = [head, {"record_type": "state"}, asked, A, output("a", "log 3"), said]
    outside = read(jsonl(lines))
    assert (outside.format, calls_of(outside)) == ("codex-rollout", [2])
    assert outside.runs[0].request.system == "Be kind."


def test_an_aborted_turn() -> None:
    """The user stopped it in the middle; the next prompt is a run of its own."""
    stop = event("turn_aborted", reason="interrupted")
    note = user("<turn_aborted>\nThe user stopped this.\n</turn_aborted>")
    more = [HOST, user("And the Skua?"), tokens(3), item(DONE)]
    outside = read(jsonl([*BEFORE[:9], stop, note, *more]))
    assert (calls_of(outside), started(outside)) == ([1, 1], ["prompt", "prompt"])
    assert outside.runs[0].recorded == {"interrupted": True, "end": "interrupted"}
    assert outside.findings.number("format.unanswered") == 1
    assert outside.findings.number("format.inserted") == 0
    assert outside.prompts == 2
    silent = read(jsonl([*HEAD, stop]))
    assert (calls_of(silent), silent.runs[0].recorded) == ([0], outside.runs[0].recorded)


STOPPED = event("turn_aborted", turn_id="t1", reason="interrupted")


def test_what_is_written_behind_the_stop_belongs_to_the_turn() -> None:
    """The stop came first: the call, its result and its count are still of the stopped run."""
    late = [item(A), item(output("a", "aborted")), tokens(2)]
    more = [user("And the Skua?"), item(DONE), tokens(5)]
    outside = read(jsonl([*HEAD, event("task_started", turn_id="t1"), STOPPED, *late, *more]))
    assert (calls_of(outside), started(outside)) == ([1, 1], ["prompt", "prompt"])
    assert outside.prompts == 2
    first, second = outside.runs
    assert first.recorded == {"interrupted": True, "end": "interrupted"}
    assert second.recorded is None
    assert [
        turn.response["usage"]["output_tokens"] for turn in first.takes[0].turns if turn.response
    ] == [2]
    assert outside.findings.number("format.unanswered") == 0


def test_a_stop_that_comes_when_the_next_turn_has_begun() -> None:
    """It names the turn that it ended: the one after it goes on."""
    one, two = (event("task_started", turn_id=name) for name in ("t1", "t2"))
    late = [two, user("And the Skua?"), STOPPED, item(DONE), tokens(5)]
    outside = read(jsonl([*HEAD, one, item(A), item(output("a", "log 3")), *late]))
    assert (calls_of(outside), outside.prompts) == ([1, 1], 2)
    assert outside.runs[0].recorded == {"interrupted": True, "end": "interrupted"}
    assert outside.runs[1].recorded is None


def test_who_wrote_a_message() -> None:
    """Texts of the client are told by how they begin, each part, or by what the message says."""
    parts = [
        HOST["payload"]["content"][0],
        {"type": "input_text", "text": "# AGENTS.md instructions\n"},
    ]
    of_host = item({"type": "message", "role": "user", "content": parts})
    mixed = item(
        {
            "type": "message",
            "role": "user",
            "content": [*parts, {"type": "input_text", "text": "Go."}],
        }
    )
    kinds = {"internal_chat_message_metadata_passthrough": {"content_item_kinds": ["notice.text"]}}
    said = item({**user("A notice.")["payload"], **kinds})
    for more, prompts in ((of_host, 1), (said, 1), (mixed, 2)):
        assert read(jsonl([META, more, user(QUESTION), CONTEXT, item(DONE)])).prompts == prompts


def test_what_the_client_writes_in_a_round_is_inserted() -> None:
    """In the user's name or a developer's: it goes with the results, the run goes on."""
    notes = [user("<subagent_notification>done"), user("Be quick.", "developer")]
    outside = read(jsonl([*BEFORE[:-3], *notes, *BEFORE[-3:]]))
    assert calls_of(outside) == [2]
    put = outside.runs[0].takes[0].turns[1].inserted
    assert [one.origin for one in put] == ["client", "developer"]


def test_a_new_environment_belongs_to_the_prompt_after_it() -> None:
    """A round was given up without a word; the next prompt begins with what the client says."""
    outside = read(jsonl([*BEFORE[:-3], HOST, user("And the Skua?"), tokens(3), item(DONE)]))
    assert (calls_of(outside), outside.prompts) == ([1, 1], 2)
    assert outside.findings.number("format.inserted") == 0
    assert len(outside.runs[1].request.messages) == 6


def test_a_compaction() -> None:
    """The history that the client kept is where the next run begins, or only its summary."""
    kept = [HOST["payload"], user("A summary.")["payload"]]
    done = [tokens(9), item(DONE)]
    for what, count in (
        ({"message": "", "replacement_history": kept}, 2),
        ({"message": "A summary."}, 2),
    ):
        outside = read(jsonl([*BEFORE, line("compacted", **what), *done]))
        assert (calls_of(outside), started(outside)) == ([2, 1], ["prompt", "compaction"])
        assert len(outside.runs[1].request.messages) == count


def test_turns_that_the_user_took_back() -> None:
    """The conversation goes on from before them; both ways are kept."""
    back = event("thread_rolled_back", num_turns=1)
    other = [user("And the Skua?"), tokens(9), item(DONE)]
    outside = read(jsonl([*BEFORE, *other, back, user("And the Tern?"), tokens(12), item(DONE)]))
    assert (calls_of(outside), started(outside)) == ([2, 1, 1], ["prompt", "prompt", "fork"])
    first, second = (run.request.messages for run in outside.runs[1:])
    assert first[:-1] == second[:-1]
    unknown = read(jsonl([*BEFORE, event("thread_rolled_back", num_turns=7)]))
    assert unknown.findings.number("format.other_line") == 1


def test_a_resumed_session() -> None:
    """The same head again: the client was started anew, and wrote on in the same file."""
    outside = read(jsonl([*BEFORE, META, user("And the Skua?"), tokens(9), item(DONE)]))
    assert started(outside) == ["prompt", "resume"]


def test_errors() -> None:
    """A broken stream was tried again below the loop; an error ended the run."""
    torn = event("stream_error", message="stream disconnected, retrying 1/5")
    outside = read(jsonl([*BEFORE[:5], torn, *BEFORE[5:]]))
    attempt = outside.runs[0].takes[0].turns[0].attempts[0]
    assert (attempt.handled, attempt.status) == (True, None)
    failed = read(jsonl([*BEFORE[:5], event("error", message="Usage limit reached")]))
    assert failed.runs[0].takes[0].turns[0].attempts[0].handled is False


def test_a_refusal_and_what_is_no_item() -> None:
    """A part says that the model declines; a snapshot of files is counted only."""
    declines = message({"type": "refusal", "refusal": "I can't."})
    snapshot = item({"type": "ghost_snapshot", "ghost_commit": {}})
    outside = read(jsonl([*HEAD, snapshot, item(declines), line("world_state", x=1)]))
    assert flags(outside) == [["refusal"]]
    assert outside.findings.number("format.other_line") == 2
    assert outside.runs[0].takes[0].turns[0].inferred == ["/response/stop_reason"]


def test_lines_of_another_client() -> None:
    """They are no items of this one, and no calls: that the file holds them is said."""
    reply = {"role": "assistant", "content": [text("Hull.")]}
    others: list[Line] = [
        {"type": kind, "uuid": kind, "parentUuid": None, "sessionId": "x", "message": reply}
        for kind in ("user", "assistant")
    ]
    noise = [event("context_compacted")] * 60  # the beginning is all of this client
    outside = read(jsonl([*AFTER, *noise, *others]))
    assert (outside.format, calls_of(outside)) == ("codex-rollout", [2])
    assert [one.key for one in outside.findings.faults()] == ["format.mixed"]


def test_thoughts_without_words() -> None:
    """What the model thought may be there encrypted only: that is said, and is no fault."""
    sealed = {"type": "reasoning", "summary": [], "encrypted_content": "x"}
    outside = read(jsonl([*HEAD, item(sealed), item(DONE), tokens(2)]))
    assert outside.findings.number("format.thoughts_left_out") == 1
    assert list(outside.findings.faults()) == []


def test_lines_of_odd_shapes() -> None:
    """A payload that is no object, or none: the line is counted, and is no call of the model."""
    odd: list[Line] = [{"type": "response_item", "payload": [1]}, {"type": "event_msg"}, {"x": 1}]
    outside = read(jsonl([*AFTER[:6], *odd, *AFTER[6:]]))
    assert calls_of(outside) == [2]
    assert outside.findings.number("format.other_line") == 5
