"""One stream over several runs, where the client went on by itself; lines printed beside them."""

from __future__ import annotations

from pathlib import Path

from tests.made import text_block, tool_use
from tests.made_outside import Stream as Made
from visualizer.engine import replay
from visualizer.i18n import texts
from visualizer.loading import Scenario, load_transcript
from visualizer.sdk import Stream, differences, stream_of
from visualizer.sdk.words import result_text

EN = texts("en")


def opened(made: Made, folder: Path) -> Scenario:
    """A recording, from a file."""
    path = folder / "stream.jsonl"
    path.write_bytes(made.text())
    return load_transcript(path)


def streams(scenario: Scenario) -> list[Stream]:
    """The stream of each of its runs."""
    return [stream_of(replay(scenario, run=one.id), scenario) for one in scenario.runs]


def names(stream: Stream) -> list[str]:
    """What each line is."""
    return [one.name for one in stream.events]


def gone_on() -> Made:
    """A reply that was cut short, the client's note, and a tool call before the answer."""
    made = Made()
    made.init()
    made.reply("m1", text_block("The answer is"))
    made.user([text_block("Go on.")], isSynthetic=True)
    made.reply("m2", tool_use("a"))
    made.result("a", "found")
    made.reply("m3", text_block("Whitby."))
    made.end(num_turns=3, stop_reason="end_turn", result="Whitby.")
    return made


def test_what_the_client_went_on_with_is_one_stream(tmp_path: Path) -> None:
    """Only the first run has init, only the last a result; the note is a line and counts."""
    scenario = opened(gone_on(), tmp_path)
    first, last = streams(scenario)
    assert names(first) == ["init", "text"]
    assert (first.result, first.num_turns, first.stretch.goes_on) == (None, None, True)
    assert result_text(first, EN) == EN("sdk.about.result_later")
    assert names(last) == ["text", "tool_use", "tool_result", "text", "success"]
    assert (last.events[0].kind, last.events[0].recorded) == ("user", True)
    assert last.num_turns == 3
    assert last.said is not None
    assert last.result is not None
    assert differences(last.result.line, last.said) == []


def test_a_new_prompt_is_a_stream_of_its_own(tmp_path: Path) -> None:
    """After a result nothing is carried over: the next run begins with init and counts anew."""
    made = gone_on()
    made.init()
    made.reply("m4", text_block("Yes."))
    made.end(num_turns=1, stop_reason="end_turn", result="Yes.")
    last = streams(opened(made, tmp_path))[-1]
    assert names(last) == ["init", "text", "success"]
    assert (last.num_turns, last.stretch.is_first) == (1, True)


def test_what_was_printed_beside_keeps_its_place(tmp_path: Path) -> None:
    """A hook before init, a notice, a denial before its result, a suggestion after the end."""
    made = Made()
    made.line("system", subtype="hook_started")
    made.init()
    made.reply("m1", tool_use("a"), tool_use("b"))
    made.result("a", "found")
    made.line("system", subtype="permission_denied", tool_name="look", tool_use_id="b")
    made.result("b", "No.", is_error=True)
    made.line("system", subtype="informational")
    made.reply("m2", text_block("Whitby."))
    made.end(num_turns=3, stop_reason="end_turn", result="Whitby.")
    made.line("prompt_suggestion", suggestion="Why?")
    scenario = opened(made, tmp_path)
    lines = (scenario.runs[0].recorded or {})["lines"]
    assert [(one["at"], one["line"].get("subtype")) for one in lines] == [
        ("start", "hook_started"),
        ("t0.execute.2", "permission_denied"),
        ("t1.call", "informational"),
        ("end", None),
    ]
    assert not any({"uuid", "session_id"} & set(one["line"]) for one in lines)
    stream = streams(scenario)[0]
    assert names(stream)[0] == "hook_started"
    assert names(stream)[-2:] == ["success", "prompt_suggestion"]
    assert stream.result is not None
    assert [one["tool_use_id"] for one in stream.result.line["permission_denials"]] == ["b"]
