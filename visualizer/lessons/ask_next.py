"""Questions about what comes next: a line, a phase, a flag, an end, who acts."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right

from visualizer.describe.phrases import stop_reason_text, tool_text, value_text
from visualizer.lessons.questions import MOST_OPTIONS, Asked, Question, question
from visualizer.messages import Message, leaves
from visualizer.run.timeline import Call, Run, Step
from visualizer.text import display_safe

FLAGS = ("tool_use", "end_turn", "max_tokens")
PHASES = ("call", "check", "execute", "append")
_NUMBER = re.compile(r"\d{2,}", re.ASCII)
_MANY_STEPS = 2_000


def next_flag(asked: Asked) -> Question | None:
    """The stop_reason of the next reply: always a guess."""
    call = next_call(asked)
    no_call = asked.texts("lesson.option.no_call")
    if asked.following is None or (call.reply is None if call else asked.run.stop is not None):
        return None
    right = no_call if call is None else stop_reason_text(call.stop_reason)
    options = [stop_reason_text(flag) for flag in FLAGS]
    if right not in (*options, no_call):
        options[-1] = right
    if asked.step.phase != "start":
        options.append(no_call)
    prompt = asked.texts("lesson.ask.next_flag")
    shown_at = len(asked.run.steps) if call is None else call.step
    return question(asked, "next_flag", prompt, right, options, False, shown_at, turned=False)


def next_line(asked: Asked) -> Question | None:
    """Which of a few lines runs first from here on, or after the check of this call."""
    target = asked.decision
    run = asked.run
    if target is None or (target.phase == "end" and (run.stop or run.raised)):
        return None
    others = [line for line in _candidates(run) if line not in _between(asked, target)]
    lines = list(dict.fromkeys([target.line, *others]))
    by_text = {run.loop.line(line).strip(): line for line in reversed(lines)}
    if len(by_text) < 2:
        return None
    by_text[run.loop.line(target.line).strip()] = target.line
    kept = [line for line in lines if line in by_text.values()][:MOST_OPTIONS]
    numbers = tuple(sorted(kept))
    flag = asked.step.phase == "call" and target.index == asked.index + 2
    key = "lesson.ask.next_line_flag" if flag else "lesson.ask.next_line"
    values = {"flag": stop_reason_text(asked.step.stop_reason)} if flag else {}
    return Question(
        prompt=asked.texts(key, **values),
        options=tuple(display_safe(run.loop.line(line).strip()) for line in numbers),
        right=numbers.index(target.line),
        kind="next_line",
        scored=True,
        shown_at=target.index,
        lines=numbers,
    )


def next_phase(asked: Asked) -> Question | None:
    """Which phase comes next."""
    step = asked.following
    if step is None or (step.phase == "end" and asked.run.stop):
        return None
    texts = asked.texts
    end = texts("lesson.option.phase_end")
    options = [texts(f"step.phase.{phase}") for phase in PHASES] + [end]
    right = end if step.phase == "end" else texts(f"step.phase.{step.phase}")
    prompt = texts("lesson.ask.next_phase")
    return question(asked, "next_phase", prompt, right, options, True, step.index, turned=False)


def returns_now(asked: Asked) -> Question | None:
    """Whether the loop returns in the next step."""
    step = asked.following
    if step is None or (step.phase == "end" and (asked.run.stop or asked.run.raised)):
        return None
    yes, no = asked.texts("lesson.option.yes"), asked.texts("lesson.option.no")
    right = yes if step.phase == "end" else no
    prompt = asked.texts("lesson.ask.returns_now")
    index = step.index
    return question(asked, "returns_now", prompt, right, [yes, no], True, index, turned=False)


def returned(asked: Asked) -> Question | None:
    """What the loop returns next, if anything."""
    run, texts = asked.run, asked.texts
    ending = asked.decision or (asked.step if asked.step.phase == "end" else None)
    if ending is None or run.stop or run.raised:
        return None
    going_on = texts("lesson.option.goes_on")
    right = value_text(run.result) if ending.phase == "end" else going_on
    over = asked.step.phase == "end"
    others = [value_text(None), *_tempting(asked)]
    if not over:
        others.insert(1, going_on)
    key = "lesson.ask.was_returned" if over else "lesson.ask.returned"
    prompt = texts(key, loop=run.loop.function)
    return question(asked, "returned", prompt, right, others, True, ending.index)


def way_out(asked: Asked) -> Question | None:
    """By which exit the loop is left next, if by any."""
    ending = asked.decision or (asked.step if asked.step.phase == "end" else None)
    if ending is None or (ending.phase == "end" and asked.run.stop):
        return None
    over = asked.step.phase == "end"
    names = ["no_tool", "used_up"] if over else ["no_tool", "used_up", "none_yet"]
    right = exit_of(asked.run) if ending.phase == "end" else "none_yet"
    options = [asked.texts(f"lesson.option.exit_{name}") for name in names]
    shown = asked.texts(f"lesson.option.exit_{right}")
    prompt = asked.texts("lesson.ask.was_exit" if over else "lesson.ask.exit")
    return question(asked, "exit", prompt, shown, options, True, ending.index, turned=False)


def exit_of(run: Run) -> str:
    """By which exit a run ended that was not stopped."""
    if run.raised:
        return "raised"
    return {"max_turns": "used_up", "returned_early": "early"}.get(run.terminal_reason, "no_tool")


def who_next(asked: Asked) -> Question | None:
    """Who must act next: the model or the code around it."""
    step, texts = asked.following, asked.texts
    if step is None or (step.phase == "end" and asked.run.stop):
        return None
    model, code, person = (texts(f"lesson.option.{who}") for who in ("model", "code", "person"))
    call = asked.run.call_at(asked.index)
    requests = call.reply.tool_calls if call and call.reply else ()
    prompt = texts("lesson.ask.who_next")
    if requests and asked.step.phase in ("call", "check"):
        prompt = texts("lesson.ask.who_runs", call=tool_text(requests[0]))
    right = model if step.phase == "call" else code
    return question(asked, "who_next", prompt, right, [model, code, person], True, step.index)


def could_share(asked: Asked) -> Question | None:
    """Whether this reply's request could have been made in the reply before.

    It could not where its argument first came in with the earlier request's result. Where the
    argument was never read before, the question is not asked.
    """
    run, texts = asked.run, asked.texts
    call = run.call_at(asked.index)
    if call is None or call.reply is None or not call.reply.tool_calls:
        return None
    yes, no = texts("lesson.option.yes"), texts("lesson.option.no")
    requests = call.reply.tool_calls
    if len(requests) > 1:
        first, later, possible = requests[0], requests[1], True
    else:
        before = run.call_at(call.step - 1)
        if before is None or before.reply is None or not before.reply.tool_calls:
            return None
        first, later = before.reply.tool_calls[-1], requests[0]
        verdict = _could_have_asked(run, before, call)
        if verdict is None:
            return None
        possible = verdict
    prompt = texts("lesson.ask.could_share", first=tool_text(first), later=tool_text(later))
    right = yes if possible else no
    return question(asked, "could_share", prompt, right, [yes, no], True, call.step, turned=False)


def next_call(asked: Asked) -> Call | None:
    """The first call after this step."""
    calls = asked.run.calls
    place = bisect_right(calls, asked.index, key=lambda call: call.step)
    return calls[place] if place < len(calls) else None


def _could_have_asked(run: Run, before: Call, call: Call) -> bool | None:
    """Whether the texts of a call's requests were there when the earlier reply was given."""
    requests = call.reply.tool_calls if call.reply else ()
    wanted = [
        _plain(value)
        for request in requests
        for _, value in leaves(request.input)
        if isinstance(value, str) and value.strip()
    ]
    then = "\n".join(map(_words, run.request(before)))
    now = "\n".join(map(_words, run.request(call)))
    if not wanted or any(text not in now for text in wanted):
        return None
    return all(text in then for text in wanted)


