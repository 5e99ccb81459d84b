"""Accepted, but unwise: each result goes into a user message of its own, then the call.

An endpoint merges neighbours of one role, so it refuses nothing. The model reads a history
in which results come back one at a time, and learns not to ask for several.
"""

from visualizer.loops import tool_results


def several_messages(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        for call in reply.tool_calls:
            messages.append(tool_results([tools(call)]))
    return None
