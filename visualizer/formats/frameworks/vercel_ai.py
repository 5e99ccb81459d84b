"""Messages of the AI SDK: those that it sends to models, and those that it keeps for a page.

A message of a page holds a whole run of the agent's: its steps begin at ``step-start``, and a
tool's part has both the request and what came of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.replies import Draft, parts_of, result, sent_with, text_of
from visualizer.formats.telling.states import told
from visualizer.formats.telling.stretches import Stretches
from visualizer.transcript.records import ApiObject

Entry = dict[str, Any]

_ROLES = ("system", "user", "assistant", "tool")
_REQUEST, _RESULT = "tool-call", "tool-result"
_OLD = "tool-invocation"
_LISTS = ("messages", "uiMessages", "initialMessages")
_FAILED = ("error-text", "error-json", "execution-denied")


def claims(sample: Sample) -> bool:
    """Whether messages with parts of this kind are among the first, or lists of them."""
    found = [one for item in sample.items for one in _listed(item) or [item]]
    return all(map(_is_message, found)) and any(map(_is_ours, found))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in messages."""
    for messages in told(decoded.items, _listed, outside.findings):
        _Teller(outside).tell(messages)


def _listed(one: Entry) -> list[Entry] | None:
    """The messages that an object keeps in a list, None where there are none."""
    kept = (entries(one.get(name)) for name in _LISTS)
    return next((found for found in kept if found and all(map(_is_message, found))), None)


def _is_message(one: Entry) -> bool:
    if one.get("role") not in _ROLES:
        return False
    return isinstance(one.get("content"), str | list) or isinstance(one.get("parts"), list)


def _is_ours(one: Entry) -> bool:
    """Whether a message has what no other API's has."""
    if any(isinstance(part.get("type"), str) for part in entries(one.get("parts"))):
        return True
    return any(part.get("type") in (_REQUEST, _RESULT) for part in entries(one.get("content")))


class _Teller:
    """Says messages as events."""

    def __init__(self, outside: Outside) -> None:
        self.findings = outside.findings
        self.stretches = Stretches(outside)
        self.thread = self.stretches.thread()
        self.system: list[str] = []
        self.begun = False
        self.replies = 0

    def tell(self, messages: list[Entry]) -> None:
        """All messages, in their order."""
        for one in messages:
            if not _is_message(one):
                self.findings.count("format.other_line", kind=str(one.get("role", "?")))
                continue
            self._take(str(one["role"]), one)
            sent_with(self.thread, system="\n\n".join(self.system))
        self.stretches.finish()

    def _take(self, role: str, one: Entry) -> None:
        kept = one["parts"] if isinstance(one.get("parts"), list) else one.get("content")
        parts = parts_of(kept)
        if role == "system" and not self.begun:
            self.system.append(text_of(parts))
            return
        self.begun = True
        blocks: list[ApiObject] = (
            [{"type": "text", "text": parts}] if isinstance(parts, str) else parts
        )
        if role == "system":
            self.thread.insert(blocks, "system")
        elif role == "user":
            said = [block for block in blocks if block["type"] != "step-start"]
            self.thread.prompt({"role": "user", "content": said})
        else:
            for step in _steps(blocks):
                self._step(step)

    def _step(self, step: list[ApiObject]) -> None:
        """One reply, and what its tools gave."""
        draft = Draft()
        results: list[ApiObject] = []
        for part in step:
            if (called := _called(part)) is not None:
                name, given, known = called
                if part.get("providerExecuted") is True:
                    made = {"id": known, "name": name, "input": given}
                    draft.content.append({"type": "server_tool_use", **made})
                    continue
                self._ask(draft, name, given, known)
            elif part["type"] == "text":
                draft.say(part.get("text"))
            elif part["type"] == "reasoning":
                draft.think(part.get("text", part.get("reasoning")))
            elif part["type"] != _RESULT:
                draft.content.append(part)
            if (came := _came(part)) is not None:
                results.append(came)
        if draft.content:
            self.replies += 1
            self.thread.reply(*draft.message())
        if results:
            self.thread.results(results)

    def _ask(self, draft: Draft, name: Any, given: Any, known: Any) -> None:
        number = len(draft.requests) + 1
        draft.ask(name, given, known, f"reply-{self.replies + 1}-{number}")


def _steps(parts: list[ApiObject]) -> Iterator[list[ApiObject]]:
    """The parts of each reply: a new one begins where it says so, or behind a tool's result."""
    step: list[ApiObject] = []
    done = False
    for part in parts:
        starts = part["type"] == "step-start"
        if step and (starts or (done and _called(part) is None and part["type"] != _RESULT)):
            yield step
            step, done = [], False
        if not starts:
            step.append(part)
            done = done or (part["type"] != _RESULT and _came(part) is not None)
    if step:
        yield step


def _called(part: ApiObject) -> tuple[Any, Any, Any] | None:
    """A tool request in a part: its name, arguments and id."""
    kind = str(part["type"])
    if kind == _OLD:
        part, kind = entry(part.get("toolInvocation")), _REQUEST
    if kind == _RESULT or not (kind.startswith("tool-") or kind == "dynamic-tool"):
        return None
    name = part.get("toolName", kind.removeprefix("tool-"))
    return name, part.get("input", part.get("args")), part.get("toolCallId")


def _came(part: ApiObject) -> ApiObject | None:
    """What a tool gave, as far as a part says."""
    kind, known = part["type"], part.get("toolCallId")
    if part.get("providerExecuted") is True or part.get("preliminary") is True:
        return None
    if kind == _RESULT:
        return _given(part, known)
    if kind == _OLD:
        old = entry(part.get("toolInvocation"))
        done = old.get("state") == "result"
        return result(old.get("toolCallId"), _content(old.get("result"))) if done else None
    state = part.get("state")
    if state not in ("output-available", "output-error"):
        return None
    failed = state == "output-error"
    return result(known, _content(part.get("errorText" if failed else "output")), failed)


def _given(part: ApiObject, known: Any) -> ApiObject:
    """A result by itself: newer ones say what kind of value it is."""
    output = part.get("output", part.get("result"))
    said = entry(output)
    if isinstance(said.get("type"), str) and len(said) > 1:
        failed = said["type"] in _FAILED
        return result(known, _content(said.get("value", said.get("reason"))), failed)
    return result(known, _content(output), part.get("isError") is True)


def _content(value: Any) -> str | list[ApiObject]:
    """A result's content: texts and parts as they are, other values as JSON."""
    if isinstance(value, str | None):
        return value or ""
    parts = value if isinstance(value, list) else []
    if parts and all(isinstance(one, dict) and isinstance(one.get("type"), str) for one in parts):
        return parts
    return json.dumps(value, ensure_ascii=False)


FORMAT = Format("vercel-ai", 9, claims, read)
