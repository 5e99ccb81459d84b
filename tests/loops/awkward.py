"""Loops as people write them: each does the same work in a way that is hard to observe."""

import functools
import time
from concurrent.futures import ThreadPoolExecutor

from elsewhere import answer_with_helpers


def rebuilds_the_list(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages = [*messages, reply.as_message()]
        if reply.stop_reason != "tool_use":
            return reply.text
        results = [tools(call) for call in reply.tool_calls]
        messages = messages + [{"role": "user", "content": results}]
    return None


def adds_in_place(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages += [reply.as_message()]
        if reply.stop_reason != "tool_use":
            return reply.text
        messages += [
            {
                "role": "user",
                "content": [tools(call) for call in reply.tool_calls],
            }
        ]
    return None


def sends_a_new_list(model, tools, messages, max_turns=10):
    history = list(messages)
    for _ in range(max_turns):
        reply = model(history)
        history.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        history.append({"role": "user", "content": list(map(tools, reply.tool_calls))})
    return None


def uses_helpers(model, tools, messages, max_turns=10):
    return answer_with_helpers(model, tools, messages, max_turns)


def uses_threads(model, tools, messages, max_turns=10):
    with ThreadPoolExecutor(max_workers=4) as pool:
        for _ in range(max_turns):
            reply = model(messages)
            messages.append(reply.as_message())
            if reply.stop_reason != "tool_use":
                return reply.text
            results = list(pool.map(tools, reply.tool_calls))
            messages.append({"role": "user", "content": results})
    return None


def reads_the_flag_twice(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason == "end_turn":
            return reply.text
        if reply.stop_reason == "tool_use":
            results = [tools(call) for call in reply.tool_calls]
            messages.append({"role": "user", "content": results})
    return None


def swallows_everything(model, tools, messages):
    while True:
        try:
            reply = model(messages)
            messages.append(reply.as_message())
            messages.append({"role": "user", "content": "Go on."})
        except:  # noqa: E722
            pass


def runs_for_ever(model, tools, messages):
    while True:
        pass


def sleeps(model, tools, messages):
    model(messages)
    time.sleep(600)


def edits_in_place(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        messages[0]["content"] = "Something else?"
        messages.append({"role": "user", "content": [tools(call) for call in reply.tool_calls]})
    return None


def forgets_the_reply(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        if reply.stop_reason != "tool_use":
            return reply.text
        messages.append({"role": "user", "content": [tools(call) for call in reply.tool_calls]})
    return None


def returns_results_one_by_one(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        for call in reply.tool_calls:
            messages.append({"role": "user", "content": [tools(call)]})
    return None


def never_looks_at_the_flag(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        results = [tools(call) for call in reply.tool_calls]
        if not results:
            return reply.text
        messages.append({"role": "user", "content": results})
    return None


def asks_again(model, tools, messages):
    while True:
        model(messages)


def raises(model, tools, messages):
    model(messages)
    raise ValueError("not today")


def leaves(model, tools, messages):
    raise SystemExit(3)


def sends_a_parameter(model, tools, messages):
    return model(messages, system="Answer in French.").text


def makes_up_a_call(model, tools, messages):
    reply = model(messages)
    call = reply.tool_calls[0]
    call.input["path"] = "/etc/passwd"
    return tools(call)["content"]


async def is_a_coroutine(model, tools, messages):
    return None


def is_a_generator(model, tools, messages):
    yield None


def takes_too_little(model):
    return model


class _Kept:
    def __init__(self, messages):
        self.messages = messages


def keeps_the_list_in_an_object(model, tools, messages, max_turns=10):
    kept = _Kept(list(messages))
    for _ in range(max_turns):
        reply = model(kept.messages)
        kept.messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        results = [tools(call) for call in reply.tool_calls]
        kept.messages.append({"role": "user", "content": results})
    return None


def keeps_a_tuple(model, tools, messages, max_turns=10):
    kept = tuple(messages)
    for _ in range(max_turns):
        reply = model(kept)
        if reply.stop_reason != "tool_use":
            return reply.text
        results = [tools(call) for call in reply.tool_calls]
        kept = (*kept, reply.as_message(), {"role": "user", "content": results})
    return None


def calls_itself(model, tools, messages, max_turns=10):
    reply = model(messages)
    if reply.stop_reason != "tool_use":
        return reply.text
    results = [tools(call) for call in reply.tool_calls]
    longer = [*messages, reply.as_message(), {"role": "user", "content": results}]
    return calls_itself(model, tools, longer, max_turns)


def _decorated(function):
    @functools.wraps(function)
    def wrapper(*arguments, **keywords):
        return function(*arguments, **keywords)

    return wrapper


@_decorated
def is_decorated(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        results = [tools(call) for call in reply.tool_calls]
        messages.append({"role": "user", "content": results})
    return None


def runs_everything_twice(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        for call in reply.tool_calls:
            tools(call)
        results = [tools(call) for call in reply.tool_calls]
        messages.append({"role": "user", "content": results})
    return None


def is_interrupted(model, tools, messages):
    model(messages)
    raise KeyboardInterrupt


def counts_in_c(model, tools, messages):
    model(messages)
    return sum(range(10**12))


def puts_the_list_into_itself(model, tools, messages):
    reply = model(messages)
    messages.append({"role": "user", "content": messages})
    return reply.text
