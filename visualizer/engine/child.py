"""Driving a loop from outside the package in a process of its own, which can be killed.

The parent sends a job; the child loads the loop's file, drives it and sends back the run. A
loop that does not come back is given up on: first by a timer in the child, which still has
the steps so far, then by the parent. What comes back is unpickled from a closed list of
classes, so that a loop can't make the parent run anything.
"""

from __future__ import annotations

import faulthandler
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import BuiltinFunctionType, FunctionType
from typing import Any

from visualizer.engine.drive import Job, drive, finished
from visualizer.engine.loop_file import LoopFile, contain, load_function, loading_line
from visualizer.engine.recorder import Recorder
from visualizer.engine.sources import loop_source
from visualizer.errors import LoopError
from visualizer.files.resources import PACKAGE
from visualizer.run.timeline import Foreign, LoopSource, Run, Stop

START_UP = 30.0
"""Seconds that loading the loop's file may take, apart from the run."""

GRACE = 1.0
"""Seconds that sending the steps so far may take after the time is over."""

_LOADED = b"loaded\n"
"""What the child writes before it drives the loop: the time from there on is the loop's."""

_OUT_OF_TIME = 1
"""The exit code of a process that ends itself because its time is over."""

_STEPS = ("Call", "Difference", "Foreign", "LineLog", "LoopSource", "Raised", "Saw", "Step", "Stop")
_ABOUTS = ("Approval", "Compaction", "Cut", "LimitCheck", "Observed", "RequestError", "Wait")
_CLASSES = {
    *(("visualizer.run.steps", name) for name in _STEPS),
    *(("visualizer.run.step_details", name) for name in _ABOUTS),
    ("visualizer.errors", "Problem"),
    ("visualizer.run.limits", "LimitUse"),
    ("visualizer.run.timeline", "Run"),
    ("visualizer.messages", "Block"),
    ("visualizer.messages", "Message"),
    ("visualizer.protocol", "Violation"),
    ("array", "_array_reconstructor"),
    ("array", "array"),
    ("copyreg", "_reconstructor"),
    ("builtins", "object"),
    ("builtins", "str"),
}


def run_in_child(job: Job, name: str, wanted: LoopFile) -> Run:
    """Drive a loop in a child process.

    Raises ``LoopError`` where the file can't be loaded, holds no such loop, or the child dies.
    """
    environment = dict(os.environ)
    paths = [str(PACKAGE.parent), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    command = [sys.executable, "-P", "-m", "visualizer.engine.child"]
    question = pickle.dumps((job, name, wanted, START_UP))
    begun = time.monotonic()
    code = None
    try:
        done = subprocess.run(
            command,
            input=question,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=START_UP + job.caps.seconds + 3 * GRACE,
            check=False,
        )
        said, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as expired:
        said = expired.stdout or b""
    loaded = said.startswith(_LOADED)
    answer = _unpickled(said.removeprefix(_LOADED))
    if isinstance(answer, Run):
        return answer
    if isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], dict):
        raise LoopError(str(answer[0]), **answer[1])
    took = time.monotonic() - begun
    raise _silent(job, name, wanted, code, loaded, took)


def _silent(
    job: Job, name: str, wanted: LoopFile, code: int | None, loaded: bool, took: float
) -> LoopError:
    """Why a child gave no answer, from how far it came and how long it took."""
    file = Path(wanted.file).name
    ended_late = code in (None, _OUT_OF_TIME)
    if not loaded and ended_late and took > START_UP:
        return LoopError("problem.loop_file_stuck", file=file, seconds=START_UP)
    if not loaded:
        return LoopError("problem.loop_file_died", file=file, code=code)
    if ended_late and took > job.caps.seconds:
        return LoopError("problem.loop_killed", name=name, seconds=job.caps.seconds)
    return LoopError("problem.loop_died", name=name, code=code)


class _RunUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _CLASSES:
            raise pickle.UnpicklingError(f"{module}.{name}")
        return super().find_class(module, name)


def _unpickled(data: bytes) -> object:
    try:
        answer: object = _RunUnpickler(io.BytesIO(data)).load()
    except Exception:
        return None
    return answer


