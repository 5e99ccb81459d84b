"""What the screens show of a recording, worked out without a screen."""

from __future__ import annotations

from visualizer.app.glyphs import BOX
from visualizer.app.recorded import errors_in, faults_in, prompt_of, started_text
from visualizer.app.session import Session
from visualizer.app.view import Settings, View
from visualizer.i18n import texts
from visualizer.loading import Scenario
from visualizer.tui.draw.segments import Line, plain
from visualizer.tui.sheets.request_text import Sent, head_lines, json_head, json_message, readable
from visualizer.tui.sheets.room_bars import rooms_of, sheet_lines
from visualizer.tui.stepper import frame, screen

_ = screen  # it declares the commands that the footer names

MOST = 2
"""Calls, and messages of each, that are looked at in a run."""


def look(scenario: Scenario, run_id: str) -> None:
    """The stepper at the end, the request of some calls, and what takes room in them."""
    session = Session.open(scenario.on_run(run_id))
    recorded = session.scenario.run(run_id)
    said = texts("ja")
    assert errors_in(recorded) >= 0
    assert faults_in(scenario) >= 0
    assert prompt_of(recorded) is not None
    assert started_text(scenario, recorded, said).isprintable()
    lines: list[Line] = []
    for number, call in enumerate(session.run.calls[:MOST]):
        sent = Sent(session.run, number, recorded.request, session.shown.asides, outside=True)
        lines += [*head_lines(sent, said, 70), *json_head(sent, 70)]
        for position in range(max(0, call.sent - MOST), call.sent):
            lines += readable(sent, position, True, said, 70)
            lines += json_message(sent, position, True, said, 70)
    session.move(len(session.run.steps))
    lines += frame.stepper(View(session, said, BOX, Settings()), 120, 40).lines
    rooms = rooms_of(session)
    for at in range(len(rooms.calls))[-1:]:
        lines += sheet_lines(rooms, at, said, 70)
    assert all(plain(line).isprintable() for line in lines)
