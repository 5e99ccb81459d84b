"""Session files of the Claude Code client: what each of their surprises comes to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.made import text_block, tool_result, tool_use
from tests.made_outside import QUESTION, Session, calls_of, flags, small_session, started
from visualizer.engine import replay
from visualizer.loading import load_transcript
from visualizer.run.timeline import Run


def replayed(made: Session, folder: Path, run: str | None = None) -> Run:
    """The default loop over a session's file."""
    path = folder / "session.jsonl"
    path.write_bytes(made.text())
    return replay(load_transcript(path), run=run)


def test_parallel_calls_are_one_reply_and_no_fork(tmp_path: Path) -> None:
    """Four lines of two ids are two calls; results are paired by id, not by order."""
    made = small_session()
    outside = made.read()
    assert (outside.format, outside.prompts) == ("claude-code", 1)
    assert (calls_of(outside), flags(outside)) == ([2], [["tool_use", "end_turn"]])
    run = replayed(made, tmp_path)
    assert (run.result, run.terminal_reason) == ("Whitby.", "completed")
    assert (run.model_calls, run.tool_rounds, run.tool_calls) == (2, 1, 2)
    executed = [
        (step.request.id, step.result.result_text)
        for step in run.steps
        if step.request and step.result
    ]
    assert executed == [("a", "log 3"), ("b", "chart 7")]


def test_what_a_line_does_not_say_is_inferred_and_marked() -> None:
    """A null stop reason follows from the requests in the whole reply."""
    turns = small_session().read().runs[0].takes[0].turns
    assert turns[0].inferred == ["/response/stop_reason"]
    assert turns[1].inferred == []


def test_the_last_usage_of_an_id_holds() -> None:
    """Token counts grow over the lines of one reply; they are not added up."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", text_block("Let me"), usage={"output_tokens": 1})
    made.reply("m1", text_block(" see."), usage={"output_tokens": 2873})
    response = made.read().runs[0].takes[0].turns[0].response
    assert response is not None
    assert response["usage"] == {"output_tokens": 2873}
    assert len(response["content"]) == 2


def test_lines_of_one_reply_need_not_be_adjacent() -> None:
    """A result between two requests of one reply does not part the reply."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("a"))
    made.result("a")
    made.reply("m1", tool_use("b"))
    made.result("b")
    made.reply("m2", text_block("Whitby."))
    outside = made.read()
    assert calls_of(outside) == [2]
    assert len(outside.runs[0].takes[0].turns[0].results or []) == 2


def test_links_go_through_lines_of_other_kinds() -> None:
    """Progress and system lines between two messages do not break the conversation."""
    made = Session()
    made.line("progress", data={"type": "hook_progress"})
    made.user(QUESTION)
    made.reply("m1", tool_use("a"))
    made.line("progress", data={"type": "bash_progress"})
    made.result("a")
    made.line("system", subtype="turn_duration")
    made.reply("m2", text_block("Whitby."))
    outside = made.read()
    assert (calls_of(outside), started(outside)) == ([2], ["prompt"])


def test_each_prompt_begins_a_run_with_what_came_before() -> None:
    """The second run's first messages are the whole conversation so far."""
    made = small_session()
    made.user("And where did it go?")
    made.reply("m3", text_block("To Bergen."))
    outside = made.read()
    assert (calls_of(outside), started(outside)) == ([2, 1], ["prompt", "prompt"])
    roles = [message["role"] for message in outside.runs[1].request.messages]
    assert roles == ["user", "assistant", "user", "assistant", "user"]


def test_the_cap_of_the_recording_ends_the_run(tmp_path: Path) -> None:
    """A run that the client cut off ends in max_turns, with the client's cap."""
    made = Session()
    made.user(QUESTION)
    for name in ("a", "b"):
        made.reply(f"m-{name}", tool_use(name), flag="tool_use")
        made.result(name)
    made.line("attachment", attachment={"type": "max_turns_reached", "maxTurns": 2})
    run = replayed(made, tmp_path)
    assert (run.max_turns, run.terminal_reason, run.result) == (2, "max_turns", None)
    assert (run.model_calls, run.tool_calls) == (2, 2)


def test_without_a_cap_in_the_file_there_is_none(tmp_path: Path) -> None:
    """Twelve rounds pass, although the loop's own cap is ten."""
    made = Session()
    made.user(QUESTION)
    for number in range(12):
        made.reply(f"m{number}", tool_use(f"t{number}"), flag="tool_use")
        made.result(f"t{number}")
    made.reply("last", text_block("Whitby."), flag="end_turn")
    run = replayed(made, tmp_path)
    assert (run.max_turns, run.model_calls, run.result) == (None, 13, "Whitby.")


