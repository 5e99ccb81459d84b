"""All benchmarks: ``python -m tests.benchmarks.run`` from the checkout (POSIX).

Every figure is a ratio against a floor measured in the same run, in turns with it, so that
it holds on any machine. Times are medians (keys: 95th percentiles) over the number of runs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from tests.benchmarks.generate import long_transcript
from tests.benchmarks.terminal import Terminal

ROUNDS = 9
KEYS = 200
SIZE = (120, 40)
THERE_AND_BACK = [b"l"] * 10 + [b"h"] * 10
SMALLEST = [sys.executable, "-m", "tests.benchmarks.smallest"]
VISUALIZER = [sys.executable, "-m", "visualizer"]
QUIET = {"PYTHONWARNINGS": "ignore"}


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        long = Path(folder) / "long.json"
        long.write_text(json.dumps(long_transcript(20_000)), encoding="utf-8")
        short = Path(folder) / "short.json"
        short.write_text(json.dumps(long_transcript(2_000)), encoding="utf-8")
        start_of_run()
        first_frame()
        keys(long)
        replays(short, long)


def start_of_run() -> None:
    """``run paris`` against importing pydantic's BaseModel: at most 2.5."""
    floor = [sys.executable, "-c", "from pydantic import BaseModel"]
    ours, theirs = in_turns([*VISUALIZER, "run", "paris"], floor)
    report("start of `run paris` / import of pydantic", ours, theirs, "s", 2.5)


def in_turns(one: list[str], other: list[str]) -> tuple[float, float]:
    """Median seconds of two commands, run in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS + 1):
        for command, into in zip((one, other), times, strict=True):
            start = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            into.append(time.perf_counter() - start)
    return median(times[0][1:]), median(times[1][1:])


def first_frame() -> None:
    """``open aurora-run`` against the smallest Textual program: at most 2.0."""
    ours, theirs = [], []
    for _ in range(ROUNDS + 1):
        ours.append(frame_time([*VISUALIZER, "open", "aurora-run", "--lang", "en"], b"all keys"))
        theirs.append(frame_time(SMALLEST, b"ready"))
    report("first frame / smallest app", median(ours[1:]), median(theirs[1:]), "s", 2.0)


def frame_time(command: list[str], mark: bytes) -> float:
    """Seconds from the start of a program to the frame that holds ``mark``."""
    terminal = Terminal(command, *SIZE, env=QUIET)
    try:
        return terminal.until(mark)
    finally:
        terminal.close()


def keys(long: Path) -> None:
    """Key to frame: at most 16 ms on Aurora Run; 20,000 turns at most 1.5 times that."""
    floor = key_times(SMALLEST, b"ready", [b"x"])
    aurora = key_times(
        [*VISUALIZER, "open", "aurora-run", "--lang", "en"], b"all keys", [b"l", b"h"]
    )
    far = [*VISUALIZER, "open", str(long), "--at", "t9000.call", "--lang", "en"]
    many = key_times(far, b"all keys", THERE_AND_BACK)
    report("key to frame, Aurora Run / smallest app", aurora, floor, "ms")
    print(f"    Aurora Run p95 {aurora:.1f} ms (at most 16)")
    report("key to frame, 20,000 turns / Aurora Run", many, aurora, "ms", 1.5)


def key_times(command: list[str], mark: bytes, pressed: list[bytes]) -> float:
    """The 95th percentile of key to frame, in milliseconds."""
    terminal = Terminal(command, *SIZE, env=QUIET)
    try:
        terminal.until(mark)
        terminal.settle(0.5)
        times, frames = [], 0
        for number in range(KEYS):
            took, count = terminal.press(pressed[number % len(pressed)])
            times.append(took)
            frames += count
        print(f"    {frames / KEYS:.2f} frames a key, median {median(times):.1f} ms")
        return quantiles(times, n=20)[18]
    finally:
        terminal.close()


def replays(short: Path, long: Path) -> None:
    """Ten times the turns: about ten times the time and the memory."""
    small, small_memory = replay_cost(short)
    large, large_memory = replay_cost(long)
    report("replay of 20,000 turns / of 2,000", large, small, "s", 12.0)
    report("memory of 20,000 turns / of 2,000", large_memory, small_memory, "MB")


def replay_cost(file: Path) -> tuple[float, float]:
    """Seconds and megabytes of a replay in a process of its own."""
    code = (
        "import resource, sys, time\n"
        "from visualizer import load_transcript, replay\n"
        "scenario = load_transcript(sys.argv[1]); start = time.perf_counter()\n"
        "run = replay(scenario)\n"
        "print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    times, memory = [], 0.0
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True
        )
        seconds, kilobytes = map(float, done.stdout.split())
        times.append(seconds)
        memory = kilobytes / 1024
    return median(times), memory


def report(what: str, ours: float, floor: float, unit: str, bound: float | None = None) -> None:
    """One line: the ratio, both figures, and the bound where there is one."""
    limit = f"  (at most {bound})" if bound else ""
    print(f"{what}: {ours / floor:.2f}{limit}   [{ours:.3f} {unit} / {floor:.3f} {unit}]")


if __name__ == "__main__":
    main()
