"""Slips of people who write their first loop: each is told as what it is, and where."""

from __future__ import annotations

import pickle

import pytest

from tests.made import LOOPS, answer, round_of, scenario
from visualizer.describe import describe
from visualizer.engine import replay
from visualizer.engine.child import _PlainPickler
from visualizer.engine.drive import BY_FLAG
from visualizer.engine.slips import SLIPS
from visualizer.errors import LoopError
from visualizer.i18n import LANGUAGES, texts
from visualizer.run.timeline import Run

SLIPPED = str(LOOPS / "slips.py")
OVER = scenario(round_of("a", "b"), answer("it is there"))

STORED = {
    "appends_the_reply": ("reply_stored", "messages[1] is a Reply, .* append reply.as_message()"),
    "appends_the_method": ("method_stored", "messages[1] is a method, .* reply.as_message()"),
    "appends_a_call": ("call_stored", "messages[2] is a ToolCall, .* tools(call)"),
    "appends_a_text": ("text_stored", "messages[1] is a string"),
    "appends_a_result": ("result_stored", "messages[2] is a tool result, .* one user message"),
    "appends_results": ("results_stored", "messages[2] is a list, .* user message"),
    "appends_none": ("not_a_message", "messages[1] is of the type None"),
    "appends_a_tuple": ("not_a_message", "messages[1] is of the type tuple"),
    "forgets_the_role": ("no_role", "messages[1] has no role"),
    "forgets_the_content": ("no_content", "messages[1] has no content"),
    "wraps_the_reply": ("reply_in_content", "content of messages[1] is a Reply"),
    "wraps_a_set": ("odd_content", "content of messages[1] is of the type set"),
    "wraps_the_calls": ("odd_block", 'messages[1]["content"][0] is of the type ToolCall'),
}
RAISED = {
    "assigns_the_append": ("model_none", "returns None, so don't assign it"),
    "appends_twice": ("none_attribute", "append() was called on None"),
    "sends_one_message": ("model_messages", "of the type dict"),
    "sends_nothing": ("model_arguments", "model(messages)"),
    "sends_by_place": ("model_arguments", "by name"),
    "asks_an_endpoint": ("function_attribute", "call it, as in model(messages)"),
    "runs_a_block": ("tools_call", "of the type dict"),
    "runs_a_name": ("tools_call", "of the type str"),
    "runs_all_at_once": ("tools_list", "one call at a time"),
    "runs_by_name_and_input": ("tools_arguments", "tools(call)"),
    "indexes_the_reply": ("reply_item", "read reply.stop_reason"),
    "looks_into_the_reply": ("reply_item", "not a dict or a list"),
    "indexes_a_call": ("call_item", "read call.name"),
    "asks_for_a_message": ("reply_attribute", "A reply has no message"),
    "asks_for_arguments": ("call_attribute", "A tool call has no arguments"),
    "asks_a_block_for_its_text": ("dict_attribute", '["text"] in place of .text'),
}


def drive(loop: str, contained: bool = False) -> Run:
    return replay(OVER, loop=f"{SLIPPED}:{loop}", contained=contained)


def end(run: Run, language: str = "en") -> str:
    return describe(run, len(run.steps), texts(language)).happened


def holds(said: str, wanted: str) -> bool:
    """Whether the pieces of a pattern are in a sentence, in their order."""
    at = 0
    for piece in wanted.split(" .* "):
        at = said.find(piece, at)
        if at < 0:
            return False
    return True


def line_of(run: Run, code: str) -> int:
    """The last line of the loop that holds some code."""
    first = run.loop.first_line
    return max(first + n for n, line in enumerate(run.loop.lines) if code in line)


@pytest.mark.parametrize("loop", STORED)
def test_what_is_no_message_stops_the_run_with_what_it_is(loop: str) -> None:
    """The sentence names the place in the list, what to write, and the line that put it there."""
    code, wanted = STORED[loop]
    run = drive(loop)
    assert run.terminal_reason == "request_refused"
    assert run.stop is not None
    assert [one.code for one in run.stop.violations] == [code]
    assert holds(end(run), wanted), end(run)
    assert f"slips.py, line {line_of(run, 'append(')}." in end(run)
    assert "slips.py" in end(run, "ja")


def test_each_kind_of_slip_has_a_loop() -> None:
    """No code is left that nothing gives."""
    assert {code for code, _ in STORED.values()} == set(SLIPS)


@pytest.mark.parametrize("loop", RAISED)
def test_a_mix_up_of_objects_is_raised_with_what_to_write(loop: str) -> None:
    """No name of the visualizer's own is in it, and it stands where the loop did it."""
    key, wanted = RAISED[loop]
    run = drive(loop)
    assert run.raised is not None
    assert run.raised.slip is not None
    assert run.raised.slip.key == f"slip.{key}"
    assert run.raised.type in ("TypeError", "AttributeError")
    assert wanted in run.raised.text
    assert f"slips.py, line {run.raised.line}. {run.raised.type}: " in end(run)
    first, last = run.loop.functions[loop]
    assert first < run.raised.line <= last
    assert "Tracer" not in end(run)
    assert end(run, "ja") != end(run)


@pytest.mark.parametrize("loop", ["appends_the_reply", "wraps_the_calls", "indexes_the_reply"])
def test_a_loop_in_its_own_process_is_told_the_same(loop: str) -> None:
    """What can't leave that process comes as its text; no sentence speaks of pickling."""
    here, apart = drive(loop), drive(loop, contained=True)
    for language in LANGUAGES:
        assert end(apart, language) == end(here, language)


def test_a_returned_reply_is_told_as_such() -> None:
    """Whatever process it ran in: the value as code shows it, and where its text is."""
    over = scenario(answer("it is there"))
    for contained in (False, True):
        run = replay(over, loop=f"{SLIPPED}:returns_the_reply", contained=contained)
        assert BY_FLAG["end_turn"] == run.terminal_reason
        said = "Reply(stop_reason='end_turn', text='it is there')"
        assert "returned Reply(stop_reason='end_turn', text='" in end(run)
        assert "its text is reply.text" in end(run)
        assert str(run.result) == said


def test_odd_things_in_messages_come_back_as_their_text() -> None:
    """A class, a set of a reply: nothing that a loop keeps breaks its run."""
    run = drive("keeps_odd_things", contained=True)
    assert (run.raised and run.raised.text) == "after that"
    block = run.messages[-1].blocks[0]
    assert "class 'dict'" in block.data["text"]
    assert "Reply(stop_reason='tool_use'" in str(block.data["of"])


def test_what_has_no_repr_comes_back_as_its_type(tmp_path: object) -> None:
    """A number or a text of a class of one's own included: the parent knows no such class."""
    import io

    class Odd:
        def __repr__(self) -> str:
            raise ValueError

    class Text(str):
        __slots__ = ()

    class Number(int):
        pass

    data = io.BytesIO()
    _PlainPickler(data).dump([Odd(), Text("text"), Number(3), {"a": Odd}])
    odd, text, number, held = pickle.loads(data.getvalue())
    assert (odd, text, number) == ("<Odd>", "text", "3")
    assert type(text) is str
    assert "Odd" in held["a"]


def test_a_list_in_itself_is_refused_in_a_line() -> None:
    """Here as in a process of its own."""
    for contained in (False, True):
        with pytest.raises(LoopError, match="holds itself") as refused:
            replay(
                OVER, loop=f"{LOOPS / 'awkward.py'}:puts_the_list_into_itself", contained=contained
            )
        assert refused.value.key == "problem.loop_too_deep"
