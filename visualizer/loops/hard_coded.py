"""A mistake: the loop knows the task. It looks for a year in the results by itself.

Finding out is the model's part. The first year to come along may be someone else's.
"""

import re

from visualizer.loops import tool_results


def hard_coded(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
        years = re.findall(r"\d{4}", str(results))
        if "born" in str(messages[0]) and years:
            return years[0]
    return None
