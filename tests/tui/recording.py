"""An outside recording that has it all: runs, a subagent, errors, inserted blocks, its own end."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.made import text_block, tool_result, tool_use
from tests.made_outside import QUESTION, Stream
from visualizer.loading import Scenario, load_file
from visualizer.transcript.records import Attempt, Inserted


def recording(text: str = "Look it up.") -> Scenario:
    """Three runs: a prompt whose second call is a subagent's, that subagent, another prompt.

    The first run has a tool error, an inserted block, and a request that failed before.
    """
    made = Stream()
    made.init()
    made.user(QUESTION)
    made.reply("m1", text_block(text), tool_use("bash", "Bash", command=text), flag="tool_use")
    made.user([tool_result("bash", f"Exit code 1 {text}", is_error=True)])
    made.reply("m2", tool_use("task", "Task", prompt=text), flag="tool_use")
    made.user([text_block(f"Ask the library. {text}")], parent_tool_use_id="task")
    made.reply("s1", text_block("Whitby."), parent_tool_use_id="task", flag="end_turn")
    made.user([tool_result("task", "Whitby.")])
    made.reply("m3", text_block("Whitby."))
    made.user("And when?")
    made.reply("n1", text_block("In 1871."), flag="max_tokens")
    made.end("error_during_execution", num_turns=4, result=text)
    return with_more(loaded(made.text()), text)


def loaded(data: bytes, name: str = "session.jsonl") -> Scenario:
    """A recording from the bytes of a file, which is gone afterwards."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        return load_file(path)


def with_more(scenario: Scenario, text: str) -> Scenario:
    """The same with blocks that a host put in and a request that failed, in its first run."""
    first, second = scenario.runs[0].takes[0].turns[:2]
    reminder: dict[str, Any] = text_block(f"Remember: {text}")
    first.inserted.append(Inserted(0, 1, [reminder, reminder], f"reminder {text}"))
    body: dict[str, Any] = {"error": {"type": "overloaded_error", "message": f"Overloaded {text}"}}
    second.attempts.append(Attempt(529, body, handled=True))
    return scenario