def test_where_the_host_went_on_a_new_run_begins(tmp_path: Path) -> None:
    """The loop returns at max_tokens; the client's nudge and the next call are another run."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", text_block("It is a long"), flag="max_tokens")
    made.user("Output limit: go on.", isMeta=True)
    made.reply("m2", text_block(" story."), flag="end_turn")
    outside = made.read()
    assert (calls_of(outside), started(outside)) == ([1, 1], ["prompt", "continued"])
    assert replayed(made, tmp_path).terminal_reason == "truncated"
    assert outside.runs[1].request.messages[-1]["content"] == [text_block("Output limit: go on.")]


def test_what_the_host_puts_in_is_not_in_the_loops_list(tmp_path: Path) -> None:
    """A reminder beside a result stands in the request only, at its place."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("a"), flag="tool_use")
    made.user([tool_result("a"), text_block("A reminder.")])
    made.line("attachment", attachment={"type": "date"}, rendered=[{"content": "Monday"}])
    made.reply("m2", text_block("Whitby."), flag="end_turn")
    turn = made.read().runs[0].takes[0].turns[1]
    placed = [(put.message, put.block, put.content[0]["text"]) for put in turn.inserted]
    assert placed == [(2, 1, "A reminder."), (2, 2, "Monday")]
    run = replayed(made, tmp_path)
    assert run.result == "Whitby."
    assert "reminder" not in repr(run.messages)


def test_retried_requests_do_not_reach_the_loop(tmp_path: Path) -> None:
    """The client tried again by itself: one call, and the failure is kept beside it."""
    made = Session()
    made.user(QUESTION)
    made.line("system", subtype="api_error", error={"status": 529, "message": "Overloaded"})
    made.reply("m1", text_block("Whitby."), flag="end_turn")
    attempts = made.read().runs[0].takes[0].turns[0].attempts
    assert [(one.status, one.handled) for one in attempts] == [(529, True)]
    run = replayed(made, tmp_path)
    assert (run.model_calls, run.terminal_reason) == (1, "completed")


def test_an_error_of_the_api_ends_a_run(tmp_path: Path) -> None:
    """The client's own line in the model's name is no reply: the request failed."""
    made = Session()
    made.user(QUESTION)
    message = {
        "role": "assistant",
        "model": "<synthetic>",
        "content": [text_block("API Error: 400")],
    }
    made.line("assistant", message=message, isApiErrorMessage=True)
    run = replayed(made, tmp_path)
    assert (run.terminal_reason, run.model_calls) == ("raised", 0)


def test_a_synthetic_reply_is_no_call() -> None:
    """What the client wrote in the model's name is counted, not run."""
    made = small_session()
    message = {"role": "assistant", "model": "<synthetic>", "content": [text_block("No response.")]}
    made.line("assistant", message=message)
    outside = made.read()
    assert calls_of(outside) == [2]
    assert outside.findings.number("format.synthetic") == 1


def test_compaction_begins_anew() -> None:
    """After the boundary the request is the summary and what follows, not the old messages."""
    made = small_session()
    made.line("system", subtype="compact_boundary", parent=None, logicalParentUuid="u6")
    made.user("A summary of it all.", isCompactSummary=True)
    made.reply("m3", tool_use("c"), flag="tool_use")
    outside = made.read()
    assert started(outside) == ["prompt", "compaction"]
    sent = [message["content"] for message in outside.runs[1].request.messages]
    assert sent == [[text_block("A summary of it all.")]]


def test_a_resume_is_named() -> None:
    """A prompt in a later session of the same file is a resume."""
    made = small_session()
    made.session = "session-2"
    made.user("One more thing.")
    made.reply("m3", text_block("Yes."))
    assert started(made.read()) == ["prompt", "resume"]


def test_a_fork_begins_where_it_parted() -> None:
    """An earlier prompt asked differently is a run of its own, over what came before it."""
    made = Session()
    made.user(QUESTION)
    tip = made.reply("m1", text_block("Whitby."), flag="end_turn")
    made.user("And then?")
    made.reply("m2", text_block("Bergen."), flag="end_turn")
    made.user("And before?", parent=tip)
    made.reply("m3", text_block("Hull."), flag="end_turn")
    outside = made.read()
    assert started(outside) == ["prompt", "prompt", "fork"]
    assert [m["content"] for m in outside.runs[2].request.messages][::2] == [
        QUESTION,
        "And before?",
    ]


