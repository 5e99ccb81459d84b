"""However the program ends, its terminal is as it was; and no input keeps it from ending."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from tests.made_outside import small_session
from tests.pseudo_terminal import Job, job, modes

RIGHT = b"\x1b[C"
OPEN = ("open", "aurora-run")
ENTERED = {"1049", "1000", "1003", "1006", "1016", "2004", "2048", "1004", "25", "7", "keyboard 1"}
"""What the program turns on, or off, in a terminal that has all of it."""


@pytest.fixture(autouse=True)
def _own_progress(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VISUALIZER_PROGRESS", str(tmp_path / "progress.json"))


def on_screen(running: Job, *words: bytes) -> None:
    """Wait for the first frame, and for all that the program asks of the terminal."""
    running.until(b"\x1b[?1016h", b"\x1b[?2026l", *words)
    assert set(running.modes) - {"2026"} >= ENTERED
    assert running.attributes != running.before


def given_back(running: Job) -> None:
    """The terminal is as it was before."""
    assert running.modes == []
    assert running.attributes == running.before
    assert b"Traceback" not in running.output


def test_the_modes_are_read_from_what_is_sent() -> None:
    """The terminal of these tests: what was turned on and not off, in each of the two screens."""
    assert modes(b"\x1b[?1000;1003h\x1b[?25l\x1b[?1003lxx") == ["1000", "25"]
    assert modes(b"\x1b[?1049h\x1b[>25u\x1b[?1049l\x1b[<u") == ["keyboard -1", "keyboard 1"]
    assert modes(b"\x1b[?1049h\x1b[>25u\x1b[<u\x1b[?1049l\x1b[?25l\x1b[?25h") == []
    assert modes(b"\x1b=\x1b[2 q") == ["cursor", "keypad"]


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (b"q", 0),
        (b"\x03", 0),
        (signal.SIGINT, 0),
        (signal.SIGTERM, 128 + signal.SIGTERM),
        (signal.SIGHUP, 128 + signal.SIGHUP),
        (signal.SIGQUIT, 128 + signal.SIGQUIT),
    ],
)
def test_every_end_gives_the_terminal_back(end: bytes | signal.Signals, code: int) -> None:
    """Keys and signals: each mode that was entered is left, nothing is printed."""
    with job(*OPEN) as running:
        on_screen(running, b"START")
        if isinstance(end, bytes):
            running.press(end)
        else:
            running.send(end)
        assert running.ended() == code
        given_back(running)


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["lesson", "the-loop"],
        ["lesson", "--shuffle"],
        ["compare", "aurora-run"],
        ["open", "SESSION", "--follow"],
        ["open", "."],
    ],
    ids=" ".join,
)
def test_every_screen_gives_it_back(command: list[str], tmp_path: Path) -> None:
    """Whatever is on the screen when a signal ends the program."""
    session = tmp_path / "session.jsonl"
    session.write_bytes(small_session().text())
    with job(*(str(session) if one == "SESSION" else one for one in command)) as running:
        on_screen(running)
        running.send(signal.SIGTERM)
        assert running.ended() == 143
        given_back(running)


def test_a_file_that_is_being_read(tmp_path: Path) -> None:
    """A signal while a big recording is still coming in."""
    session = tmp_path / "session.jsonl"
    line = b'{"type":"progress","data":"' + b"x" * 500 + b'"}\n'
    session.write_bytes(small_session().text() + line * 40_000)
    with job("open", str(session)) as running:
        on_screen(running, b"%")
        running.send(signal.SIGTERM)
        assert running.ended() == 143
        given_back(running)


@pytest.mark.parametrize("end", [b"q", signal.SIGTERM])
def test_keys_from_the_terminal_and_data_from_a_pipe(end: bytes | signal.Signals) -> None:
    """``open -``, too, gives back the terminal that it opened for its keys."""
    with job("open", "-", data=small_session().text()) as running:
        on_screen(running, b"START")
        if isinstance(end, bytes):
            running.press(end)
        else:
            running.send(end)
        assert running.ended() == (0 if isinstance(end, bytes) else 143)
        given_back(running)


def test_a_signal_while_the_terminal_is_being_taken() -> None:
    """It comes in the middle of what the program asks of the terminal first."""
    with job(*OPEN) as running:
        running.until(b"\x1b[?1049h")
        running.send(signal.SIGTERM)
        assert running.ended() == 143
        given_back(running)


def test_a_terminal_that_is_gone_is_no_error(tmp_path: Path) -> None:
    """The window is closed: the program ends, and has nothing to say."""
    errors = tmp_path / "errors"
    with job(*OPEN, errors=errors) as running:
        on_screen(running, b"START")
        running.close_window()
        assert running.ended() == 129
    assert errors.read_bytes() == b""


def test_a_terminal_that_is_gone_without_a_signal(tmp_path: Path) -> None:
    """As with nohup: there is nobody left to press a key, so it ends all the same."""
    errors = tmp_path / "errors"
    with job(*OPEN, errors=errors, env={"NOHUP": "1"}) as running:
        on_screen(running, b"START")
        running.close_window()
        assert running.ended() == 129
    assert errors.read_bytes() == b""


# Errors of the program. Each is put in by a few lines that run before the program does.

BEFORE = """
import asyncio, sys, threading
from visualizer.tui.commands import NEXT
from visualizer.tui.stepper.screen import StepperScreen as Screen
from visualizer.tui.stepper.steps import Player
from visualizer.tui.terminal.driver import TerminalDriver as Driver

