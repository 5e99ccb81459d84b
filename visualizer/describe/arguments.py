"""Whether the arguments of an executed call fit the tool's schema, in plain sentences.

The check is the visualizer's own: it changes nothing in the run, whose results are recorded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from visualizer.describe.phrases import EXCERPT, kept, safe, value_text
from visualizer.i18n import Texts
from visualizer.run.replay_match import matched
from visualizer.run.timeline import Run, Step
from visualizer.tool_schemas import Misfit, Verdict, check_arguments
from visualizer.transcript.records import Turn

_SHOWN = 2
_VALUES = 4
_POINTER = 60


def verdict_of(run: Run, step: Step) -> Verdict | None:
    """Whether the arguments of a step's call fit; None for a step that executes nothing."""
    if step.phase != "execute" or step.request is None:
        return None
    found: dict[int, Verdict] = kept(run, "_verdicts", lambda _: {})
    if step.index not in found:
        found[step.index] = check_arguments(tools_at(run, step), step.request)
    return found[step.index]


def misfit_sentences(run: Run, step: Step, texts: Texts) -> list[str]:
    """That and where arguments do not fit; nothing where they do, or where nothing is known."""
    verdict = verdict_of(run, step)
    if verdict is None or not verdict.contradicts:
        return []
    if verdict.state != "misfits":
        return [texts(f"tools.arguments.{verdict.state}")]
    where = [_misfit(one, texts) for one in verdict.misfits[:_SHOWN]]
    if len(verdict.misfits) > _SHOWN:
        where.append(texts("tools.arguments.more", n=len(verdict.misfits) - _SHOWN))
    between = "" if texts.language == "ja" else " "
    return [texts("tools.arguments.misfits", where=between.join(where))]


def ran_text(said: str, run: Run, step: Step, tool_use_id: str, texts: Texts) -> str:
    """What a line saw of a call that ran, and in a word what is wrong with its arguments."""
    first = run.turn_start(step.index - 1 if step.phase == "end" and step.index > 1 else step.index)
    for one in run.steps[first - 1 : step.index]:
        if one.request is not None and one.request.id == tool_use_id:
            verdict = verdict_of(run, one)
            if verdict is not None and verdict.contradicts:
                key = "saw_no_tool" if verdict.state == "no_tool" else "saw"
                return texts(f"tools.arguments.{key}", ran=said)
    return said


def tools_at(run: Run, step: Step) -> Any:
    """The tools that went with the latest call: the loop's own, else what was recorded."""
    call = run.call_at(step.index)
    if call is None or run.recording is None:
        return call.parameters.get("tools") if call is not None else None
    if "tools" in call.parameters:
        return call.parameters["tools"]
    turn = kept(run, "_turns_with_tools", _turns_with_tools).get(call.step)
    return run.recording.request.tools if turn is None else turn.request["tools"]


def _turns_with_tools(run: Run) -> Mapping[int, Turn]:
    """The recorded turns with tools of their own, by the step of their call."""
    recorded = run.recording
    turns = (turn for take in recorded.takes for turn in take.turns) if recorded else ()
    if recorded is None or not any("tools" in turn.request for turn in turns):
        return {}
    found = ((run.calls[number], turn) for number, turn in matched(recorded, run))
    return {call.step: turn for call, turn in found if "tools" in turn.request}


def _misfit(one: Misfit, texts: Texts) -> str:
    pointer = safe(one.pointer, _POINTER)
    if one.rule == "required":
        what = texts("tools.arguments.missing", name=value_text(one.expected))
    elif one.rule == "additionalProperties":
        names = _listed(one.expected, texts)
        what = texts("tools.arguments.extra", names=names)
    else:
        expected = _expected(one, texts)
        got = safe(_json(one.got), EXCERPT)
        what = texts("tools.arguments.got", expected=expected, got=got)
    return texts(
        "tools.arguments.at" if pointer else "tools.arguments.whole", pointer=pointer, what=what
    )


def _expected(one: Misfit, texts: Texts) -> str:
    value = safe(_json(one.expected), EXCERPT)
    if one.rule == "type":
        kinds = one.expected if isinstance(one.expected, list) else [one.expected]
        types = texts("tools.arguments.or").join(safe(str(kind), 20) for kind in kinds)
        return texts("tools.arguments.type", types=types)
    if one.rule == "enum":
        return texts("tools.arguments.enum", values=_listed(one.expected, texts))
    if one.rule in ("anyOf", "oneOf"):
        return texts("tools.arguments.forms", n=value)
    key = _RULES.get(one.rule, "other")
    return texts(f"tools.arguments.{key}", value=value, rule=safe(one.rule, 30))


def _listed(values: Any, texts: Texts) -> str:
    several = values if isinstance(values, Sequence) and not isinstance(values, str) else [values]
    shown = [safe(_json(one), EXCERPT) for one in several[:_VALUES]]
    return texts("tools.comma").join([*shown, "..."] if len(several) > _VALUES else shown)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)


_RULES = {
    "const": "constant",
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusiveMinimum": "above",
    "exclusiveMaximum": "below",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_items",
    "maxItems": "max_items",
    "pattern": "pattern",
    "multipleOf": "multiple",
}
