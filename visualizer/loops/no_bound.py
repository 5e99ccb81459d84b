"""A mistake: nothing bounds the loop. It runs for as long as the model asks for tools."""

from visualizer.loops import tool_results


def no_bound(model, tools, messages):
    while True:
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