def _words(message: Message) -> str:
    """What of a message can be read as text (requests left out: they are the model's own)."""
    return _plain(message.text + "\n" + "\n".join(one.result_text for one in message.results))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _tempting(asked: Asked) -> list[str]:
    """Values that a reader may take for what is returned."""
    run, index = asked.run, asked.index
    found: list[str] = []
    messages = run.step(index).messages
    for position in range(messages - 1, max(messages - 4, 0), -1):
        message = run.message(index, position)
        if message.results:
            numbers = _NUMBER.findall(message.results[-1].result_text)
            found += [value_text(number) for number in numbers[:1]]
            found.append(asked.texts("lesson.option.message_text", n=position))
        elif message.role == "assistant" and message.text.strip():
            found.append(value_text(message.text))
    return [*found, value_text("")]


def _candidates(run: Run) -> list[int]:
    """Lines worth offering: returns, then the phases' lines, then the head of the loop."""
    first = run.loop.first_line
    numbered = list(enumerate(map(str.strip, run.loop.lines), first))
    returns = [number for number, line in numbered if line.startswith("return")]
    heads = [number for number, line in numbered if line.startswith(("for ", "while "))][:1]
    by_phase = {step.phase: step.line for step in reversed(run.steps[:_MANY_STEPS])}
    phases = [by_phase[phase] for phase in ("execute", "call", "append") if phase in by_phase]
    return list(dict.fromkeys([*returns, *phases[:1], *heads, *phases[1:]]))


def _between(asked: Asked, target: Step) -> set[int]:
    """The lines that run after this step and before the target's line."""
    ran = list(asked.run.log.lines[asked.step.log_end : target.log_end])
    return set(ran[: ran.index(target.line)] if target.line in ran else ran) - {target.line}
