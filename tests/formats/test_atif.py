"""ATIF trajectories: steps of agents with tool calls, and of agents without."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.made_outside import QUESTION, calls_of, flags, started
from visualizer import formats
from visualizer.formats import Outside, detect, read

Step = dict[str, Any]
ASK: Step = {"source": "user", "message": QUESTION}
DONE: Step = {"source": "agent", "message": "Whitby."}


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"tool_call_id": name, "function_name": "look", "arguments": arguments}


def observed(*results: tuple[str | None, str]) -> dict[str, Any]:
    return {"results": [{"source_call_id": name, "content": text} for name, text in results]}


def agent(message: str = "", *calls: dict[str, Any], **more: Any) -> Step:
    return {"source": "agent", "message": message, "tool_calls": list(calls), **more}


def trajectory(*steps: Step, **more: Any) -> dict[str, Any]:
    numbered = [{"step_id": number, **step} for number, step in enumerate(steps, 1)]
    about = {"name": "sailor", "version": "1", "model_name": "model-x"}
    return {"schema_version": "ATIF-v1.7", "session_id": "s", "agent": about, "steps": numbered} | (
        more
    )


LOOKED = agent(
    "I look.",
    call("a", place="log"),
    call("b", place="chart"),
    observation=observed(("b", "chart 7"), ("a", "log 3")),
    metrics={"prompt_tokens": 30, "completion_tokens": 5, "cached_tokens": 10},
)
ROUND = trajectory(ASK, LOOKED, DONE)


def read_it(*steps: Step, **more: Any) -> Outside:
    return read(json.dumps(trajectory(*steps, **more)).encode())


def counted(outside: Outside, key: str) -> int:
    return outside.findings.number(key)


def test_a_round_and_an_answer() -> None:
    """Two calls paired by id, an answer; tokens without the cached ones; nothing odd."""
    data = json.dumps(ROUND).encode()
    assert detect(data) == "atif"
    outside = read(data)
    run = outside.runs[0]
    first, last = run.takes[0].turns
    assert first.response is not None
    assert (calls_of(outside), flags(outside)) == ([2], [["tool_use", "end_turn"]])
    assert [one["tool_use_id"] for one in first.results or []] == ["b", "a"]
    assert first.inferred == last.inferred == ["/response/stop_reason"]
    assert (outside.prompts, run.request.model) == (1, "model-x")
    usage = {"input_tokens": 20, "output_tokens": 5, "cache_read_input_tokens": 10}
    assert first.response["usage"] == usage
    assert list(outside.findings.problems()) == []


def test_a_result_that_names_no_call_answers_the_only_one() -> None:
    """Its pairing is marked as inferred; with two calls it is shown beside the results."""
    bare = observed((None, "log 3"))
    one = read_it(ASK, agent("", call("a"), observation=bare), DONE)
    turn = one.runs[0].takes[0].turns[0]
    assert turn.results == [{"type": "tool_result", "tool_use_id": "a", "content": "log 3"}]
    assert "/results/0/tool_use_id" in turn.inferred
    two = read_it(ASK, agent("", call("a"), call("b"), observation=bare), DONE)
    assert two.runs[0].takes[0].turns[0].results is None
    assert (counted(two, "format.orphan_result"), counted(two, "format.unanswered")) == (1, 2)


def test_what_is_observed_without_a_call_answers_an_inferred_one() -> None:
    """Agents that act by their text alone have rounds, too: the request is marked."""
    outside = read_it(ASK, agent("ls", observation=observed((None, "log"))), DONE)
    turn = outside.runs[0].takes[0].turns[0]
    assert calls_of(outside) == [2]
    assert turn.response is not None
    made = {"type": "tool_use", "id": "step-2-call-1", "name": "action", "input": {}}
    assert turn.response["content"] == [{"type": "text", "text": "ls"}, made]
    assert set(turn.inferred) == {
        "/response/content/1",
        "/response/stop_reason",
        "/results/0/tool_use_id",
    }


def test_copied_steps_are_context_and_no_calls() -> None:
    """A trajectory that continues another one sends its steps again; they are counted."""
    copied = [{**one, "is_copied_context": True} for one in (ASK, LOOKED)]
    outside = read_it(*copied, DONE)
    run = outside.runs[0]
    assert (calls_of(outside), started(outside)) == ([1], ["resume"])
    assert [one["role"] for one in run.request.messages] == ["user", "assistant", "user"]
    assert counted(outside, "format.copied") == 2
    assert list(outside.findings.faults()) == []


def test_a_result_before_its_call_is_paired_by_id() -> None:
    """A step that holds the result comes first; the pair is found, and said."""
    early = {"source": "system", "observation": observed(("a", "log 3"))}
    outside = read_it(ASK, early, agent("", call("a")), DONE)
    turn = outside.runs[0].takes[0].turns[0]
    assert [one["content"] for one in turn.results or []] == ["log 3"]
    assert counted(outside, "format.early_result") == 1
    assert counted(outside, "format.unanswered") == 0


def test_other_key_names_are_known() -> None:
    """Files that call themselves 1.4 name source, call and text differently."""
    looked = {
        "source": "assistant",
        "content": "I look.",
        "tool_calls": [{"id": "a", "name": "look", "arguments": '{"place": "log"}'}],
        "observation": {"results": [{"tool_call_id": "a", "output": "log 3"}]},
    }
    asked = {"source": "user", "content": QUESTION}
    outside = read_it(asked, looked, DONE, schema_version="1.4")
    turn = outside.runs[0].takes[0].turns[0]
    assert turn.response is not None
    assert turn.response["content"][1]["input"] == {"place": "log"}
    assert [one["content"] for one in turn.results or []] == ["log 3"]


def test_system_steps_are_the_system_prompt_then_the_hosts() -> None:
    """The first one is the system prompt, a later one a block that the host put in."""
    steps = [{"source": "system", "message": one} for one in ("You are a sailor.", "It is late.")]
    outside = read_it(steps[0], ASK, LOOKED, steps[1], DONE)
    assert outside.runs[0].request.system == "You are a sailor."
    put = outside.runs[0].takes[0].turns[1].inserted
    assert [one.content[0]["text"] for one in put] == ["It is late."]


def test_steps_without_or_with_many_calls_of_the_model() -> None:
    """A step that no model made is the host's; more calls in a step than one are counted."""
    scripted = agent("Hello.", llm_call_count=0)
    outside = read_it(ASK, scripted, {**LOOKED, "llm_call_count": 3}, DONE)
    assert calls_of(outside) == [2]
    assert counted(outside, "format.synthetic") == 1
    assert counted(outside, "format.calls_missing") == 2


