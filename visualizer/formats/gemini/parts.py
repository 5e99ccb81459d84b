"""Contents of Gemini in the words of the Messages API: parts, calls, responses, tokens."""

from __future__ import annotations

import json
from typing import Any

from visualizer.formats.blocks import entries
from visualizer.formats.telling import replies
from visualizer.formats.telling.replies import Draft, count_of, result
from visualizer.formats.telling.tool_ids import placed
from visualizer.transcript.records import ApiObject

HOSTS = (
    "<session_context>",
    "This is the Gemini CLI. We are setting up the context",
    "Here is the user's editor context",
    "Here is a summary of changes in the user's editor context",
    "<hook_context>",
    "System: Please continue.",
    "System: Potential loop detected",
)
"""How texts begin that the Gemini CLI writes in the user's name."""

SNAPSHOT = "<state_snapshot>"
"""How a summary of the Gemini CLI begins, which stands in place of a conversation."""

CANNED = ("Got it. Thanks for the context!", "Got it. Thanks for the additional context!")
"""What the Gemini CLI says in the model's name."""

_OURS = ("text", "thinking", "redacted_thinking", "tool_use", "tool_result")
"""What blocks of the Messages API are called that hold something else than an object."""

Entry = dict[str, Any]


def said_parts(parts: Any, draft: Draft, goes_on: bool = False) -> None:
    """What a model said, in parts that are one text where nothing is between them.

    In a stream a thought goes on where the piece before it ended.
    """
    for at, part in enumerate(entries(parts)):
        call = call_in(part)
        if call is not None:
            known = call.get("id") or placed(len(draft.requests) + 1)
            draft.ask(call.get("name"), call.get("args"), known, placed(len(draft.requests) + 1))
        elif isinstance(part.get("text"), str):
            thought = part.get("thought") is True
            _text(draft, part["text"], thought, not thought or (goes_on and at == 0))
        elif (block := _other(part)) is not None:
            draft.content.append(block)


def _text(draft: Draft, text: str, thought: bool, goes_on: bool) -> None:
    kind = "thinking" if thought else "text"
    last = draft.content[-1] if draft.content else {}
    if goes_on and last.get("type") == kind and isinstance(last.get(kind), str):
        last[kind] += text
    elif thought:
        draft.think(text)
    else:
        draft.say(text)


def user_blocks(parts: Any) -> list[ApiObject]:
    """What was sent to the model, without the responses of tools."""
    found: list[ApiObject] = []
    for part in entries(parts):
        if isinstance(part.get("text"), str):
            found.append({"type": "text", "text": part["text"]})
        elif _response_in(part) is None:
            block = _other(part)
            found += [block] if block is not None else []
    return found


def first_text(parts: Any) -> str:
    """The first text among some parts, empty where there is none."""
    return next((str(one["text"]) for one in entries(parts) if "text" in one), "")


def responses(parts: Any) -> list[Entry]:
    """The responses of tools among some parts."""
    found = map(_response_in, entries(parts))
    return [one for one in found if one is not None]


def call_in(part: Entry) -> Entry | None:
    """The call in a part, None where there is none."""
    call = part.get("functionCall", part.get("function_call"))
    return call if isinstance(call, dict) else None


def _response_in(part: Entry) -> Entry | None:
    response = part.get("functionResponse", part.get("function_response"))
    return response if isinstance(response, dict) else None


def result_of(answers: Any, response: Entry) -> ApiObject:
    """A tool's response as a result for the request ``answers``."""
    given = response.get("response")
    if not isinstance(given, dict):
        return result(answers, given if isinstance(given, str) else json.dumps(given))
    failed = "error" in given
    value = given["error"] if failed else given.get("output", given)
    return result(answers, value if isinstance(value, str) else json.dumps(value), failed)


def tokens_of(sent: Any, received: Any, thoughts: Any, cached: Any) -> ApiObject | None:
    """Token counts; here thoughts are not among those received."""
    return replies.tokens_of(sent, count_of(received) + count_of(thoughts), cached)


def _other(part: Entry) -> ApiObject | None:
    """A part that is neither text nor a call: under the name that it has."""
    kept = {name: value for name, value in part.items() if name != "thoughtSignature"}
    named = (name for name, value in kept.items() if isinstance(value, dict))
    kind = next((name for name in named if name not in _OURS), None)
    return None if kind is None else {**kept, "type": kind}
