"""The stepper as text: every step of every kind of run, at every size, in both languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import made_runs, odd_loops
from visualizer.app.glyphs import ASCII, BOX
from visualizer.app.session import Session, Shown
from visualizer.app.view import Settings, View
from visualizer.engine import replay
from visualizer.i18n import texts
from visualizer.loading import load_transcript, scenario_names
from visualizer.loops.registry import loop_names
from visualizer.messages import Message
from visualizer.run.timeline import Run
from visualizer.text import cells
from visualizer.tui.draw.segments import Painted, plain
from visualizer.tui.stepper import frame


@cache
def runs() -> tuple[Session, ...]:
    """A session over each kind of run: answers, the cap, stops, exceptions, rewrites."""
    aurora, both = made_runs.aurora(), made_runs.parallel()
    odd = [
        (aurora, replay(aurora, loop=loop, contained=False))
        for loop in (
            odd_loops.looks_finished,
            odd_loops.raises,
            odd_loops.forgets,
            odd_loops.no_bound,
            odd_loops.returns_nothing,
            odd_loops.never_calls,
        )
    ]
    odd += [(both, replay(both, loop=odd_loops.shortens, contained=False)), (both, replay(both))]
    shipped = [load_transcript(name) for name in ("aurora-run", "aurora-run-cutoff", "paris")]
    pairs = [*odd, *((one, replay(one)) for one in shipped)]
    return tuple(Session(scenario, Shown(scenario, run)) for scenario, run in pairs)


def session(name: str, at: str, max_turns: int | None = None) -> Session:
    """A session over a shipped scenario at a place."""
    return Session.open(load_transcript(name), None, max_turns, at)


def view(one: Session, language: str = "en", **more: object) -> View:
    """A view of a session with settings."""
    chosen = Settings(**more)  # type: ignore[arg-type]
    return View(one, texts(language), ASCII if language == "ja" else BOX, chosen)


def paint(one: Session, width: int, height: int, language: str = "en", **more: object) -> Painted:
    """The stepper at a size."""
    return frame.stepper(view(one, language, **more), width, height)


def text(painted: Painted) -> str:
    """A painted screen as text."""
    return "\n".join(plain(item).rstrip() for item in painted.lines)


def steps() -> Iterator[tuple[Session, int]]:
    """Every step of every run."""
    for one in runs():
        for index in range(1, len(one.run.steps) + 1):
            yield one, index


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    "size", [(60, 20), (72, 22), (80, 24), (100, 30), (104, 32), (120, 36), (140, 45), (220, 24)]
)
def test_every_step_fills_the_screen_exactly(size: tuple[int, int], language: str) -> None:
    """Each line has exactly the width of the screen, and there are as many as it is high."""
    for one, index in steps():
        one.move(index)
        painted = paint(one, *size, language)
        assert len(painted.lines) == size[1], (one.run.loop.name, index)
        for item in painted.lines:
            assert cells(plain(item)) == size[0], (one.run.loop.name, index, plain(item))


@settings(max_examples=60)
@given(
    width=st.integers(1, 200),
    height=st.integers(1, 60),
    which=st.integers(0, 200),
    language=st.sampled_from(["en", "ja"]),
    unfolded=st.booleans(),
    counts=st.booleans(),
    selected=st.none() | st.integers(0, 9),
)
def test_any_size_and_setting_fills_the_screen(
    width: int,
    height: int,
    which: int,
    language: str,
    unfolded: bool,
    counts: bool,
    selected: int | None,
) -> None:
    """From one cell on nothing breaks, whatever is switched on."""
    every = list(steps())
    one, index = every[which % len(every)]
    one.move(index)
    painted = paint(
        one, width, height, language, unfolded=unfolded, counts=counts, selected=selected
    )
    assert [cells(plain(item)) for item in painted.lines] == [width] * height


def test_every_scenario_fits() -> None:
    """All shipped scenarios, by their own loops, fill the screen at every one of their steps."""
    for name in scenario_names():
        fits(name)


@pytest.mark.parametrize("loop", loop_names())
def test_every_loop_on_show_fits(loop: str) -> None:
    """All shipped loops fill the screen, whatever a recording has for them."""
    for name in ("aurora-run", "two-birth-years", "truncated", "policy-denied", "flood"):
        fits(name, loop)


def fits(name: str, loop: str | None = None) -> None:
    """Each line of the screen is as wide as the screen, at each step and size."""
    scenario = load_transcript(name)
    one = Session(scenario, Shown(scenario, replay(scenario, loop=loop)))
    for index in range(1, min(len(one.run.steps), 40) + 1):
        one.move(index)
        for width, height in ((60, 20), (80, 24), (120, 36)):
            painted = paint(one, width, height)
            sizes = [cells(plain(item)) for item in painted.lines]
            assert sizes == [width] * height, (name, loop, index)


def test_panes_do_not_overlap() -> None:
    """At 60x20 and above, the areas of the panes are apart and inside the screen."""
    for size in ((60, 20), (80, 24), (120, 36)):
        painted = paint(session("aurora-run", "t1.execute"), *size)
        taken: set[tuple[int, int]] = set()
        for area in painted.areas:
            spots = {
                (x, y)
                for x in range(area.x, area.x + area.width)
                for y in range(area.y, area.y + area.height)
            }
            assert not taken & spots, area
            assert max(spots)[0] < size[0]
            assert max(y for _, y in spots) < size[1]
            taken |= spots


def test_a_check_shows_phase_meter_ring_code_and_messages() -> None:
    """The drawing of the check: sentence, bracketed phase, marks in the code, the read line."""
    shown = text(paint(session("aurora-run", "t1.check"), 80, 24))
    for part in (
        "turns used [##........] 2 of 10",
        "[CHECK]",
        'CHECK  The flag says "tool_use"',
        'CHECK   >      if reply.stop_reason != "tool_use":',
        "execute >>         results.append(tools(call))",
        'it is "tool_use": go on',
        "turn = 1 (2nd of 10)",
        "skipped",
        "the model has read up to here (call 2)",
        '[b] search "Mara Voss"',
        "no result yet",
    ):
        assert part in shown, part


def test_the_cutoff_says_never_sent_and_cut_off() -> None:
    """At the cap: None, CUT OFF, exit B taken, the message that no call sent."""
    shown = text(paint(session("aurora-run", "end", 2), 80, 24))
    for part in ("CUT OFF", "None", "NEVER SENT", "[EXIT B: TURNS USED UP]", "max_turns"):
        assert part in shown, part
    assert shown.index("NEVER SENT") < shown.index("4 user")


def test_a_full_meter_alone_is_no_cutoff() -> None:
    """With a cap of 3 Aurora Run uses all turns and answers: no word of a cutoff."""
    shown = text(paint(session("aurora-run", "end", 3), 80, 24))
    assert "[###] 3 of 3" in shown
    assert "CUT OFF" not in shown
    assert "NEVER SENT" not in shown
    assert "[EXIT A: AN ANSWER]" in shown


def test_the_answer_is_quoted() -> None:
    """The end of Aurora Run says RETURNED "1974"."""
    assert 'RETURNED   "1974"' in text(paint(session("aurora-run", "end"), 80, 24))


def test_ends_that_are_no_answer_say_so() -> None:
    """An exception is RAISED; what the visualizer stopped is STOPPED, with the rule broken."""
    ends = {}
    for one in runs():
        one.move(len(one.run.steps))
        ends[one.run.loop.name] = text(paint(one, 80, 24))
    assert "RAISED   ValueError" in ends["raises"]
    assert "STOPPED   by the visualizer, not by the loop" in ends["forgets"]
    assert "request_refused" in ends["forgets"]
    assert "no exit B: no max_turns" in ends["no_bound"]


def test_results_in_hand_stand_apart() -> None:
    """After the first of two tools: one result done and new, one to come, none in messages."""
    both = made_runs.parallel()
    one = Session(both, Shown(both, replay(both)), 4)
    shown = text(paint(one, 80, 24))
    assert "results in hand, not in messages yet: 1 of 2" in shown
    assert "[EXECUTE 1/2]" in shown
    assert "[b] to come" in shown


def test_counts_stand_in_wide_layouts_or_on_request() -> None:
    """Calls, rounds and the estimate are there at 120 columns, and at 80 after the key."""
    one = session("aurora-run", "t1.check")
    assert "1 done, 1 open" in text(paint(one, 120, 36))
    assert "(estimate)" in text(paint(one, 120, 36))
    assert "rounds 1" not in text(paint(one, 80, 24))
    assert "rounds 1 (+1 open)" in text(paint(one, 80, 24, counts=True))


def test_provenance_is_always_said() -> None:
    """Whatever the size, the screen says that the recording is a reconstruction."""
    for size in ((60, 20), (80, 24), (120, 36)):
        for place in ("start", "end"):
            shown = text(paint(session("aurora-run-cutoff", place), *size))
            assert "(reconstructed)" in shown, (size, place)


def test_authored_notes_are_labelled() -> None:
    """The author's remark at a step has the label note, where there is room for it."""
    shown = text(paint(session("aurora-run", "t0.execute"), 120, 36))
    assert "note  1951 is the novelist's year of birth." in shown


