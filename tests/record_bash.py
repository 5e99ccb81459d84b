"""The tool outputs in the coding agent's transcripts are real: this runs the commands.

``python -m tests.record_bash`` names the transcripts whose outputs are not what the commands
print here; ``--write`` puts what they print into the files. Each take is played in a scratch
directory of its own. The program itself never runs a recorded command.
"""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent.parent / "transcripts"
NOTHING = "(no output)"
PROMPT = "$ "
SECONDS = 60


class Setup(NamedTuple):
    """What makes the directory that a task finds, and what its host lets a command do.

    ``seconds`` is how long a command may run, ``denied`` are words that it may not hold.
    """

    script: str
    seconds: int = SECONDS
    denied: tuple[str, ...] = ()


SETUPS = {
    "by-hand": Setup(""),
    "deny-list": Setup("mkdir logs; touch logs/2026-01.log logs/2026-02.log", denied=("rm",)),
    "git-branch": Setup("git init -q . && git symbolic-ref HEAD refs/heads/greeting"),
    "hello-py": Setup("echo 'print(\"Good morning\")' > greet.py; echo 'To do' > notes.md"),
    "three-files": Setup(""),
    "timeout": Setup("printf 'compiling\\nlinking\\nFAILED: no such library\\n' > build.log", 1),
    "waiting": Setup("echo building > build.log"),
}


class Shell:
    """A directory to run commands in, with an environment that is the same everywhere."""

    def __init__(self, folder: Path) -> None:
        self.work = folder / "work"
        self.work.mkdir()
        programs = folder / "bin"
        programs.mkdir()
        python = programs / "python3"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
        python.chmod(0o755)
        self.environment = {
            "PATH": os.pathsep.join([str(programs), os.environ.get("PATH", os.defpath)]),
            "HOME": str(folder),
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def run(self, command: str, seconds: int = SECONDS) -> tuple[str, int | None]:
        """What a command prints, errors last, and its exit code; None where it was stopped.

        Stopped after ``seconds``, with all that it has started.
        """
        started = subprocess.Popen(
            ["bash", "-c", command],
            cwd=self.work,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        try:
            printed, code = started.communicate(timeout=seconds), started.returncode
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            printed, code = started.communicate(), None
        return "".join(printed).rstrip("\n"), code


@contextmanager
def scratch(setup: Setup) -> Iterator[Shell]:
    """A shell in a new directory, which is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(Path(folder))
        shell.run(setup.script)
        yield shell


def can_record(name: str) -> bool:
    """Whether the programs that a transcript's commands need are here."""
    needed = ["bash", "git"] if name == "git-branch" else ["bash"]
    return os.name == "posix" and all(map(shutil.which, needed))


def read(name: str) -> dict[str, Any]:
    """A transcript as it is in its file."""
    document: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return document


def recorded(document: dict[str, Any], setup: Setup) -> dict[str, Any]:
    """A copy of a transcript with what its commands print here."""
    found = copy.deepcopy(document)
    for run in found["runs"]:
        for take in run["takes"]:
            with scratch(setup) as shell:
                for asked, answer in pairwise(run["request"]["messages"]):
                    if asked["role"] == "assistant":
                        answer["content"] = answered(
                            asked["content"], answer["content"], shell, setup
                        )
                for turn in take["turns"]:
                    if "results" in turn:
                        asked = turn["response"]["content"]
                        turn["results"] = answered(asked, turn["results"], shell, setup)
    return found


def answered(asked: Any, before: Any, shell: Shell, setup: Setup) -> Any:
    """What came back for a reply: results, or what a person pasted; else what was there."""
    if isinstance(asked, str):
        if not before.startswith(PROMPT):
            return before
        command = asked.rpartition("\n\n")[2]
        return f"{PROMPT}{command}\n{shell.run(command)[0]}".rstrip("\n")
    requests = [block for block in asked if block["type"] == "tool_use"]
    return [tool_result(request, shell, setup) for request in requests] or before


def tool_result(request: dict[str, Any], shell: Shell, setup: Setup) -> dict[str, Any]:
    """What the bash tool of a host gives: the output, and what was wrong if anything was."""
    command = request["input"]["command"]
    result = {"type": "tool_result", "tool_use_id": request["id"]}
    for word in re.findall(r"\w+", command):
        if word in setup.denied:
            said = f"Not executed: {word} is on the deny-list."
            return {**result, "content": said, "is_error": True}
    output, code = shell.run(command, setup.seconds)
    if code == 0:
        return {**result, "content": output or NOTHING}
    wrong = f"exit code {code}"
    if code is None:
        wrong = (
            f"stopped: still running after {setup.seconds} s. Use a command that ends by itself."
        )
    return {**result, "content": f"{output}\n({wrong})".lstrip("\n"), "is_error": True}


def main(arguments: list[str]) -> int:
    """Compare or write; the exit code is 1 where a file is not what the commands print."""
    differing = 0
    for name, setup in SETUPS.items():
        document = read(name)
        found = recorded(document, setup)
        if found == document:
            continue
        differing += 1
        sys.stdout.write(f"{name}\n")
        if "--write" in arguments:
            text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
            (FOLDER / f"{name}.json").write_text(text, encoding="utf-8", newline="\n")
    return int(bool(differing) and "--write" not in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
