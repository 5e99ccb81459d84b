"""Messages that runs share: in memory one list, in a file each of them once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import made
from visualizer.engine import replay
from visualizer.errors import TranscriptError
from visualizer.i18n import texts
from visualizer.loading import load_transcript
from visualizer.transcript.history import History, SharedRequest, apart, conversation, joined
from visualizer.transcript.records import RecordedRun, Take, Turn

Moves = list[tuple[int, int, int]]


def runs_of(moves: Moves) -> list[RecordedRun]:
    """Runs over shared lists. A move: which list, how many of its messages stay, new ones."""
    lists: list[History] = []
    runs: list[RecordedRun] = []
    for number, (which, kept, new) in enumerate(moves):
        history = lists[which % len(lists)] if lists else History()
        if kept < len(history):
            history = History(history, kept)
        if history not in lists:
            lists.append(history)
        for one in range(new + 1):
            text = f"{number}.{one}" if one else "the same words"
            history.append({"role": "user", "content": text})
        turn = Turn({"content": [made.text_block(f"reply {number}")], "stop_reason": "end_turn"})
        run = RecordedRun(str(number), SharedRequest(history), [Take("recorded", [turn])])
        runs.append(run)
        for message in conversation(run):
            history.append(message)
    return runs


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 30), st.integers(0, 3)), min_size=1))
def test_taking_apart_and_joining_gives_the_same_requests(moves: Moves) -> None:
    """Whatever goes on from where, each run gets back the messages that it began with."""
    runs = runs_of(moves)
    parted = apart(runs)
    assert [run.request.messages for run in joined(parted)] == [r.request.messages for r in runs]
    again = apart(joined(parted))
    assert [one.request.messages for one in again] == [one.request.messages for one in parted]


def test_a_message_is_written_once() -> None:
    """Runs that go on from each other: a file has each message once, not once a run."""
    parted = apart(runs_of([(0, 99, 1)] * 20))
    assert sum(len(run.request.messages) for run in parted) == 2 * 20
    assert all(run.request.after is not None for run in parted[1:])


def transcript(*requests: dict[str, Any]) -> dict[str, Any]:
    """A transcript with a run for each request, each answered at once."""
    answer = made.response(made.text_block("Yes."))
    return {
        "format_version": 1,
        "title": {"en": "Two", "ja": "二つ"},
        "summary": {"en": "Runs.", "ja": "実行です。"},
        "runs": [
            {
                "id": str(number),
                "request": request,
                "takes": [{"name": "only", "turns": [{"response": answer}]}],
            }
            for number, request in enumerate(requests)
        ],
    }


def asks(text: str, **more: Any) -> dict[str, Any]:
    """A request with one message of its own."""
    return {"messages": [{"role": "user", "content": text}], **more}


def test_a_run_can_go_on_from_an_earlier_one(tmp_path: Path) -> None:
    """With ``after`` a run is driven with the earlier one's messages in front of its own."""
    after = {"run": "0", "messages": 2}
    scenario = load_transcript(
        made.write(tmp_path / "two.json", transcript(asks("A?"), asks("B?", after=after)))
    )
    run = replay(scenario, run="1")
    assert [message.text for message in run.messages] == ["A?", "Yes.", "B?", "Yes."]
    assert run.terminal_reason == "completed"


@pytest.mark.parametrize(
    ("after", "pointer", "words"),
    [
        ({"run": "9", "messages": 1}, "/runs/1/request/after/run", "no earlier run '9'"),
        ({"run": "1", "messages": 1}, "/runs/1/request/after/run", "no earlier run '1'"),
        ({"run": "0", "messages": 3}, "/runs/1/request/after/messages", "only 2 messages"),
        ({"run": "0", "messages": 0}, "/runs/1/request/after/messages", "at least 1"),
    ],
)
def test_what_it_goes_on_from_must_be_there(
    tmp_path: Path, after: dict[str, Any], pointer: str, words: str
) -> None:
    """A run that is no earlier one, or more messages than it has: one problem at its place."""
    path = made.write(tmp_path / "two.json", transcript(asks("A?"), asks("B?", after=after)))
    with pytest.raises(TranscriptError) as caught:
        load_transcript(path)
    (problem,) = caught.value.problems
    assert problem.pointer == pointer
    assert words in caught.value.text(texts("en"))
