"""A run as text and as JSON: for pipes, screen readers and programs.

Lines come one by one, so that a long run is printed while it is read. Text lines are safe
for a terminal; JSON is ASCII and always valid, whatever a loop returned.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from visualizer.describe import describe, phase_label
from visualizer.describe.account import ending_lines
from visualizer.describe.arguments import verdict_of
from visualizer.describe.fingerprint import fingerprint
from visualizer.describe.phrases import plain_repr, scalar
from visualizer.i18n import Texts
from visualizer.messages import Block
from visualizer.run.limits import BILLION, LimitUse
from visualizer.run.timeline import Call, Difference, Run, Step, Stop
from visualizer.text import cells, display_safe, pad

if TYPE_CHECKING:
    from visualizer.loading import Scenario

_DEEPEST = 100


def text_lines(
    run: Run, scenario: Scenario, texts: Texts, index: int | None = None
) -> Iterator[str]:
    """A run in lines of text: what it is, every step (or one of them), how it ended."""
    yield from _header(run, scenario, texts)
    steps = run.steps if index is None else [run.step(index)]
    number = len(str(len(run.steps)))
    place = max(len(step.place) for step in steps)
    phase = _phase_width(run, texts)
    for step in steps:
        said = describe(run, step.index, texts, scenario.notes)
        columns = f"{step.index:>{number}}  {pad(step.place, place)}  "
        label = phase_label(run, step.index, texts)
        yield f"{columns}{pad(label, phase)}  {said.happened}".rstrip()
        if said.note:
            yield f"{' ' * len(columns)}{texts('command.run.note', text=said.note)}"
    if index is None:
        yield ""
        yield from ending_lines(run, texts)


def _phase_width(run: Run, texts: Texts) -> int:
    """Cells for the names of phases, wide enough for the longest "EXECUTE 1 of 2"."""
    most = max((len(call.reply.tool_calls) for call in run.calls if call.reply), default=0)
    longest = texts("step.phase.execute_of", i=most, n=most) if most > 1 else ""
    return max(11 if texts.language == "en" else 10, cells(longest))


def title_line(scenario: Scenario, texts: Texts) -> str:
    """The title of a scenario and the kind of its recording: ``Aurora Run (reconstructed)``."""
    title = display_safe(scenario.title(texts.language))
    provenance = scenario.provenance()
    if provenance is None:
        return title
    kind = texts(f"command.kind.{provenance.kind}")
    return texts("command.run.title", title=title, kind=kind)


def to_json(run: Run, scenario: Scenario, texts: Texts, index: int | None = None) -> dict[str, Any]:
    """A run as plain data; ``index`` leaves only one step in it."""
    steps = run.steps if index is None else [run.step(index)]
    calls = {call.step: call for call in run.calls}
    return {
        "scenario": scenario.name,
        "loop": run.loop.name,
        "max_turns": run.max_turns,
        "result": scalar(run.result),
        "terminal_reason": run.terminal_reason,
        "fingerprint": fingerprint(run),
        "model_calls": run.model_calls,
        "tool_calls": run.tool_calls,
        "tool_rounds": run.tool_rounds,
        "raised": {"type": run.raised.type, "text": run.raised.text} if run.raised else None,
        "stop": _stop_json(run.stop) if run.stop else None,
        "provenance": provenance_json(scenario, texts),
        "steps": [_step_json(run, step, calls.get(step.index)) for step in steps],
    }


def provenance_json(scenario: Scenario, texts: Texts) -> dict[str, str] | None:
    """Where the recording comes from, as plain data."""
    provenance = scenario.provenance()
    if provenance is None:
        return None
    return {"kind": provenance.kind, "source": provenance.source.in_language(texts.language)}


def scenario_lines(scenario: Scenario, texts: Texts) -> Iterator[str]:
    """A scenario in the list: its name and title, and what it shows."""
    title = title_line(scenario, texts)
    yield texts("command.list.entry", name=display_safe(scenario.name), title=title)
    yield f"    {display_safe(' '.join(scenario.summary(texts.language).split()))}"


def scenario_json(scenario: Scenario, default_loop: str, texts: Texts) -> dict[str, Any]:
    """A scenario in the list, as plain data."""
    return {
        "name": scenario.name,
        "title": scenario.title(texts.language),
        "summary": scenario.summary(texts.language),
        "provenance": provenance_json(scenario, texts),
        "max_turns": scenario.settings.max_turns,
        "loop": scenario.settings.loop or default_loop,
        "file": None if scenario.path is None else scenario.path.name,
    }


def json_lines(data: Mapping[str, Any]) -> Iterator[str]:
    """JSON text with one line for every entry, and for every item of a list of objects."""
    last = len(data) - 1
    yield "{"
    for number, (key, value) in enumerate(data.items()):
        comma = "" if number == last else ","
        if isinstance(value, list) and value:
            yield f"  {_dumps(key)}: ["
            for at, item in enumerate(value):
                yield f"    {_dumps(item)}{'' if at == len(value) - 1 else ','}"
            yield f"  ]{comma}"
        else:
            yield f"  {_dumps(key)}: {_dumps(value)}{comma}"
    yield "}"


def _header(run: Run, scenario: Scenario, texts: Texts) -> Iterator[str]:
    yield title_line(scenario, texts)
    provenance = scenario.provenance()
    if provenance is not None:
        yield display_safe(" ".join(provenance.source.in_language(texts.language).split()))
    yield loop_line(run, texts)
    yield from observed_lines(run, texts)
    yield ""


def loop_line(run: Run, texts: Texts) -> str:
    """What a run was driven with, in a line."""
    loop = display_safe(run.loop.name)
    if run.max_turns is None:
        return texts("command.run.loop", loop=loop)
    return texts("command.run.loop_and_cap", loop=loop, cap=run.max_turns)


def observed_lines(run: Run, texts: Texts) -> Iterator[str]:
    """The observations that a reader changed, a line each."""
    for place, text in run.observations:
        shown = display_safe(json.dumps(text, ensure_ascii=False))
        yield texts("command.run.observed", place=place, text=shown)


def _step_json(run: Run, step: Step, call: Call | None) -> dict[str, Any]:
    about = call.error if call is not None else step.about
    return {
        "index": step.index,
        "turn": step.turn,
        "phase": step.phase,
        "line": step.line,
        "stop_reason": step.stop_reason,
        "messages": step.messages,
        "place": step.place,
        "last_line": step.last_line,
        "code": run.loop.line(step.line).strip(),
        "model_calls": step.model_calls,
        "tool_rounds": step.tool_rounds,
        "tool_calls": step.tool_calls,
        "sent": step.sent,
        "tool_use_id": step.request.id if step.request else None,
        "violations": [one.code for one in call.violations] if call is not None else [],
        "arguments": _arguments_json(run, step),
        "about": None if about is None else _about_json(about),
    }


def _arguments_json(run: Run, step: Step) -> dict[str, Any] | None:
    """Whether the arguments of an executed call fit the tool's schema."""
    verdict = verdict_of(run, step)
    if verdict is None:
        return None
    misfits = [
        {"pointer": one.pointer, "rule": one.rule, "expected": plain_data(one.expected)}
        for one in verdict.misfits
    ]
    return {**verdict._asdict(), "misfits": misfits}


