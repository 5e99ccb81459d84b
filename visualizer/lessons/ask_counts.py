"""Questions about numbers, and about how a run ended."""

from __future__ import annotations

from visualizer.describe.endings import never_sent
from visualizer.describe.phrases import safe, span
from visualizer.lessons.ask_next import exit_of, next_call
from visualizer.lessons.facts import new_messages, sent_in_all
from visualizer.lessons.facts import same_steps as as_recorded
from visualizer.lessons.facts import smallest_max_turns as smallest
from visualizer.lessons.model import QuestionKind
from visualizer.lessons.questions import Asked, Question, number_question, question
from visualizer.loops.registry import loop_names
from visualizer.run.timeline import Call

OUTCOMES = {
    "completed": "answer",
    "max_turns": "cut_off",
    "request_refused": "refused",
    "returned_early": "early",
    "step_cap": "endless",
    "truncated": "unfinished",
    "refusal": "unfinished",
    "paused": "unfinished",
    "raised": "raised",
}


def sent(asked: Asked) -> Question | None:
    """How many messages this call sent, or the next one will."""
    call, no_call, prompt = _call_meant(asked, "sent")
    if call is None and not _no_call_follows(asked, no_call):
        return None
    count = asked.step.messages if call is None else call.sent
    tempting = [count - asked.step.sent, count - 1, count + 1, 1]
    return _number(asked, "sent", prompt, count, tempting, call, no_call)


def new(asked: Asked) -> Question | None:
    """How many messages of this call, or of the next one, were never sent before."""
    call, no_call, prompt = _call_meant(asked, "new")
    if call is None and not _no_call_follows(asked, no_call):
        return None
    count = asked.step.messages - asked.step.sent
    if call is not None:
        fresh = new_messages(asked.run, call)
        if fresh is None:
            return None
        count = fresh
    tempting = [1, asked.step.messages, 2]
    return _number(asked, "new", prompt, count, tempting, call, no_call)


def model_calls(asked: Asked) -> Question | None:
    """How many model calls the run has at its end."""
    run = asked.run
    if run.terminal_reason == "step_cap":
        return None
    prompt = asked.texts("lesson.ask.model_calls")
    tempting = [run.tool_rounds, run.model_calls + 1, run.model_calls - 1]
    right = run.model_calls
    return number_question(asked, "model_calls", prompt, right, tempting, asked.deducible, lowest=1)


def tool_rounds(asked: Asked) -> Question | None:
    """How many tool rounds the run has at its end."""
    run = asked.run
    if run.terminal_reason == "step_cap":
        return None
    prompt = asked.texts("lesson.ask.tool_rounds")
    tempting = [run.model_calls, run.tool_calls, run.tool_rounds + 1]
    right = run.tool_rounds
    return number_question(asked, "tool_rounds", prompt, right, tempting, asked.deducible)


def tool_calls(asked: Asked) -> Question | None:
    """How many tool calls the run has executed at its end."""
    run = asked.run
    if run.terminal_reason == "step_cap":
        return None
    prompt = asked.texts("lesson.ask.tool_calls")
    tempting = [run.tool_rounds, run.model_calls, run.tool_calls + 1]
    right = run.tool_calls
    return number_question(asked, "tool_calls", prompt, right, tempting, asked.deducible)


def all_sent(asked: Asked) -> Question | None:
    """How many messages all calls of the run send together."""
    run = asked.run
    if run.terminal_reason == "step_cap" or not run.calls:
        return None
    total = sent_in_all(run)
    prompt = asked.texts("lesson.ask.sent_in_all")
    tempting = [run.steps[-1].messages, run.calls[-1].sent, run.model_calls]
    return number_question(asked, "sent_in_all", prompt, total, tempting, asked.deducible)


def smallest_max_turns(asked: Asked) -> Question | None:
    """The smallest cap under which the run comes to an answer."""
    right = smallest(asked.scenario, asked.run) if asked.scenario else None
    if right is None:
        return None
    prompt = asked.texts("lesson.ask.smallest_max_turns")
    tempting = [right - 1, right + 1, asked.run.max_turns or 10]
    kind: QuestionKind = "smallest_max_turns"
    return number_question(asked, kind, prompt, right, tempting, asked.deducible, lowest=1)


