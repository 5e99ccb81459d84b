"""Loops in files that are scripts: they replay themselves, ask, leave, or take their time."""

from __future__ import annotations

import functools
import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.made import answer, round_of, scenario
from visualizer import replay
from visualizer.engine import child
from visualizer.errors import LoopError

OVER = scenario(round_of("a"), answer("it is there"))

LOOP = """
def my_loop(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text + SIGN
        results = [tools(call) for call in reply.tool_calls]
        messages.append({"role": "user", "content": results})
    return None
"""
SCRIPT = f"""
import sys
from visualizer import load_transcript, replay

SIGN = "!"
{LOOP}
scenario = load_transcript("aurora-run")
print(replay(scenario, loop=my_loop).result, sys.argv[1])
SIGN = "?"
for cap in (2, 3):
    print(replay(scenario, loop=my_loop, max_turns=cap).result)

def loud(model, tools, messages, max_turns=10):
    return my_loop(model, tools, messages, max_turns).upper() + SIGN

def show():
    return replay(scenario, loop=loud)

print(show().result)
print(replay(scenario, loop="script.py:loud").result)
with open("ended", "a", encoding="utf-8") as file:
    file.write("once")
"""


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def python(*arguments: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
        cwd=folder,
    )
    return done.stdout


def test_a_script_replays_its_own_loops_without_a_guard(tmp_path: Path) -> None:
    """Each loop is loaded as it is at the call: what comes later neither counts nor runs twice."""
    write(tmp_path / "script.py", SCRIPT)
    told = python("script.py", "argument", folder=tmp_path)
    assert told.splitlines() == ["1974! argument", "None", "1974?", "1974??", "1974??"]
    assert (tmp_path / "ended").read_text(encoding="utf-8") == "once"


def test_a_script_that_is_named_is_loaded_down_to_its_first_replay(tmp_path: Path) -> None:
    """``--loop script.py`` drives its loop; the rest of the script does not run."""
    text = f"from visualizer import replay\nSIGN = ''\n{LOOP}\nreplay(None, loop=my_loop)\n"
    file = write(tmp_path / "script.py", text + "raise OSError")
    assert replay(OVER, loop=file).result == "it is there"
    assert replay(OVER, loop=file, contained=False).result == "it is there"


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("x = input('Which? ')", "script", "line 1: .*EOFError.* below if __name__"),
        ("import sys\nsys.exit('no')", "script", "line 2: .*SystemExit: no.* below if __name__"),
        ("import os\nos._exit(3)", "died", "exit code 3"),
        ("import time\ntime.sleep(600)", "slow", "line 2: .*after 0.5 seconds.* below if __name__"),
        ("pattern = sum(range(10**12))", "stuck", "after 0.5 seconds"),
    ],
)
def test_what_keeps_a_file_from_being_loaded_is_told_as_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, key: str, said: str
) -> None:
    """Never that the loop did not come back: it had not begun."""
    if key in ("slow", "stuck"):
        monkeypatch.setattr(child, "START_UP", 0.5)
    with pytest.raises(LoopError, match=said) as refused:
        replay(OVER, loop=write(tmp_path / "mine.py", text))
    assert refused.value.key == f"problem.loop_file_{key}"


def test_a_script_that_leaves_at_its_end_is_loaded(tmp_path: Path) -> None:
    """``sys.exit()`` below the loop says that the script is done, not that it failed."""
    text = f"import sys\nSIGN = ''\n{LOOP}\nsys.exit()\n"
    assert replay(OVER, loop=write(tmp_path / "mine.py", text)).result == "it is there"


def test_a_replay_above_the_loop_is_refused_with_its_line(tmp_path: Path) -> None:
    """A file can't ask for a loop that it defines further down: no process starts another."""
    text = "from visualizer import *\nreplay(load_transcript('paris'), loop=__file__)\n" + LOOP
    with pytest.raises(LoopError, match=r"^mine\.py: line 2: .* before it is defined"):
        replay(OVER, loop=write(tmp_path / "mine.py", text))