def fail(*_):
    raise ZeroDivisionError("made up")

def on_next(act):
    Player.next = NEXT(lambda self: act(self.screen))
"""
AFTER = """
from visualizer.__main__ import main
main()
"""
FAULTS = {
    "paint": "on_next(lambda screen: setattr(screen, 'paint', fail) or screen.pane.repaint())\n"
    "Screen.__init__, init = lambda self, *a: init(self, *a) or setattr("
    "self.pane, '_paint', lambda w, h: self.paint(w, h)), Screen.__init__",
    "key": "on_next(fail)",
    "thread": "on_next(lambda screen: threading.Thread(target=fail).start())",
    "worker": "on_next(lambda screen: screen.run_worker(fail, thread=True))",
    "callback": "on_next(lambda screen: asyncio.get_running_loop().call_soon(fail))",
    "timer": "on_next(lambda screen: screen.set_timer(0.01, fail))",
    "input": "Driver.process_message, send = lambda self, one: "
    "(fail if type(one).__name__ == 'Key' else send)(self, one), Driver.process_message",
    "mount": "Screen.on_mount = fail",
    "start": "Driver._enable_bracketed_paste = fail",
    "leave": "on_next(lambda screen: screen.app.exit())\nScreen.on_unmount = fail",
    "driver": "on_next(lambda screen: screen.app.exit())\nDriver._disable_line_wrap = fail",
}


def faulty(fault: str) -> list[str]:
    """The program with an error in it."""
    return [sys.executable, "-c", BEFORE + FAULTS[fault] + AFTER]


@pytest.mark.parametrize("fault", list(FAULTS))
def test_an_error_gives_the_terminal_back_and_is_told_in_a_line(fault: str) -> None:
    """Wherever it happens: the terminal first, then one line about it, exit code 2."""
    with job(*OPEN, command=faulty(fault)) as running:
        running.until(b"\x1b[?1049h")
        if fault not in ("mount", "start", "driver"):
            running.until(b"START")
        running.press(RIGHT)
        assert running.ended() == 2
        given_back(running)
        left, told = running.output.rsplit(b"\x1b[?1049l", 1)
        assert b"unexpected error" not in left
        assert told.count(b"unexpected error (ZeroDivisionError: made up)") == 1
        assert told.count(b"\n") == 1


def test_an_error_in_full() -> None:
    """With ``VISUALIZER_DEBUG`` the traceback comes, when the terminal is back."""
    with job(*OPEN, command=faulty("key"), env={"VISUALIZER_DEBUG": "1"}) as running:
        on_screen(running, b"START")
        running.press(RIGHT)
        assert running.ended() == 1
        assert running.modes == []
        assert running.attributes == running.before
        assert b"Traceback" in running.output.rsplit(b"\x1b[?1049l", 1)[1]


def test_a_program_that_is_busy_ends_all_the_same() -> None:
    """A signal does not wait for a computation that has no end."""
    busy = "def busy(screen):\n while True: pass\non_next(busy)"
    with job(*OPEN, command=[sys.executable, "-c", BEFORE + busy + AFTER]) as running:
        on_screen(running, b"START")
        running.press(RIGHT)
        running.send(signal.SIGTERM)
        assert running.ended() == 143
        given_back(running)


def test_standard_error_may_go_elsewhere(tmp_path: Path) -> None:
    """``2>file``: the screen is drawn, and an error is told in the file."""
    errors = tmp_path / "errors"
    with job(*OPEN, command=faulty("key"), errors=errors) as running:
        on_screen(running, b"START")
        running.press(RIGHT)
        assert running.ended() == 2
        given_back(running)
    assert errors.read_bytes().startswith(b"visualizer: unexpected error (ZeroDivisionError")


# Input that is none.

NO_INPUT = {
    "mouse far to the right": b"\x1b[M" + bytes([67, 152, 42]),
    "mouse near": b"\x1b[M" + b" q!",
    "half a mouse report": b"\x1b[M\x98",
    "no UTF-8": b"\xff\xfe\x98",
    "the start of a character": "あ".encode()[:1],
    "a title without end": b"\x1b]0;qqqq",
    "a string without end": b"\x1bPqqqq",
    "an answer": b"\x1b[?62;22c",
    "half a sequence": b"\x1b[1;",
    "a character that is none": b"\x1b[99999999999;1u\x1b[:u",
    "a window of no size": b"\x1b[48;0;0;0;0t\x1b[<35;3;3M",
    "a paste without end": b"\x1b[200~qqqq",
}


@pytest.mark.parametrize("noise", list(NO_INPUT))
def test_no_input_stops_the_keyboard(noise: str) -> None:
    """After bytes that are no input a key still works, and so does q."""
    with job(*OPEN) as running:
        on_screen(running, b"START")
        running.press(NO_INPUT[noise])
        start = len(running.output)
        for _ in range(20):
            # What comes too soon after a paste without end belongs to it.
            running.press(RIGHT)
            try:
                running.until(b"CALL", since=start, seconds=3)
            except TimeoutError:
                continue
            break
        running.press(b"q")
        assert running.ended() == 0
        given_back(running)


def test_a_forgotten_encoding_of_the_mouse_is_asked_for_again() -> None:
    """A terminal that was rebuilt reports the mouse the old way until it is told once more."""
    with job(*OPEN) as running:
        on_screen(running, b"START")
        start = len(running.output)
        running.press(b"\x1b[M" + bytes([67, 152, 42]))
        running.until(b"\x1b[?1003h", b"\x1b[?1006h", since=start)
        running.press(b"q")
        assert running.ended() == 0
        given_back(running)


# Job control.

STOPS = {
    "Ctrl+Z": lambda running: running.press(b"\x1a"),
    "Ctrl+Z of a Kitty keyboard": lambda running: running.press(b"\x1b[122;5u"),
    "Ctrl+Z in a line that is typed": lambda running: running.press(b"/ab\x1a"),
    "Ctrl+Z in the help": lambda running: running.press(b"?\x1a"),
    "a signal": lambda running: running.send(signal.SIGTSTP),
}


def suspended(running: Job) -> int:
    """Stopped by Ctrl+Z, with the terminal given back; the bytes written so far."""
    on_screen(running, b"START")
    running.press(b"\x1a")
    running.told("stopped")
    running.until_left()
    return len(running.output)


@pytest.mark.parametrize("stop", list(STOPS))
def test_a_job_stops_and_goes_on(stop: str) -> None:
    """The shell has the terminal as it was; ``fg`` paints again, at the size of now."""
    with job(*OPEN) as running:
        on_screen(running, b"START")
        STOPS[stop](running)
        running.told("stopped")
        running.until_left()
        given_back(running)
        running.resize(100, 30)
        start = len(running.output)
        running.answer_shell(b"fg")
        running.until(b"\x1b[?1049h", b"\x1b[30;1H", since=start)
        running.send(signal.SIGTERM)
        assert running.ended() == 143
        given_back(running)


def test_in_the_background_there_is_nothing_to_show() -> None:
    """``bg`` stops it again before it touches the terminal; ``fg`` still goes on."""
    with job(*OPEN) as running:
        start = suspended(running)
        running.answer_shell(b"bg")
        running.told("stopped")
        assert running.output[start:] == b""
        given_back(running)
        running.answer_shell(b"fg")
        running.until(b"\x1b[?1049h", b"START", since=start)
        running.press(b"q")
        assert running.ended() == 0
        given_back(running)


def test_a_job_that_has_stopped_can_be_ended() -> None:
    """``kill`` of a stopped job: the terminal is the shell's and is not touched."""
    with job(*OPEN) as running:
        start = suspended(running)
        running.send(signal.SIGTERM)
        running.answer_shell(b"bg")
        assert running.ended() == 143
        assert running.output[start:] == b""
        given_back(running)


