"""Replay: drive a loop over what was recorded, to the end, and give the whole run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from visualizer.engine import loop_file
from visualizer.engine.drive import Job, Loop, drive
from visualizer.engine.sources import loop_source
from visualizer.errors import LoopError, NotFoundError
from visualizer.files.resources import PACKAGE
from visualizer.loading import Scenario, load_transcript
from visualizer.loops.registry import DEFAULT, loop_function, loop_names, require_loop
from visualizer.run.limits import Caps
from visualizer.run.timeline import Run
from visualizer.transcript.records import RecordedRun
from visualizer.transcript.settings import Choice


def replay(
    scenario: Scenario | str | Path,
    *,
    loop: str | Loop | None = None,
    max_turns: int | None = None,
    run: str | None = None,
    take: str | None = None,
    decisions: Mapping[str, Choice] | None = None,
    observations: Mapping[str, str] | None = None,
    caps: Caps | None = None,
    contained: bool = True,
) -> Run:
    """Drive a loop over a scenario's recording (or over the one of a name or file), to its end.

    ``loop`` is the name of a loop on show, ``FILE.py`` or ``FILE.py:FUNCTION``, or a function
    at the top level of a file; by default the scenario's. A loop from outside this package
    runs in a process of its own, which can be killed, and what it does to variables or prints
    stays there. Its file is loaded there: a script that calls ``replay`` runs a second time,
    down to that call, and needs no ``if __name__ == "__main__":``. With ``contained=False``
    the loop runs here and now, which is faster, takes any function, and has no time limit.
    ``max_turns`` (at least 1), ``run`` and ``take`` override the scenario's settings, and so
    do ``decisions``, place by place: ``{"t1.approve": "deny"}``. ``observations`` put another
    text into a tool's result: ``{"t0.execute": "No page."}``.

    Raises ``LoopError`` where the loop can't be driven as asked, ``NotFoundError`` for an
    unknown run or take, and what ``load_transcript`` raises. What happens inside the loop never
    raises here: it is in the ``Run``.
    """
    loop_file.reached()
    scenario = load_transcript(scenario)
    if decisions is not None:
        scenario = scenario.deciding({**scenario.decided, **decisions})
    if observations is not None:
        scenario = scenario.observing({**scenario.observed, **observations})
    recorded = scenario.run(run)
    takes = [one.name for one in recorded.takes]
    if take is not None and take not in takes:
        raise NotFoundError("problem.no_take", take, takes)
    wanted = loop if loop is not None else _own_loop(scenario)
    job = _job(scenario, recorded, take, max_turns, caps)
    apart = contained and not loop_file.is_contained()
    name, function, outside = _resolve(wanted, apart)
    if outside is not None and apart:
        from visualizer.engine.child import run_in_child  # noqa: PLC0415 - start-up time

        return replace(run_in_child(job, name, outside), recording=recorded)
    if function is None and outside is not None:
        function = loop_file.load_function(outside)
    assert function is not None
    return replace(drive(job, loop_source(name, function), function), recording=recorded)


def _job(
    scenario: Scenario,
    recorded: RecordedRun,
    take: str | None,
    max_turns: int | None,
    caps: Caps | None,
) -> Job:
    """What to drive a loop over: the scenario's settings, or what was asked for."""
    settings = scenario.settings
    own = settings.max_turns or recorded.max_turns
    cap = own if max_turns is None else max_turns
    if cap is not None and cap < 1:
        raise LoopError("problem.max_turns", value=cap)
    return Job(
        scenario=scenario.name,
        recorded=recorded,
        world=scenario.world,
        take=take or settings.take,
        max_turns=cap,
        cap_was_asked=max_turns is not None,
        caps=caps or _caps_for(recorded),
        uncapped=recorded.uncapped,
        settings=settings,
        observed=scenario.observed,
        answered=scenario.was_answered(scenario.runs.index(recorded)),
    )


def _caps_for(recorded: RecordedRun) -> Caps:
    turns = [turn for take in recorded.takes for turn in take.turns]
    return Caps.for_recording(len(turns), sum(len(turn.results or ()) for turn in turns))


def _own_loop(scenario: Scenario) -> str:
    """The loop that a scenario names: only a caller may name a file. Raises ``LoopError``."""
    name = scenario.settings.loop or DEFAULT
    require_loop(name)
    return name


def _resolve(wanted: str | Loop, apart: bool) -> tuple[str, Loop | None, loop_file.LoopFile | None]:
    """A loop's name, its function where that is at hand, and its file when outside."""
    if not isinstance(wanted, str):
        return _resolve_function(wanted, apart)
    if wanted in loop_names():
        return wanted, loop_function(wanted), None
    path, _, function = wanted.rpartition(":") if ".py:" in wanted else (wanted, "", "")
    if path.endswith(".py"):
        if not Path(path).is_file():
            raise LoopError("problem.loop_no_file", file=path)
        name = function or Path(path).stem
        return name, None, loop_file.LoopFile.named(str(Path(path).resolve()), function)
    raise LoopError("problem.no_loop", name=wanted, known=", ".join(loop_names()))


def _resolve_function(function: Loop, apart: bool) -> tuple[str, Loop, loop_file.LoopFile | None]:
    source = loop_source(getattr(function, "__name__", repr(function)), function)
    if Path(source.file).is_relative_to(PACKAGE / "loops"):
        return source.name, function, None
    outside = loop_file.LoopFile.of(function, source.file)
    if outside is None and apart:
        file = Path(source.file).name
        raise LoopError(
            "problem.loop_not_top_level", name=source.name, file=file, line=source.first_line
        )
    return source.name, function, outside
