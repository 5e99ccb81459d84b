"""A step of a run in plain sentences, in the reader's language.

Every sentence is computed from the run: what was sent, read, run, added and returned. None
gives a motive to the model. Texts from the transcript come out safe for a terminal, so a
description may be printed as it is. Describing a step costs what its turn holds, however
long the run is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from visualizer.describe import host
from visualizer.describe.arguments import misfit_sentences
from visualizer.describe.endings import end_sentences, rule_text
from visualizer.describe.phrases import (
    EXCERPT,
    differing,
    excerpt,
    join,
    safe,
    span,
    stop_reason_text,
    tool_text,
    value_text,
)
from visualizer.describe.rewritten import rewrite_sentences
from visualizer.describe.upcoming import next_sentence
from visualizer.i18n import Texts
from visualizer.messages import Block, Message
from visualizer.run.timeline import Call, Observed, Run, Step
from visualizer.text import display_safe
from visualizer.transcript.records import Note

_FLAGS = {
    "tool_use": "tool_use",
    "end_turn": "end_turn",
    "stop_sequence": "stop_sequence",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "refusal": "refusal",
    "pause_turn": "pause_turn",
}


class Description(NamedTuple):
    """A step in words: its phase, what happened, what comes next, what an author remarks."""

    phase: str
    happened: str
    next: str
    note: str


def describe(run: Run, index: int, texts: Texts, notes: Iterable[Note] = ()) -> Description:
    """The step with a 1-based index in words; ``notes`` are the scenario's."""
    step = run.step(index)
    following = run.step(index + 1) if index < len(run.steps) else None
    return Description(
        phase_label(run, index, texts),
        join(_HAPPENED[step.phase](run, step, texts), texts),
        next_sentence(run, following, texts) if following else "",
        _note(run, step, texts, notes),
    )


def phase_label(run: Run, index: int, texts: Texts) -> str:
    """The name of a step's phase: CALL, EXECUTE 2 of 2, RETURNED …"""
    step = run.step(index)
    if step.phase == "end":
        kind = "stopped" if run.stop else "raised" if run.raised else "returned"
        return texts(f"step.phase.{kind}")
    if step.phase == "execute":
        count, done = _asked_count(run, step), len(_executed(run, step))
        if 1 <= done <= count and count > 1:
            return texts("step.phase.execute_of", i=done, n=count)
    return texts(f"step.phase.{step.phase}")


def _note(run: Run, step: Step, texts: Texts, notes: Iterable[Note]) -> str:
    """An author's remarks are about what was recorded: none from a changed observation on."""
    if run.observations and step.index >= run.locate(run.observations[0][0]):
        return ""
    here = [
        display_safe(" ".join(note.text.in_language(texts.language).split()))
        for note in notes
        if note.at in (step.place, str(step.index))
        and note.loop in (None, run.loop.name)
        and note.max_turns in (None, run.max_turns)
    ]
    return join(here, texts)


def _start(run: Run, step: Step, texts: Texts) -> list[str]:
    begin = texts.count("step.start.messages", step.messages)
    if run.max_turns is None:
        return [begin, texts("step.start.no_cap")]
    return [begin, texts.count("step.start.cap", run.max_turns)]


def _call(run: Run, step: Step, texts: Texts) -> list[str]:
    call = run.call_at(step.index)
    if call is None:
        return []
    sentences = [_sent(run, call, texts), _parameters(run, call, texts)]
    if call.error is not None:
        sentences.append(texts("step.reply.failed", why=host.error_text(call.error, texts)))
    elif call.reply is None:
        sentences.append(texts("step.reply.none"))
    else:
        sentences.append(reply_sentence(call.reply, texts))
    if call.repeated:
        sentences.append(texts.count("step.call.repeated", call.repeated))
    if call.violations:
        sentences.append(texts("step.call.rule", rule=rule_text(call.violations[0], texts)))
    return sentences


def _sent(run: Run, call: Call, texts: Texts) -> str:
    before = run.call_at(call.step - 1) if call.step > 1 else None
    number = run.step(call.step).model_calls + (call.reply is None)
    if before is None:
        return texts.count("step.call.sent", call.sent, call=number)
    if before.history != call.history:
        return texts.count("step.call.sent_rewritten", call.sent, call=number)
    new = call.sent - before.sent
    key = "step.call.sent_new" if new > 0 else "step.call.sent_same"
    return texts.count(key, call.sent, call=number, new=new)


def _parameters(run: Run, call: Call, texts: Texts) -> str:
    """The parameters that a call passed otherwise than the one before."""
    before = run.call_at(call.step - 1) if call.step > 1 else None
    if before is None or before.parameters == call.parameters:
        return ""
    changed = [
        f"{safe(name, EXCERPT)} {value_text(value)}"
        for name, value in call.parameters.items()
        if name not in before.parameters or before.parameters[name] != value
    ]
    comma = texts("step.reply.comma")
    return texts("step.call.parameters", parameters=comma.join(changed)) if changed else ""


