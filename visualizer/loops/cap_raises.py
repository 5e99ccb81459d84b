"""What some do at the cap: they raise. No caller can take that for an answer.

The tools of the last reply have run by then, and no call has sent their results.
Measured: OpenAI Agents 0.24.0 (``max_turns``, ``MaxTurnsExceeded``) and pydantic-ai 2.68.0
(``request_limit``, ``UsageLimitExceeded``).
"""

from visualizer.loops import tool_results


class MaxTurnsExceeded(Exception):
    """The model has been called ``max_turns`` times and has not answered."""


def cap_raises(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
    raise MaxTurnsExceeded(f"Max turns ({max_turns}) exceeded")
