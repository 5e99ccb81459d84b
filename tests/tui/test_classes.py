"""For classes: hidden explanations, polls, the agenda, shuffled lines; and the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.cases_beside import ran, shuffled
from tests.tui.screens import opened
from visualizer.app.agenda import parse_agenda, read_agenda
from visualizer.app.classroom import Classroom
from visualizer.app.glyphs import ASCII
from visualizer.app.lesson_session import LessonSession
from visualizer.app.opening import AtTheCap, Comparison, Home, Look, OneRun, Opening, Shuffled
from visualizer.app.shuffle import Shuffle
from visualizer.cli import commands, compare_command
from visualizer.cli import main as cli
from visualizer.engine import replay
from visualizer.i18n import texts
from visualizer.lessons.files import load_lesson
from visualizer.lessons.predict import predict
from visualizer.lessons.puzzle import SCENARIOS, ordered_lines
from visualizer.loading import load_transcript
from visualizer.text import cells
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.segments import plain
from visualizer.tui.poll.painter import poll
from visualizer.tui.puzzle.painter import shuffle_screen
from visualizer.tui.puzzle.screen import ShuffleScreen

SIZES = [(60, 20), (80, 24), (120, 36), (140, 45)]


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_explanations_wait_for_enter(size: tuple[int, int]) -> None:
    """In instructor mode a step says its phase; Enter explains it, and again hides it."""
    async with opened(at="end", max_turns=2, size=size, classroom=Classroom(on=True)) as driven:
        assert "RETURNED   None" in driven.text
        assert "the model said" not in driven.text
        await driven.press("enter")
        assert "the model said" in driven.text
        await driven.press("left", "right")
        assert "the model said" in driven.text  # what was shown stays shown
        await driven.press("enter")
        assert "the model said" not in driven.text


async def test_notes_are_hidden_with_the_explanation() -> None:
    """The author's remark is an explanation, too."""
    async with opened(at="t0.execute", size=(120, 36), classroom=Classroom(on=True)) as driven:
        assert "novelist's year" not in driven.text
        await driven.press("R")
        assert "novelist's year" in driven.text


async def test_a_lesson_can_be_taught() -> None:
    """In a lesson the sentence waits for R, since Enter goes on; the agenda leads away and back."""
    agenda = parse_agenda("paris@end | One call\n", "agenda")
    async with opened(None, classroom=Classroom(True, agenda)) as driven:
        session = LessonSession.open(load_lesson("the-loop"), driven.app.progress, "once-round")
        driven.app.open_lesson(session)
        await driven.pilot.pause()
        said = driven.app.texts("screen.veiled_elsewhere")
        assert said in driven.text
        await driven.press("R")
        assert said not in driven.text
        await driven.press("a", "enter")
        assert driven.stepper.session.locator == "paris@end"
        await driven.press("escape")
        assert driven.name == "LessonScreen"


async def test_v_opens_the_two_runs_of_a_page() -> None:
    """Not while its question waits; then on a screen of their own, and back to the page."""
    async with opened(None) as driven:
        lesson = load_lesson("six-mistakes")
        page = next(page for page in lesson.pages if page.beside is not None and page.asks)
        session = LessonSession.open(lesson, driven.app.progress, page.id)
        driven.app.open_lesson(session)
        await driven.press("v")
        assert driven.name == "LessonScreen"
        session.doing = "read"
        before = session.session.index
        await driven.press("v", "end")
        assert driven.name == "CompareScreen"
        await driven.press("escape")
        assert driven.name == "LessonScreen"
        assert session.session.index == before


async def test_digits_open_the_agenda_from_the_stepper() -> None:
    """A digit opens its place, with its cap; an unknown scenario's error is said."""
    agenda = parse_agenda("paris | One call\naurora-run@t1.check,max_turns=2\n", "agenda")
    async with opened(classroom=Classroom(agenda=agenda)) as driven:
        await driven.press("2")
        assert driven.stepper.session.locator == "aurora-run@t1.check,max_turns=2"
        await driven.press("1")
        assert driven.stepper.session.scenario.name == "paris"
        await driven.press("9")
        assert "no place 9" in driven.text