@pytest.mark.parametrize("stops", [1, 3])
def test_stopped_by_a_signal_that_can_not_be_caught(stops: int) -> None:
    """SIGSTOP and SIGCONT: the screen is painted again, and the end gives the terminal back."""
    with job(*OPEN) as running:
        on_screen(running, b"START")
        for _ in range(stops):
            running.send(signal.SIGSTOP)
            running.told("stopped")
            start = len(running.output)
            running.answer_shell(b"fg")
            running.until(b"\x1b[?1049h", b"START", since=start)
        running.press(b"q")
        assert running.ended() == 0
        given_back(running)


def test_without_a_shell_it_does_not_stop() -> None:
    """In a terminal of its own nothing would continue it: it says so, and goes on."""
    with job(*OPEN, alone=True) as running:
        on_screen(running, b"START")
        running.press(b"\x1a")
        running.until(b"no shell here")
        running.press(b"q")
        assert running.ended() == 0
        given_back(running)


def test_progress_is_kept(tmp_path: Path) -> None:
    """What a learner has done is in the file after a signal, as after any other end."""
    file = tmp_path / "progress.json"
    with job("lesson", "the-loop", env={"VISUALIZER_PROGRESS": str(file)}) as running:
        on_screen(running)
        start = len(running.output)
        running.press(b"\x1b[6~")
        running.until(b"\x1b[?2026l", since=start)
        running.send(signal.SIGTERM)
        assert running.ended() == 143
        given_back(running)
    assert '"the-loop"' in file.read_text(encoding="utf-8")


def test_a_command_that_draws_nothing_leaves_signals_alone() -> None:
    """``run`` ends as any program does: only screens have something to give back."""
    script = (
        "import atexit, signal, sys\n"
        "from visualizer.cli.main import main\n"
        "numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP)\n"
        "before = [signal.getsignal(one) for one in numbers]\n"
        "atexit.register(lambda: print([signal.getsignal(one) for one in numbers] == before,"
        " file=sys.stderr))\n"
        "main(['run', 'paris'])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stderr == b"True\n"
