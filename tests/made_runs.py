"""Small scenarios and loops for the tests, the odd ones among them."""

from __future__ import annotations

from typing import Any

from visualizer.loading import Scenario, scenario_of
from visualizer.transcript import (
    Localized,
    Note,
    RecordedRun,
    Request,
    Settings,
    Take,
    Transcript,
    Turn,
)

Block = dict[str, Any]
RESULTS = {
    "Aurora Run": "Aurora Run is a novel by Henrik Dahl (born 1951). Mara Voss made the film.",
    "Mara Voss": "Mara Voss is a Norwegian film director, born in 1974.",
    "Henrik Dahl": "Henrik Dahl is a novelist, born in 1951.",
}


def text(value: str) -> Block:
    """A text block."""
    return {"type": "text", "text": value}


def search(tool_use_id: str, query: str) -> Block:
    """A request for the search tool."""
    return {"type": "tool_use", "id": tool_use_id, "name": "search", "input": {"query": query}}


def turn(*blocks: Block, flag: str | None = None, usage: Block | None = None, **more: Any) -> Turn:
    """A recorded turn; results are looked up for every request."""
    requests = [block for block in blocks if block["type"] == "tool_use"]
    response: dict[str, Any] = {
        "type": "message",
        "role": "assistant",
        "content": list(blocks),
        "stop_reason": flag or ("tool_use" if requests else "end_turn"),
    }
    if usage is not None:
        response["usage"] = usage
    results = [
        {
            "type": "tool_result",
            "tool_use_id": block["id"],
            "content": RESULTS.get(str(block["input"].get("query")), "No matching page found."),
        }
        for block in requests
    ]
    return Turn(response, more.pop("results", results or None), **more)


def scenario(
    *turns: Turn,
    question: str = "In what year was the director of Aurora Run born?",
    max_turns: int | None = 10,
    notes: list[Note] | None = None,
    title: str = "Made",
    name: str = "made",
) -> Scenario:
    """A scenario in memory: one run, one take."""
    run = RecordedRun(
        "main", Request([{"role": "user", "content": question}]), [Take("only", list(turns))]
    )
    both = Localized(title, title)
    transcript = Transcript(
        1, both, both, runs=[run], notes=notes or [], settings=Settings(max_turns=max_turns)
    )
    return scenario_of(transcript, name)


def aurora() -> Scenario:
    """Two tool rounds and an answer."""
    return scenario(
        turn(search("toolu_1", "Aurora Run")), turn(search("toolu_2", "Mara Voss")), turn(text("1974"))
    )


def parallel() -> Scenario:
    """One reply that asks for two tools, and an answer."""
    both = (search("toolu_1", "Henrik Dahl"), search("toolu_2", "Mara Voss"))
    return scenario(turn(text("Both at once."), *both), turn(text("1951 and 1974")))
