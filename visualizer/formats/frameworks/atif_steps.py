"""The steps of a trajectory in ATIF: versions of the format name things differently."""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import blocks_of
from visualizer.formats.telling.replies import Draft, parts_of
from visualizer.transcript.records import ApiObject

Step = dict[str, Any]


def draft_of(at: int, step: Step) -> Draft:
    """What the model said in a step; what is observed without a call answers an inferred one."""
    draft = Draft()
    draft.think(step.get("reasoning_content"))
    content = parts_of(message_of(step))
    draft.content += blocks_of(content) if content else []
    for number, call in enumerate(calls_in(step), 1):
        name = first_of(call, "function_name", "name", "function")
        given = first_of(call, "arguments", "args", "input")
        known = first_of(call, "tool_call_id", "id", "call_id")
        draft.ask(name, given, known, f"step-{at + 1}-call-{number}")
    observed = observed_in(step)
    bare = [one for one in observed if first_of(one, "source_call_id", "tool_call_id") is None]
    if not draft.requests and len(bare) == len(observed) == 1:
        draft.infer_request("action", {}, f"step-{at + 1}-call-1")
    return draft


def answered_by(one: dict[str, Any]) -> Any:
    """The id of the call that a result answers, where it says."""
    return first_of(one, "source_call_id", "tool_call_id", "call_id")


def content_of(one: dict[str, Any]) -> str | list[ApiObject]:
    """What was observed."""
    return parts_of(first_of(one, "content", "output"))


def calls_in(step: Step) -> list[dict[str, Any]]:
    """The tool calls of a step."""
    calls = step.get("tool_calls")
    return [one for one in calls if isinstance(one, dict)] if isinstance(calls, list) else []


def observed_in(step: Step) -> list[dict[str, Any]]:
    """What was observed in a step: results of calls, or of none."""
    observation = step.get("observation")
    results = observation.get("results") if isinstance(observation, dict) else None
    if isinstance(observation, str):
        results = [{"content": observation}]
    return [one for one in results if isinstance(one, dict)] if isinstance(results, list) else []


def message_of(step: Step) -> Any:
    """What a step says."""
    return first_of(step, "message", "content")


def first_of(one: dict[str, Any], *names: str) -> Any:
    """The first of some keys that is there: versions name things differently."""
    return next((one[name] for name in names if one.get(name) is not None), None)
