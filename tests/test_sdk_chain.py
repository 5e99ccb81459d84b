"""A thread that the server keeps: what would be sent, and what is read."""

from __future__ import annotations

import pytest

from tests import made_runs
from tests import odd_loops as odd
from visualizer.engine import replay
from visualizer.loading import load_transcript, scenario_names
from visualizer.run.replay_match import matched
from visualizer.sdk import chain_of


def test_only_what_is_new_is_sent() -> None:
    """Each call after the first sends the results alone, and the model reads all the same."""
    run = replay(made_runs.aurora())
    links = chain_of(run, {})
    assert [(one.sent, one.read) for one in links] == [(1, 1), (1, 3), (1, 5)]
    assert [one.first for one in links] == [0, 2, 4]
    assert links[0].thread == {"type": "create"}
    assert links[1].thread == {"type": "continue", "previous_message_id": "msg_1"}


def test_the_reply_has_the_id_that_was_recorded() -> None:
    """Where the recording has the reply's id, the next call goes on from that."""
    scenario = load_transcript("client-aurora")
    run = replay(scenario)
    links = chain_of(run, dict(matched(scenario.run(run.recorded_run), run)))
    assert [one.previous for one in links] == [None, "msg_0001", "msg_0002"]


def test_a_loop_that_drops_the_reply_can_not_go_on() -> None:
    """The server holds what the loop forgot, so a thread begins anew with all of its list."""
    run = made_runs.driven(made_runs.aurora(), odd.forgets)
    links = chain_of(run, {})
    assert [(one.previous, one.sent) for one in links[:2]] == [(None, 1), (None, run.calls[1].sent)]


def test_a_failed_call_leaves_the_thread_where_it_was() -> None:
    """The request that is tried again goes on from the same reply as the one that failed."""
    failed = {"status": 529, "error": {"error": {"type": "overloaded_error", "message": "busy"}}}
    scenario = made_runs.scenario(
        made_runs.turn(made_runs.search("toolu_1", "Aurora Run")),
        made_runs.turn(made_runs.text("1951"), attempts=[failed]),
    )
    links = chain_of(replay(scenario, loop="production"), {})
    assert [(one.previous, one.sent) for one in links] == [(None, 1), ("msg_1", 1), ("msg_1", 1)]


@pytest.mark.parametrize("name", scenario_names())
def test_what_is_read_is_what_the_stateless_call_sends(name: str) -> None:
    """In every scenario the chained form reads as much as the loop sends, and sends no more."""
    run = replay(load_transcript(name))
    links = chain_of(run, {})
    assert [one.read for one in links] == [call.sent for call in run.calls]
    assert all(0 < one.sent <= one.read for one in links)
