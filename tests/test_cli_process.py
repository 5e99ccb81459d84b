"""The program as a process: start-up, odd consoles, closed pipes, interrupts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import made
from tests.made_outside import Session

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX only")


def program(
    *arguments: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The program, run to its end as its own process."""
    return subprocess.run(
        [sys.executable, "-m", "visualizer", *arguments],
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=60,
        env={**os.environ, "VISUALIZER_LANG": "en", **(env or {})},
    )


@pytest.mark.parametrize("command", [["run", "paris"], ["list"], ["check"], ["--help"]])
def test_only_the_screens_import_textual(command: list[str]) -> None:
    """No command that draws nothing imports Textual, Rich or the screens."""
    script = (
        "import sys, atexit\n"
        "from visualizer.cli.main import main\n"
        "heavy = ('textual', 'rich', 'visualizer.tui')\n"
        "atexit.register(lambda: print([m for m in sys.modules if m.startswith(heavy)],"
        " file=sys.stderr))\n"
        f"main({command!r})\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stderr.splitlines()[-1] == b"[]"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp932", "utf-16"])
@pytest.mark.parametrize(
    "command", [["run", "aurora-run"], ["list"], ["--help"], ["run", "あ", "--max-turns", "2"]]
)
def test_consoles_that_are_not_utf8(encoding: str, command: list[str]) -> None:
    """Japanese on a console that can't show it becomes escapes; nothing is raised."""
    env = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = program(*command, "--lang", "ja", env=env)
    assert b"Traceback" not in done.stderr
    assert done.returncode == (2 if "あ" in command else 0)
    assert done.stdout or done.stderr


DOCUMENTS = [
    ["convert", "SESSION"],
    ["run", "SESSION", "--json"],
    ["run", "SESSION", "--events", "--json"],
    ["list", "--json"],
    ["schema"],
    ["handout", "the-loop", "--lang", "ja"],
]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16"])
@pytest.mark.parametrize("command", DOCUMENTS, ids=" ".join)
def test_documents_are_utf8_wherever_they_go(
    encoding: str, command: list[str], tmp_path: Path
) -> None:
    """What is a file of its own is the same whatever a console's code page is."""
    session = Session()
    session.user("Gr\u00f6\u00dfe? \u65e5\u672c")
    session.reply("m1", made.text_block("\u00dcber \u2014 \u65e5\u672c"))
    path = tmp_path / "session.jsonl"
    path.write_bytes(session.text())
    named = [str(path) if one == "SESSION" else one for one in command]
    done = program(*named, env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == program(*named, env={"PYTHONUTF8": "1"}).stdout
    assert b"\r" not in done.stdout
    text = done.stdout.decode("utf-8")
    if command[0] == "convert":
        assert "\u00dcber \u2014 \u65e5\u672c" in text
        again = tmp_path / "again.json"
        again.write_bytes(done.stdout)
        assert program("check", str(again)).returncode == 0


def test_the_c_locale() -> None:
    """``LC_ALL=C`` without any coercion to UTF-8 prints escapes."""
    env = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "VISUALIZER_LANG": "ja"}
    done = program("run", "paris", env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()


@posix
def test_hostile_file_names(tmp_path: Path) -> None:
    """A file name with control characters or broken UTF-8 is shown harmless by every command."""
    folder = os.fsencode(tmp_path)
    data = json.dumps(made.transcript(made.answer())).encode()
    for name in (b"\x1b]0;x\x07.json", b"\xff\xfe.json", "\u202e.json".encode()):
        path = Path(os.fsdecode(folder + b"/" + name))
        path.write_bytes(data)
        for command in (["run", str(path)], ["run", str(path), "--json"], ["check", str(path)]):
            done = program(*command)
            assert done.returncode == 0, done.stderr
            assert not any(byte in done.stdout for byte in b"\x1b\x07\xff")
        path.write_bytes(b"{")
        for command in (["run", str(path)], ["check", str(path)], ["check", str(tmp_path)]):
            done = program(*command)
            assert done.returncode in (1, 2)
            shown = done.stdout + done.stderr
            assert shown.count(b"\n") == 1
            assert not any(byte in shown for byte in b"\x1b\x07\xff")
            assert "\u202e".encode() not in shown
        path.unlink()


@posix
def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    """When the reader goes away, the program ends quietly and finds no problem in that."""
    turns = [made.round_of(f"t{number}") for number in range(2_000)]
    path = made.write(tmp_path / "long.json", made.transcript(*turns, made.answer()))
    for option in ([], ["--json"]):
        with subprocess.Popen(
            [sys.executable, "-m", "visualizer", "run", str(path), "--max-turns", "3000", *option],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.readline()
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(30) == 0


@posix
def test_no_stdout_at_all() -> None:
    """With stdout closed from the start nothing is raised."""
    script = f"exec >&-; {sys.executable} -m visualizer run paris"
    done = subprocess.run(["sh", "-c", script], capture_output=True, check=False)
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line() -> None:
    """What can't be written is said in one line, with exit code 2."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "visualizer", "run", "paris"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"visualizer: ")
    assert done.stderr.count(b"\n") == 1


@posix
def test_an_interrupt_ends_with_130(tmp_path: Path) -> None:
    """Ctrl+C ends the program at once and without a traceback."""
    loop = tmp_path / "slow.py"
    started = tmp_path / "started"
    loop.write_text(
        "import pathlib, time\n\n\n"
        "def slow(model, tools, messages):\n"
        f"    pathlib.Path({str(started)!r}).touch()\n"
        "    time.sleep(60)\n",
        encoding="utf-8",
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "visualizer", "run", "paris", "--loop", str(loop)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + 30
    while not started.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert b"Traceback" not in errors
    assert process.returncode == 130


def test_an_interrupt_while_the_program_loads_ends_with_130() -> None:
    """Ctrl+C before the first line of the command line has been read is no traceback either."""
    script = (
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'visualizer.describe.plain':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from visualizer.__main__ import main\n"
        "main()\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_open_without_a_terminal() -> None:
    """``open`` into a pipe says what to use instead, in one line."""
    done = program("open", "aurora-run")
    assert done.returncode == 2
    assert done.stderr == b'visualizer: this is not a terminal: use "visualizer run aurora-run"\n'
