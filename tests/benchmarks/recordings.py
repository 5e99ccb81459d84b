"""Big recordings: ``python -m tests.benchmarks.recordings`` from the checkout (POSIX).

The floor is what decoding each line of the file takes, in a process of its own, in turns with
what is measured. A session with many prompts and one that is a single run are both opened.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.benchmarks.measure import (
    QUIET,
    SIZE,
    SMALLEST,
    VISUALIZER,
    frame_time,
    key_times,
    report,
)
from tests.benchmarks.sessions import write
from tests.benchmarks.terminal import Terminal

LINES = 60_000
ROUNDS = 5
ONE_RUN = 1 << 30
"""Lines a prompt that no session reaches: all of it is one run."""

FIRST_FRAME = b"all keys"
STEPS = [b"l", b"h"]
DECODE = (
    "import sys, time\nfrom pydantic_core import from_json\nstart = time.perf_counter()\n"
    "for line in open(sys.argv[1], 'rb'):\n    from_json(line)\n"
    "print(time.perf_counter() - start)\n"
)
SEARCH = """
import sys, time
from pathlib import Path
from visualizer import load_transcript
from visualizer.app.find import search_all, texts_in

scenario = load_transcript(Path(sys.argv[1]))
turns = [turn for run in scenario.runs for turn in run.takes[0].turns]
texts = [text for turn in turns for text in texts_in(turn.response["content"])]
texts += [text for turn in turns for text in texts_in(turn.results or [])]
print(sum(map(len, texts)))
for query in ("nowhere to be found", "VALUE"):
    start = time.perf_counter()
    search_all(scenario, query)
    print(time.perf_counter() - start)
"""


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        many, few, one = (Path(folder) / f"{name}.jsonl" for name in ("many", "few", "one"))
        write(many, LINES)
        write(few, LINES // 10)
        write(one, LINES, ONE_RUN)
        size = many.stat().st_size
        print(f"{LINES:,} lines, {size / 1e6:.0f} MB")
        first_frames(many, "many runs")
        first_frames(one, "one run")
        all_of_it(few, many)
        stepping(few, many)


def first_frames(file: Path, what: str) -> None:
    """From the start to the stepper at step 1, less the smallest app: at most twice decoding."""
    ours, theirs, floor = [], [], []
    for _ in range(ROUNDS):
        command = [*VISUALIZER, "open", str(file), "--lang", "en"]
        ours.append(frame_time(command, b"step 1 of"))
        theirs.append(frame_time(SMALLEST, b"ready"))
        floor.append(decoding(file))
    took = median(ours) - median(theirs)
    report(f"first frame of a session, {what} / decoding it", took, median(floor), "s", 2.0)


def decoding(file: Path) -> float:
    """Seconds that decoding each line takes."""
    command = [sys.executable, "-c", DECODE, str(file)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def all_of_it(few: Path, many: Path) -> None:
    """Until the whole file is there behind the first frame: linear; peak below 3 times its size."""
    small, large, peaks, floor = [], [], [], []
    for _ in range(ROUNDS):
        small.append(arrival(few, b"60")[0])
        seconds, peak = arrival(many, b"595")
        large.append(seconds)
        peaks.append(peak)
        floor.append(decoding(many))
    report("all of it is there, ten times the lines", median(large), median(small), "s", 11.0)
    report("all of it is there / decoding it", median(large), median(floor), "s")
    size = many.stat().st_size / 1e6
    report("peak of memory / size of the file", max(peaks), size, "MB", 3.0)


def arrival(file: Path, runs: bytes) -> tuple[float, float]:
    """Seconds until all runs of a file are there, and the peak in MB."""
    terminal = Terminal([*VISUALIZER, "open", str(file), "--lang", "en"], *SIZE, env=QUIET)
    try:
        return terminal.until(b"run 1 of %b\x1b" % runs), terminal.peak() / 1e6
    finally:
        terminal.close()


def stepping(few: Path, many: Path) -> None:
    """Keys and searches, after all of it is there, as fast as on a small file."""
    middle = ["--run", "400", "--at", "t20.call", "--lang", "en"]
    small = key_times([*VISUALIZER, "open", "aurora-run", "--lang", "en"], FIRST_FRAME, STEPS)
    large = key_times([*VISUALIZER, "open", str(many), *middle], FIRST_FRAME, STEPS)
    report("key to frame, in 60,000 lines / Aurora Run", large, small, "ms", 1.5)
    command = [sys.executable, "-c", SEARCH, str(many)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    held, *times = map(float, done.stdout.split())
    for what, seconds in zip(("nothing", "a word in every result"), times, strict=True):
        print(f"search that finds {what}: {held / seconds / 1e6:.0f} MB/s (at least 200)")


if __name__ == "__main__":
    main()
