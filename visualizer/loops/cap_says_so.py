"""What some do at the cap: the host adds a last message of its own, which says so.

It stands in the assistant's place and comes back where an answer would, but no model wrote it.
Measured: ``ModelCallLimitMiddleware(run_limit)`` of langchain 1.5.2.
"""

from visualizer.loops import tool_results


def cap_says_so(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
    said = f"Model call limits exceeded: run limit ({max_turns}/{max_turns})"
    messages.append({"role": "assistant", "content": said})
    return said
