"""What some do at the cap: they stop and give back the last message, without a word.

The caller gets the same kind of thing as with an answer. Only ``stop_reason`` inside it tells
that the model had asked for a tool: that tool has run, and no call has sent its result.
Measured: the tool runner of the anthropic SDK 2.14.0 (``max_iterations``).
"""

from visualizer.loops import tool_results


def cap_last_message(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            break
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
    return {"stop_reason": reply.stop_reason, "content": reply.content}
