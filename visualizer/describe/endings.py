"""How a run ended, in plain sentences: what was returned or raised, and why."""

from __future__ import annotations

import json
from pathlib import PurePath

from visualizer.describe import host
from visualizer.describe.phrases import (
    differing,
    excerpt,
    join,
    safe,
    span,
    stop_reason_text,
    tool_text,
    value_text,
)
from visualizer.engine.slips import SLIPS
from visualizer.i18n import Texts
from visualizer.messages import Message
from visualizer.protocol import Violation
from visualizer.run.timeline import ABSENT, Call, Difference, Observed, Raised, Run, Step, Stop

_POINTER = 120
_UNSENT = 60


def end_sentences(run: Run, step: Step, texts: Texts) -> list[str]:
    """What happened at the end of a run."""
    if run.stop:
        return _stopped(run, run.stop, texts)
    if run.raised:
        return [_raised(run.raised, texts)]
    value = value_text(run.result)
    call = run.calls[-1] if run.calls else None
    if call is None or call.reply is None:
        return [texts("step.end.no_call", value=value)]
    if run.terminal_reason == "max_turns":
        return _cut_off(run, step, call, value, texts)
    if run.terminal_reason == "completed":
        return _completed(run, step, call.reply, value, texts)
    return _otherwise(run, call, call.reply, value, texts)


def rule_text(violation: Violation, texts: Texts) -> str:
    """A broken protocol rule in one sentence."""
    if violation.code in SLIPS:
        kind = safe("".join(violation.ids[:1]), 40)
        return texts(f"slip.{violation.code}", at=_item(violation.pointer), kind=kind)
    where = safe(violation.pointer, _POINTER) or "messages"
    ids = texts("step.reply.comma").join(safe(one, 40) for one in violation.ids[:3])
    return texts(f"rule.{violation.code}", where=where, ids=ids)


def _item(pointer: str) -> str:
    """A place in the list of messages as code writes it: ``messages[1]["content"][0]``."""
    name, *steps = pointer.strip("/").split("/")
    return name + "".join(f"[{step if step.isdigit() else json.dumps(step)}]" for step in steps)


def _raised(raised: Raised, texts: Texts) -> str:
    kind, text = safe(raised.type, 80), safe(raised.said(texts), 200)
    error = f"{kind}: {text}" if text else kind
    if not raised.line:
        return texts("step.end.raised", error=error)
    file = safe(PurePath(raised.file).name, 80)
    return texts("step.end.raised_at", error=error, file=file, line=raised.line)


def never_sent(run: Run, step: Step) -> range:
    """The messages that came in after the last call's reply and that no call has sent."""
    call = run.call_at(step.index)
    if call is None or call.history != step.history:
        return range(0)
    first = call.sent
    if first < step.messages and run.message(step.index, first).role == "assistant":
        first += 1
    return range(first, step.messages)


def _completed(run: Run, step: Step, reply: Message, value: str, texts: Texts) -> list[str]:
    last = step.messages - 1
    if run.result == reply.text == "":
        return [texts("step.end.empty", value=value)]
    if run.result == reply.text:
        first = texts("step.end.answer", value=value)
    elif run.result is None and last >= 0 and run.message(step.index, last) == reply:
        first = texts("step.end.kept", value=value, message=last)
    else:
        first = texts("step.end.other", value=value, text=excerpt(reply.text))
    first = join([first, *_reply_itself(run, texts)], texts)
    if run.tool_rounds == 0 and run.model_calls == 1:
        return [first, texts("step.end.one_shot")]
    if run.model_calls == run.tool_rounds + 1:
        return [first, texts.count("step.end.counts", run.tool_rounds, calls=run.model_calls)]
    return [first]


def _reply_itself(run: Run, texts: Texts) -> list[str]:
    """What a loop returns that forgets to take the text of its reply."""
    kind = getattr(run.result, "foreign", type(run.result).__name__)
    return [texts("step.end.reply_itself")] if kind == "Reply" else []


def _cut_off(run: Run, step: Step, call: Call, value: str, texts: Texts) -> list[str]:
    if run.result is None:
        first = texts.count("step.end.no_answer", run.max_turns or run.model_calls, value=value)
    else:
        first = texts.count("step.end.cap", run.max_turns or run.model_calls, value=value)
    waiting = never_sent(run, step)
    number = run.model_calls + 1
    if not waiting:
        return [first, texts("step.end.not_allowed", call=number)]
    results = run.message(step.index, waiting[0]).results
    where = span(waiting[0], waiting[-1])
    text = excerpt(results[0].result_text, _UNSENT) if results else ""
    if len(waiting) == 1:
        key = "step.end.unread_result" if results else "step.end.unread"
    else:
        key = "step.end.unread_many_result" if results else "step.end.unread_many"
    second = texts(key, message=where, text=text)
    return [first, second, texts("step.end.only_model", call=number)]


