"""What some count: the steps of a graph, not the calls. Model and tools take a step each.

Two steps a turn, and one more to end: three calls and two tool rounds need a cap of 6. At 5
the model has answered, and the loop raises all the same, because ending comes one step late.
Measured: ``recursion_limit`` of langgraph 1.2.24 (``GraphRecursionError``).
"""

from visualizer.loops import tool_results


class GraphRecursionError(Exception):
    """The graph has taken as many steps as it may and has not come to its end."""


def cap_graph_steps(model, tools, messages, max_turns=10):
    node = "model"
    for step in range(max_turns):
        if node == "model":
            reply = model(messages)
            messages.append(reply.as_message())
            node = "tools" if reply.stop_reason == "tool_use" else "end"
        elif node == "tools":
            results = []
            for call in reply.tool_calls:
                results.append(tools(call))
            messages.append(tool_results(results))
            node = "model"
        else:
            return reply.text
    raise GraphRecursionError(f"Recursion limit of {max_turns} reached")
