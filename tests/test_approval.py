"""Gates before tools: what a policy says, what a person decides, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.made import answer, response, scenario, tool_result, tool_use
from visualizer import load_transcript, replay
from visualizer.describe import describe, locator
from visualizer.describe.plain import to_json
from visualizer.errors import LoopError, TranscriptError
from visualizer.i18n import texts
from visualizer.lessons.facts import Stage
from visualizer.lessons.goals import solve, start_of
from visualizer.lessons.model import Goal
from visualizer.loading import Scenario
from visualizer.locator import Locator
from visualizer.run.timeline import Approval, Run
from visualizer.transcript.settings import Choice, Policy

DENIED = "Not executed: the user denied this call."
TOOLS = ("read", "send", "drop")


def gated(**settings: Any) -> Scenario:
    """One reply that asks for three tools, recorded with every answer to every question.

    A take a set of denials: the results differ, and so does the answer.
    """
    ids = [f"toolu_{name}" for name in TOOLS]
    reply = response(*(tool_use(i, name) for i, name in zip(ids, TOOLS, strict=True)))
    takes = []
    for number in range(2 ** len(TOOLS)):
        denied = [name for bit, name in enumerate(TOOLS) if number >> bit & 1]
        results = [
            tool_result(i, DENIED, is_error=True) if name in denied else tool_result(i)
            for i, name in zip(ids, TOOLS, strict=True)
        ]
        said = answer(f"without {' '.join(denied)}".strip())
        takes.append(
            {"name": f"take-{number}", "turns": [{"response": reply, "results": results}, said]}
        )
    return scenario(takes=takes, settings=settings)


def approvals(run: Run) -> list[Approval]:
    return [step.about for step in run.steps if isinstance(step.about, Approval)]


def executed(run: Run) -> list[str]:
    return [step.request.name for step in run.steps if step.phase == "execute" and step.request]


@pytest.mark.parametrize(
    ("tool", "verdict"),
    [
        ("read_file", ("allow", "read_*")),
        ("read_mail", ("ask", "*_mail")),
        ("send_mail", ("deny", "send_*")),
        ("bash", ("ask", "")),
    ],
)
def test_the_stricter_list_holds(tool: str, verdict: tuple[str, str]) -> None:
    """Denied before asked for, asked for before allowed; what no list has is asked for."""
    policy = Policy(allow=["read_*"], deny=["send_*"], ask=["*_mail"])
    assert policy.verdict(tool) == verdict


@given(st.lists(st.sampled_from(["allow", "deny"]), min_size=3, max_size=3))
def test_what_is_denied_is_never_executed(choices: list[Choice]) -> None:
    """Any decisions: what was allowed ran, what was denied did not, each request is answered."""
    places = ("t0.approve", "t0.approve.2", "t0.approve.3")
    decisions = dict(zip(places, choices, strict=True))
    run = replay(gated(policy={}), loop="production", decisions=decisions)
    allowed = [name for name, choice in zip(TOOLS, choices, strict=True) if choice == "allow"]
    assert executed(run) == allowed
    assert [one.decision for one in approvals(run)] == choices
    assert [result.is_error for result in run.messages[2].results] == [
        choice == "deny" for choice in choices
    ]
    assert run.terminal_reason == "completed"
    assert run.result == f"without {' '.join(n for n in TOOLS if n not in allowed)}".strip()
    again = replay(gated(policy={}), loop="production", decisions=decisions)
    assert (again.steps, again.log) == (run.steps, run.log)


def test_without_a_decision_the_run_stops_there() -> None:
    """Nobody decided the second call: it has a step, nothing ran after, no answer is made up."""
    run = replay(gated(policy={"allow": ["read"]}), loop="production")
    assert run.terminal_reason == "undecided"
    assert run.stop is not None
    assert run.stop.detail == "t0.approve.2"
    assert [step.place for step in run.steps[-4:]] == [
        *("t0.approve", "t0.execute", "t0.approve.2", "end")
    ]
    assert executed(run) == ["read"]
    assert approvals(run)[-1].decision is None


def test_nobody_is_asked_about_what_the_policy_decides() -> None:
    """A decision on a call that the policy denies, or allows, changes nothing."""
    policy = {"allow": ["read"], "deny": ["send", "drop"]}
    recorded = gated(policy=policy)
    run = replay(recorded, loop="production", decisions={"t0.approve.2": "allow"})
    assert executed(run) == ["read"]
    # The words of the policy were not recorded: the run says where it parts from the recording.
    assert run.terminal_reason == "diverged"


def test_a_loop_without_approvals_runs_everything() -> None:
    """agent_loop asks nobody: the policy of the scenario does not bind it."""
    run = replay(gated(policy={"deny": ["*"]}), loop="agent_loop")
    assert executed(run) == list(TOOLS)
    assert approvals(run) == []


def test_a_denial_is_never_a_tools_output() -> None:
    """A call that was only ever denied has no result: a loop that runs it all the same stops."""
    run = replay(load_transcript("policy-denied"), loop="agent_loop")
    assert (run.terminal_reason, executed(run)) == ("recording_ended", ["read_file", "web_search"])
    assert run.stop is not None
    assert run.stop.detail == "no_result"


def test_the_order_of_takes_does_not_matter() -> None:
    """The denied take may come first: what is allowed gives what the tool gave."""
    reply = response(tool_use("a"))
    turns = [
        {"response": reply, "results": [tool_result("a", DENIED, is_error=True)]},
        {"response": reply, "results": [tool_result("a", "real")]},
    ]
    takes = [
        {"name": name, "turns": [turn, answer(name)]}
        for name, turn in zip(("no", "yes"), turns, strict=True)
    ]
    recorded = scenario(takes=takes, settings={"policy": {}})
    pairs: list[tuple[Choice, str]] = [("deny", "no"), ("allow", "yes")]
    for choice, said in pairs:
        run = replay(recorded, loop="production", decisions={"t0.approve": choice})
        assert run.result == said


def test_decisions_of_the_scenario_are_overridden_place_by_place() -> None:
    """The file denies two calls; the reader allows one of them."""
    decided = {"t0.approve": "deny", "t0.approve.2": "deny", "t0.approve.3": "allow"}
    recorded = gated(policy={}, decisions=decided)
    assert replay(recorded, loop="production").result == "without read send"
    run = replay(recorded, loop="production", decisions={"t0.approve.1": "allow"})
    assert run.result == "without send"
    assert dict(run.decisions)["t0.approve"] == "allow"


@pytest.mark.parametrize(
    "decisions", [{"t0.check": "allow"}, {"approve": "deny"}, {"t0.approve": "x"}]
)
def test_what_is_no_decision_is_refused(decisions: dict[str, Any]) -> None:
    """A place where nobody is asked, or another word, is one clear line; in a file as well."""
    with pytest.raises(LoopError, match="no decision"):
        replay(gated(policy={}), loop="production", decisions=decisions)
    with pytest.raises(TranscriptError):
        gated(policy={}, decisions=decisions)


@pytest.mark.parametrize(
    ("choice", "calls", "said"), [("allow", 2, "tagged and pushed"), ("deny", 1, "was denied")]
)
def test_each_decision_has_its_recorded_continuation(choice: Choice, calls: int, said: str) -> None:
    """``approval`` both ways, and the scenarios that hold the decision come to the same."""
    run = replay(load_transcript("approval"), decisions={"t1.approve": choice})
    assert said in run.result
    assert (run.terminal_reason, run.tool_calls) == ("completed", calls)
    name = "approval-allowed" if choice == "allow" else "approval-denied"
    assert replay(load_transcript(name)).steps == run.steps


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_sentences_say_who_decided(language: str) -> None:
    """The policy with its rule, the person's word, and that nobody has decided."""
    said = texts(language)

    def sentence(name: str, place: str, *choices: Choice) -> str:
        run = replay(load_transcript(name), decisions={place: choices[0]} if choices else None)
        return describe(run, run.locate(place), said).happened

    assert '"web_*"' in sentence("policy-denied", "t0.approve.2")
    assert said("step.approve.told") in sentence("policy-denied", "t0.approve.2")
    place = ("approval", "t1.approve")
    asked = {sentence(*place), sentence(*place, "allow"), sentence(*place, "deny")}
    assert len(asked) == 3
    run = replay(load_transcript("approval"))
    assert "git_push" in describe(run, len(run.steps), said).happened
    assert "git_push" in describe(run, run.locate("t1.check"), said).next


