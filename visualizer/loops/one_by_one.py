"""A mistake: the model is called after each result, inside the loop over the tool calls.

With one request in a reply no one notices. With two, the call goes out while a result is
still missing.
"""

from visualizer.loops import tool_results


def one_by_one(model, tools, messages, max_turns=10):
    reply = model(messages)
    messages.append(reply.as_message())
    for turn in range(max_turns):
        if reply.stop_reason != "tool_use":
            return reply.text
        for call in reply.tool_calls:
            messages.append(tool_results([tools(call)]))
            reply = model(messages)
            messages.append(reply.as_message())
    return None