def test_a_subagent_is_a_run_with_a_parent() -> None:
    """Lines of a sidechain belong to the call that started them, found by the agent's id."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("task", prompt="Ask the library."), flag="tool_use")
    side = {"isSidechain": True, "agentId": "agent-7"}
    start = made.user("Ask the library.", parent=None, **side)
    made.reply("s1", text_block("Whitby."), flag="end_turn", parent=start, **side)
    made.result("task", "Whitby.", toolUseResult={"agentId": "agent-7"})
    made.reply("m2", text_block("Whitby."), flag="end_turn")
    outside = made.read()
    assert (calls_of(outside), outside.prompts) == ([2, 1], 1)
    parent = outside.runs[1].parent
    assert parent is not None
    assert (parent.run, parent.tool_use_id) == ("1", "task")


def test_a_subagents_own_file_is_read_as_a_conversation() -> None:
    """Where every line is of a sidechain, nothing is left out."""
    made = Session()
    made.user("Ask the library.", isSidechain=True, parent=None)
    made.reply("s1", text_block("Whitby."), isSidechain=True, parent="u1")
    outside = made.read()
    assert (calls_of(outside), outside.prompts, outside.runs[0].parent) == ([1], 1, None)


def test_subagents_in_files_of_their_own(tmp_path: Path) -> None:
    """Newer clients keep them in a folder beside the session; a damaged one is counted."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("task", prompt="Ask the library."), flag="tool_use")
    made.result("task", "Whitby.", toolUseResult={"agentId": "agent-7"})
    made.reply("m2", text_block("Whitby."))
    (tmp_path / "session.jsonl").write_bytes(made.text())
    side = Session()
    agent: dict[str, Any] = {"isSidechain": True, "agentId": "agent-7"}
    side.user("Ask the library.", uuid="s1", parent=None, **agent)
    side.reply("x1", text_block("Whitby."), uuid="s2", parent="s1", **agent)
    folder = tmp_path / "session" / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-7.jsonl").write_bytes(side.text())
    (folder / "agent-8.jsonl").write_bytes(b"")
    outside = load_transcript(tmp_path / "session.jsonl").outside
    assert outside is not None
    assert calls_of(outside) == [2, 1]
    parent = outside.runs[1].parent
    assert parent is not None
    assert (parent.run, parent.tool_use_id) == ("1", "task")
    assert outside.findings.number("format.beside_damaged") == 1


def test_an_interruption_ends_a_run(tmp_path: Path) -> None:
    """The user stopped a tool: the file says so, and the next prompt is another run."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("a"))
    made.user([tool_result("a", "rejected", is_error=True)])
    made.user([text_block("[Request interrupted by user for tool use]")])
    made.user("Do it otherwise.")
    made.reply("m2", text_block("Whitby."))
    outside = made.read()
    assert (calls_of(outside), outside.prompts) == ([1, 1], 2)
    assert outside.runs[0].recorded == {"interrupted": True}
    assert replayed(made, tmp_path, "1").terminal_reason == "recording_ended"


def test_a_last_request_without_a_result(tmp_path: Path) -> None:
    """Nothing is made up: the run stops at the tool, and the request is counted."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("a"))
    assert made.read().findings.number("format.unanswered") == 1
    run = replayed(made, tmp_path)
    assert run.stop is not None
    assert (run.terminal_reason, run.stop.detail) == ("recording_ended", "no_result")


def test_orphans_and_doubles_are_kept_and_counted() -> None:
    """A result for nothing, and a second one, stand in the next request as what they are."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("a"), flag="tool_use")
    made.user([tool_result("a"), tool_result("zz"), tool_result("a", "again")])
    made.reply("m2", text_block("Whitby."))
    outside = made.read()
    turn = outside.runs[0].takes[0].turns[1]
    assert [put.origin for put in turn.inserted] == ["orphan_result", "double_result"]
    assert outside.findings.number("format.orphan_result") == 1
    assert outside.findings.number("format.double_result") == 1


def test_a_file_that_begins_in_the_middle() -> None:
    """The first line answers a request that is not there, and its parent is missing."""
    made = Session()
    made.user([tool_result("gone")], parent="not-there")
    made.reply("m1", text_block("Whitby."))
    outside = made.read()
    assert calls_of(outside) == [1]
    assert outside.findings.number("format.orphan_result") == 1


def test_an_excerpt_of_one_result_opens() -> None:
    """A lone orphan is a run without a call."""
    made = Session()
    made.user([tool_result("gone")], parent="not-there")
    assert calls_of(made.read()) == [0]


def test_a_prompt_without_a_reply_is_a_run_without_calls() -> None:
    """Nothing answered, and that is what is shown."""
    made = Session()
    made.user([{"type": "image", "source": {}}, text_block("What is it?")])
    outside = made.read()
    assert (calls_of(outside), outside.prompts) == ([0], 1)


def test_commands_to_the_client_are_no_prompts() -> None:
    """A local command and its output go along with the next prompt."""
    made = small_session()
    made.user("<local-command-caveat>Careful.</local-command-caveat>", isMeta=True)
    made.user("<command-name>/model</command-name>")
    made.user("<local-command-stdout>Set.</local-command-stdout>")
    assert calls_of(made.read()) == [2]
    made.user("And where did it go?")
    made.reply("m3", text_block("To Bergen."))
    outside = made.read()
    assert (calls_of(outside), outside.prompts) == ([2, 1], 2)


def test_unknown_lines_are_counted() -> None:
    """Line types of newer clients are never fatal."""
    made = small_session()
    made.bare("a-type-of-tomorrow", payload=[1, 2])
    made.bare("a-type-of-tomorrow")
    outside = made.read()
    assert calls_of(outside) == [2]
    assert outside.findings.number("format.other_line") == 2


def test_lines_without_a_uuid_follow_the_line_before() -> None:
    """Older files have such lines; they are taken in the order of the file."""
    made = small_session()
    for line in made.lines:
        del line["uuid"], line["parentUuid"]
    made.lines[0]["uuid"] = "first"
    assert calls_of(made.read()) == [2]
