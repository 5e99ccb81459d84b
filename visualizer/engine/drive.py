"""One drive of a loop over a job, here and now, to its end."""

from __future__ import annotations

import inspect
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from visualizer.engine.host import Host
from visualizer.engine.ledger import EditMissed
from visualizer.engine.observed import ObservedTools
from visualizer.engine.recorded import RecordedModel, RecordedTools, RunStopped
from visualizer.engine.recorder import Recorder
from visualizer.engine.reply import Misused
from visualizer.engine.slips import attribute_slip
from visualizer.engine.sources import is_users
from visualizer.engine.tracer import Tracer
from visualizer.errors import LoopError
from visualizer.files.resources import PACKAGE
from visualizer.gc_pause import no_collection
from visualizer.i18n import texts
from visualizer.messages import copy_json
from visualizer.run.limits import Caps
from visualizer.run.timeline import LimitCheck, LoopSource, Raised, Run, Saw
from visualizer.transcript.records import RecordedRun, World
from visualizer.transcript.settings import Settings

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


@dataclass(frozen=True, slots=True)
class Job:
    """What to drive a loop over, apart from the loop. Plain data: it may go to a child.

    ``cap_was_asked`` tells a caller's ``max_turns`` from a scenario's, which a loop without a
    cap may pass over. With ``uncapped`` and no ``max_turns`` a loop is driven without a cap.
    ``settings`` say what a host gives beside model and tools: limits, decisions …
    ``observed`` are the texts of tool results that a reader changed, by place. ``answered`` says
    that an endpoint gave the recorded replies: it did not refuse those requests.
    """

    scenario: str
    recorded: RecordedRun
    world: World | None
    take: str | None
    max_turns: int | None
    cap_was_asked: bool
    caps: Caps
    uncapped: bool = False
    settings: Settings = field(default_factory=Settings)
    observed: Mapping[str, str] = field(default_factory=dict)
    answered: bool = False


def drive(
    job: Job, source: LoopSource, function: Loop, watch: Callable[[Recorder], None] | None = None
) -> Run:
    """Drive ``function`` here and now. ``watch`` is given the recorder before it starts.

    Raises ``LoopError`` where it can't be driven, or puts what holds itself into messages.
    """
    keywords, max_turns = _cap(job, source, function)
    try:
        with no_collection():
            return _drive(job, source, function, keywords, max_turns, watch)
    except RecursionError:  # not the loop's own, which is in its run
        raise LoopError("problem.loop_too_deep", name=source.name) from None


def _drive(
    job: Job,
    source: LoopSource,
    function: Loop,
    keywords: dict[str, Any],
    max_turns: int | None,
    watch: Callable[[Recorder], None] | None,
) -> Run:
    parameters = inspect.signature(function).parameters
    for strict in (False, True):
        model = RecordedModel(job.recorded, job.take, job.answered)
        tools = ObservedTools(RecordedTools(job.world, model), job.observed)
        recorder = Recorder(model, tools, job.caps, strict)
        if watch is not None:
            watch(recorder)
        tracer = Tracer(function, source, recorder, job.caps)
        try:
            messages = copy_json(list(job.recorded.request.messages))
            host = Host(job.settings, max_turns, recorder, tracer, model.has_summaries)
            given = host.keywords(parameters)
            result, raised = _outcome(tracer, messages, {**keywords, **given})
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
        decisions=tuple(sorted(job.settings.decisions.items())),
    )


def terminal_reason(recorder: Recorder, max_turns: int | None, raised: Raised | None) -> str:
    """Why the run ended, from observation: the first that holds."""
    if recorder.stop is not None:
        return recorder.stop.reason
    if raised is not None:
        return "raised"
    calls = recorder.steps[-1].model_calls
    flag = recorder.flag_now
    if _ended_by_limit(recorder) and BY_FLAG.get(flag or "") != "completed":
        return "budget_exhausted"
    if calls and flag == "tool_use" and max_turns is not None and calls >= max_turns:
        return "max_turns"
    return BY_FLAG.get(flag or "", "returned_early") if calls else "returned_early"


def _ended_by_limit(recorder: Recorder) -> bool:
    """Whether a limit was used up, and after that nothing was done but to read the flag."""
    for step in reversed(recorder.steps):
        if isinstance(step.about, LimitCheck):
            return step.about.hit is not None
        if step.phase not in ("check", "end"):
            return False
    return False


def _outcome(
    tracer: Tracer, messages: list[Any], keywords: dict[str, Any]
) -> tuple[Any, Raised | None]:
    try:
        result = tracer.run(messages, keywords)
    except RunStopped:
        return None, None
    except EditMissed:
        raise
    except BaseException as error:
        ignored = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
        if isinstance(error, KeyboardInterrupt) and not ignored:
            raise  # the reader's own
        # Whatever leaves a loop (SystemExit too) is part of its run, not of this program's.
        return None, _raised(error)
    if inspect.iscoroutine(result) or inspect.isgenerator(result):
        result.close()
        raise LoopError("problem.loop_is_coroutine", name=tracer.name)
    return result, None


def _raised(error: BaseException) -> Raised:
    """An exception with the innermost place of the loop's own code that it went through."""
    file, line, trace = "", 0, error.__traceback__
    while trace is not None:
        at = trace.tb_frame.f_code.co_filename
        if is_users(at) and not Path(at).is_relative_to(PACKAGE):
            file, line = at, trace.tb_lineno
        trace = trace.tb_next
    kind, slip = type(error).__name__, attribute_slip(error)
    if isinstance(error, Misused):
        kind, slip = TypeError.__name__, error.slip
    text = slip.text(texts("en")) if slip else _text_of(error)
    return Raised(kind, text, file, line, slip)


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def _cap(job: Job, source: LoopSource, function: Loop) -> tuple[dict[str, Any], int | None]:
    """The keywords to pass, and the cap that then holds.

    A loop that says ``max_tokens`` itself begins with the recording's.
    """
    parameters = inspect.signature(function).parameters
    given: dict[str, Any] = {}
    if "max_tokens" in parameters and job.recorded.request.max_tokens is not None:
        given["max_tokens"] = job.recorded.request.max_tokens
    if not source.takes_max_turns:
        if job.cap_was_asked:
            raise LoopError("problem.loop_no_cap", name=source.name)
        return given, None
    if job.max_turns is not None:
        return {**given, "max_turns": job.max_turns}, job.max_turns
    if job.uncapped:
        return {**given, "max_turns": sys.maxsize}, None
    default = parameters["max_turns"].default
    if default is inspect.Parameter.empty:
        raise LoopError("problem.loop_needs_cap", name=source.name)
    return given, default if isinstance(default, int) else None
