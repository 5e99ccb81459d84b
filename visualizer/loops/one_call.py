"""No loop at all: one prompt, one reply. What the reply asks for, nobody does."""


def one_call(model, tools, messages):
    reply = model(messages)
    messages.append(reply.as_message())
    return reply.text
