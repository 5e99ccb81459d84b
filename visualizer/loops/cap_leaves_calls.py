"""What some do at the cap: they leave the last requests alone and hand them to the caller.

No tool runs whose result could not be sent. The caller can run it, and call the model again.
Measured: automatic function calling of google-genai 3.6.1 (``maximum_remote_calls``).
"""

from visualizer.loops import tool_results


def cap_leaves_calls(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use" or turn + 1 == max_turns:
            break
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
    return {"stop_reason": reply.stop_reason, "content": reply.content}
