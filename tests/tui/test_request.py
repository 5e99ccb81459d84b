"""The request of a call: shown whole, and nothing said of it that is not so."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import made_runs
from tests.tui.screens import opened
from visualizer.app.session import Session, Shown
from visualizer.engine import replay
from visualizer.i18n import texts
from visualizer.text import cells, display_safe
from visualizer.transcript.records import Changed
from visualizer.tui.draw.segments import Line, plain
from visualizer.tui.sheets.request_text import Sent, json_head, json_message, json_tail, readable

VALUES = st.recursive(
    st.text(max_size=120) | st.text("a 日本́", max_size=300) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)


def sent_with(value: Any) -> Sent:
    """The second request of a run whose tool was asked for with a value."""
    asked = made_runs.search("toolu_1", "Aurora Run")
    asked["input"]["about"] = value
    scenario = made_runs.scenario(made_runs.turn(asked), made_runs.turn(made_runs.text("1974")))
    run = replay(scenario)
    session = Session(scenario, Shown(scenario, run))
    request = scenario.run(run.recorded_run).request
    return Sent(run, 1, request, session.shown.asides)


def code_of(lines: list[Line]) -> str:
    """What stands in the lines as JSON, joined."""
    return "".join(seg.text for item in lines for seg in item if seg.role == "code")


@settings(max_examples=60)
@given(value=VALUES, width=st.integers(12, 160))
def test_the_json_form_shows_every_character(value: Any, width: int) -> None:
    """At any width the joined rows are the whole JSON, and no row is wider than the screen."""
    sent, said = sent_with(value), texts("en")
    for position in range(sent.call.sent):
        lines = json_message(sent, position, True, said, width)
        whole = json.dumps(sent.message(position).to_json(), ensure_ascii=False, indent=2)
        rows = "".join("    " + display_safe(row) for row in whole.split("\n"))
        assert code_of(lines).removesuffix(",") == rows
        assert max(cells(plain(item)) for item in lines) <= width
    around = code_of(json_head(sent, width)) + code_of(json_tail(width))
    assert '"messages": [' in around


def test_what_a_client_sent_otherwise_is_shown_as_it_was_sent() -> None:
    """A cleared result shows what stood there, a message that was left out says so."""
    sent, said = sent_with("x"), texts("en")
    turn = sent.asides.turns[1]
    cleared = {"role": "user", "content": "[cleared]"}
    turn.changed = [Changed(0, 1, []), Changed(2, 1, [cleared])]
    for form in (readable, json_message):
        shown = [
            "\n".join(plain(line) for line in form(sent, position, False, said, 100))
            for position in range(3)
        ]
        assert "left out of this request" in shown[0]
        assert "otherwise" not in shown[1]
        assert "left out" not in shown[1]
        assert "[cleared]" in shown[2]
        assert "1974" not in shown[2]
        assert "sent otherwise" in shown[2]


async def test_the_first_request_claims_nothing_new() -> None:
    """Call 1 has no call before it: no line has a plus, and none is said to have one."""
    async with opened(at="t0.call") as driven:
        await driven.press("r")
        assert "+" not in driven.text
        await driven.press("right")
        assert "2 new, marked +" in driven.text
        assert " + 1 assistant" in driven.text


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_the_keys_keep_a_gap_to_what_follows(language: str) -> None:
    """At 60x20 the footer of a long request has all its keys whole, then a gap, then 'more'."""
    async with opened(size=(60, 20), language=language, at="t0.call") as driven:
        await driven.press("r", "r")
        said = driven.app.texts
        last = driven.text.split("\n")[-1]
        assert f"r {said('screen.foot.form')}   " in last
        assert last.endswith(f"   {said('screen.more')}")


async def test_a_request_to_the_api_is_no_tool_request_in_japanese() -> None:
    """What a call sends is リクエスト in footer, counts and title; 要求 is what the model asks."""
    async with opened(language="ja", size=(140, 45), at="t0.check") as driven:
        assert "r リクエスト" in driven.text
        assert "直近のリクエスト" in driven.text
        await driven.press("r")
        assert "呼び出し 1 のリクエスト" in driven.text
        assert "要求" not in driven.text
    async with opened(language="ja", at="t2.check") as driven:
        await driven.press("i")
        assert any(
            "リクエスト 約" in line and "..." not in line for line in driven.text.split("\n")
        )
