"""What keeps the context small: long results cut, a full history summarised; nothing made up."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made import answer, response, round_of, scenario, tool_result, tool_use
from visualizer import load_transcript, replay
from visualizer.describe import context_size, describe
from visualizer.describe.host import lost
from visualizer.describe.plain import to_json
from visualizer.errors import TranscriptError
from visualizer.i18n import texts
from visualizer.loading import Scenario
from visualizer.run.limits import cut_text
from visualizer.run.timeline import Compaction, Cut, Run

FLOOD = "first line\n" + "noise\n" * 100 + "last line"
SUMMARY = [
    {"role": "user", "content": "Look into it."},
    {"role": "user", "content": "Summary: a and b were looked at."},
]


def used(turn: dict[str, Any], tokens: int) -> dict[str, Any]:
    turn["response"]["usage"] = {"input_tokens": tokens, "output_tokens": 10}
    return turn


def compacting(rounds: int, limit: int = 100, **more: Any) -> Scenario:
    """That many rounds of 20 tokens each, a summary once ``limit`` is reached, an answer."""
    turns = [used(round_of(f"toolu_{at}"), 20 * (at + 1)) for at in range(rounds)]
    end = {**used(answer(), 15), "history": SUMMARY, "compacted": True}
    return scenario(*turns, end, settings={"limits": {"context_tokens": limit}}, **more)


def places(run: Run, *phases: str) -> list[str]:
    return [step.place for step in run.steps if step.phase in phases]


@given(st.text(max_size=300), st.integers(1, 300))
def test_a_cut_text_keeps_its_two_ends(text: str, most: int) -> None:
    """Short texts stay; of long ones the first and last characters stay, ``most`` in all."""
    cut = cut_text(text, most)
    if len(text) <= most:
        assert cut == text
        return
    head, tail = most - most // 2, most // 2
    assert cut.startswith(text[:head])
    assert cut.endswith(text[len(text) - tail :])
    assert cut[head : len(cut) - tail].strip().startswith("[... ")


def test_a_long_result_is_cut_before_it_comes_into_messages() -> None:
    """Before and after are both kept; messages hold what was kept, as it was recorded."""
    reply = response(tool_use("a"))
    whole = {"response": reply, "results": [tool_result("a", FLOOD)]}
    cut = {"response": reply, "results": [tool_result("a", cut_text(FLOOD, 60))]}
    takes = [{"name": "whole", "turns": [whole, answer("seen all")]}]
    takes += [{"name": "cut", "turns": [cut, answer("seen some")]}]
    recorded = scenario(takes=takes, settings={"limits": {"max_result_chars": 60}})
    run = replay(recorded, loop="production")
    step = run.step(run.locate("t0.truncate"))
    assert isinstance(step.about, Cut)
    assert (step.about.before.result_text, step.about.kept) == (FLOOD, 60)
    assert run.messages[2].results[0].result_text == cut_text(FLOOD, 60)
    assert run.result == "seen some"
    held = run.in_hand(step.index)
    assert [one.result for one in held] == [step.about.after]
    assert run.step(run.locate("t0.execute")).result == step.about.before
    assert replay(recorded, loop="agent_loop").result == "seen all"


def test_what_is_short_or_no_text_stays() -> None:
    """No step where nothing was cut: short results, and pictures, which have no ends."""
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}
    block = {
        "type": "tool_result",
        "tool_use_id": "b",
        "content": [image, {"type": "text", "text": FLOOD}],
    }
    turn = {
        "response": response(tool_use("a"), tool_use("b")),
        "results": [tool_result("a"), block],
    }
    recorded = scenario(turn, answer(), settings={"limits": {"max_result_chars": 20}})
    run = replay(recorded, loop="production")
    assert places(run, "truncate") == []
    assert run.result == "done"


def test_a_flood_is_seen_in_the_size_of_the_next_call() -> None:
    """``flood``: with the cut the second call sends a fraction of what it sends without."""
    one = load_transcript("flood")
    cut, whole = replay(one), replay(one, loop="agent_loop")
    assert cut.result == whole.result
    small, large = context_size(cut, cut.calls[1])[0], context_size(whole, whole.calls[1])[0]
    assert large > 3 * small


@given(st.integers(5, 12))
def test_a_summary_begins_a_new_history_and_leaves_the_old_one(rounds: int) -> None:
    """One step after the call that fills the context: the recorded list; the old one stays."""
    recorded = compacting(rounds, limit=20 * rounds + 10)
    run = replay(recorded, loop="production", max_turns=20)
    (place,) = places(run, "compact", "rewrite")
    step = run.step(run.locate(place))
    assert place == f"t{rounds - 1}.compact"
    assert isinstance(step.about, Compaction)
    assert (step.about.messages, step.messages) == (2 * rounds + 1, 2)
    assert step.history != step.about.history
    before = run.messages_at(step.index - 1)
    assert len(before) == step.about.messages
    assert before == replay(recorded, loop="agent_loop", max_turns=20).messages[: len(before)]
    assert [message.to_json() for message in run.messages_at(step.index)] == SUMMARY
    assert lost(run, step) == range(1, 2 * rounds + 1)
    assert (run.result, run.calls[-1].sent) == ("done", 2)


def test_below_the_limit_nothing_is_replaced() -> None:
    """The threshold decides: with room left the whole history is sent, which was not recorded."""
    run = replay(compacting(3, limit=1000), loop="production")
    assert places(run, "compact") == []
    assert (run.terminal_reason, run.calls[-1].sent) == ("diverged", 7)


def test_a_summary_that_was_not_recorded_is_not_made_up() -> None:
    """The context fills one call earlier than in the recording: the run stops and says so."""
    run = replay(compacting(5, limit=60), loop="production")
    assert run.terminal_reason == "recording_ended"
    assert run.stop is not None
    assert run.stop.detail == "no_summary"
    assert run.steps[-2].phase == "compact"
    for language in ("en", "ja"):
        said = describe(run, len(run.steps), texts(language))
        assert said.happened == texts(language)("step.stop.no_summary")


def ignores(model: Any, tools: Any, messages: Any, summarise: Any) -> Any:
    for _ in range(9):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        messages.append({"role": "user", "content": [tools(call) for call in reply.tool_calls]})
        if len(messages) == 5:
            summarise(messages)
    return None


def test_a_summary_that_is_asked_for_and_not_used_changes_nothing() -> None:
    """The step says that the history was left as it is."""
    end = {**answer(), "history": SUMMARY, "compacted": True}
    takes = [
        {"name": "on", "turns": [round_of("a"), round_of("b"), answer("on")]},
        {"name": "short", "base": "on", "after": 2, "turns": [end]},
    ]
    run = replay(scenario(takes=takes), loop=ignores, contained=False)
    step = run.step(run.locate("t1.compact"))
    assert (run.result, step.history, step.messages) == ("on", 0, 5)
    assert describe(run, step.index, texts("en")).happened == texts("en")("step.compact.nothing")


def rewrites(model: Any, tools: Any, messages: Any) -> Any:
    reply = model(messages)
    messages.append(reply.as_message())
    messages.append({"role": "user", "content": [tools(call) for call in reply.tool_calls]})
    messages[:] = messages[:1]
    return reply.text


def test_the_step_before_a_rewrite_keeps_its_own_history() -> None:
    """What was in messages before they were rewritten can still be looked at."""
    run = replay(scenario(round_of("a"), answer()), loop=rewrites, contained=False)
    append, rewrite = run.locate("t0.append"), run.locate("t0.rewrite")
    assert [len(run.messages_at(index)) for index in (append, rewrite)] == [3, 1]


def test_a_compacted_turn_needs_its_history() -> None:
    """What took the place of the history must be in the file."""
    with pytest.raises(TranscriptError) as error:
        scenario(round_of("a"), {**answer(), "compacted": True})
    assert [problem.key for problem in error.value.problems] == ["problem.compacted_history"]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_sentences_say_what_was_taken_out(language: str) -> None:
    """Characters before and after; messages before and after, and which of them are gone."""
    said = texts(language)
    flood = replay(load_transcript("flood"))
    sentence = describe(flood, flood.locate("t0.truncate"), said).happened
    assert all(part in sentence for part in ("5,883", "600", said("step.truncate.lost")))
    window = replay(load_transcript("compaction"))
    sentence = describe(window, window.locate("t3.compact"), said).happened
    assert all(part in sentence for part in ("535", "500", "1-8"))
    before = describe(window, window.locate("t3.append"), said).next
    assert before == said("step.next.compact")


def test_json_says_what_was_taken_out() -> None:
    """Both results of a cut; the size of a history before it was replaced."""
    one = load_transcript("flood")
    steps = to_json(replay(one), one, texts("en"))["steps"]
    (about,) = (step["about"] for step in steps if step["phase"] == "truncate")
    assert len(about["before"]["content"]) > len(about["after"]["content"]) > about["kept"]
    one = load_transcript("compaction")
    steps = to_json(replay(one), one, texts("en"))["steps"]
    (about,) = (step["about"] for step in steps if step["phase"] == "compact")
    assert about == {"history": 0, "messages": 9, "tokens": 535, "limit": 500}