def _otherwise(run: Run, call: Call, reply: Message, value: str, texts: Texts) -> list[str]:
    """Ends that are neither an answer nor the cap."""
    flag = stop_reason_text(call.stop_reason)
    reason = run.terminal_reason
    if reason == "returned_early":
        wants = "step.end.early" if call.stop_reason == "tool_use" else "step.end.early_other"
        if wants == "step.end.early" and run.max_turns is None:
            wants = "step.end.early_no_cap"
        sentences = [texts(wants, value=value, flag=flag), *_reply_itself(run, texts)]
        if run.steps[-2].phase == "call":
            sentences.append(texts("step.end.flag_unread"))
        return sentences
    if reason == "budget_exhausted":
        return _budget(run, reply, value, texts)
    if reason not in ("truncated", "refusal", "paused"):
        return [texts("step.end.reason", value=value, reason=safe(reason, 40))]
    taken = "step.end.taken" if run.result == reply.text else "step.end.left"
    return [texts(f"step.end.{reason}", value=value, flag=flag), texts(taken)]


def _budget(run: Run, reply: Message, value: str, texts: Texts) -> list[str]:
    """A limit was used up, so the loop left before it ran the tools of that reply."""
    found = host.hit_at(run)
    use = next((one for one in found.uses if one.name == found.hit), None) if found else None
    if use is None:
        return [texts("step.end.reason", value=value, reason=run.terminal_reason)]
    name, used = host.limit_name(use.name, texts), host.use_text(use, texts)
    first = texts("step.end.budget", value=value, name=name, use=used)
    return [first, texts("step.end.budget_tools")] if reply.tool_calls else [first]


def _stopped(run: Run, stop: Stop, texts: Texts) -> list[str]:
    number = run.model_calls + 1
    if stop.reason == "diverged":
        if stop.difference is None:
            return [texts("step.stop.diverged", call=number)]
        said = _diverged(stop.difference, number, texts)
        place = _changed_place(run, stop.difference)
        return [texts("step.stop.observed", call=number, place=place), *said[1:]] if place else said
    if stop.reason == "request_refused":
        rules = join([rule_text(one, texts) for one in stop.violations[:2]], texts)
        return [texts("step.stop.refused", call=number), rules, *_came_in(run, stop, texts)]
    if stop.reason == "recording_ended":
        if stop.detail == "no_result":
            return [texts("step.stop.no_result", call=_unanswered(run) or "?")]
        place = _changed_place(run, None)
        key = "no_summary" if stop.detail == "no_summary" else "no_more_calls"
        key = "observed" if place and key == "no_more_calls" else key
        return [texts(f"step.stop.{key}", call=number, place=place)]
    return [_ended(run, stop, texts)]


def _came_in(run: Run, stop: Stop, texts: Texts) -> list[str]:
    """Where the loop put something into its list that is no message."""
    first = next(iter(stop.violations), None)
    if first is None or first.code not in SLIPS:
        return []
    message, call = int(first.pointer.split("/")[2]), run.calls[-1]
    for step in run.steps[: call.step - 1]:
        if step.history == call.history and step.messages > message:
            file = safe(PurePath(run.loop.file).name, 80)
            return [texts("step.stop.came_in", file=file, line=step.last_line)]
    return []


def _changed_place(run: Run, difference: Difference | None) -> str:
    """Where a reader changed the observation that a run stumbled over; ``""`` for none.

    Without a difference it may stand anywhere in what was sent last.
    """
    call = run.calls[-1] if run.calls and run.observations else None
    if call is None:
        return ""
    sent = run.request(call)
    if difference is not None:
        at = difference.message if difference.where == "messages" else None
        sent = sent[at : at + 1] if at is not None else []
    answered = {block.tool_use_id for message in sent for block in message.results}
    changed = (step for step in run.steps if isinstance(step.about, Observed))
    return next((one.place for one in changed if one.request and one.request.id in answered), "")


def _ended(run: Run, stop: Stop, texts: Texts) -> str:
    """A run that waits for a decision, or that the visualizer's own caps ended."""
    if stop.reason == "undecided":
        return host.undecided(run, stop, texts)
    detail = stop.detail if stop.detail in ("calls", "steps", "lines", "time") else "steps"
    cap = run.model_calls if stop.cap is None else stop.cap
    return texts.count(f"step.stop.{detail}", cap)


def _diverged(difference: Difference, number: int, texts: Texts) -> list[str]:
    field = safe(difference.field, _POINTER)
    if difference.where == "messages":
        opening = texts("step.stop.diverged", call=number)
        message = "?" if difference.message is None else difference.message
        place = texts("step.stop.in_message", message=message, field=field)
    else:
        tool = difference.where == "tool"
        opening = texts("step.stop.diverged_tool" if tool else "step.stop.diverged", call=number)
        place = texts(f"step.stop.in_{difference.where}", field=field)
    values = (difference.recorded, difference.sent)
    if isinstance(values[0], str) and isinstance(values[1], str) and ABSENT not in values:
        values = differing(*values)
    recorded, sent = (_side(one, texts) for one in values)
    return [opening, texts("step.stop.first", place=place.strip(), recorded=recorded, sent=sent)]


def _side(value: object, texts: Texts) -> str:
    return texts("step.stop.absent") if value == ABSENT else value_text(value)


def _unanswered(run: Run) -> str:
    """The tool call that the recording has no result for."""
    for step in run.steps[-2:]:
        if step.request is not None and step.result is None:
            return tool_text(step.request)
    call = run.calls[-1] if run.calls else None
    if call is None or call.reply is None:
        return ""
    ran = {step.request.id for step in run.steps[call.step :] if step.request is not None}
    for block in call.reply.tool_calls:
        if block.id not in ran:
            return tool_text(block)
    return ""
