"""A mistake: the tools run before the flag is read.

A reply that was cut short or refused may hold a tool request too. Here it is executed.
"""

from visualizer.loops import tool_results


def runs_then_checks(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
        if reply.stop_reason != "tool_use":
            return reply.text
    return None