def _plain(value: Any) -> Any:
    """A result as data that any process can hold: other objects become their repr."""
    if value is None or type(value) in (bool, int, float, str, Foreign):
        return value
    if type(value) in (dict, list):
        with suppress(TypeError, ValueError, RecursionError):
            if (copied := json.loads(json.dumps(value))) == value:
                return copied
    return _foreign(value)


def _foreign(value: object) -> Foreign:
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return Foreign(text, type(value).__name__)


class _PlainPickler(pickle.Pickler):
    """Writes what the parent reads; of any other object its ``repr``, whatever a loop left."""

    def reducer_override(self, obj: Any) -> Any:
        named = isinstance(obj, (type, BuiltinFunctionType, FunctionType))
        kind = obj if named else type(obj)
        name = getattr(kind, "__module__", ""), getattr(kind, "__qualname__", "")
        if name in _CLASSES:
            return NotImplemented
        if isinstance(obj, str):
            return str, (str.__str__(obj),)
        text = _foreign(obj)
        return Foreign, (str(text), text.foreign)


class _Answer:
    """Writes one answer to the parent, once; before that, that the file is loaded."""

    def __init__(self, stream: io.BufferedWriter) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def loaded(self) -> None:
        with self._lock:
            self._stream.write(_LOADED)
            self._stream.flush()

    def run(self, run: Run) -> None:
        data = io.BytesIO()
        _PlainPickler(data, pickle.HIGHEST_PROTOCOL).dump(_portable(run))
        self.data(data.getvalue())

    def error(self, error: LoopError) -> None:
        values = {key: _plain(value) for key, value in error.values.items()}
        self.data(pickle.dumps((error.key, values)))

    def data(self, data: bytes) -> None:
        with self._lock:
            try:
                self._stream.write(data)
                self._stream.flush()
            finally:
                os._exit(0)  # also where the parent is gone


def _portable(run: Run) -> Run:
    saws = [(at, saw._replace(value=_plain(saw.value))) for at, saw in run.log.saws]
    run.log.saws[:] = saws
    return replace(run, result=_plain(run.result), histories=tuple(map(list, run.histories)))


def _give_up(
    answer: _Answer, job: Job, source: LoopSource, recorder: Recorder, cap: int | None
) -> None:
    """The time is over: send what there is."""
    recorder.stop = Stop("step_cap", "time", cap=int(job.caps.seconds))
    recorder.end_now()
    answer.run(finished(job, source, recorder, cap, None, None))


def main() -> None:
    """The child's side: a job on standard input, a run on standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the parent's; a loop may raise its own
    answer = _Answer(os.fdopen(os.dup(1), "wb"))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a loop prints is not the answer
    job, name, wanted, start_up = pickle.load(sys.stdin.buffer)
    contain()
    try:
        with _loading_clock(answer, wanted, start_up):
            loop = load_function(wanted)
        answer.loaded()
        source = loop_source(name, loop)

        def watch(recorder: Recorder) -> None:
            _end_within(job.caps.seconds + GRACE)
            details = (answer, job, source, recorder, job.max_turns)
            timer = threading.Timer(job.caps.seconds, _give_up, details)
            timer.daemon = True
            timer.start()

        answer.run(drive(job, source, loop, watch))
    except LoopError as error:
        answer.error(error)
    except RecursionError:
        answer.error(LoopError("problem.loop_too_deep", name=name))
    except BaseException as error:
        reason = f"{type(error).__name__}: {error}"
        answer.error(LoopError("problem.loop_failed", name=name, error=reason))


@contextmanager
def _loading_clock(answer: _Answer, wanted: LoopFile, seconds: float) -> Iterator[None]:
    """Give up on a file that takes longer than that to load, and say where it is."""

    def give_up() -> None:
        line = loading_line(wanted.file)
        key = "problem.loop_file_slow" if line else "problem.loop_file_stuck"
        file = Path(wanted.file).name
        answer.error(LoopError(key, file=file, line=line, seconds=seconds))

    _end_within(seconds + GRACE)
    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _end_within(seconds: float) -> None:
    """End this process then, whatever it does: a loop in C code lets no Python thread run."""
    quiet = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - until the end
    faulthandler.dump_traceback_later(seconds, exit=True, file=quiet)


if __name__ == "__main__":
    main()
