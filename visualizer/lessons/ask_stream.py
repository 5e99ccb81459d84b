"""Questions about a run as an SDK streams it, and about a thread that the server keeps."""

from __future__ import annotations

from visualizer.lessons.ask_next import next_call
from visualizer.lessons.questions import Asked, Question, number_question, question
from visualizer.sdk import Stream, chain_of, stream_of

SUBTYPES = ("success", "error_max_turns", "error_max_budget_usd", "error_during_execution")


def num_turns(asked: Asked) -> Question | None:
    """What the result line gives as num_turns."""
    stream = _stream(asked)
    right = stream.num_turns if stream is not None else None
    if right is None:
        return None
    run = asked.run
    tempting = [run.model_calls, run.model_calls + 1, run.max_turns or run.model_calls + 2]
    prompt = asked.texts("sdk.ask.num_turns")
    return number_question(asked, "num_turns", prompt, right, tempting, asked.deducible, lowest=1)


def subtype(asked: Asked) -> Question | None:
    """Which subtype the result line has."""
    stream = _stream(asked)
    if stream is None or stream.result is None:
        return None
    right = stream.result.name
    options = [one for one in SUBTYPES if one != right][: len(SUBTYPES) - 1]
    shown = [one for one in SUBTYPES if one == right or one in options]
    prompt = asked.texts("sdk.ask.subtype")
    return question(asked, "subtype", prompt, right, shown, asked.deducible, turned=False)


def assistant_lines(asked: Asked) -> Question | None:
    """How many assistant lines the reply of this call gives."""
    call = asked.run.call_at(asked.index) if asked.step.phase == "call" else None
    if call is None or call.reply is None or not call.reply.blocks:
        return None
    count = len(call.reply.blocks)
    tempting = [1, len(call.reply.tool_calls), count + 1]
    prompt = asked.texts("sdk.ask.assistant_lines")
    at = asked.index
    return number_question(asked, "assistant_lines", prompt, count, tempting, shown_at=at, lowest=1)


def thread_sent(asked: Asked) -> Question | None:
    """How many messages the next call would send on a thread that the server keeps."""
    call = next_call(asked)
    if asked.step.phase != "append" or call is None:
        return None
    link = chain_of(asked.run, {})[asked.run.calls.index(call)]
    tempting = [link.read, link.read - 1, link.sent + 1]
    prompt = asked.texts("sdk.ask.thread_sent", call=link.call + 1)
    at = call.step
    return number_question(asked, "thread_sent", prompt, link.sent, tempting, shown_at=at, lowest=1)


def _stream(asked: Asked) -> Stream | None:
    return None if asked.scenario is None else stream_of(asked.run, asked.scenario)