def reply_sentence(reply: Message, texts: Texts) -> str:
    """What a reply holds: its text, the tools it asks for, or nothing."""
    calls = reply.tool_calls
    said = excerpt(reply.text) if reply.text.strip() else ""
    if not calls:
        return texts("step.reply.text", text=said) if said else texts("step.reply.empty")
    shown = texts("step.reply.comma").join(tool_text(call) for call in calls[:2])
    if len(calls) > 2:
        shown = texts("step.reply.more", calls=shown, n=len(calls))
    if said:
        return texts("step.reply.text_and_tools", text=said, calls=shown)
    if len(calls) == 1:
        return texts("step.reply.tool", call=shown)
    return texts("step.reply.tools", n=len(calls), calls=shown)


def _check(run: Run, step: Step, texts: Texts) -> list[str]:
    key = _FLAGS.get(step.stop_reason or "", "other")
    flag = stop_reason_text(step.stop_reason)
    sentences = [texts(f"step.check.{key}", flag=flag, then=_then(run, step, key, texts))]
    if any(earlier.phase == "execute" for earlier in _turn(run, step)):
        sentences.append(texts("step.check.late"))
    return sentences


def _then(run: Run, step: Step, flag: str, texts: Texts) -> str:
    """What the loop did with the flag it had read."""
    if step.index == len(run.steps):
        return texts("step.check.and_stopped")
    if run.step(step.index + 1).phase != "end":
        return texts("step.check.so_on" if flag == "tool_use" else "step.check.and_on")
    if run.stop:
        return texts("step.check.and_stopped")
    if run.raised:
        return texts("step.check.and_raised")
    expected = flag in ("end_turn", "stop_sequence")
    return texts("step.check.so_returned" if expected else "step.check.and_returned")


def _execute(run: Run, step: Step, texts: Texts) -> list[str]:
    name = tool_text(step.request) if step.request else "?"
    ran = _ran(name, step.result, texts)
    count, done = _asked_count(run, step), len(_executed(run, step))
    all_ran = [texts("step.execute.all", n=count)] if done == count > 1 else []
    said = [*all_ran, *misfit_sentences(run, step, texts), ran]
    if isinstance(step.about, Observed):
        now = step.result.result_text if step.result is not None else ""
        own = excerpt(differing(step.about.recorded.result_text, now)[0])
        said.append(texts("step.execute.changed", text=own))
    return said


def _ran(name: str, result: Block | None, texts: Texts) -> str:
    if result is None:
        return texts("step.execute.no_result", call=name)
    text = result.result_text
    if result.is_error:
        return texts("step.execute.error", call=name, text=excerpt(text))
    if not text.strip():
        return texts("step.execute.empty", call=name)
    return texts("step.execute.ran", call=name, text=excerpt(text))


def _append(run: Run, step: Step, texts: Texts) -> list[str]:
    first = run.step(step.index - 1).messages
    added = [run.message(step.index, at) for at in range(first, step.messages)]
    sentences = [_added(run, step, added, first, texts)] if added else []
    rounds = step.tool_rounds
    if rounds > run.step(step.index - 1).tool_rounds:
        sentences.append(texts("step.append.round", n=rounds))
    return sentences


def _added(run: Run, step: Step, added: Sequence[Message], first: int, texts: Texts) -> str:
    results = sum(len(message.results) for message in added)
    if len(added) > 1:
        numbers = span(first, first + len(added) - 1)
        return texts("step.append.several", n=len(added), messages=numbers, results=results)
    asked = _asked_count(run, step)
    if not results:
        key = "step.append.text" if added[0].text.strip() else "step.append.empty"
        return texts(key, message=first, text=excerpt(added[0].text))
    if results == 1 and asked <= 1:
        return texts("step.append.one", message=first)
    key = "step.append.all" if results >= asked else "step.append.part"
    return texts(key, message=first, results=results, n=asked)


def _turn(run: Run, step: Step) -> tuple[Step, ...]:
    """The steps of a turn up to and including this one."""
    return run.steps[run.turn_start(step.index) - 1 : step.index]


def _executed(run: Run, step: Step) -> list[Step]:
    return [one for one in _turn(run, step) if one.phase == "execute"]


def _asked_count(run: Run, step: Step) -> int:
    """How many tools the turn's reply asked for."""
    call = run.call_at(step.index)
    return len(call.reply.tool_calls) if call and call.reply else 0


_HAPPENED: dict[str, Callable[[Run, Step, Texts], list[str]]] = {
    "start": _start,
    "call": _call,
    "check": _check,
    "execute": _execute,
    "append": _append,
    "rewrite": rewrite_sentences,
    "wait": host.wait,
    "limit": host.limit,
    "approve": host.approve,
    "compact": host.compact,
    "truncate": host.truncate,
    "end": end_sentences,
}