async def test_the_agenda_shows_no_folder(tmp_path: Path) -> None:
    """A file of the instructor's is listed by its name, not by where it is."""
    file = tmp_path / "mine.json"
    shipped = Path(__file__).parent.parent.parent / "transcripts" / "paris.json"
    file.write_bytes(shipped.read_bytes())
    listed = tmp_path / "agenda.txt"
    listed.write_text(f"{file}\n{file}@end | The end\n", encoding="utf-8")
    async with opened(classroom=Classroom(agenda=read_agenda(listed))) as driven:
        await driven.press("a")
        assert "mine.json@end" in driven.text
        assert str(tmp_path) not in driven.text
        await driven.press("2")
        await driven.press("escape")
        assert driven.name == "StepperScreen"


async def test_a_poll_needs_a_question() -> None:
    """Where the next step can't be asked for, the stepper says so."""
    async with opened(at="t0.execute") as driven:
        await driven.press("P")
        assert driven.name == "StepperScreen"
        assert "nothing to ask" in driven.text


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", SIZES)
def test_polls_fill_the_screen(size: tuple[int, int], language: str) -> None:
    """Every question, revealed or not, marked or not, in lines as wide as the screen."""
    said = texts(language)
    width, height = size
    for name in ("aurora-run", "two-birth-years", "truncated"):
        run = replay(load_transcript(name))
        for index in range(1, len(run.steps) + 1):
            question = predict(run, index, said)
            if question is None:
                continue
            foot = footer("poll", said, ASCII, width, 1)
            for marked, revealed in ((None, False), (0, False), (1, True)):
                painted = poll(question, marked, revealed, said, foot, width, height)
                sizes = [cells(plain(item)) for item in painted.lines]
                assert sizes == [width] * height
                shown = "\n".join(map(plain, painted.lines))
                assert (said("screen.poll.right") in shown) is revealed


def test_an_order_that_is_no_python_is_said_to_be_none() -> None:
    """The first line that can't be read is named; the disorder of the beginning is one."""
    shuffle = Shuffle("agent_loop")
    problem = shuffle.problem()
    assert problem is not None
    assert problem[0] == 3
    assert Shuffle("agent_loop", list(ordered_lines("agent_loop"))).problem() is None


def test_the_shuffle_is_always_the_same() -> None:
    """Two readers get the same disorder."""
    assert Shuffle("agent_loop").lines == Shuffle("agent_loop").lines
    assert Shuffle("agent_loop").page() == ("six-mistakes", "in-order")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_shuffled_lines_fill_the_screen(language: str) -> None:
    """Before, while and after running: lines as wide as the screen, the chosen line in sight."""
    said = texts(language)
    lines = list(ordered_lines("agent_loop"))
    wrong = Shuffle("agent_loop", [lines[0], lines[2], lines[1], *lines[3:]])
    wrong.results = list(wrong.judged("mine"))
    wrong.tried = True
    unreadable = Shuffle("agent_loop")
    unreadable.tried = True
    running = Shuffle("agent_loop", lines)
    running.running = True
    for shuffle in (wrong, unreadable, running, Shuffle("production")):
        for width, height in SIZES:
            foot = footer("shuffle", said, ASCII, width, 1)
            for at in range(len(shuffle.lines)):
                shuffle.at = at
                painted = shuffle_screen(shuffle, said, ASCII, foot, width, height)
                shown = [plain(item) for item in painted.lines]
                assert [cells(item) for item in shown] == [width] * height
                assert any(shuffle.lines[at].strip()[:30] in item for item in shown)
    assert not wrong.solved


