"""Reading a loop's list: what was added, what was rewritten, and edits of long lists."""

from __future__ import annotations

from typing import Any

import pytest

from tests.made import answer, round_of, scenario
from visualizer.engine import replay
from visualizer.engine.context import Context
from visualizer.engine.ledger import SHORT, Depth, EditMissed, Ledger

ROUNDS = SHORT


def said(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def ledger(count: int) -> tuple[Ledger, list[Any]]:
    made, messages = Ledger(Context), [said(str(number)) for number in range(count)]
    made.look(messages)
    return made, messages


def test_added_messages_are_seen_once() -> None:
    """A look gives what is new; the next one nothing."""
    made, messages = ledger(2)
    messages.append(said("new"))
    change = made.look(messages)
    assert change is not None
    assert [message.text for message in change.added] == ["new"]
    assert made.look(messages) is None


def test_an_equal_list_with_more_is_an_append() -> None:
    """A list built anew from equal messages continues the history."""
    made, messages = ledger(3)
    change = made.look([dict(message) for message in messages] + [said("new")])
    assert change is not None
    assert not change.rewrite
    assert len(made.histories) == 1


@pytest.mark.parametrize("edit", ["remove", "swap", "replace", "in_place", "shorten", "clear"])
def test_anything_else_is_a_rewrite(edit: str) -> None:
    """Taking out, swapping, replacing, editing and cutting begin a new history."""
    made, messages = ledger(3)
    if edit == "remove":
        del messages[1]
    elif edit == "swap":
        messages[0], messages[1] = messages[1], messages[0]
    elif edit == "replace":
        messages[0] = said("other")
    elif edit == "in_place":
        messages[0]["content"] = "other"
    elif edit == "shorten":
        messages.pop()
    else:
        messages.clear()
    change = made.look(messages)
    assert change is not None
    assert change.rewrite
    assert [m.to_json() for m in made.messages] == messages
    assert [m.text for m in made.histories[0]] == ["0", "1", "2"]


def test_a_late_look_at_a_long_list_finds_an_old_edit() -> None:
    """Quick looks pass over it; the full one says that it was missed."""
    made, messages = ledger(SHORT + 10)
    messages[3]["content"] = "other"
    assert made.look(messages, Depth.WINDOW) is None
    with pytest.raises(EditMissed):
        made.look(messages, Depth.ALL)


def test_an_edit_near_the_end_of_a_long_list_is_seen_at_once() -> None:
    """The last few messages are compared before every call."""
    made, messages = ledger(SHORT + 10)
    messages[-2]["content"] = "other"
    change = made.look(messages, Depth.WINDOW)
    assert change is not None
    assert change.rewrite


def test_a_missed_edit_makes_the_run_again_and_is_then_found_where_it_happened() -> None:
    """A long run with an old message edited diverges at the very next call."""
    turns = [round_of(f"r{number}") for number in range(ROUNDS)]
    recorded = scenario(*turns, answer(), settings={"max_turns": ROUNDS + 1})

    def edits_late(model: Any, tools: Any, messages: Any, max_turns: int = 9) -> Any:
        for turn in range(max_turns):
            reply = model(messages)
            messages.append(reply.as_message())
            if reply.stop_reason != "tool_use":
                return reply.text
            messages.append({"role": "user", "content": [tools(c) for c in reply.tool_calls]})
            if turn == ROUNDS - 10:
                messages[0]["content"] = "Another question."
        return None

    run = replay(recorded, loop=edits_late, contained=False)
    assert (run.terminal_reason, run.model_calls) == ("diverged", ROUNDS - 9)
    assert run.stop is not None
    assert run.stop.difference is not None
    assert run.stop.difference.message == 0
