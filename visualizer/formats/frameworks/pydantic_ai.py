"""Messages of Pydantic AI, as its type adapter writes them: requests and responses in turn.

A request holds what is new in it: what the user asked, results of tools, what the host asks to
be tried again. Several lists may be kept in one file; one that grew is told once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from visualizer.formats.blocks import entries
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.frameworks.pydantic_parts import (
    RETRIES,
    draft_of,
    instructions_of,
    is_result,
    kind_of,
    prompt_of,
    reason_of,
    result_of,
    usage_of,
)
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.conversations import parameters
from visualizer.formats.telling.replies import give
from visualizer.formats.telling.states import told
from visualizer.formats.telling.stretches import Stretches
from visualizer.transcript.records import ApiObject, Turn

Entry = dict[str, Any]

_KINDS = ("request", "response")
_LISTS = ("messages", "message_history", "all_messages", "new_messages", "history")
_ASKS = ("user-prompt", "speech")
_UNFINISHED = ("interrupted", "incomplete", "suspended")


def claims(sample: Sample) -> bool:
    """Whether messages are among the first entries, or lists of them."""
    return any(_is_message(one) or _listed(one) is not None for one in sample.items)


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in messages."""
    for messages in told(decoded.items, _listed, outside.findings):
        _Teller(outside).tell(messages)


def _is_message(one: Entry) -> bool:
    if one.get("kind") not in _KINDS:
        return False
    return any(isinstance(part.get("part_kind"), str) for part in entries(one.get("parts")))


def _listed(one: Entry) -> list[Entry] | None:
    """The messages that an object keeps in a list, None where there are none."""
    kept = (entries(one.get(name)) for name in _LISTS)
    return next((found for found in kept if any(map(_is_message, found))), None)


class _Teller:
    """Says the messages of one list as events."""

    def __init__(self, outside: Outside) -> None:
        self.findings = outside.findings
        self.stretches = Stretches(outside)
        self.thread = self.stretches.thread()
        self.waiting: list[tuple[str, Any]] = []
        self.turn: Turn | None = None
        self.run: Any = None
        self.replies = 0
        self.system: list[str] = []
        self.instructions: str | None = None

    def tell(self, messages: list[Entry]) -> None:
        """All of them, in their order."""
        state = None
        for message in messages:
            kind = message.get("kind")
            if kind == "request":
                self._request(message)
            elif kind == "response":
                self._reply(message)
            else:
                self.findings.count("format.other_line", kind=str(kind)[:40])
                continue
            state = message.get("state")
        if state in _UNFINISHED:
            self.thread.ended({"end": state})
        self.stretches.finish()

    def _request(self, message: Entry) -> None:
        """What is new in a request. A user's words beside results are the host's, unless
        another run of the agent began with them."""
        asked: list[ApiObject] = []
        answered = False
        for part in entries(message.get("parts")):
            kind = kind_of(part)
            if is_result(part):
                self._result(part)
                answered = True
            elif kind in _ASKS:
                asked += prompt_of(part)
            else:
                self._host(part, kind)
        now = message.get("run_id")
        began = self.run is not None and now is not None and now != self.run
        if asked and answered and not began:
            self.thread.insert(asked, "beside_results")
        elif asked:
            self.thread.prompt({"role": "user", "content": asked})
        self.run = now
        self.instructions = instructions_of(message, self.system)

    def _host(self, part: Entry, kind: str) -> None:
        """What neither the user nor the model said."""
        if kind == "compaction":
            self.thread.prompt({"role": "user", "content": prompt_of(part)}, kind, asks=False)
        elif kind in RETRIES:
            self.thread.insert(prompt_of(part), kind)
        elif kind != "system-prompt":
            self.findings.count("format.other_line", kind=f"request/{kind[:40]}")
        elif self.replies or part.get("scope") == "request":
            self.thread.insert(prompt_of(part), "system")
        elif isinstance(part.get("content"), str):
            self.system.append(part["content"])

    def _result(self, part: Entry) -> None:
        """A result: by the id it names, else for the first call of its name."""
        name = part.get("tool_call_id")
        if isinstance(name, str) and name:
            self.waiting = [one for one in self.waiting if one[0] != name]
            self.thread.results([result_of(name, part)])
            return
        found = next((one for one in self.waiting if one[1] == part.get("tool_name")), None)
        if found is None:
            self.thread.results([result_of(part.get("tool_name"), part)])
        else:
            self.waiting.remove(found)
            give(self.thread, self.turn, result_of(found[0], part))

    def _reply(self, message: Entry) -> None:
        for error in _failures(message):
            self.thread.failed(None, error, handled=True)
        self.replies += 1
        draft = draft_of(message, f"reply-{self.replies}")
        model = message.get("model_name")
        model = model if isinstance(model, str) else None
        raw = reason_of(message)
        self.turn = self.thread.reply(*draft.message(raw, model=model, usage=usage_of(message)))
        if self.thread.run is not None:
            said = {"model": model, "system": self.instructions}
            parameters(self.thread.run, self.turn, said)
        asked = [block for block in draft.content if block["type"] == "tool_use"]
        self.waiting = [(block["id"], block["name"]) for block in asked]


def _failures(message: Entry) -> Iterator[ApiObject]:
    """Requests that failed before the one that was answered."""
    for one in entries(message.get("failed_attempts")):
        error = {"type": str(one.get("outcome")), "message": str(one.get("error") or "")}
        yield {"type": "error", "error": error}


FORMAT = Format("pydantic-ai", 68, claims, read)
