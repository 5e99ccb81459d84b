"""``-``: a recording that is piped in, read by every command; keys come from the terminal."""

from __future__ import annotations

import io
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.made import answer, transcript
from tests.made_outside import small_session
from tests.test_cli import call, complaint
from visualizer.cli import commands, piped
from visualizer.files import reading
from visualizer.tui import app as app_module

Output = pytest.CaptureFixture[str]
Pipe = Callable[[bytes], None]
OWN = json.dumps(transcript(answer("fin"))).encode()

# The terminal becomes the one that controls the program, as it is in a shell.
IN_A_TERMINAL = (
    "import fcntl, os, sys, termios\n"
    "fcntl.ioctl(1, termios.TIOCSCTTY, 0)\n"
    "os.execv(sys.executable, [sys.executable, '-m', 'visualizer', *sys.argv[1:]])\n"
)


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VISUALIZER_LANG", "en")
    monkeypatch.setenv("VISUALIZER_PROGRESS", str(tmp_path / "progress.json"))


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Pipe:
    """Puts bytes into standard input."""

    def put(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


def test_run_reads_what_is_piped_in(capsys: Output, pipe: Pipe) -> None:
    """Our own transcripts and other programs' recordings; the file is called ``-``."""
    pipe(OWN)
    assert call("run", "-", "--json") == 0
    assert json.loads(capsys.readouterr().out)["result"] == "fin"
    pipe(small_session().text())
    assert call("run", "-", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["file"], found["format"]) == ("-", "claude-code")
    assert found["runs"][0]["result"] == "Whitby."


def test_a_scenario_that_refers_to_another_is_piped_in(capsys: Output, pipe: Pipe) -> None:
    """The recording it names is found by its name."""
    pipe(Path("transcripts/aurora-run-cutoff.json").read_bytes())
    assert call("run", "-", "--json") == 0
    assert json.loads(capsys.readouterr().out)["terminal_reason"] == "max_turns"


def test_check_and_convert_read_it_too(capsys: Output, pipe: Pipe) -> None:
    """``check -`` judges it beside files, ``convert -`` writes it as a transcript."""
    pipe(OWN)
    assert call("check", "-") == 0
    pipe(b"{")
    assert call("check", "-", "transcripts/paris.json") == 1
    assert capsys.readouterr().out.startswith("-: ")
    pipe(small_session().text())
    assert call("convert", "-") == 0
    pipe(capsys.readouterr().out.encode())
    assert call("run", "-", "--json") == 0
    assert json.loads(capsys.readouterr().out)["result"] == "Whitby."


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "nothing came in"),
        (b" \n", "nothing came in"),
        (b"\xff\xfe{\x00", "UTF-16"),
        (b"hello", "is not a recording"),
        (b"x" * 200, "at most 100 bytes"),
    ],
)
@pytest.mark.parametrize("command", ["run", "convert"])
def test_what_can_not_be_used_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
    pipe: Pipe,
    command: str,
    data: bytes,
    words: str,
) -> None:
    """The same refusals as for a file, under the name of standard input, in both languages."""
    monkeypatch.setattr(reading, "MAX_BYTES", 100)
    pipe(data)
    said = complaint(capsys, command, "-")
    assert said.startswith("standard input: ")
    assert words in said
    pipe(data)
    assert complaint(capsys, command, "-", "--lang", "ja").startswith("標準入力: ")


def test_without_any_standard_input_nothing_came_in(
    monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    """A program that was started with it closed."""
    monkeypatch.setattr(sys, "stdin", None)
    assert "nothing came in" in complaint(capsys, "run", "-")


@pytest.mark.parametrize("command", ["open", "run", "check", "convert"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_terminal_is_no_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: Output, command: str, language: str
) -> None:
    """Nobody types a recording: one line says how a file is piped in."""
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    assert f"| visualizer {command} -" in complaint(capsys, command, "-", "--lang", language)


def test_a_file_of_that_name_is_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: Output, tmp_path: Path
) -> None:
    """``./-`` is the file called ``-``, as everywhere."""
    monkeypatch.chdir(tmp_path)
    Path("-").write_bytes(OWN)
    assert call("run", "./-", "--json") == 0
    assert json.loads(capsys.readouterr().out)["result"] == "fin"


def test_open_without_a_screen_names_run(capsys: Output, pipe: Pipe) -> None:
    """Where nothing can be drawn, the command that prints the same is named."""
    pipe(OWN)
    said = complaint(capsys, "open", "-", "--run", "main", "--max-turns", "2")
    assert '"visualizer run - --max-turns 2 --run main"' in said


@pytest.mark.parametrize("language", ["en", "ja"])
def test_open_without_a_keyboard_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: Output, pipe: Pipe, language: str
) -> None:
    """A job that has no terminal ends with 1, before anything is read."""

    def none() -> Callable[[], None]:
        raise OSError(6, "No such device or address")

    monkeypatch.setattr(piped, "screen_there", lambda: True)
    monkeypatch.setattr(piped, "terminal_keyboard", none)
    pipe(OWN)
    assert call("open", "-", "--lang", language) == 1
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert "visualizer run -" in captured.err
    assert sys.stdin.buffer.read() == OWN


def test_open_hands_on_what_was_piped_in(
    monkeypatch: pytest.MonkeyPatch, capsys: Output, pipe: Pipe
) -> None:
    """The screen is given the recording, once the keyboard has taken the pipe's place."""
    seen: list[Any] = []
    monkeypatch.setattr(piped, "screen_there", lambda: True)
    monkeypatch.setattr(piped, "terminal_keyboard", lambda: lambda: seen.append("keys"))
    monkeypatch.setattr(app_module, "run_app", lambda opening, *_: seen.append(opening))
    monkeypatch.setattr(commands, "on_a_terminal", lambda: False)
    pipe(small_session().text())
    call("open", "-", "--max-turns", "3", "--at", "end")
    keys, opening = seen
    scenario = opening.scenario
    assert (keys, scenario.name, scenario.outside.format) == ("keys", "-", "claude-code")
    assert (opening.max_turns, opening.at) == (3, "end")
    assert "reading standard input" in capsys.readouterr().err


@contextmanager
def in_a_terminal(*arguments: str, data: bytes) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The program with a pipe for standard input, in a terminal of its own; and its other end."""
    import pty

    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(
        [sys.executable, "-c", IN_A_TERMINAL, *arguments],
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env=env,
    ) as process:
        os.close(theirs)
        assert process.stdin is not None
        process.stdin.write(data)
        process.stdin.close()
        try:
            yield process, ours
        finally:
            process.kill()
            os.close(ours)


def seen_until(terminal: int, words: bytes) -> bool:
    """Whether ``words`` come out of a terminal, before the program ends or a minute is over."""
    deadline, seen = time.monotonic() + 60, b""
    while words not in seen and time.monotonic() < deadline:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # how Linux tells that the other end is closed
            return False
        if not piece:
            return False
        seen += piece
    return words in seen


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_keys_come_from_the_terminal() -> None:
    """``cat FILE | visualizer open -`` draws, steps on a key and ends on another."""
    with in_a_terminal("open", "-", data=small_session().text()) as (process, terminal):
        assert seen_until(terminal, b"START")
        os.write(terminal, b"l")
        assert seen_until(terminal, b"CALL")
        os.write(terminal, b"q")
        assert not seen_until(terminal, b"never drawn")
        assert process.wait(60) == 0
