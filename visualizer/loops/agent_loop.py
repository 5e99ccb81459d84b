"""The loop that everything here is about: call, check, execute, append, until an answer.

``model(messages)`` gives a reply with ``stop_reason``, ``text``, ``tool_calls`` and
``as_message()``; ``tools(call)`` runs one tool call and gives its result block. Returns the
text of the first reply that asks for no tool, or ``None`` when ``max_turns`` model calls
have been used up. The function has no type notes and no comments: it is read on a screen.
"""

from visualizer.loops import tool_results


def agent_loop(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
    return None
