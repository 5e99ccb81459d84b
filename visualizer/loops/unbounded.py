"""A coding agent: the loop with a system prompt, one tool, and nothing that bounds it.

``system``, ``tools`` and ``max_tokens`` go with every call. The flag alone ends the run. It
returns nothing: the answer is the last message of the list, which the caller keeps.
"""

from visualizer.loops import tool_results

SYSTEM = (
    "You are a coding agent. Use bash to do the task in the current directory, look whether"
    " it is done, and then say so in a sentence."
)
TOOLS = [
    {
        "name": "bash",
        "description": "Run a command in a shell. Use it to read and write files and to run"
        " programs.",
        "input_schema": {
            "type": "object",
            "properties": {"command": {"type": "string"}},
            "required": ["command"],
        },
    }
]


def unbounded(model, tools, messages):
    while True:
        reply = model(
            messages,
            system=SYSTEM,
            tools=TOOLS,
            max_tokens=8000,
        )
        messages.append(reply.as_message())
        if reply.stop_reason != "tool_use":
            return
        results = []
        for call in reply.tool_calls:
            results.append(tools(call))
        messages.append(tool_results(results))
