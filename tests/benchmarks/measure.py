"""Times of whole commands, first frames and keys, and how they are printed."""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median, quantiles

from tests.benchmarks.terminal import Terminal

ROUNDS = 9
KEYS = 200
SIZE = (120, 40)
SMALLEST = [sys.executable, "-m", "tests.benchmarks.smallest"]
VISUALIZER = [sys.executable, "-m", "visualizer"]
QUIET = {"PYTHONWARNINGS": "ignore"}


def in_turns(one: list[str], other: list[str]) -> tuple[float, float]:
    """Median seconds of two commands, run in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS + 1):
        for command, into in zip((one, other), times, strict=True):
            start = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            into.append(time.perf_counter() - start)
    return median(times[0][1:]), median(times[1][1:])


def frame_time(command: list[str], mark: bytes) -> float:
    """Seconds from the start of a program to the frame that holds ``mark``."""
    terminal = Terminal(command, *SIZE, env=QUIET)
    try:
        return terminal.until(mark)
    finally:
        terminal.close()


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


def report(what: str, ours: float, floor: float, unit: str, bound: float | None = None) -> None:
    """One line: the ratio, both figures, and the bound where there is one."""
    limit = f"  (at most {bound})" if bound else ""
    print(f"{what}: {ours / floor:.2f}{limit}   [{ours:.3f} {unit} / {floor:.3f} {unit}]")
