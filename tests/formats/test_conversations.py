"""Requests whose client changed something on the way, put into the conversations they continue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cost import calls
from tests.made import response, text_block, tool_result, tool_use, write
from tests.made_outside import calls_of, started
from visualizer.collection.recordings import counts_of
from visualizer.engine import replay
from visualizer.formats import Outside, read
from visualizer.loading import load_transcript

Message = dict[str, Any]
Messages = list[Message]
ASK: Message = {"role": "user", "content": "What stands in the three logs?"}
DONE = response(text_block("Fog, rain, sun."))


def said(role: str, *content: Any) -> Message:
    return {"role": role, "content": list(content)}


def asks(number: int, name: str | None = None) -> Message:
    """A reply that asks for a log."""
    call = {**tool_use(name or f"id-{number}"), "name": "look", "input": {"log": number, "deep": 1}}
    made: Message = response(text_block(f"Log {number} first.\n"), call)
    return made


def echo(reply: Message) -> Message:
    return said("assistant", *reply["content"])


def found(number: int, content: str = "", name: str | None = None) -> Message:
    return said("user", tool_result(name or f"id-{number}", content or f"log {number}"))


def loop(change: Any = None, rounds: int = 3) -> list[dict[str, Any]]:
    """The exchanges of a loop; ``change`` is what its client makes of each request's messages."""
    whole: Messages = [ASK]
    made = []
    for number in range(rounds + 1):
        reply = asks(number) if number < rounds else DONE
        sent: Messages = json.loads(json.dumps(whole))
        sent = change(sent, number) if change else sent
        body = {"model": "model-x", "max_tokens": 99, "messages": sent}
        made.append({"request": body, "response": reply})
        whole += [echo(reply), found(number)]
    return made


def read_it(value: Any) -> Outside:
    return read(json.dumps(value).encode())


def trimmed(messages: Messages, number: int) -> Messages:
    """Texts without white space at their ends, numbers and blank blocks otherwise, no thoughts."""
    for message in messages[1::2]:
        first, call = message["content"]
        call = {**call, "input": {"deep": 1.0, "log": call["input"]["log"]}}
        message["content"] = [{**first, "text": first["text"].strip()}, call]
    return messages


def own_ids(messages: Messages, number: int) -> Messages:
    for message in messages[1:]:
        message["content"] = [
            {**block, key: f"client-{block[key]}"}
            for block in message["content"]
            for key in ("tool_use_id" if "tool_use_id" in block else "id",)
            if block["type"] != "text"
        ]
    return messages


def cleared(messages: Messages, number: int) -> Messages:
    for message in messages[2:-1:2]:
        message["content"] = [{**message["content"][0], "content": "[cleared]"}]
    return messages


def reminded(messages: Messages, number: int) -> Messages:
    return [*messages, {"role": "user", "content": f"Round {number}."}]


def reminded_inside(messages: Messages, number: int) -> Messages:
    last = messages[-1]
    content = last["content"]
    blocks = [text_block(content)] if isinstance(content, str) else content
    return [*messages[:-1], said("user", *blocks, text_block(f"Round {number}."))]