def test_a_subagents_trajectory_is_a_run_of_its_own() -> None:
    """It hangs on the call whose result refers to it; where a file goes on is its end."""
    refers = {"source_call_id": "a", "subagent_trajectory_ref": [{"session_id": "sub"}]}
    asks = agent("", call("a"), observation={"results": [refers]})
    inner = trajectory({"source": "user", "message": "Look."}, DONE, session_id="sub")
    outside = read_it(
        ASK, asks, DONE, subagent_trajectories=[inner], continued_trajectory_ref="two.json"
    )
    main, sub = outside.runs
    assert sub.parent is not None
    assert (sub.parent.run, sub.parent.tool_use_id) == (main.id, "a")
    assert outside.prompts == 1
    assert main.recorded == {"end": "continued", "continued_trajectory_ref": "two.json"}


def written(folder: Path, **files: dict[str, Any]) -> Path:
    """Trajectories in files of these names; gives the path of the first."""
    for name, one in files.items():
        (folder / f"{name}.json").write_text(json.dumps(one), encoding="utf-8")
    return folder / f"{next(iter(files))}.json"


def test_a_trajectory_goes_on_in_a_file_beside_it(tmp_path: Path) -> None:
    """The steps of both are one run, and no end stands between them; files can go in a circle."""
    one = trajectory(ASK, LOOKED, continued_trajectory_ref="two.json")
    two = trajectory(DONE, continued_trajectory_ref="three.json")
    three = trajectory(ASK, DONE, continued_trajectory_ref="one.json")
    outside = read(written(tmp_path, one=one, two=two, three=three))
    assert (calls_of(outside), started(outside)) == ([2, 1], ["prompt", "prompt"])
    assert outside.runs[0].recorded is None
    assert outside.runs[1].recorded == {"end": "continued", "continued_trajectory_ref": "one.json"}
    copied = [{**step, "is_copied_context": True} for step in (ASK, LOOKED)]
    outside = read(written(tmp_path, one=one, two=trajectory(*copied, DONE)))
    assert (calls_of(outside), started(outside)) == ([1, 1], ["prompt", "rewritten"])


