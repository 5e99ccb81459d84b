"""A changed observation: another text in a tool's result, and the run that follows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made import answer, response, scenario, tool_result, tool_use
from visualizer import load_transcript, replay
from visualizer.cli.main import main
from visualizer.describe import describe, locator
from visualizer.describe.plain import to_json
from visualizer.errors import LoopError
from visualizer.i18n import LANGUAGES, texts
from visualizer.lessons.facts import Stage
from visualizer.lessons.files import load_lesson
from visualizer.lessons.handout import answer_key
from visualizer.loading import Scenario
from visualizer.locator import Locator
from visualizer.run.timeline import Observed, Run, common_steps

THREADED = """
from concurrent.futures import ThreadPoolExecutor

def threaded(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        with ThreadPoolExecutor() as pool:
            done = list(pool.map(tools, reversed(reply.tool_calls)))
        messages.append({"role": "user", "content": done[::-1]})
    return None
"""


def two_tools(content: Any = "sunny") -> Scenario:
    """One reply that asks for two tools, and an answer."""
    asked = response(tool_use("toolu_a"), tool_use("toolu_b"))
    results = [tool_result("toolu_a", content), tool_result("toolu_b", "windy", is_error=True)]
    return scenario({"response": asked, "results": results}, answer("done"))


def own_text(run: Run, place: str) -> str:
    """The text of the result at a place."""
    result = run.step(run.locate(place)).result
    assert result is not None
    return result.result_text


def test_the_next_call_diverges_and_nothing_is_made_up() -> None:
    """Up to the observation the run is the recorded one; the reply after it was never recorded."""
    recorded = replay(load_transcript("aurora-run"))
    run = replay(load_transcript("aurora-run"), observations={"t0.execute": "No page."})
    assert run.terminal_reason == "diverged"
    assert (run.model_calls, run.tool_calls, run.result) == (1, 1, None)
    assert common_steps(recorded, run) == recorded.locate("t0.execute") - 1
    assert run.observations == (("t0.execute", "No page."),)
    assert run.stop is not None
    assert run.stop.difference is not None
    assert run.stop.difference.sent == "No page."
    assert run.stop.difference.recorded == own_text(recorded, "t0.execute")


@pytest.mark.parametrize("content", ["sunny", [{"type": "text", "text": "sunny"}]])
def test_the_recorded_text_changes_nothing(content: Any) -> None:
    """Typed again by hand, the recorded observation gives the recorded run."""
    made = two_tools(content)
    same = {"t0.execute.1": "sunny", "t0.execute.2": "windy"}
    assert replay(made, observations=same) == replay(made)


def test_a_block_stays_a_block_and_an_error_an_error() -> None:
    """Only the text is another: the shape of the content and the error flag stay."""
    made = two_tools([{"type": "text", "text": "sunny"}])
    run = replay(made, observations={"t0.execute": "rain", "t0.execute.2": "hail"})
    first, second = run.step(run.locate("t0.append")), run.message(run.locate("t0.append"), 2)
    assert first.phase == "append"
    assert second.results[0].data["content"] == [{"type": "text", "text": "rain"}]
    assert second.results[1].is_error
    assert run.stop is not None
    assert run.stop.difference is not None
    assert (run.stop.difference.recorded, run.stop.difference.sent) == ("sunny", "rain")


@given(st.text(max_size=30))
def test_any_text_gives_the_recorded_run_or_a_divergence(text: str) -> None:
    """Whatever stands in the observation: the same run, or one that stops at the next call."""
    made = two_tools()
    run = replay(made, observations={"t0.execute": text})
    if text == "sunny":
        assert run == replay(made)
    else:
        assert run.terminal_reason == "diverged"
        assert own_text(run, "t0.execute") == text
        assert own_text(run, "t0.execute.2") == "windy"


@given(st.text(max_size=30))
def test_a_locator_carries_any_text(text: str) -> None:
    """Commas, spaces, signs and line breaks come back as they were."""
    wanted = Locator("a@b,c", "t0.execute", 3, None, (), (("t0.execute", text),))
    again = Locator.parse(str(wanted))
    assert again == wanted
    assert not any(char.isspace() for char in str(wanted))


def test_the_locator_of_a_run_leads_back_to_it() -> None:
    """What was changed stands in the locator, and what was not reached does not."""
    changed = {"t0.execute": "No, 100%!", "t7.execute": "never"}
    run = replay(load_transcript("aurora-run"), observations=changed)
    default = replay(load_transcript("aurora-run"))
    told = locator("aurora-run", run, len(run.steps), default)
    assert told == "aurora-run@end,observe=t0.execute:No%2C%20100%25%21"
    assert Stage().at(Locator.parse(told)).run == run
    assert Locator.parse(told).arguments()[-2:] == ["--observe", "t0.execute=No, 100%!"]


def test_half_characters_are_replaced() -> None:
    """What could not be printed or passed on is not let in."""
    made = two_tools().observing({"t0.execute": "a\ud800b"})
    assert made.observed == {"t0.execute": "a?b"}


def test_what_is_no_place_of_a_result_is_refused() -> None:
    """A check has no observation."""
    with pytest.raises(LoopError):
        two_tools().observing({"t0.check": "x"})


def test_a_loop_with_threads_and_in_a_child_gets_the_changed_text(tmp_path: Path) -> None:
    """Calls of other threads are told apart by their requests; the child gives back the change."""
    file = tmp_path / "threaded.py"
    file.write_text(THREADED, encoding="utf-8")
    run = replay(two_tools(), loop=str(file), observations={"t0.execute.2": "calm"})
    assert run.terminal_reason == "diverged"
    assert own_text(run, "t0.execute") == "sunny"
    assert run.observations == (("t0.execute.2", "calm"),)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_of_it(language: str) -> None:
    """The step tells of both texts, the end that nobody can know; authored notes are left out."""
    made = load_transcript("aurora-run")
    run = replay(made, observations={"t0.execute": "\x1b[31mNo page."})
    said = [describe(run, at, texts(language), made.notes) for at in range(1, len(run.steps) + 1)]
    execute = said[run.locate("t0.execute") - 1]
    assert "\x1b" not in execute.happened
    assert "No page." in execute.happened
    assert "Henrik Dahl" in execute.happened
    assert not any(one.note for one in said)
    assert ("nobody" if language == "en" else "誰にも") in said[-1].happened
    other = replay(made, loop="unbounded", observations={"t0.execute": "No page."})
    end = describe(other, len(other.steps), texts(language))
    assert ("nobody" if language == "en" else "誰にも") not in end.happened


def test_texts_that_differ_late_are_shown_where_they_do() -> None:
    """Neither the step nor the end shows two excerpts that look the same."""
    text = "Mara Voss is a Norwegian film director, born in 1973."
    run = replay(load_transcript("aurora-run"), observations={"t1.execute": text})
    said = [describe(run, run.locate(at), texts("en")).happened for at in ("t1.execute", "end")]
    assert all("born in 1974." in one for one in said)
    assert "born in 1973." in said[1]


def test_a_recording_that_repeats_ends_at_the_change() -> None:
    """It was recorded to go on for ever, but not from another observation."""
    run = replay(load_transcript("repeat"), observations={"t3.execute": "Found."})
    assert (run.terminal_reason, run.model_calls) == ("recording_ended", 4)
    assert "t3.execute" in describe(run, len(run.steps), texts("en")).happened


def test_what_is_never_sent_changes_nothing_else() -> None:
    """At the cap the last observation may say anything: no call reads it."""
    made = load_transcript("aurora-run-cutoff")
    run = replay(made, observations={"t1.execute": "No page."})
    assert (run.terminal_reason, run.result) == ("max_turns", None)


def test_data_says_what_was_recorded() -> None:
    """JSON has the recorded block beside the step."""
    run = replay(two_tools(), observations={"t0.execute": "rain"})
    step = run.step(run.locate("t0.execute"))
    assert isinstance(step.about, Observed)
    told = to_json(run, two_tools(), texts("en"), step.index)["steps"][0]
    assert told["about"] == {"recorded": dict(tool_result("toolu_a", "sunny"))}


def test_the_command_line_takes_observations(capsys: pytest.CaptureFixture[str]) -> None:
    """An option or a locator; what is not there, or said twice, is one clear line."""

    def run(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["run", *arguments, "--lang", "en"])
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.err or told.out

    code, told = run("aurora-run", "--observe", "t0.execute=No = page", "--json")
    assert (code, json.loads(told)["terminal_reason"]) == (0, "diverged")
    assert run("aurora-run@end,observe=t0.execute:No%20%3D%20page", "--json")[0] == 0
    for wrong in (
        ["aurora-run", "--observe", "t0.execute"],
        ["aurora-run", "--observe", "t0.check=x"],
        ["aurora-run", "--observe", "t9.execute=x"],
        ["aurora-run", "--observe", "t0.execute=x", "--observe", "t0.execute=y"],
        ["aurora-run@end,observe=t0.execute:x", "--observe", "t0.execute=y"],
    ):
        code, told = run(*wrong)
        assert code in (1, 2), wrong
        assert told.count("\n") == 1, told


def test_a_changed_run_is_compared_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """The right run has the change, the left one is the recorded one; a wrong place is told."""
    changed = ["compare", "aurora-run", "--observe", "t1.execute=Born in 1973.", "--lang", "en"]
    with pytest.raises(SystemExit):
        main([*changed, "--json"])
    told = json.loads(capsys.readouterr().out)
    reasons = [told[side]["terminal_reason"] for side in ("left", "right")]
    assert reasons == ["completed", "diverged"]
    with pytest.raises(SystemExit):
        main([*changed, "--text"])
    assert "Born in 1973." in capsys.readouterr().out.split("Right.")[1].split("\n")[1]
    with pytest.raises(SystemExit) as ended:
        main([*changed, "--observe", "t9.execute=x", "--text"])
    assert ended.value.code
    assert capsys.readouterr().err.count("\n") == 1


def test_of_a_recording_one_run_is_changed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A file of another program: the run that is asked for, and a place that is in it."""
    file = tmp_path / "calls.jsonl"
    asked = {"model": "m", "messages": [{"role": "user", "content": "Weather?"}]}
    reply = response(tool_use("toolu_a"))
    following = [
        *asked["messages"],
        {"role": "assistant", "content": reply["content"]},
        {"role": "user", "content": [tool_result("toolu_a", "sunny")]},
    ]
    exchanges = [
        {"request": asked, "response": reply},
        {"request": {**asked, "messages": following}, "response": answer("Sunny.")["response"]},
    ]
    file.write_text("".join(f"{json.dumps(one)}\n" for one in exchanges), encoding="utf-8")
    for place, code in (("t0.execute", 0), ("t4.execute", 1)):
        with pytest.raises(SystemExit) as ended:
            main(["run", str(file), "--observe", f"{place}=rain", "--json"])
        told = capsys.readouterr()
        assert bool(ended.value.code) == bool(code)
        if not code:
            assert json.loads(told.out)["runs"][0]["terminal_reason"] == "diverged"


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_key_has_places_with_the_change_in_them(language: str) -> None:
    """What the key prints for an experiment leads to a run that is changed in this way."""
    lesson = load_lesson("environments")
    told = "\n".join(answer_key(lesson, texts(language)))
    printed = [Locator.parse(found) for found in re.findall(r"\*\*`(aurora-run@[^`]+)`\*\*", told)]
    runs = [Stage().at(one).run for one in printed]
    assert [bool(run.observations) for run in runs] == [True, True, False]
    assert runs[1].terminal_reason == "diverged"