CHANGES = {
    "as it was": (None, {}),
    "texts and arguments": (trimmed, {"changed_reply": 3}),
    "ids of the client's own": (own_ids, {"changed_reply": 3}),
    "old results cleared": (cleared, {"changed_message": 2}),
    "the last three messages": (lambda all_, _: all_[-3:], {"left_out": 4}),
    "the last message and its request": (lambda all_, _: all_[-2:], {"left_out": 5}),
    "the first and the last two": (
        lambda all_, _: [all_[0], *all_[1:][-2:]],
        {"left_out": 4},
    ),
    "a reminder at the end": (reminded, {"not_kept": 4, "inserted": 4}),
    "a reminder beside the last block": (reminded_inside, {"not_kept": 1, "inserted": 4}),
    "a clock in front": (
        lambda all_, number: [{"role": "user", "content": f"{number} o'clock"}, *all_],
        {"not_kept": 4, "inserted": 4},
    ),
    "a clock among the instructions": (
        lambda all_, number: [all_[0], said("system", text_block(f"Time {number}")), *all_[1:]],
        {"inserted": 4},
    ),
    "other words in the prompt": (
        lambda all_, number: [{"role": "user", "content": f"It is {number}. Go."}, *all_[1:]],
        {"changed_message": 1},
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_request_goes_on_with_its_conversation(name: str, tmp_path: Path) -> None:
    """One prompt, one run with every call, round and tool; replay goes through; it is told."""
    change, told = CHANGES[name]
    path = write(tmp_path / "calls.json", loop(change))
    scenario = load_transcript(path)
    outside = scenario.outside
    assert outside is not None
    assert (calls_of(outside), outside.prompts) == ([4], 1)
    assert counts_of(outside.runs)[:3] == (4, 3, 3)
    run = replay(scenario)
    assert (run.result, run.terminal_reason) == ("Fog, rain, sun.", "completed")
    assert not any(call.violations for call in run.calls)
    kinds = ("changed_reply", "changed_message", "left_out", "not_kept", "inserted")
    numbers = {kind: outside.findings.number(f"format.{kind}") for kind in kinds}
    assert numbers == {**dict.fromkeys(kinds, 0), **told}
    assert list(outside.findings.faults()) == []


def test_what_was_really_sent_is_kept_with_the_call() -> None:
    """Cleared results stand in place of theirs, and are gone on with; what is gone is named."""
    turns = read_it(loop(cleared)).runs[0].takes[0].turns
    assert [len(turn.changed) for turn in turns] == [0, 0, 1, 2]
    change = turns[3].changed[0]
    assert (change.message, change.count) == (2, 1)
    assert change.messages[0]["content"][0]["content"] == "[cleared]"
    turns = read_it(loop(lambda all_, _: all_[-3:])).runs[0].takes[0].turns
    assert [(one.message, one.count, one.messages) for one in turns[3].changed] == [(0, 4, [])]


def test_a_kept_reminder_is_a_prompt() -> None:
    """What the next request still has was said to stay: words behind results begin a run."""
    first = [ASK]
    second = [*first, echo(asks(0)), found(0), {"role": "user", "content": "Be quick."}]
    third = [*second, echo(asks(1)), found(1)]
    made = [
        {"request": {"messages": sent}, "response": reply}
        for sent, reply in ((first, asks(0)), (second, asks(1)), (third, DONE))
    ]
    outside = read_it(made)
    assert (calls_of(outside), outside.prompts) == ([1, 2], 2)


def test_replies_without_ids_are_known_by_their_calls() -> None:
    """A reply without ids, or with equal ones in every reply, is one that the client names."""
    for name in ("", "call_0"):
        reply = response({**asks(0)["content"][1], "id": name})
        back = response({**asks(0)["content"][1], "id": "pyd-1"})
        second = [ASK, echo(back), found(0, name="pyd-1")]
        made = [
            {"request": {"messages": [ASK]}, "response": reply},
            {"request": {"messages": second}, "response": DONE},
        ]
        outside = read_it(made)
        assert counts_of(outside.runs)[:3] == (2, 1, 1)
        assert calls_of(outside) == [2]


def test_a_words_only_reply_is_known_by_what_it_answered() -> None:
    """A chat whose client trims; the same words in answer to something else are no sign."""
    hello = response(text_block("Yes.\n"))
    more = {"role": "user", "content": "And then?"}
    second = [ASK, {"role": "assistant", "content": "Yes."}, more]
    made = [
        {"request": {"messages": [ASK]}, "response": hello},
        {"request": {"messages": second}, "response": DONE},
    ]
    outside = read_it(made)
    assert (calls_of(outside), outside.prompts) == ([1, 1], 2)
    assert outside.findings.number("format.changed_reply") == 1
    shots = [said("user", text_block("Is one odd?")), {"role": "assistant", "content": "Yes."}]
    alone = {"request": {"messages": [*shots, more]}, "response": DONE}
    assert read_it([made[0], alone]).findings.number("format.changed_reply") == 0


def test_other_replies_to_the_same_beginning_stay_apart() -> None:
    """A retry that got another reply is no part of the conversation that the first goes on in."""
    second = [ASK, echo(asks(0)), found(0)]
    other = [ASK, echo(asks(7)), found(7)]
    made = [
        {"request": {"messages": [ASK]}, "response": asks(0)},
        {"request": {"messages": [ASK]}, "response": asks(7)},
        {"request": {"messages": other}, "response": DONE},
        {"request": {"messages": second}, "response": DONE},
    ]
    outside = read_it(made)
    assert (calls_of(outside), started(outside)) == ([2, 2], ["prompt", "prompt"])
    assert outside.runs[0].takes[0].turns[0].response is not None
    gone_on_twice = [*made[:1], made[3], made[3]]
    assert started(read_it(gone_on_twice)) == ["prompt", "rewritten"]


def test_the_same_request_again_and_again() -> None:
    """Three times the same question: three prompts of one message."""
    for asked in ([ASK], [ASK, {"role": "user", "content": "Please."}]):
        outside = read_it([{"request": {"messages": asked}, "response": DONE}] * 3)
        assert (calls_of(outside), outside.prompts) == ([1, 1, 1], 3)
        assert [len(run.request.messages) for run in outside.runs] == [len(asked)] * 3


@pytest.mark.parametrize("chat", [False, True])
def test_words_put_into_the_models_mouth_are_no_reply(chat: bool, tmp_path: Path) -> None:
    """The last message of the request is the assistant's; the reply goes on from there."""
    begun = {"role": "assistant", "content": '{"a":'}
    reply: dict[str, Any] = response(text_block("1}"))
    if chat:
        message = {"role": "assistant", "content": "1}"}
        reply = {"choices": [{"message": message, "finish_reason": "stop"}]}
    asked = {"model": "model-x", "messages": [ASK, begun]}
    first = {"request": asked, "response": reply}
    more = {"role": "user", "content": "Again."}
    whole = {"role": "assistant", "content": '{"a":1}'}
    second = {"request": {"model": "model-x", "messages": [ASK, whole, more]}, "response": reply}
    path = write(tmp_path / "calls.json", [first, second])
    scenario = load_transcript(path)
    outside = scenario.outside
    assert outside is not None
    assert (calls_of(outside), outside.prompts) == ([1, 1], 2)
    run = replay(scenario)
    assert (run.model_calls, run.result, run.terminal_reason) == (1, "1}", "completed")
    assert len(run.request(run.calls[0])) == 2
    assert not any(call.violations for call in run.calls)


def test_reading_costs_what_was_sent() -> None:
    """Ten times the rounds cost a hundred times the messages sent, and no more than that."""

    def cost(rounds: int) -> float:
        data = json.dumps(loop(cleared, rounds)).encode()
        sent = sum(2 * number + 1 for number in range(rounds + 1))
        return calls(lambda: read(data)) / sent

    assert cost(100) < 1.5 * cost(20)