def test_a_locator_carries_decisions_there_and_back() -> None:
    """What is copied opens the same run; a file's own decisions need not be said."""
    scenario = load_transcript("approval")
    plain = replay(scenario)
    run = replay(scenario, decisions={"t1.approve": "deny"})
    said = locator("approval", run, run.locate("t1.approve"), plain)
    assert said == "approval@t1.approve,deny=t1.approve"
    parsed = Locator.parse(said)
    assert replay(parsed.scenario(), loop=parsed.loop).steps == run.steps
    assert parsed.arguments() == ["approval", "--at", "t1.approve", "--deny", "t1.approve"]
    own = replay(load_transcript("approval-denied"))
    assert locator("approval-denied", own, 1, own) == "approval-denied@start"
    both = "x@end,max_turns=3,loop=production,allow=t0.approve,deny=t0.approve.2"
    assert str(Locator.parse(both)) == both


def test_lessons_stand_on_decided_runs_and_find_the_decision() -> None:
    """A page can be at a decided run; an experiment is solved by deciding."""
    stage = Stage()
    place = stage.at(Locator.parse("approval@end,deny=t1.approve"))
    assert "was denied" in place.run.result
    start = stage.at(Locator.parse("approval@t1.approve"))
    goal = Goal("returns", text=place.run.result)
    solved = solve(goal, start_of(goal, start.scenario, start.run, start.index))
    assert solved is not None
    assert dict(solved.scenario.decided) == {"t1.approve": "deny"}


def test_json_says_how_a_call_was_decided() -> None:
    """The step has the call, the decision, whether a person was asked, and the rule."""
    one = load_transcript("approval-denied")
    data = to_json(replay(one), one, texts("en"))
    first, second = (step["about"] for step in data["steps"] if step["phase"] == "approve")
    assert (first["decision"], first["asked"], first["rule"]) == ("allow", False, "git_tag")
    assert (second["decision"], second["asked"]) == ("deny", True)
    assert second["call"]["name"] == "git_push"
