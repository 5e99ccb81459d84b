"""Loops that go wrong in one way each. They are read, traced and run as learners write them."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: ANN001, ANN201, RET501

from __future__ import annotations

from visualizer.loops import tool_results


def looks_finished(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.text:
            return reply.text
        messages.append(tool_results([tools(call) for call in reply.tool_calls]))
    return None


def hard_coded(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        messages.append(tool_results([tools(call) for call in reply.tool_calls]))
        return "1951"
    return None


def raises(model, tools, messages, max_turns=10):
    model(messages)
    raise ValueError("bad \x1b[31m luck")


def runs_then_checks(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        messages.append(tool_results([tools(call) for call in reply.tool_calls]))
        if reply.stop_reason != "tool_use":
            return reply.text
    return None


def forgets(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        if reply.stop_reason != "tool_use":
            return reply.text
        messages.append(tool_results([tools(call) for call in reply.tool_calls]))
    return None


def one_by_one(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        for call in reply.tool_calls:
            messages.append(tool_results([tools(call)]))
    return None


def shortens(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return reply.text
        messages.append(tool_results([tools(call) for call in reply.tool_calls]))
        messages[0] = {"role": "user", "content": "Another question?"}
    return None


def no_bound(model, tools, messages):
    while True:
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason == "end_turn":
            return reply.text
        messages.append(tool_results([tools(call) for call in reply.tool_calls]))


def returns_nothing(model, tools, messages, max_turns=10):
    for _ in range(max_turns):
        reply = model(messages)
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return None
        messages.append(tool_results([tools(call) for call in reply.tool_calls]))
    return None


def stores_no_answer(model, tools, messages, max_turns=10):
    model(messages)


def never_calls(model, tools, messages, max_turns=10):
    return 7
