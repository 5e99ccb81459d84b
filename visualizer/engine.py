"""Replay: drive a loop over what was recorded, to the end, and give the whole run."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from visualizer.errors import LoopError
from visualizer.ledger import EditMissed
from visualizer.limits import Caps
from visualizer.loading import Scenario
from visualizer.loops.registry import DEFAULT, loop_function, loop_names
from visualizer.recorded import RecordedModel, RecordedTools, RunStopped
from visualizer.recorder import Recorder
from visualizer.reply import RequestFailed
from visualizer.resources import PACKAGE
from visualizer.sources import loop_source
from visualizer.timeline import LoopSource, Raised, Run, Saw
from visualizer.tracing import Tracer
from visualizer.transcript import RecordedRun, World

__all__ = ["RequestFailed", "replay"]

Loop = Callable[..., Any]

BY_FLAG = {
    "end_turn": "completed",
    "stop_sequence": "completed",
    "refusal": "refusal",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
    "pause_turn": "paused",
}
"""terminal_reason of a run that returned, by the last reply's stop_reason."""


def replay(
    scenario: Scenario,
    *,
    loop: str | Loop | None = None,
    max_turns: int | None = None,
    run: str | None = None,
    take: str | None = None,
    caps: Caps | None = None,
    contained: bool = True,
) -> Run:
    """Drive a loop over a scenario's recording, to its end.

    ``loop`` is the name of a loop on show, ``FILE.py`` or ``FILE.py:FUNCTION``, or a function
    at the top level of a file; by default the scenario's. A loop from outside this package
    runs in a process of its own, which can be killed, unless ``contained`` is false.
    ``max_turns`` (at least 1), ``run`` and ``take`` override the scenario's settings.

    Raises ``LoopError`` where the loop can't be driven as asked, ``NotFoundError`` for an
    unknown run. What happens inside the loop never raises here: it is in the ``Run``.
    """
    recorded = scenario.run(run)
    wanted = loop if loop is not None else scenario.settings.loop or DEFAULT
    cap = scenario.settings.max_turns if max_turns is None else max_turns
    if cap is not None and cap < 1:
        raise LoopError("problem.max_turns", value=cap)
    job = Job(
        scenario=scenario.name,
        recorded=recorded,
        world=scenario.world,
        take=take or scenario.settings.take,
        max_turns=cap,
        cap_was_asked=max_turns is not None,
        caps=caps or _caps_for(recorded),
    )
    name, function, outside = _resolve(wanted)
    if outside is not None and contained:
        from visualizer.child import run_in_child  # noqa: PLC0415 - seldom needed

        return run_in_child(job, name, *outside)
    if function is None:
        from visualizer.child import load_function  # noqa: PLC0415

        function = load_function(*(outside or ("", "")))
    return drive(job, loop_source(name, function), function)


@dataclass(frozen=True, slots=True)
class Job:
    """What to drive a loop over, apart from the loop. Plain data: it may go to a child.

    ``cap_was_asked`` tells a caller's ``max_turns`` from a scenario's, which a loop without a
    cap may pass over.
    """

    scenario: str
    recorded: RecordedRun
    world: World | None
    take: str | None
    max_turns: int | None
    cap_was_asked: bool
    caps: Caps


def _caps_for(recorded: RecordedRun) -> Caps:
    turns = [turn for take in recorded.takes for turn in take.turns]
    return Caps.for_recording(len(turns), sum(len(turn.results or ()) for turn in turns))


def drive(
    job: Job, source: LoopSource, function: Loop, watch: Callable[[Recorder], None] | None = None
) -> Run:
    """Drive ``function`` here and now. ``watch`` is given the recorder before it starts."""
    keywords, max_turns = _cap(job, source, function)
    with _no_collection():
        return _drive(job, source, function, keywords, max_turns, watch)


