"""A loop beside a helper and a class: it is the one that takes a model, tools and messages."""


class Helper:
    pass


def text_of(reply):
    return reply.text


def answer_once(model, tools, messages):
    return text_of(model(messages))