def same_steps(asked: Asked) -> Question | None:
    """How many first steps are the same when the recording is driven again as it is."""
    run = asked.run
    if asked.scenario is None or run.loop.name not in loop_names():
        return None
    right, last = as_recorded(asked.scenario, run), len(run.steps)
    prompt = asked.texts("lesson.ask.same_steps")
    tempting = [last, right + 1, last - 1, run.model_calls]
    shown = min(right + 1, last)
    return number_question(asked, "same_steps", prompt, right, tempting, shown_at=shown)


def never_read(asked: Asked) -> Question | None:
    """Which message no call has sent, at the end."""
    run = asked.run
    if asked.step.phase != "end" or run.stop or not run.calls:
        return None
    texts = asked.texts
    nothing = texts("lesson.option.every_read")
    unread = never_sent(run, asked.step)
    right = texts("lesson.option.message", n=span(unread[0], unread[-1])) if unread else nothing
    numbers = range(max(run.calls[-1].sent - 2, 0), run.calls[-1].sent)
    options = [texts("lesson.option.message", n=number) for number in numbers]
    prompt = texts("lesson.ask.never_read")
    return question(asked, "never_read", prompt, right, [*options, nothing])


def who_ended(asked: Asked) -> Question | None:
    """Who ended the run: the model by its reply, or the loop."""
    if asked.step.phase != "end":
        return None
    right = exit_of(asked.run)
    if asked.run.stop:
        refused = asked.run.terminal_reason == "request_refused"
        right = "refused" if refused else "stopped"
    names = list(dict.fromkeys(["no_tool", "used_up", "early", right]))
    options = [asked.texts(f"lesson.option.ended_{name}") for name in names]
    shown = asked.texts(f"lesson.option.ended_{right}")
    prompt = asked.texts("lesson.ask.who_ended", scenario=safe(asked.run.scenario, 40))
    return question(asked, "who_ended", prompt, shown, options)


def outcome(asked: Asked) -> Question | None:
    """How the run ends, in kind."""
    right = OUTCOMES.get(asked.run.terminal_reason)
    if right is None:
        return None
    names = ["answer", "cut_off", "refused", "early", "endless"]
    options = [asked.texts(f"lesson.option.outcome_{name}") for name in names]
    shown = asked.texts(f"lesson.option.outcome_{right}")
    prompt = asked.texts("lesson.ask.outcome", loop=asked.run.loop.function)
    return question(asked, "outcome", prompt, shown, options, asked.deducible)


def _number(
    asked: Asked,
    kind: QuestionKind,
    prompt: str,
    count: int,
    tempting: list[int],
    call: Call | None,
    no_call: str | None,
) -> Question | None:
    """A question about a call that is made, or is not."""
    return number_question(
        asked,
        kind,
        prompt,
        count,
        tempting,
        shown_at=None if call is None else call.step,
        last=no_call,
        lowest=min(count, 1),
        right_is_last=call is None,
    )


def _no_call_follows(asked: Asked, no_call: str | None) -> bool:
    """Whether the loop itself makes no call any more, which can then be the answer."""
    return no_call is not None and asked.following is not None and not asked.run.stop


def _call_meant(asked: Asked, kind: str) -> tuple[Call | None, str | None, str]:
    """The call that a question is about, the option that there is none, and the wording."""
    texts, step = asked.texts, asked.step
    if step.phase == "call":
        call = asked.run.call_at(asked.index)
        number = step.model_calls + (call is None or call.reply is None)
        return call, None, texts(f"lesson.ask.{kind}_now", call=number)
    no_call = None if step.phase == "start" else texts("lesson.option.no_call")
    prompt = texts(f"lesson.ask.{kind}_next", call=step.model_calls + 1)
    return next_call(asked), no_call, prompt