@contextmanager
def _no_collection() -> Iterator[None]:
    """A run makes many objects that all stay: looking for garbage among them costs a third."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _drive(
    job: Job,
    source: LoopSource,
    function: Loop,
    keywords: dict[str, Any],
    max_turns: int | None,
    watch: Callable[[Recorder], None] | None,
) -> Run:
    for strict in (False, True):
        model = RecordedModel(job.recorded, job.take)
        tools = RecordedTools(job.world, model)
        recorder = Recorder(model, tools, job.caps, strict)
        if watch is not None:
            watch(recorder)
        tracer = Tracer(function, source, recorder, job.caps)
        try:
            result, raised = _outcome(tracer, deepcopy(job.recorded.request.messages), keywords)
            returned = recorder.stop is None and raised is None
            tracer.finish(Saw("returned", value=result) if returned else None)
        except EditMissed:
            if strict:
                raise
            continue
        return finished(job, source, recorder, max_turns, result if returned else None, raised)
    raise AssertionError("a strict run misses no edit")


def finished(
    job: Job,
    source: LoopSource,
    recorder: Recorder,
    max_turns: int | None,
    result: Any,
    raised: Raised | None,
) -> Run:
    """The run that a recorder holds."""
    return Run(
        scenario=job.scenario,
        recorded_run=job.recorded.id,
        loop=source,
        max_turns=max_turns,
        result=result,
        raised=raised,
        terminal_reason=terminal_reason(recorder, max_turns, raised),
        stop=recorder.stop,
        steps=tuple(recorder.steps),
        calls=tuple(recorder.calls),
        histories=tuple(recorder.ledger.histories),
        log=recorder.log,
    )


def terminal_reason(recorder: Recorder, max_turns: int | None, raised: Raised | None) -> str:
    """Why the run ended, from observation: the first that holds."""
    if recorder.stop is not None:
        return recorder.stop.reason
    if raised is not None:
        return "raised"
    calls = recorder.steps[-1].model_calls
    flag = recorder.flag_now
    if calls and flag == "tool_use" and max_turns is not None and calls >= max_turns:
        return "max_turns"
    return BY_FLAG.get(flag or "", "returned_early") if calls else "returned_early"


def _outcome(
    tracer: Tracer, messages: list[Any], keywords: dict[str, Any]
) -> tuple[Any, Raised | None]:
    try:
        result = tracer.run(messages, keywords)
    except RunStopped:
        return None, None
    except (EditMissed, KeyboardInterrupt):
        raise
    except BaseException as error:
        # Whatever leaves a loop (SystemExit too) is part of its run, not of this program's.
        return None, Raised(type(error).__name__, _text_of(error))
    if inspect.iscoroutine(result) or inspect.isgenerator(result):
        result.close()
        raise LoopError("problem.loop_is_coroutine", name=tracer.name)
    return result, None


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def _cap(job: Job, source: LoopSource, function: Loop) -> tuple[dict[str, Any], int | None]:
    """The keywords to pass, and the cap that then holds."""
    if not source.takes_max_turns:
        if job.cap_was_asked:
            raise LoopError("problem.loop_no_cap", name=source.name)
        return {}, None
    if job.max_turns is not None:
        return {"max_turns": job.max_turns}, job.max_turns
    default = inspect.signature(function).parameters["max_turns"].default
    if default is inspect.Parameter.empty:
        raise LoopError("problem.loop_needs_cap", name=source.name)
    return {}, default if isinstance(default, int) else None


def _resolve(wanted: str | Loop) -> tuple[str, Loop | None, tuple[str, str] | None]:
    """A loop's name, its function where that is at hand, and (file, function) when outside."""
    if not isinstance(wanted, str):
        return _resolve_function(wanted)
    if wanted in loop_names():
        return wanted, loop_function(wanted), None
    path, _, function = wanted.rpartition(":") if ".py:" in wanted else (wanted, "", "")
    if path.endswith(".py"):
        if not Path(path).is_file():
            raise LoopError("problem.loop_no_file", file=path)
        name = function or Path(path).stem
        return name, None, (str(Path(path).resolve()), function)
    raise LoopError("problem.no_loop", name=wanted, known=", ".join(loop_names()))


def _resolve_function(function: Loop) -> tuple[str, Loop, tuple[str, str] | None]:
    source = loop_source(getattr(function, "__name__", repr(function)), function)
    if Path(source.file).is_relative_to(PACKAGE / "loops"):
        return source.name, function, None
    at_top_level = function.__qualname__ == function.__name__ != "<lambda>"
    return source.name, function, (source.file, function.__name__ if at_top_level else "")
