"""All benchmarks: ``python -m tests.benchmarks.run`` from the checkout (POSIX).

Every figure is a ratio against a floor measured in the same run, in turns with it, so that
it holds on any machine. Times are medians (keys: 95th percentiles) over the number of runs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.benchmarks import recordings
from tests.benchmarks.generate import long_transcript
from tests.benchmarks.measure import (
    ROUNDS,
    SMALLEST,
    VISUALIZER,
    frame_time,
    in_turns,
    key_times,
    report,
)

THERE_AND_BACK = [b"l"] * 10 + [b"h"] * 10


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
    recordings.main()


def start_of_run() -> None:
    """``run paris`` against importing pydantic's BaseModel: at most 2.5."""
    floor = [sys.executable, "-c", "from pydantic import BaseModel"]
    ours, theirs = in_turns([*VISUALIZER, "run", "paris"], floor)
    report("start of `run paris` / import of pydantic", ours, theirs, "s", 2.5)


def first_frame() -> None:
    """``open aurora-run`` against the smallest Textual program: at most 2.0."""
    ours, theirs = [], []
    for _ in range(ROUNDS + 1):
        ours.append(frame_time([*VISUALIZER, "open", "aurora-run", "--lang", "en"], b"all keys"))
        theirs.append(frame_time(SMALLEST, b"ready"))
    report("first frame / smallest app", median(ours[1:]), median(theirs[1:]), "s", 2.0)


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


if __name__ == "__main__":
    main()
