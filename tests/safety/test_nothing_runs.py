"""No way into the program runs, reads or writes what a file would like it to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.safety.hostile import EXECUTED, write_all
from tests.safety.watch import CANARY, Watch
from visualizer.formats import format_names

ROOT = Path(__file__).parents[2]
WAYS = {
    *("command run", "command run -", "command check", "command convert", "command compare"),
    *("command list", "command check lesson", "command handout", "library"),
    *("screen", "following", "folder", "home", "agenda", "lesson", "progress"),
}


def test_all_ways_in_over_hostile_files_run_nothing(tmp_path: Path) -> None:
    """Commands, library and screens: no code, no process, no connection, no file elsewhere."""
    folder, state = tmp_path / "folder", tmp_path / "state"
    state.mkdir()
    write_all(folder)
    before = sorted(tmp_path.rglob("*"))
    environment = {
        **os.environ,
        **dict.fromkeys(("HOME", "USERPROFILE", "XDG_DATA_HOME", "APPDATA"), str(state)),
        **dict.fromkeys(("LOCALAPPDATA", "TMPDIR", "TEMP", "TMP"), str(state)),
        "PYTHONPATH": str(ROOT),
        "VISUALIZER_TRANSCRIPTS": str(folder),
    }
    command = [sys.executable, "-P", "-m", "tests.safety.walk", str(folder), str(state)]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    told = json.loads((state / "walk.json").read_text(encoding="utf-8"))
    assert told["seen"] == [], done.stderr.decode()[-2000:]
    assert set(told["done"]) >= WAYS
    assert set(told["formats"]) == {"own", *format_names()}
    after = [path for path in sorted(tmp_path.rglob("*")) if not path.is_relative_to(state)]
    assert [path for path in after if path not in before] == []
    assert not list(tmp_path.rglob(f"*{EXECUTED}*"))


SEEN = {
    "a process": ("subprocess.Popen", ("sh", [CANARY], None, None)),
    "a shell": ("os.system", ("echo",)),
    "a connection": ("socket.connect", (None, ("10.0.0.1", 80))),
    "a name looked up": ("socket.getaddrinfo", ("host", 80, 0, 0, 0)),
    "code from a file": ("compile", (b"x = 1", "FOLDER/evil.py")),
    "code from a text": ("compile", (f"print('{CANARY}')", "<string>")),
    "compiled code": ("exec", (compile("1", f"{os.sep}evil.py", "exec"),)),
    "a file written": ("open", ("FOLDER/x", "w", 0)),
    "a file written by its flags": ("open", ("FOLDER/x", None, os.O_CREAT | os.O_WRONLY)),
    "a file removed": ("os.remove", ("FOLDER/x", -1)),
    "a file elsewhere": ("open", ("OUTSIDE/secret.json", "r", 0)),
    "a class unpickled": ("pickle.find_class", ("os", "system")),
}


@pytest.mark.parametrize("name", SEEN)
def test_the_watch_sees_what_must_not_happen(name: str, tmp_path: Path) -> None:
    """Each kind of event is written down; the same on what is the program's own is not."""
    event, given = SEEN[name]
    outside = tmp_path / "outside"
    watch = Watch(str(tmp_path / "state"), str(outside))
    placed = [
        one.replace("FOLDER", str(tmp_path)).replace("OUTSIDE", str(outside))
        if isinstance(one, str)
        else one
        for one in given
    ]
    watch.hook(event, tuple(placed))
    assert [one.partition(":")[0] for one in watch.seen] == [event]
    fine = Watch(str(tmp_path / "state"), str(outside))
    fine.hook("open", (str(tmp_path / "state" / "x"), "w", 0))
    fine.hook("open", (str(tmp_path / "x"), "r", 0))
    fine.hook("exec", (compile("1", __file__, "exec"),))
    fine.hook("compile", ("x = 1", "<string>"))
    assert fine.seen == []


def test_modules_of_the_current_folder_are_not_imported(tmp_path: Path) -> None:
    """``python -m visualizer`` beside recordings takes no ``click.py`` that lies there."""
    (tmp_path / "click.py").write_text("open('EXECUTED', 'w')\n", encoding="utf-8")
    command = [sys.executable, "-m", "visualizer", "run", "paris"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["click.py"]
