"""Questions about a tool request and the definitions that went with the call."""

from __future__ import annotations

from collections.abc import Mapping

from visualizer.describe.arguments import verdict_of
from visualizer.describe.phrases import tool_text, value_text
from visualizer.lessons.questions import MOST_OPTIONS, Asked, Question, question
from visualizer.run.timeline import Step
from visualizer.tool_schemas import Verdict


def fits(asked: Asked) -> Question | None:
    """Whether the arguments of the next call to run fit the schema of its tool."""
    step, verdict = _next_executed(asked)
    if step is None or step.request is None or verdict is None or verdict.state == "unchecked":
        return None
    texts = asked.texts
    yes, no = texts("lesson.option.yes"), texts("lesson.option.no")
    options = [yes, no, texts("tools.ask.no_such")]
    right = {"fits": yes, "no_tool": options[2]}.get(verdict.state, no)
    prompt = texts("tools.ask.fits", call=tool_text(step.request))
    return question(asked, "fits", prompt, right, options, True, step.index, turned=False)


def misfit(asked: Asked) -> Question | None:
    """Which argument of the next call to run its schema refuses, where it is only one."""
    step, verdict = _next_executed(asked)
    if step is None or step.request is None or verdict is None:
        return None
    given = step.request.input if isinstance(step.request.input, Mapping) else {}
    refused = {one.pointer.split("/")[1] for one in verdict.misfits if one.pointer}
    if len(refused) != 1 or any(not one.pointer for one in verdict.misfits):
        return None
    (name,) = refused
    tempting = [name, *map(str, given)]
    names = sorted(list(dict.fromkeys(tempting))[:MOST_OPTIONS])
    options = [value_text(one) for one in names]
    if len(options) < 2:
        return None
    prompt = asked.texts("tools.ask.misfit")
    right = value_text(name)
    return question(asked, "misfit", prompt, right, options, True, step.index, turned=False)


def _next_executed(asked: Asked) -> tuple[Step | None, Verdict | None]:
    """The next call of this turn that runs, and how its arguments fit."""
    turn = asked.step.turn
    for step in asked.run.steps[asked.index :]:
        if step.turn != turn:
            break
        if step.phase == "execute":
            return step, verdict_of(asked.run, step)
    return None, None
