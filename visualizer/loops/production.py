"""The loop with a case for every stop_reason, as a host in earnest has it.

An answer is a text. A reply cut short is asked for again with a doubled ``max_tokens``, three
times at most; what it asked for is half a request, so nothing of it is run or stored. A pause
is stored as it came and the model called again. Whatever else stops a reply, a refusal or a
value of tomorrow included, runs nothing and comes back as a dict: the flag and the model's
``stop_details``. No one takes that for an answer. ``None`` means ``max_turns`` was used up.
"""

from visualizer.loops import tool_results


def production(model, tools, messages, max_turns=10, max_tokens=1024):
    most_tokens = 8 * max_tokens
    for turn in range(max_turns):
        reply = model(messages, max_tokens=max_tokens)
        match reply.stop_reason:
            case "end_turn" | "stop_sequence":
                messages.append(reply.as_message())
                return reply.text
            case "tool_use":
                messages.append(reply.as_message())
                results = []
                for call in reply.tool_calls:
                    results.append(tools(call))
                messages.append(tool_results(results))
            case "pause_turn" | "compaction":
                messages.append(reply.as_message())
            case "max_tokens" if max_tokens < most_tokens:
                max_tokens = 2 * max_tokens
            case flag:
                return {"stopped": flag, "details": reply.stop_details}
    return None