def test_every_step_of_the_strip_can_be_clicked() -> None:
    """Each cell of the strip goes to its own step."""
    one = session("aurora-run", "t1.check")
    clicks = {seg.click for item in paint(one, 120, 36).lines for seg in item}
    assert {f"go:{index}" for index in range(1, 13)} <= clicks


def test_a_long_run_is_painted_around_its_place() -> None:
    """In a long run the strip shows the steps around the current one and says there are more."""
    one = long_session(300)
    one.go("t150.check")
    painted = paint(one, 80, 24)
    strip = plain(painted.lines[-2])
    assert "[CHECK]" in strip
    assert strip.strip().startswith("←")
    assert strip.rstrip().endswith("→")


def test_painting_reads_a_window_and_not_the_run() -> None:
    """Painting a step far inside a long run touches no more messages than the window shows."""
    one = long_session(300)
    one.go("t250.check")
    shown = view(one)
    frame.stepper(shown, 120, 40)
    touched: set[int] = set()
    real = one.run.histories[0]

    class Watched(Sequence[Message]):
        def __len__(self) -> int:
            return len(real)

        def __getitem__(self, at: Any) -> Any:
            touched.add(at)
            return real[at]

    object.__setattr__(one.run, "histories", (Watched(),))
    frame.stepper(shown, 120, 40)
    assert touched
    assert len(touched) < 60


def long_session(turns: int) -> Session:
    """A session over a run of many turns."""
    recorded = [
        made_runs.turn(made_runs.search(f"toolu_{number}", "Aurora Run")) for number in range(turns)
    ]
    scenario = made_runs.scenario(
        *recorded, made_runs.turn(made_runs.text("1974")), max_turns=turns + 1
    )
    run: Run = replay(scenario)
    return Session(scenario, Shown(scenario, run))
