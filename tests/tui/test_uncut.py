"""What must not be cut, since its end may turn its meaning round."""

from __future__ import annotations

import pytest

from tests.tui.test_paint import session, text, view
from visualizer.app.session import Session, Shown
from visualizer.describe import describe
from visualizer.engine import replay
from visualizer.loading import load_transcript, scenario_names
from visualizer.tui.stepper import frame

SIZES = [(60, 20), (72, 22), (80, 24), (104, 32), (120, 36), (140, 45)]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", SIZES)
def test_an_authored_note_is_shown_whole(size: tuple[int, int], language: str) -> None:
    """Each note of each scenario is on the screen to its last word, on two lines where need be."""
    found = 0
    for name in scenario_names():
        scenario = load_transcript(name)
        one = Session(scenario, Shown(scenario, replay(scenario)))
        for index in range(1, len(one.run.steps) + 1):
            one.move(index)
            shown = view(one, language)
            note = describe(shown.run, index, shown.texts, scenario.notes).note
            if note:
                found += 1
                painted = text(frame.stepper(shown, *size))
                assert "".join(note.split()) in "".join(painted.split()), (name, index)
    assert found


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_first_line_of_the_loop_is_whole_where_the_values_leave_room(language: str) -> None:
    """At 140x45 the line with the loop's parameters is not cut, and no value beside it is."""
    shown = text(frame.stepper(view(session("aurora-run", "t1.check"), language), 140, 45))
    assert "def agent_loop(model, tools, messages, max_turns=10):" in shown
    assert "..." not in shown[shown.index("def agent_loop") :]
