"""A mistake: the reply is not stored, as if the model remembered what it asked for.

The next call then sends a result, and nothing that asked for it.
"""

from visualizer.loops import tool_results


def forgets(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        if reply.stop_reason != "tool_use":
            return reply.text
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
    return None
