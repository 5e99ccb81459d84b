"""Helpers that a loop in another file goes into."""


def answer_with_helpers(model, tools, messages, max_turns):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        run_tools(tools, reply, messages)
    return None


def run_tools(tools, reply, messages):
    results = [tools(call) for call in reply.tool_calls]
    messages.append({"role": "user", "content": results})
