"""What the actions of comparing, of classes and of shuffled lines must do."""

from __future__ import annotations

from pathlib import Path

from tests.tui.cases import case
from tests.tui.screens import Driven
from visualizer.app.agenda import parse_agenda
from visualizer.app.options import keys
from visualizer.lessons.puzzle import ordered_lines
from visualizer.tui.compare.screen import CompareScreen
from visualizer.tui.poll.screen import PollScreen
from visualizer.tui.puzzle.screen import ShuffleScreen
from visualizer.tui.stepper.screen import StepperScreen

AGENDA = "paris | One call\naurora-run@t1.check,max_turns=2\n"


def compared(driven: Driven) -> CompareScreen:
    """The comparison, which must be the screen on top."""
    assert isinstance(driven.app.screen, CompareScreen)
    return driven.app.screen


def shuffled(driven: Driven) -> ShuffleScreen:
    """The shuffled lines, which must be the screen on top."""
    assert isinstance(driven.app.screen, ShuffleScreen)
    return driven.app.screen


async def put_beside(driven: Driven, loop: str = "hard_coded") -> CompareScreen:
    """Open the comparison with another loop."""
    await driven.press("v")
    await driven.type(loop)
    await driven.press("enter")
    return compared(driven)


async def ran(driven: Driven, key: str = "enter") -> ShuffleScreen:
    """Open the shuffled lines in their right order and run them."""
    await driven.press("S")
    screen = shuffled(driven)
    screen.shuffle.lines[:] = ordered_lines("agent_loop")
    await driven.press(key)
    await driven.app.workers.wait_for_complete()
    await driven.pilot.pause()
    return screen