def _about_json(about: Any) -> Any:
    """What a step was about: its fields by name."""
    if isinstance(about, LimitUse):
        unit = BILLION if about.name == "max_budget_usd" else 1
        counts = {"configured": about.configured, "used": about.used, "left": about.left}
        return {
            "name": about.name,
            **{name: n if unit == 1 else n / unit for name, n in counts.items()},
        }
    if isinstance(about, Block):
        return plain_data(about.data)
    if hasattr(about, "_asdict"):
        return {name: _about_json(value) for name, value in about._asdict().items()}
    if isinstance(about, tuple):
        return [_about_json(one) for one in about]
    return scalar(about)


def _stop_json(stop: Stop) -> dict[str, Any]:
    return {
        "reason": stop.reason,
        "detail": stop.detail,
        "cap": stop.cap,
        "difference": difference_json(stop.difference) if stop.difference else None,
        "violations": [
            {"code": one.code, "pointer": one.pointer, "ids": list(one.ids)}
            for one in stop.violations
        ],
    }


def difference_json(difference: Difference) -> dict[str, Any]:
    """The first thing that was not recorded, as plain data."""
    return {
        "where": difference.where,
        "message": difference.message,
        "field": difference.field,
        "recorded": plain_data(difference.recorded),
        "sent": plain_data(difference.sent),
    }


def plain_data(value: Any, depth: int = 0) -> Any:
    """Whatever a run holds as data that JSON has; what it has not, and what lies deep, as text."""
    if depth > _DEEPEST:
        return plain_repr(type(value))
    if isinstance(value, Mapping):
        return {str(key): plain_data(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_data(item, depth + 1) for item in value]
    return scalar(value)


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False)
