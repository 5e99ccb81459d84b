"""Slips of people who write their first loop."""


def appends_the_reply(model, tools, messages, max_turns=10):
    for turn in range(max_turns):
        reply = model(messages)
        messages.append(reply)
        if reply.stop_reason != "tool_use":
            return reply.text
        results = [tools(call) for call in reply.tool_calls]
        messages += [{"role": "user", "content": results}]


def appends_the_method(model, tools, messages):
    messages.append(model(messages).as_message)
    model(messages)


def appends_a_call(model, tools, messages):
    reply = model(messages)
    messages.append(reply.as_message())
    messages.append(reply.tool_calls[0])
    model(messages)


def appends_a_text(model, tools, messages):
    messages.append(model(messages).text)
    model(messages)


def appends_a_result(model, tools, messages):
    reply = model(messages)
    messages.append(reply.as_message())
    messages.append(tools(reply.tool_calls[0]))
    model(messages)


def appends_results(model, tools, messages):
    reply = model(messages)
    messages.append(reply.as_message())
    messages.append([tools(call) for call in reply.tool_calls])
    model(messages)


def appends_none(model, tools, messages):
    messages.append(None)
    model(messages)


def appends_a_tuple(model, tools, messages):
    messages.append(("user", "Hello?"))
    model(messages)


def forgets_the_role(model, tools, messages):
    messages.append({"content": "Hello?"})
    model(messages)


def forgets_the_content(model, tools, messages):
    messages.append({"role": "user"})
    model(messages)


def wraps_the_reply(model, tools, messages):
    messages.append({"role": "assistant", "content": model(messages)})
    model(messages)


def wraps_a_set(model, tools, messages):
    messages.append({"role": "user", "content": {1}})
    model(messages)


def wraps_the_calls(model, tools, messages):
    messages.append({"role": "assistant", "content": model(messages).tool_calls})
    model(messages)


def assigns_the_append(model, tools, messages):
    messages = messages.append(model(messages).as_message())
    model(messages)


def appends_twice(model, tools, messages):
    messages = messages.append(model(messages).as_message())
    messages.append("more")


def sends_one_message(model, tools, messages):
    model(messages[0])


def sends_nothing(model, tools, messages):
    model()


def sends_by_place(model, tools, messages):
    model(messages, "a system prompt")


def asks_an_endpoint(model, tools, messages):
    model.create(messages=messages)


def runs_a_block(model, tools, messages):
    block = model(messages).content[0]
    tools(block)


def runs_a_name(model, tools, messages):
    tools(model(messages).tool_calls[0].name)


def runs_all_at_once(model, tools, messages):
    tools(model(messages).tool_calls)


def runs_by_name_and_input(model, tools, messages):
    call = model(messages).tool_calls[0]
    tools(call.name, call.input)


def indexes_the_reply(model, tools, messages):
    return model(messages)["stop_reason"]


def looks_into_the_reply(model, tools, messages):
    return "tool_use" in model(messages)


def indexes_a_call(model, tools, messages):
    return model(messages).tool_calls[0]["name"]


def asks_for_a_message(model, tools, messages):
    return model(messages).message


def asks_for_arguments(model, tools, messages):
    return model(messages).tool_calls[0].arguments


def asks_a_block_for_its_text(model, tools, messages):
    return model(messages).content[0].text


def returns_the_reply(model, tools, messages):
    return model(messages=messages)


def keeps_odd_things(model, tools, messages):
    reply = model(iter(messages))
    messages.append({"role": "user", "content": [{"type": "text", "text": dict, "of": {1, reply}}]})
    raise ValueError("after that")