def test_a_loop_that_replays_itself_ends(tmp_path: Path) -> None:
    """It recurses in its own process, where Python bounds it, and starts no others."""
    text = (
        "from visualizer import *\ndef loop(model, tools, messages):\n"
        "    return str(replay(load_transcript('paris'), loop=loop).raised)\n"
    )
    run = replay(OVER, loop=write(tmp_path / "mine.py", text))
    assert run.terminal_reason == "returned_early"


def test_a_loop_in_a_package_finds_what_is_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative import, and one from a folder that only this process looks into."""
    (tmp_path / "mine_here").mkdir()
    (tmp_path / "elsewhere").mkdir()
    write(tmp_path / "mine_here" / "__init__.py", "")
    write(tmp_path / "mine_here" / "sign.py", "SIGN = '!'")
    write(tmp_path / "elsewhere" / "found_there.py", "MORE = 1")
    text = "from .sign import SIGN\nimport found_there\n" + LOOP
    write(tmp_path / "mine_here" / "loops.py", text)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path / "elsewhere"))
    loops = importlib.import_module("mine_here.loops")
    assert replay(OVER, loop=loops.my_loop).result == "it is there!"


def a_loop(model: Any, tools: Any, messages: Any) -> str:
    return "at the top level"


def wrapping(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def inner(*arguments: Any, **keywords: Any) -> Any:
        return [function(*arguments, **keywords)]

    return inner


def an_inner_loop() -> Callable[..., Any]:
    def a_loop(model: Any, tools: Any, messages: Any) -> str:
        return "inside"

    return a_loop


@pytest.mark.parametrize(
    ("loop", "result"),
    [
        (an_inner_loop(), "inside"),
        (wrapping(a_loop), ["at the top level"]),
        (lambda model, tools, messages: "a lambda", "a lambda"),
    ],
)
def test_a_function_that_no_name_leads_to_runs_here_or_not_at_all(loop: Any, result: Any) -> None:
    """No other function of the file takes its place; the line says what to write."""
    with pytest.raises(LoopError, match=r"^test_own_scripts\.py: line \d+: .*contained=False"):
        replay(OVER, loop=loop)
    assert replay(OVER, loop=loop, contained=False).result == result
    assert replay(OVER, loop=a_loop).result == "at the top level"


@pytest.mark.parametrize("loop", [functools.partial(a_loop), [].append, Path, 5])
def test_what_is_no_function_is_refused_with_its_type(loop: Any) -> None:
    """A partial, a method, a class or a number can't be followed line by line."""
    with pytest.raises(LoopError, match=r"must be a function written with def.*type") as refused:
        replay(OVER, loop=loop)
    assert type(loop).__name__ in str(refused.value)


def test_a_loop_that_was_typed_in_is_asked_for_in_a_file(tmp_path: Path) -> None:
    """Its source is nowhere, so the code on the screen could not be what ran."""
    code = (
        "from visualizer import *\ndef my_loop(model, tools, messages): pass\n"
        "try: replay(load_transcript('paris'), loop=my_loop)\n"
        "except LoopError as error: print(error)"
    )
    assert 'pass loop="my_loop.py"' in python("-c", code, folder=tmp_path)


def test_of_two_functions_with_one_name_the_one_that_ran_is_shown(tmp_path: Path) -> None:
    """A later definition takes the name; the source is that one's, not a method's."""
    first = LOOP.replace("SIGN", "'first'")
    method = "class Other:\n    def my_loop(self):\n        pass\n"
    file = write(tmp_path / "mine.py", f"{first}\n{LOOP.replace('SIGN', repr('second'))}\n{method}")
    run = replay(OVER, loop=file)
    assert run.result == "it is theresecond"
    assert any("'second'" in line for line in run.loop.lines)


def test_a_guarded_script_is_loaded_whole(tmp_path: Path) -> None:
    """With the guard, what stands below the call is there, too."""
    text = (
        f"from visualizer import *\n{LOOP}\nif __name__ == '__main__':\n"
        "    SIGN = '+'\n    print(replay(load_transcript('aurora-run'), loop=my_loop).result)\n"
        "SIGN = '!'\n"
    )
    write(tmp_path / "script.py", text)
    assert python("script.py", folder=tmp_path) == "1974!\n"
