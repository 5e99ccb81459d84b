"""What takes room in a request: its parts, and its unchanged beginning."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made import answer, response, round_of, scenario, text_block, tool_result, tool_use
from visualizer import load_transcript, replay
from visualizer.app.session import Session
from visualizer.describe import context_size
from visualizer.describe.room import PARTS, Part, Room, room_of
from visualizer.i18n import texts
from visualizer.lessons.facts import Stage
from visualizer.lessons.model import QuestionKind
from visualizer.lessons.questions import Question, ask
from visualizer.locator import Locator
from visualizer.run.timeline import Run
from visualizer.tui.draw.segments import plain
from visualizer.tui.sheets.room_bars import rooms_of, sheet_lines

TOOLS = [{"name": "look", "description": "Look something up.", "input_schema": {"type": "object"}}]
SYSTEM = "You look things up. " * 5


def rooms(run: Run) -> list[Room]:
    """The rooms of all calls."""
    return [room_of(run, call) for call in run.calls]


def read_out(room: Room) -> dict[Part, int]:
    """How many tokens of each part are met when a request is read token by token."""
    found: dict[Part, int] = dict.fromkeys(PARTS, 0)
    for position in range(room.total):
        found[room.part_at(position + 0.5)] += 1
    return found


@given(st.integers(1, 6), st.booleans(), st.booleans())
def test_parts_add_up_and_stand_in_the_order_of_the_request(
    rounds: int, tools: bool, system: bool
) -> None:
    """Tools, system, then messages; reading token by token meets each part as often as it says."""
    request: dict[str, Any] = {"tools": TOOLS} if tools else {}
    request |= {"system": SYSTEM} if system else {}
    turns = [round_of(f"toolu_{at}") for at in range(rounds)]
    recorded = scenario(*turns, answer(), request=request)
    run = replay(recorded)
    for number, room in enumerate(rooms(run)):
        estimated, _ = context_size(run, run.calls[number])
        assert room.total == estimated
        assert (room.tools > 0, room.system > 0) == (tools, system)
        for part, count in read_out(room).items():
            assert abs(count - room.size(part)) <= 1 + number
        first = room.part_at(0)
        assert first == ("tools" if tools else "system" if system else "history")


def test_what_a_loop_keeps_at_the_end_of_one_list_is_unchanged_at_the_beginning() -> None:
    """Each request begins with all of the one before; the first has none before it."""
    recorded = scenario(
        *(round_of(f"t{at}") for at in range(3)), answer(), request={"tools": TOOLS}
    )
    found = rooms(replay(recorded))
    assert [room.same for room in found] == [0, 1, 3, 5]
    assert found[0].unchanged == 0
    for before, room in pairwise(found):
        assert abs(room.unchanged - before.total) <= 2
        assert room.total > before.total


def test_a_summary_leaves_little_of_the_beginning() -> None:
    """``compaction``: after the summary only the tools and the question are as before."""
    recorded = load_transcript("compaction")
    before, after = rooms(replay(recorded))[3:5]
    assert (before.same, after.same) == (5, 1)
    assert after.results == 0 < before.results
    assert after.tools < after.unchanged < before.unchanged
    assert before.largest == "results"


def edits_the_first(model: Any, tools: Any, messages: Any) -> Any:
    while True:
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        messages.append({"role": "user", "content": [tools(call) for call in reply.tool_calls]})
        messages[0] = {"role": "user", "content": "Look into it, again."}


def changes_the_system(model: Any, tools: Any, messages: Any) -> Any:
    for system in ("You look.", "You look closely."):
        reply = model(messages, system=system)
        messages.append(reply.as_message())
        messages.append({"role": "user", "content": [tools(call) for call in reply.tool_calls]})
    return None


def test_a_change_at_the_beginning_leaves_nothing_unchanged_behind_it() -> None:
    """Another first message, or another system prompt: only what stands before it is the same."""
    history = [
        {"role": "user", "content": "Look into it, again."},
        {"role": "assistant", "content": [tool_use("a", item="a")]},
        {"role": "user", "content": [tool_result("a", "result of a")]},
    ]
    turns = [round_of("a"), {**answer(), "history": history}]
    recorded = scenario(*turns, request={"tools": TOOLS})
    first, second = rooms(replay(recorded, loop=edits_the_first, contained=False))
    assert (second.same, second.unchanged) == (0, first.tools)
    assert second.total > second.unchanged
    system = {"request": {"system": "You look."}}
    closely = {"request": {"system": "You look closely."}}
    recorded = scenario({**round_of("a"), **system}, {**round_of("b"), **closely})
    first, second = rooms(replay(recorded, loop=changes_the_system, contained=False))
    assert second.unchanged == 0
    assert second.system > first.system > 0


def test_results_are_told_from_what_else_a_message_holds() -> None:
    """A text beside a result is history; the result is not."""
    recorded = scenario(
        {"response": response(tool_use("a")), "results": [tool_result("a", "x" * 400)]},
        answer(),
        request={"messages": [{"role": "user", "content": [text_block("y" * 200)]}]},
    )
    _, second = rooms(replay(recorded))
    assert second.results == 100
    assert 50 <= second.history < 100


def asked(kind: QuestionKind, text: str, language: str = "en") -> Question | None:
    place = Stage().at(Locator.parse(text))
    return ask(kind, place.run, place.index, texts(language), place.scenario)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("place", "part"),
    [
        ("clearing@t0.call,loop=agent_loop", "tools"),
        ("flood@t1.call,loop=agent_loop", "results"),
        ("compaction@t5.call", "history"),
    ],
)
def test_the_largest_part_is_asked_for(place: str, part: str, language: str) -> None:
    """Four options, always in one order; right is what takes the most in that request."""
    question = asked("largest_part", place, language)
    assert question is not None
    assert question.options[question.right] == texts(language)(f"window.option.{part}")
    assert len(question.options) == len(PARTS)


@pytest.mark.parametrize(
    ("place", "same"),
    [
        ("clearing@t2.call,loop=agent_loop", 3),
        ("clearing@t3.call", 2),
        ("compaction@t4.call", 1),
        ("compaction@t5.call", 2),
    ],
)
def test_the_unchanged_messages_are_asked_for(place: str, same: int) -> None:
    """As many as are alike from the first on; none of the options stands there twice."""
    question = asked("unchanged", place)
    assert question is not None
    assert question.options[question.right] == str(same)
    assert len(set(question.options)) == len(question.options)


@pytest.mark.parametrize("place", ["clearing@t0.check", "clearing@start", "clearing@t2.rewrite"])
def test_only_a_call_can_be_asked_about(place: str) -> None:
    """Between calls there is no request; of a first one nothing was sent before."""
    assert asked("largest_part", place) is None
    assert asked("unchanged", place) is None
    assert asked("unchanged", "clearing@t0.call") is None


def test_what_is_asked_for_is_not_shown() -> None:
    """The bar and the sizes of the last call are hidden, those of earlier calls are not."""
    place = Stage().at(Locator.parse("clearing@t1.call"))
    session = Session.open(place.scenario, at="t1.call")
    rooms = rooms_of(session, secret=True)
    said = texts("en")
    lines = [plain(line) for item in range(4) for line in sheet_lines(rooms, item, said, 80)]
    assert any("349" in line for line in lines)
    assert not any("483" in line for line in lines)
    shown = rooms_of(session)
    assert any("483" in plain(line) for line in sheet_lines(shown, 2, said, 80))


@pytest.mark.parametrize("name", ["hello-py", "ten-tools", "aurora-run", "paris", "subagent"])
def test_one_request_has_one_estimate(name: str) -> None:
    """What the screens count and what their bars draw is the same: tools and system go along."""
    recorded = load_transcript(name)
    run = replay(recorded)
    session = Session.open(recorded)
    session.go("end")
    bars = rooms_of(session)
    for at, call in enumerate(run.calls):
        said, estimated = context_size(run, call)
        assert said == (bars.room(at).total if estimated else said)
        assert bars.room(at).total == room_of(run, call).total
    if name == "hello-py":
        assert context_size(run, run.calls[0]) == (101, True)


def test_what_was_recorded_for_one_call_counts_in_that_one() -> None:
    """Tools that came with the second request alone take room there, as the request shows them."""
    turns = [round_of("toolu_0"), {**answer(), "request": {"tools": TOOLS}}]
    first, second = rooms(replay(scenario(*turns)))
    assert (first.tools, second.tools > 0) == (0, True)
