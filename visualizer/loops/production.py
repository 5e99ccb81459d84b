"""The loop as a host in earnest has it: a case for every stop_reason, and a bound on everything.

An answer is a text. A reply cut short is asked for again with a doubled ``max_tokens``, three
times at most; what it asked for is half a request, so nothing of it is run or stored. A pause
is stored as it came and the model called again. A failed request is tried again, waiting as
long as the server says, else twice as long each time. Before tools run, the limits are asked;
before each tool, whether it may run. A long result is cut, a full context summarised.
Whatever else ends a run, a refusal or a value of tomorrow included, comes back as a dict: the
limit, or the flag and the model's ``stop_details``. No one takes that for an answer. ``None``
means ``max_turns`` was used up.
"""

import time

from visualizer.loops import NO_LIMITS, RequestFailed, allow, denied, tool_results, unchanged

RETRIES = 3


def production(
    model,
    tools,
    messages,
    max_turns=10,
    max_tokens=1024,
    sleep=time.sleep,
    approve=allow,
    limits=NO_LIMITS,
    truncate=unchanged,
    summarise=unchanged,
):
    most_tokens = 8 * max_tokens
    for turn in range(max_turns):
        reply = ask(model, messages, max_tokens, sleep)
        spent = limits.hit(reply.usage)
        match reply.stop_reason:
            case "end_turn" | "stop_sequence":
                messages.append(reply.as_message())
                return reply.text
            case _ if spent:
                return {"limit": spent}
            case "tool_use":
                messages.append(reply.as_message())
                results = run_tools(reply.tool_calls, tools, approve, truncate)
                messages.append(tool_results(results))
                if limits.context_is_full():
                    messages[:] = summarise(messages)
            case "pause_turn" | "compaction":
                messages.append(reply.as_message())
            case "max_tokens" if max_tokens < most_tokens:
                max_tokens = 2 * max_tokens
            case flag:
                return {"stopped": flag, "details": reply.stop_details}
    return None


def ask(model, messages, max_tokens, sleep):
    for retry in range(RETRIES):
        try:
            return model(messages, max_tokens=max_tokens)
        except RequestFailed as failure:
            if not failure.retryable:
                raise
            sleep(failure.retry_after or 2**retry)
    return model(messages, max_tokens=max_tokens)


def run_tools(calls, tools, approve, truncate):
    results = []
    for call in calls:
        decision = approve(call)
        if decision:
            results.append(truncate(tools(call)))
        else:
            results.append(denied(call, decision.reason))
    return results