async def test_a_wrong_order_is_run_and_compared() -> None:
    """Each recording shows both outcomes; the first that differs is chosen, and compared by v."""
    async with opened() as driven:
        await driven.press("S")
        screen = shuffled(driven)
        lines = list(ordered_lines("agent_loop"))
        screen.shuffle.lines[:] = [*lines[:2], *lines[5:9], *lines[2:5], lines[9]]
        await driven.press("enter")
        await driven.app.workers.wait_for_complete()
        await driven.pilot.pause()
        assert [one.verdict.scenario for one in screen.shuffle.results] == list(SCENARIOS)
        assert "request_refused" in driven.text
        assert "other steps" in driven.text
        await driven.press("v")
        assert "THEY PART HERE" in driven.text
        await driven.press("escape", "e", "end")
        assert driven.stepper.session.run.terminal_reason == "request_refused"
        await driven.press("-")
        await driven.app.workers.wait_for_complete()
        await driven.pilot.pause()
        assert driven.stepper.session.run.max_turns == 9
        await driven.press("escape", "space", "down")
        assert screen.shuffle.results == []


async def test_a_solved_order_is_told_to_who_asked() -> None:
    """A lesson that opens the shuffled lines hears of the order that is right."""
    found: list[tuple[str, ...]] = []
    async with opened() as driven:
        driven.app.push_screen(ShuffleScreen("agent_loop", found.append))
        await driven.pilot.pause()
        shuffled(driven).shuffle.lines[:] = ordered_lines("agent_loop")
        await driven.press("enter")
        await driven.app.workers.wait_for_complete()
        await driven.pilot.pause()
    assert found == [ordered_lines("agent_loop")]


async def test_a_move_while_it_runs_drops_what_comes_back() -> None:
    """Results of an order that has been changed since are not shown for the new one."""
    async with opened() as driven:
        await driven.press("S")
        screen = shuffled(driven)
        screen.shuffle.lines[:] = ordered_lines("agent_loop")
        await driven.press("enter", "3")
        await driven.app.workers.wait_for_complete()
        await driven.pilot.pause()
        assert screen.shuffle.results == []
        assert not screen.shuffle.running


async def test_lines_can_be_clicked() -> None:
    """A click chooses a line, a second takes it; a click on a recording chooses it."""
    async with opened() as driven:
        screen = await ran(driven)
        await driven.click("results = []")
        assert screen.shuffle.at == 5
        await driven.click("results = []")
        assert screen.shuffle.held
        await driven.press("space")
        await driven.click("paris")
        assert screen.shuffle.chosen == 2


def test_the_command_line_opens_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """compare, --text, --instructor and --shuffle, on a terminal."""
    from visualizer.tui import app

    asked: list[object] = []

    def run_app(opening: Opening, look: Look, classroom: Classroom, progress: object) -> int:
        asked.append((opening, classroom.on))
        return 0

    monkeypatch.setattr(app, "run_app", run_app)
    for one in (commands, compare_command):
        monkeypatch.setattr(one, "on_a_terminal", lambda: True)
    for arguments, wanted in CALLS:
        with pytest.raises(SystemExit) as left:
            cli.main([*arguments, "--lang", "en"])
        assert left.value.code == 0
        assert asked == wanted
        asked.clear()


SIDES = ((None, 10), ("forgets", 2))
CALLS: list[tuple[list[str], list[object]]] = [
    (
        ["compare", "aurora-run", "--loop", "forgets", "--max-turns", "10", "--max-turns", "2"],
        [(Comparison("aurora-run", SIDES), False)],
    ),
    (
        ["compare", "aurora-run", "--caps", "--max-turns", "2"],
        [(AtTheCap("aurora-run", (), (2,)), False)],
    ),
    (["compare", "aurora-run", "--caps", "--text"], []),
    (["compare", "aurora-run", "--loop", "forgets", "--text"], []),
    (["compare", "aurora-run", "--loop", "forgets", "--json"], []),
    (["open", "paris", "--instructor"], [(OneRun("paris"), True)]),
    (["lesson", "--shuffle"], [(Shuffled(), False)]),
    (["--instructor"], [(Home(), True)]),
]


def test_without_a_terminal_shuffled_lines_are_no_text() -> None:
    """Piped, lesson --shuffle says that it needs a terminal."""
    with pytest.raises(SystemExit) as left:
        cli.main(["lesson", "--shuffle"])
    assert left.value.code == 2
