"""How a run ended is said in words that the run itself backs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests import made_runs as made
from tests import odd_loops as odd
from tests.made import response, scenario
from tests.made_runs import driven, said
from visualizer.describe import (
    describe,
)
from visualizer.engine import replay
from visualizer.i18n import LANGUAGES, texts
from visualizer.loading import Scenario, load_transcript
from visualizer.loops.one_call import one_call
from visualizer.run.timeline import Difference, Stop
from visualizer.text import display_safe


def thinking() -> dict[str, Any]:
    """A thought, which is no answer."""
    return {"type": "thinking", "thinking": "Hm.", "signature": "x"}


def test_the_cutoff_says_what_was_never_sent() -> None:
    """At the cap: None, the unread message by number and words, and who could have answered."""
    run = replay(load_transcript("aurora-run"), max_turns=2)
    english = said(run, "end")
    assert english.startswith("None: no answer within 2 turns. Message 4 came in")
    assert "1974" in english
    assert "call 3 was not allowed" in english
    japanese = said(run, "end", "ja")
    assert (
        "は届きましたが、モデルはまだ読んでいません。答えにできるのはモデルだけです。" in japanese
    )
    assert "メッセージ 4" in japanese


def test_a_reply_without_text_is_no_answer() -> None:
    """An empty text is not called the answer: the reply held none."""
    for blocks in ((), (thinking(),)):
        run = replay(scenario({"response": response(*blocks, stop_reason="end_turn")}))
        assert said(run, "end") == 'The loop returned "": the last reply has no text.'
        assert "テキストがありません" in said(run, "end", "ja")


def test_no_year_is_claimed_that_the_result_does_not_hold() -> None:
    """The cutoff of another recording speaks of its own result, not of 1974."""
    scenario = made.scenario(
        made.turn(made.search("toolu_1", "nothing")), made.turn(made.text("?"))
    )
    words = said(driven(scenario, max_turns=1), "end")
    assert '"No matching page found."' in words
    assert "1974" not in words


MISTAKES: dict[str, tuple[Callable[..., Any], Scenario, str, str]] = {
    "looks finished": (
        odd.looks_finished,
        made.parallel(),
        "end",
        "the model wanted a tool, and the cap was not reached. The loop did not read that flag.",
    ),
    "hard-coded": (odd.hard_coded, made.aurora(), "end", '"1951", although the last flag is'),
    "runs, then checks": (odd.runs_then_checks, made.aurora(), "t0.check", "before this check."),
    "an empty message": (odd.runs_then_checks, made.aurora(), "t2.append", "no text and no result"),
    "forgets": (odd.forgets, made.aurora(), "end", "An endpoint would refuse call 2"),
    "forgets, at the call": (odd.forgets, made.aurora(), "t1.call", "Call 2 sent 2 messages"),
    "one by one": (odd.one_by_one, made.parallel(), "t0.append", "takes back 1 of 2 results"),
    "rewrites": (odd.shortens, made.aurora(), "t0.rewrite", "The loop rewrote its messages"),
    "diverges": (odd.shortens, made.aurora(), "end", 'message 0 /content/0/text. Recorded: "In'),
    "raises": (odd.raises, made.aurora(), "end", r"ValueError: bad \x1b[31m luck"),
    "returns nothing": (
        odd.returns_nothing,
        made.aurora(),
        "end",
        "The loop returned None. The answer is in messages, as the last one: message 5.",
    ),
    "stores nothing": (
        odd.stores_no_answer,
        made.scenario(made.turn(made.text("1974"))),
        "end",
        'The loop returned None. The last reply was "1974".',
    ),
    "wants a tool, no cap": (
        one_call,
        made.aurora(),
        "end",
        '"", although the last flag is "tool_use": the model wanted a tool. The loop did not',
    ),
    "never calls": (odd.never_calls, made.aurora(), "end", "7, without a reply from the model."),
    "no bound": (
        odd.no_bound,
        made.scenario(made.turn(made.search("toolu_1", "Aurora Run"), repeats=True)),
        "end",
        "Stopped by the visualizer after 50 calls, not by the loop.",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_said_where_it_bites(name: str) -> None:
    """Every mistake has a sentence of its own at the step where it shows."""
    loop, scenario, place, words = MISTAKES[name]
    assert words in said(driven(scenario, loop), place)


@pytest.mark.parametrize(
    ("flag", "words"),
    [("max_tokens", "cut short"), ("refusal", "declined"), ("pause_turn", "paused")],
)
def test_other_stops_taken_for_an_answer(flag: str, words: str) -> None:
    """A truncated, refused or paused reply that is returned is not called an answer."""
    run = driven(made.scenario(made.turn(made.text("Half a"), flag=flag)))
    assert words in said(run, "t0.check")
    assert "and the loop returns" in said(run, "t0.check")
    assert words in said(run, "end")
    assert said(run, "end").endswith("The loop took its text for the answer.")


def test_the_recording_ends() -> None:
    """A call, and a tool call, that the recording has nothing for are named."""
    short = driven(made.scenario(made.turn(made.search("toolu_1", "Aurora Run"))))
    assert said(short, "end") == "The recorded run ends here: it holds no reply to call 2."
    half = made.turn(made.search("toolu_1", "Mara Voss"), flag="max_tokens", results=None)
    run = driven(made.scenario(half), odd.runs_then_checks)
    assert said(run, "end") == (
        'The recorded run can\'t go on here: it holds no result for search "Mara Voss".'
    )


def test_every_kind_of_stop_has_words() -> None:
    """Each reason and detail gives a sentence in both languages, whatever its values."""
    run = driven(made.aurora())
    sides = {"recorded": "a\x00", "sent": float("nan")}
    stops = [
        Stop("step_cap", detail, cap=cap)
        for detail in ("calls", "steps", "lines", "time", "other")
        for cap in (1, 7, None)
    ]
    stops += [
        Stop("diverged", difference=Difference("messages", None, "", **sides)),
        Stop("diverged", difference=Difference("parameters", None, "/system", **sides)),
        Stop("diverged", difference=Difference("tool", None, "/input", **sides)),
        Stop("diverged"),
        Stop("recording_ended", "no_result"),
        Stop("request_refused"),
    ]
    for stop in stops:
        stopped = replace(run, stop=stop, terminal_reason=stop.reason)
        for language in LANGUAGES:
            description = describe(stopped, len(run.steps), texts(language))
            assert description.phase in ("STOPPED", "停止")
            assert description.happened
            assert display_safe(description.happened) == description.happened


def test_every_end_of_a_loop_has_words() -> None:
    """Every terminal reason gives a sentence, also those that no loop here comes to."""
    run = driven(made.aurora())
    reasons = "completed max_turns refusal truncated paused returned_early budget_exhausted"
    for reason in reasons.split():
        for result in (None, "1974", object(), 3):
            ended = replace(run, result=result, terminal_reason=reason)
            for language in LANGUAGES:
                assert describe(ended, len(run.steps), texts(language)).happened
