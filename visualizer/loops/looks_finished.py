"""A mistake: the loop ends when the reply looks finished, before it reads the flag.

A model may say a sentence and ask for a tool in the same reply. Here the sentence is taken
for the answer, and the tool never runs.
"""

from visualizer.loops import tool_results


def looks_finished(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.text:
            return reply.text
        if reply.stop_reason != "tool_use":
            return reply.text
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
    return None
