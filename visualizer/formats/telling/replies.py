"""Replies and results out of recordings whose words are not the Messages API's.

What such a file lacks is inferred, and the pointer to it is kept: an id that it does not give,
a request that it only shows by its result, a stop reason.
"""

from __future__ import annotations

import json
from typing import Any

from visualizer.formats.blocks import STOP
from visualizer.formats.decoding.json_text import parse_text
from visualizer.formats.telling.stretches import Thread
from visualizer.transcript.records import ApiObject, Turn

_STOPS = {
    "stop": "end_turn",
    "eos": "end_turn",
    "completed": "end_turn",
    "tool_call": "tool_use",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "length": "max_tokens",
    "max_output_tokens": "max_tokens",
    "model_length": "model_context_window_exceeded",
    "content_filter": "refusal",
    "content_filtered": "refusal",
    "guardrail_intervened": "refusal",
    "STOP": "end_turn",
    "MAX_TOKENS": "max_tokens",
    **dict.fromkeys(
        (
            *("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"),
            *("IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "JAILBREAK"),
        ),
        "refusal",
    ),
    **{
        word: word
        for word in (
            *("end_turn", "tool_use", "max_tokens", "stop_sequence", "pause_turn", "refusal"),
            *("model_context_window_exceeded", "compaction"),
        )
    },
}
_EITHER = ("STOP", "completed")
"""Words for a whole reply, whether it asks for tools or not."""

_CACHED = ("prompt_tokens_details", "cached_tokens")


class Draft:
    """A reply that is being put together, and what of it the file does not say."""

    def __init__(self) -> None:
        self.content: list[ApiObject] = []
        self.inferred: list[str] = []
        self.requests: list[str] = []

    def say(self, text: Any) -> None:
        """Words of the model; none where there is no text."""
        if isinstance(text, str) and text:
            self.content.append({"type": "text", "text": text})

    def think(self, text: Any) -> None:
        """Thoughts of the model, as far as the file shows them."""
        if isinstance(text, str) and text:
            self.content.append({"type": "thinking", "thinking": text})

    def ask(self, name: Any, given: Any, known: Any, made: str) -> None:
        """A tool request; ``made`` is its id where the file gives none (``known``)."""
        at = f"/response/content/{len(self.content)}"
        if not isinstance(known, str) or not known:
            known = made
            self.inferred.append(f"{at}/id")
        given, whole = arguments_of(given)
        if not whole:
            self.inferred.append(f"{at}/input")
        called = name if isinstance(name, str) and name else "?"
        self.content.append({"type": "tool_use", "id": known, "name": called, "input": given})
        self.requests.append(known)

    def infer_request(self, name: str, given: ApiObject, made: str) -> None:
        """A request that the file shows in other words, or only by its result."""
        self.inferred.append(f"/response/content/{len(self.content)}")
        self.content.append({"type": "tool_use", "id": made, "name": name, "input": given})
        self.requests.append(made)

    def message(self, raw: Any = None, **said: Any) -> tuple[ApiObject, list[str]]:
        """The Message object and what of it is inferred; ``raw`` is the file's word for why
        the model stopped. What else was ``said`` is kept where it is something."""
        stop = _STOPS.get(raw) if isinstance(raw, str) else None
        asks = bool(self.requests)
        if asks and raw in _EITHER:
            stop = "tool_use"
        if stop is None or (stop in ("tool_use", "end_turn") and (stop == "tool_use") != asks):
            stop = "tool_use" if asks else "end_turn"
            self.inferred.append(STOP)
        made: ApiObject = {"type": "message", "role": "assistant", "content": self.content}
        made["stop_reason"] = stop
        if isinstance(raw, str):
            made["finish_reason"] = raw
        made |= {name: value for name, value in said.items() if value is not None}
        return made, self.inferred


def is_reason(raw: Any) -> bool:
    """Whether something is a word for why a model stopped."""
    return isinstance(raw, str) and raw in _STOPS


def arguments_of(given: Any) -> tuple[ApiObject, bool]:
    """A tool's arguments as an object, and whether the file has them so."""
    if isinstance(given, str):
        try:
            given = parse_text(given)
        except ValueError:
            return {"arguments": given}, False
    if isinstance(given, dict):
        return given, True
    return ({}, True) if given is None else ({"arguments": given}, False)


def result(answers: Any, content: Any, failed: bool = False) -> ApiObject:
    """A result block for the request with the id ``answers``."""
    made: ApiObject = {"type": "tool_result", "tool_use_id": answers, "content": content}
    if failed:
        made["is_error"] = True
    return made


def give(thread: Thread, turn: Turn | None, block: ApiObject) -> None:
    """A result whose pairing the file shows by its place only."""
    before = len(turn.results or ()) if turn is not None else 0
    thread.results([block])
    pointer = f"/results/{before}/tool_use_id"
    if turn is not None and len(turn.results or ()) > before and pointer not in turn.inferred:
        turn.inferred.append(pointer)


def parts_of(content: Any) -> str | list[ApiObject]:
    """A message's content: a text, or blocks; a list may hold plain texts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return [] if content is None else json.dumps(content)
    found: list[ApiObject] = []
    for one in content:
        if isinstance(one, str):
            found.append({"type": "text", "text": one})
        elif isinstance(one, dict) and isinstance(one.get("type"), str):
            found.append(one)
    return found


def text_of(content: Any) -> str:
    """The words in a message's content."""
    parts = parts_of(content)
    if isinstance(parts, str):
        return parts
    texts = [one["text"] for one in parts if isinstance(one.get("text"), str)]
    return "\n".join(texts)


def usage_of(said: Any) -> ApiObject | None:
    """Token counts in the Messages API's words; there cached ones are not input tokens."""
    if not isinstance(said, dict):
        return None
    details = said.get(_CACHED[0])
    cached = details.get(_CACHED[1]) if isinstance(details, dict) else said.get(_CACHED[1])
    return tokens_of(said.get("prompt_tokens"), said.get("completion_tokens"), cached)


def tokens_of(sent: Any, received: Any, read: Any = 0, written: Any = 0) -> ApiObject | None:
    """Token counts where those read from the cache and written to it are among those sent."""
    sent, received, read, written = map(count_of, (sent, received, read, written))
    if not sent and not received:
        return None
    made = {"input_tokens": max(0, sent - read - written), "output_tokens": received}
    made |= {"cache_read_input_tokens": read} if read else {}
    return made | ({"cache_creation_input_tokens": written} if written else {})


def tools_of(definitions: Any) -> list[ApiObject] | None:
    """Tool definitions in the Messages API's words; None where there are none."""
    found: list[ApiObject] = []
    for one in definitions if isinstance(definitions, list) else []:
        inner = one.get("function", one) if isinstance(one, dict) else None
        if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
            continue
        made: ApiObject = {"name": inner["name"]}
        if isinstance(inner.get("description"), str):
            made["description"] = inner["description"]
        schema = inner.get("parameters")
        made["input_schema"] = schema if isinstance(schema, dict) else {"type": "object"}
        found.append(made)
    return found or None


def sent_with(
    thread: Thread, model: Any = None, system: Any = None, tools: list[ApiObject] | None = None
) -> None:
    """What the calls of a thread's latest run sent beside the messages."""
    if thread.latest is None:
        return
    request = thread.latest.request
    if request.model is None and isinstance(model, str) and model:
        request.model = model
    if request.system is None and isinstance(system, str) and system:
        request.system = system
    if request.tools is None:
        request.tools = tools


def count_of(value: Any) -> int:
    """A number of tokens; none where it is no number."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
