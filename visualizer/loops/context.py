"""The loop that makes room in the context window before it is full.

First what is cheapest to lose: near the limit, a short line takes the place of every tool
result that the model has read. The requests stay, so each still has its result. Where that is
too late, a summary takes the place of the whole history. Both change messages that were sent
before, so from the first of them on nothing is unchanged, and a server's cache ends there.
"""

from visualizer.loops import NO_LIMITS, tool_results, unchanged

CLEAR_AT = 0.85
CLEARED = "[Cleared to make room.]"


def context(model, tools, messages, max_turns=10, limits=NO_LIMITS, summarise=unchanged):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
        limits.hit(reply.usage)
        if limits.context_is_full():
            messages[:] = summarise(messages)
        elif limits.context_is_full(CLEAR_AT):
            messages[:-1] = without_results(messages[:-1])
    return None


def without_results(messages):
    return [{**message, "content": cleared(message["content"])} for message in messages]


def cleared(content):
    if isinstance(content, str):
        return content
    return [
        {**block, "content": CLEARED} if block["type"] == "tool_result" else block
        for block in content
    ]