@case("compare")
async def _compare(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t0.append")
    await driven.press(key)
    await driven.type("hard")
    await driven.press("enter")
    both = compared(driven).beside
    assert (both.left.run.loop.name, both.right.run.loop.name) == ("agent_loop", "hard_coded")
    assert both.left.run.step(both.left.index).place == "t0.append"
    assert '"1951"' in driven.text


@case("loop")
async def _loop(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t0.append")
    await driven.press(key)
    await driven.type("hard")
    await driven.press("enter")
    assert driven.stepper.session.run.loop.name == "hard_coded"
    assert driven.place == "t0.append"
    driven.stepper.session.go("end")
    await driven.press(key)
    await driven.type("production")
    await driven.press("enter")
    assert driven.place == "t1.call"
    screen = await put_beside(driven)  # beside the scenario as it is: no picker opens
    assert screen.beside.left.run.loop.name == "agent_loop"


@case("part")
async def _part(driven: Driven, key: str) -> None:
    both = (await put_beside(driven)).beside
    await driven.press(key)
    assert (both.left.index, both.right.index) == (6, 6)
    assert driven.app.texts("screen.compare.here") in driven.text


@case("panes")
async def _panes(driven: Driven, key: str) -> None:
    screen = await put_beside(driven)
    for panes in ("code", "messages", "all"):
        await driven.press(key)
        assert screen.settings.panes == panes


@case("swap")
async def _swap(driven: Driven, key: str) -> None:
    screen = await put_beside(driven)
    await driven.press("d", key)
    both = screen.beside
    assert (both.left.run.loop.name, both.right.run.loop.name) == ("hard_coded", "agent_loop")
    assert both.at == both.parting


@case("step_right", "step_left")
async def _step(driven: Driven, key: str) -> None:
    await put_beside(driven)
    await driven.press("d", key)
    assert isinstance(driven.app.screen, StepperScreen)
    loop = "hard_coded" if key == "e" else "agent_loop"
    assert driven.app.screen.session.run.loop.name == loop
    assert driven.place == ("end" if key == "e" else "t1.call")
    await driven.press("escape")
    compared(driven)


@case("leave")
async def _leave(driven: Driven, key: str) -> None:
    await put_beside(driven)
    await driven.press(key)
    assert driven.name == "StepperScreen"
    await driven.press("S", key)
    assert driven.name == "StepperScreen"


@case("instructor")
async def _instructor(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t1.check")
    said = driven.app.texts("screen.veiled")
    await driven.press(key)
    assert said in driven.text
    await driven.press("enter")
    assert said not in driven.text
    await driven.press("right")
    assert said in driven.text
    await driven.press("left", key)
    assert said not in driven.text


@case("reveal")
async def _reveal(driven: Driven, key: str) -> None:
    said = driven.app.texts("screen.veiled")
    await driven.press("I", key)
    assert said not in driven.text
    await driven.press(key)
    assert said in driven.text


@case("tell")
async def _tell(driven: Driven, key: str) -> None:
    driven.app.classroom.on = True
    await put_beside(driven)
    why = driven.app.texts("screen.compare.differ")
    await driven.press("end")
    assert why not in driven.text
    await driven.press(key)
    assert why in driven.text


@case("poll", "answer_poll")
async def _poll(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t0.append")
    await driven.press("P")
    assert isinstance(driven.app.screen, PollScreen)
    right = driven.app.texts("screen.poll.right")
    assert right not in driven.text
    await driven.press("enter" if key == "P" else key)
    assert right in driven.text
    await driven.press("escape")
    assert driven.place == "t0.append"


@case("mark")
async def _mark(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t0.append")
    await driven.press("P", key)
    screen = driven.app.screen
    assert isinstance(screen, PollScreen)
    digits = keys(screen.question)
    assert screen.marked == (digits.index(key) if key in digits else None)
    await driven.press(key)
    assert screen.marked is None


@case("agenda")
async def _agenda(driven: Driven, key: str) -> None:
    await driven.press(key)
    assert driven.app.texts("screen.agenda.none") in driven.text
    driven.app.classroom.agenda = parse_agenda(AGENDA, "agenda")
    await driven.press(key)
    assert "One call" in driven.text
    await driven.press("down", "enter")
    assert driven.stepper.session.locator == "aurora-run@t1.check,max_turns=2"


@case("agenda_place")
async def _agenda_place(driven: Driven, key: str) -> None:
    driven.app.classroom.agenda = parse_agenda("paris\n" * 9, "agenda")
    await driven.press("escape", key)
    assert driven.stepper.session.scenario.name == "paris"
    driven.app.classroom.agenda = parse_agenda(AGENDA, "agenda")
    await put_beside(driven)
    await driven.press(key)
    known = int(key) <= 2
    said = driven.app.texts("screen.agenda.no_place", number=key)
    assert (driven.name == "StepperScreen") if known else (said in driven.text)


@case("blank")
async def _blank(driven: Driven, key: str) -> None:
    await driven.press(key)
    assert not driven.text.strip()
    await driven.press("right")
    assert driven.place == "start"


@case("shuffle")
async def _shuffle(driven: Driven, key: str) -> None:
    await driven.press(key)
    lines = shuffled(driven).shuffle.lines
    assert sorted(lines) == sorted(ordered_lines("agent_loop"))
    assert tuple(lines) != ordered_lines("agent_loop")


@case("above", "below")
async def _lines(driven: Driven, key: str) -> None:
    await driven.press("S")
    shuffle = shuffled(driven).shuffle
    shuffle.at, line = 3, shuffle.lines[3]
    await driven.press(key)
    there = 4 if key in ("down", "j") else 2
    assert shuffle.at == there
    assert shuffle.lines[3] == line
    shuffle.at = 3
    await driven.press("space", key)
    assert shuffle.lines[there] == line


@case("hold")
async def _hold(driven: Driven, key: str) -> None:
    await driven.press("S", key)
    assert shuffled(driven).shuffle.held
    await driven.press(key)
    assert not shuffled(driven).shuffle.held


@case("put")
async def _put(driven: Driven, key: str) -> None:
    await driven.press("S")
    shuffle = shuffled(driven).shuffle
    shuffle.at, line = 4, shuffle.lines[4]
    await driven.press(key)
    there = (int(key) or 10) - 1
    assert (shuffle.at, shuffle.lines[there]) == (there, line)


@case("run_lines")
async def _run_lines(driven: Driven, key: str) -> None:
    await driven.press("S", key)
    unreadable = driven.app.texts("screen.shuffle.unreadable", line=3, error="")
    assert unreadable in driven.text
    await driven.press("escape")
    screen = await ran(driven, key)
    assert screen.shuffle.solved
    assert driven.app.texts("screen.shuffle.right") in driven.text
    assert driven.app.progress.page("six-mistakes", "in-order").solved


@case("result_before", "result_after")
async def _results(driven: Driven, key: str) -> None:
    screen = await ran(driven)
    screen.shuffle.chosen = 1
    await driven.press(key)
    assert screen.shuffle.chosen == (2 if key in ("right", "l") else 0)
    await driven.press("v")
    both = compared(driven).beside
    assert both.right.scenario.name == ("paris" if screen.shuffle.chosen == 2 else "aurora-run")
    assert both.parting is None
    await driven.press("escape", "e", "end", "escape")
    shuffled(driven)
    written = screen._folder
    assert written is not None
    await driven.press("escape")
    assert not Path(written.name).exists()


@case("first_wrong")
async def _first_wrong(driven: Driven, key: str) -> None:
    await driven.press("S", "7", key)
    assert driven.app.texts("screen.shuffle.first_wrong", line=1) in driven.text
    shuffled(driven).shuffle.lines[:] = ordered_lines("agent_loop")
    await driven.press(key)
    assert driven.app.texts("screen.shuffle.in_order") in driven.text


@case("again")
async def _again(driven: Driven, key: str) -> None:
    await driven.press("S")
    shuffle = shuffled(driven).shuffle
    before = list(shuffle.lines)
    await driven.press("7", "down", key)
    assert (shuffle.lines, shuffle.at) == (before, 0)
