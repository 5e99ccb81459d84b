"""Small runs about films and years, and what is said about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests import made
from visualizer.describe import describe, saw_text
from visualizer.engine import replay
from visualizer.i18n import texts
from visualizer.loading import Scenario
from visualizer.run.timeline import Run, Saw

RESULTS = {
    "Aurora Run": "Aurora Run is a novel by Henrik Dahl (born 1951). Mara Voss made the film.",
    "Mara Voss": "Mara Voss is a Norwegian film director, born in 1974.",
    "Henrik Dahl": "Henrik Dahl is a novelist, born in 1951.",
}
QUESTION = "In what year was the director of Aurora Run born?"

text = made.text_block


def search(tool_use_id: str, query: str) -> dict[str, Any]:
    """A request for the search tool."""
    return made.tool_use(tool_use_id, "search", query=query)


def turn(
    *blocks: dict[str, Any],
    flag: str | None = None,
    usage: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A recorded turn; what is searched for is looked up unless ``results`` are given."""
    asked = [block for block in blocks if block["type"] == "tool_use"]
    found = [
        made.tool_result(
            block["id"], RESULTS.get(block["input"].get("query"), "No matching page found.")
        )
        for block in asked
    ]
    spent = {} if usage is None else {"usage": usage}
    reply = made.response(*blocks, stop_reason=flag, **spent)
    return {"response": reply, "results": found or None, **more}


def scenario(
    *turns: dict[str, Any], question: str = QUESTION, max_turns: int | None = 10, **more: Any
) -> Scenario:
    """A scenario in memory: one run, one take."""
    request = {"messages": [{"role": "user", "content": question}]}
    return made.scenario(*turns, request=request, settings={"max_turns": max_turns}, **more)


def aurora() -> Scenario:
    """Two tool rounds and an answer."""
    first, second = search("toolu_1", "Aurora Run"), search("toolu_2", "Mara Voss")
    return scenario(turn(first), turn(second), turn(text("1974")))


def parallel() -> Scenario:
    """One reply that asks for two tools, and an answer."""
    both = (search("toolu_1", "Henrik Dahl"), search("toolu_2", "Mara Voss"))
    return scenario(turn(text("Both at once."), *both), turn(text("1951 and 1974")))


def driven(of: Scenario, loop: Callable[..., Any] | None = None, **more: Any) -> Run:
    """A run of a scenario under a loop of these tests."""
    return replay(of, loop=loop, contained=False, **more)


def said(run: Run, place: str, language: str = "en") -> str:
    """What happened at a place."""
    return describe(run, run.locate(place), texts(language)).happened


def saw(run: Run, place: str, language: str = "en") -> dict[str, str]:
    """The text beside each line of code that ran in the turn, up to a place."""
    step = run.step(run.locate(place))
    lines: dict[int, list[Saw]] = {}
    for line, saws in run.lines_at(step.index):
        lines.setdefault(line, []).extend(saws)
    return {
        run.loop.line(line).strip(): saw_text(saws, run, step, texts(language))
        for line, saws in lines.items()
    }