def test_how_many_files_a_trajectory_goes_on_in_has_a_cap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Further ones are not read, and where the last one goes on is its end."""
    monkeypatch.setattr(formats, "MOST_BESIDE", 2)
    made = {f"t{n}": trajectory(DONE, continued_trajectory_ref=f"t{n + 1}.json") for n in range(5)}
    outside = read(written(tmp_path, **made))
    assert sum(calls_of(outside)) == 3


@pytest.mark.parametrize("name", ["../two.json", "sub/two.json", "link.json", "none.json", ".", 7])
def test_names_that_are_not_followed(name: Any, tmp_path: Path) -> None:
    """Only a regular file in the same folder is; a link, another folder, nothing there are not."""
    inner = tmp_path / "inner"
    (inner / "sub").mkdir(parents=True)
    for folder in (tmp_path, inner / "sub"):
        written(folder, two=trajectory(DONE))
    with suppress(OSError):  # where links need a right of their own
        (inner / "link.json").symlink_to(tmp_path / "two.json")
    outside = read(written(inner, one=trajectory(ASK, LOOKED, continued_trajectory_ref=name)))
    assert calls_of(outside) == [1]


def test_a_file_beside_it_that_is_no_trajectory(tmp_path: Path) -> None:
    """Damage is counted, something else is counted as such; the recording's own word holds."""
    one = trajectory(ASK, LOOKED, continued_trajectory_ref="two.json")
    for text, key in (("no JSON", "format.beside_damaged"), ('{"a": 1}', "format.other_line")):
        (tmp_path / "two.json").write_text(text, encoding="utf-8")
        outside = read(written(tmp_path, one=one))
        assert outside.findings.number(key) == 1
        assert (outside.runs[0].recorded or {})["end"] == "continued"


def test_two_calls_with_one_id() -> None:
    """Their results come in the order of the calls; the second id is made, and marked."""
    twice = agent("", call("a"), {**call("a"), "function_name": "list"})
    outside = read_it(ASK, {**twice, "observation": observed(("a", "one"), ("a", "two"))}, DONE)
    turn = outside.runs[0].takes[0].turns[0]
    assert turn.response is not None
    names = [one["id"] for one in turn.response["content"]]
    assert [one["tool_use_id"] for one in turn.results or []] == names
    assert len(set(names)) == 2
    assert "/response/content/1/id" in turn.inferred
    assert list(outside.findings.faults()) == []


def test_a_call_that_the_host_made_itself() -> None:
    """No model asked for it: what it gave goes into the next request, and nothing is wrong."""
    host = agent("", call("h"), llm_call_count=0, observation=observed(("h", "log 3")))
    outside = read_it(ASK, host, DONE)
    assert calls_of(outside) == [1]
    put = outside.runs[0].takes[0].turns[0].inserted
    assert [[block["text"] for block in one.content] for one in put] == [["log 3"]]
    assert list(outside.findings.faults()) == []
