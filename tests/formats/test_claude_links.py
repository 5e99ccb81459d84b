"""Session files whose lines are repeated, in another order, without links, or share an id."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.made import jsonl, text_block, tool_use
from tests.made_outside import QUESTION, Session, calls_of, small_session, started
from visualizer.formats import Outside, read


def seen(outside: Outside) -> list[tuple[str, Any, list[Any]]]:
    """What every run consists of: how it began, its request, its replies and results."""
    return [
        (
            run.started_by,
            run.request.messages,
            [(turn.response, turn.results) for turn in run.takes[0].turns],
        )
        for run in outside.runs
    ]


def asked_twice() -> Session:
    """A round with two calls and an answer, then another prompt with a round, each in time."""
    made = small_session()
    made.user("And where did it go?")
    made.reply("m3", text_block("Let me see."), tool_use("c"), flag="tool_use")
    made.result("c", "log 4")
    made.line("system", subtype="turn_duration")
    made.reply("m4", text_block("To Bergen."), flag="end_turn")
    for number, line in enumerate(made.lines):
        line["timestamp"] = f"2026-01-01T00:00:{number:02}.000Z"
    return made


@pytest.mark.parametrize("seed", range(8))
def test_shuffled_lines_are_the_same_runs(seed: int) -> None:
    """Links and times give the order; nothing is said to be missing."""
    made = asked_twice()
    whole = seen(made.read())
    random.Random(seed).shuffle(made.lines)
    outside = made.read()
    assert seen(outside) == whole
    assert outside.findings.number("format.missing_parent") == 0
    assert outside.findings.number("format.reordered") > 0
    assert list(outside.findings.faults()) == []


def test_a_result_before_its_request_and_a_parent_after_its_child() -> None:
    """Links are resolved when all lines are known, also where no line has a time."""
    made = small_session()
    made.lines[1], made.lines[4] = made.lines[4], made.lines[1]
    outside = made.read()
    assert calls_of(outside) == [2]
    results = outside.runs[0].takes[0].turns[0].results or []
    assert {block["tool_use_id"] for block in results} == {"a", "b"}
    assert list(outside.findings.faults()) == []


def test_lines_in_a_circle_are_read_all_the_same() -> None:
    """A circle has no beginning: it is opened, and said."""
    made = small_session()
    made.lines[0]["parentUuid"] = made.lines[-1]["uuid"]
    outside = made.read()
    assert calls_of(outside) == [2]
    assert outside.findings.number("format.circle") == 1
    assert outside.findings.number("format.missing_parent") == 0


@pytest.mark.parametrize("parents", ["null", "missing"])
def test_without_links_the_order_of_the_lines_holds(parents: str) -> None:
    """Exports name no parents: each line follows the one before."""
    made = asked_twice()
    whole = seen(made.read())
    for line in made.lines:
        if parents == "null":
            line["parentUuid"] = None
        else:
            del line["parentUuid"]
    outside = made.read()
    assert (seen(outside), outside.prompts) == (whole, 2)


def test_a_missing_parent_is_counted_once() -> None:
    """Two lines follow one that is not there: one line is missing."""
    made = small_session()
    made.user("And?", parent="gone")
    made.line("progress", data={"type": "hook_progress"}, parent="gone")
    outside = made.read()
    assert calls_of(outside) == [2, 0]
    assert outside.findings.number("format.missing_parent") == 1


@pytest.mark.parametrize("parent", ["same", "none"])
def test_repeated_lines_are_taken_once(parent: str) -> None:
    """Prompts, replies, results and notes with a uuid that was there are repeats."""
    made = asked_twice()
    whole = seen(made.read())
    count = len(made.lines)
    again = [dict(line) for line in made.lines]
    for line in again if parent == "none" else ():
        line["parentUuid"] = None
    made.lines += again
    outside = made.read()
    assert (seen(outside), outside.prompts) == (whole, 2)
    assert outside.findings.number("format.double_line") == count


def test_a_history_that_a_branch_copied_is_taken_once() -> None:
    """A copy under other uuids that says what it copies is no second conversation."""
    made = asked_twice()
    whole = seen(made.read())
    for line in list(made.lines):
        parent = line["parentUuid"]
        copied = {"forkedFrom": {"sessionId": "other", "messageUuid": line["uuid"]}}
        links = {"uuid": f"copy-{line['uuid']}", "parentUuid": parent and f"copy-{parent}"}
        made.lines.append({**line, **copied, **links})
    assert seen(made.read()) == whole


@pytest.mark.parametrize("parent", [None, "x"])
def test_one_uuid_for_all_lines_tells_nothing(parent: str | None) -> None:
    """Such lines are no repeats of each other: they are read in order."""
    made = asked_twice()
    whole = seen(made.read())
    for line in made.lines:
        line.update(uuid="x", parentUuid=parent)
    outside = made.read()
    assert seen(outside) == whole
    assert outside.findings.number("format.same_uuid") == 1


NO_ID = object()


@pytest.mark.parametrize("name", ["relay", None, "", NO_ID], ids=["one", "null", "empty", "none"])
def test_replies_are_told_apart_without_ids(name: Any) -> None:
    """A gateway gives all replies one id, or none: what a line follows decides."""
    made = asked_twice()
    whole = [[run[2][0][1:], len(run[2])] for run in seen(made.read())]
    for line in made.lines:
        if line["type"] == "assistant":
            message = line["message"] = dict(line["message"])
            if name is NO_ID:
                del message["id"]
            else:
                message["id"] = name
    outside = made.read()
    assert (calls_of(outside), outside.prompts) == ([2, 2], 2)
    assert [[run[2][0][1:], len(run[2])] for run in seen(outside)] == whole
    assert outside.findings.number("format.one_id") == (4 if name == "relay" else 0)
    assert list(outside.findings.faults()) == []


def test_one_id_while_parallel_results_come_early() -> None:
    """A result between two lines of one reply, which a later line of the reply does not follow."""
    made = Session()
    made.user(QUESTION)
    first = made.reply("relay", tool_use("a"))
    made.result("a", parent=first)
    second = made.reply("relay", tool_use("b"), parent=first)
    made.result("b", parent=second)
    made.reply("relay", text_block("Whitby."), flag="end_turn")
    made.user("And?")
    made.reply("relay", text_block("Bergen."), flag="end_turn")
    assert calls_of(made.read()) == [2, 1]


@pytest.mark.parametrize("field", ["requestId", "requestRef"])
def test_the_request_that_the_client_names_tells_replies_apart(field: str) -> None:
    """Two replies with nothing between them, and one whose lines a result parts."""
    made = Session()
    made.user(QUESTION)
    made.reply("relay", text_block("One."), **{field: "r1"})
    made.reply("relay", tool_use("a"), **{field: "r2"})
    made.result("a")
    made.reply("relay", tool_use("b"), **{field: "r2"})
    made.result("b")
    made.reply("relay", text_block("Whitby."), **{field: "r3"})
    assert calls_of(made.read()) == [1, 2]


def test_requests_only_under_one_id() -> None:
    """Rounds without a text, all of one id, up to a cap: as many calls as rounds."""
    made = Session()
    made.user(QUESTION)
    for name in ("a", "b", "c"):
        made.reply("relay", tool_use(name), flag="tool_use")
        made.result(name)
    made.line("attachment", attachment={"type": "max_turns_reached", "maxTurns": 3})
    assert calls_of(made.read()) == [3]


def test_odd_fields_cost_their_line_alone() -> None:
    """A content that is one block is that block; a message that is none leaves the links whole."""
    made = Session()
    made.user(QUESTION)
    made.line("assistant", message=None)
    made.line("assistant", message={"id": "m1", "content": {"type": "text", "text": "Whitby."}})
    made.line("a-type-of-tomorrow", uuid="new")
    made.user("And?", timestamp=10**30, isSidechain=0, agentId=7)
    made.reply("m2", text_block("Bergen."), usage="lots")
    outside = made.read()
    assert (calls_of(outside), started(outside)) == ([1, 1], ["prompt", "prompt"])
    assert outside.findings.number("format.odd_line") == 1
    assert outside.findings.number("format.missing_parent") == 0


@pytest.mark.parametrize("keys", [("entry",), ("line", "payload"), ("data",)])
def test_a_session_in_envelopes(keys: tuple[str, ...]) -> None:
    """Lines that somebody kept under any key are the same session."""
    made = small_session()
    kept = [
        {"at": number, keys[number % len(keys)]: line} for number, line in enumerate(made.lines)
    ]
    outside = read(jsonl(kept))
    assert (outside.format, seen(outside)) == ("claude-code", seen(made.read()))
