"""What some do at the cap: one call more, without tools, so that the model has to answer.

All results are sent in it. There are ``max_turns`` calls and one, and what comes back is the
model's, but nobody knows whether it would have answered now by itself.
Measured: ``max_steps`` of smolagents 1.26.0, which also adds words that ask for the answer.
"""

from visualizer.loops import tool_results


def cap_extra_call(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
    reply = model(messages, tools=[])
    messages.append(reply.as_message())
    return reply.text
