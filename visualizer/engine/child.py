"""Driving a loop from outside the package in a process of its own, which can be killed.

The parent sends a job; the child loads the loop's file, drives it and sends back the run. A
loop that does not come back is given up on: first by a timer in the child, which still has
the steps so far, then by the parent. What comes back is unpickled from a closed list of
classes, so that a loop can't make the parent run anything.
"""

from __future__ import annotations

import faulthandler
import importlib.util
import inspect
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from visualizer.engine.drive import Job, drive, finished
from visualizer.engine.recorder import Recorder
from visualizer.engine.sources import loop_source
from visualizer.errors import LoopError
from visualizer.resources import PACKAGE
from visualizer.timeline import LoopSource, Run, Stop

START_UP = 30.0
"""Seconds that starting Python and loading the loop's file may take, beside the run."""

GRACE = 1.0
"""Seconds that sending the steps so far may take after the time is over."""

_STEPS = ("Call", "Difference", "LineLog", "LoopSource", "Raised", "Saw", "Step", "Stop")
_ABOUTS = ("Approval", "Compaction", "Cut", "LimitCheck", "Observed", "RequestError", "Wait")
_CLASSES = {
    *(("visualizer.steps", name) for name in _STEPS),
    *(("visualizer.abouts", name) for name in _ABOUTS),
    ("visualizer.limits", "LimitUse"),
    ("visualizer.timeline", "Run"),
    ("visualizer.messages", "Block"),
    ("visualizer.messages", "Message"),
    ("visualizer.protocol", "Violation"),
    ("array", "_array_reconstructor"),
    ("array", "array"),
    ("copyreg", "_reconstructor"),
    ("builtins", "object"),
}


def run_in_child(job: Job, name: str, file: str, function: str) -> Run:
    """Drive the loop ``function`` of ``file`` in a child process.

    Raises ``LoopError`` where the file can't be loaded, holds no such loop, or the child dies.
    """
    if not function and not file.endswith(".py"):
        raise LoopError("problem.loop_not_top_level", name=name)
    environment = dict(os.environ)
    paths = [str(PACKAGE.parent), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    command = [sys.executable, "-P", "-m", "visualizer.engine.child"]
    question = pickle.dumps((job, name, file, function))
    begun = time.monotonic()
    try:
        done = subprocess.run(
            command,
            input=question,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=START_UP + job.caps.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise LoopError("problem.loop_killed", name=name, seconds=START_UP) from None
    answer = _unpickled(done.stdout)
    if isinstance(answer, Run):
        return answer
    if isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], dict):
        raise LoopError(str(answer[0]), **answer[1])
    if time.monotonic() - begun > job.caps.seconds:
        raise LoopError("problem.loop_killed", name=name, seconds=job.caps.seconds)
    raise LoopError("problem.loop_died", name=name, code=done.returncode)


def load_function(file: str, function: str) -> Callable[..., Any]:
    """The loop ``function`` of a file; without a name, the file's only function.

    Raises ``LoopError`` with what is wrong and where.
    """
    spec = importlib.util.spec_from_file_location("loop_under_test", file)
    if spec is None or spec.loader is None:
        raise LoopError("problem.loop_no_file", file=file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["loop_under_test"] = module
    sys.path.insert(0, str(Path(file).parent))
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        line = getattr(error, "lineno", None) or _line_in(error, file)
        raise LoopError(
            "problem.loop_file_fails",
            file=Path(file).name,
            line=line or 0,
            error=f"{type(error).__name__}: {error}",
        ) from None
    own = {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    }
    if not function:
        loops = [name for name, value in own.items() if _may_be_loop(value)]
        named = Path(file).stem
        function = named if named in own else loops[0] if len(loops) == 1 else ""
    if function not in own:
        raise LoopError(
            "problem.loop_no_function", file=Path(file).name, known=", ".join(own) or "-"
        )
    found: Callable[..., Any] = own[function]
    return found


def _may_be_loop(function: Callable[..., Any]) -> bool:
    """Whether it takes a model, tools and messages: helpers beside a loop seldom do."""
    return len(inspect.signature(function).parameters) >= 3


def _line_in(error: BaseException, file: str) -> int | None:
    """The line of ``file`` on which it failed to load."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


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
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    try:
        if type(value) in (dict, list):
            with suppress(TypeError, ValueError):
                if (copied := json.loads(json.dumps(value))) == value:
                    return copied
        return repr(value)
    except Exception:
        return f"<{type(value).__name__}>"


class _Answer:
    """Writes one answer to the parent, once."""

    def __init__(self, stream: io.BufferedWriter) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def run(self, run: Run) -> None:
        self.data(pickle.dumps(_portable(run)))

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
    _end_within(START_UP)
    answer = _Answer(os.fdopen(os.dup(1), "wb"))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a loop prints is not the answer
    job, name, file, function = pickle.load(sys.stdin.buffer)
    try:
        loop = load_function(file, function)
        source = loop_source(name, loop)

        def watch(recorder: Recorder) -> None:
            _end_within(job.caps.seconds + GRACE)
            details = (answer, job, source, recorder, job.max_turns)
            timer = threading.Timer(job.caps.seconds, _give_up, details)
            timer.daemon = True
            timer.start()

        answer.run(drive(job, source, loop, watch))
    except LoopError as error:
        values = {key: _plain(value) for key, value in error.values.items()}
        answer.data(pickle.dumps((error.key, values)))
    except BaseException as error:
        reason = f"{type(error).__name__}: {error}"
        answer.data(pickle.dumps(("problem.loop_failed", {"name": name, "error": reason})))


def _end_within(seconds: float) -> None:
    """End this process then, whatever it does: a loop in C code lets no Python thread run."""
    quiet = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - until the end
    faulthandler.dump_traceback_later(seconds, exit=True, file=quiet)


if __name__ == "__main__":
    main()
