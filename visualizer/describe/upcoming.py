"""What comes next, in one sentence, from the step that does come next."""

from __future__ import annotations

from collections.abc import Callable

from visualizer.describe import host
from visualizer.describe.phrases import tool_text, value_text
from visualizer.i18n import Texts
from visualizer.run.timeline import Run, Step


def next_sentence(run: Run, step: Step, texts: Texts) -> str:
    """Announce a step that is still to come."""
    return _NEXT[step.phase](run, step, texts)


def _next_call(run: Run, step: Step, texts: Texts) -> str:
    return texts.count("step.next.call", step.sent)


def _next_execute(run: Run, step: Step, texts: Texts) -> str:
    return texts("step.next.execute", call=tool_text(step.request) if step.request else "?")


def _next_append(run: Run, step: Step, texts: Texts) -> str:
    first = run.step(step.index - 1).messages
    added = [run.message(step.index, at) for at in range(first, step.messages)]
    results = sum(len(message.results) for message in added)
    if len(added) != 1 or not results:
        return texts("step.next.append_other")
    if results == 1:
        return texts("step.next.append")
    return texts("step.next.append_all", n=results)


def _next_end(run: Run, step: Step, texts: Texts) -> str:
    if run.stop:
        return texts("step.next.stop")
    if run.raised:
        return texts("step.next.raise")
    if run.terminal_reason == "budget_exhausted" and (found := host.hit_at(run)):
        name = host.limit_name(str(found.hit), texts)
        return texts("step.next.budget", name=name, value=value_text(run.result))
    key = "step.next.used_up" if run.terminal_reason == "max_turns" else "step.next.return"
    return texts(key, value=value_text(run.result))


_NEXT: dict[str, Callable[[Run, Step, Texts], str]] = {
    "call": _next_call,
    "check": lambda run, step, texts: texts("step.next.check"),
    "execute": _next_execute,
    "append": _next_append,
    "rewrite": lambda run, step, texts: texts("step.next.rewrite"),
    "wait": host.next_wait,
    "approve": host.next_approve,
    "compact": lambda run, step, texts: texts("step.next.compact"),
    "truncate": lambda run, step, texts: texts("step.next.truncate"),
    "limit": lambda run, step, texts: texts("step.next.limit"),
    "end": _next_end,
}
