"""Messages of LangChain and states of LangGraph, as their own functions dump them.

Such a file has the messages and nothing of the requests: what was sent is put together from
them. A state that was kept after each step holds the earlier ones, and is told once.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import STOP
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.frameworks.langchain_messages import (
    Message,
    blocks_of,
    draft_of,
    is_refused,
    is_summary,
    is_surely_message,
    message_of,
    model_of,
    reason_of,
    state_of,
    usage_of,
)
from visualizer.formats.frameworks.langchain_pieces import put_together
from visualizer.formats.outside import Findings, Format, Outside, Sample
from visualizer.formats.telling.replies import give, parts_of, result, sent_with, text_of
from visualizer.formats.telling.states import told
from visualizer.formats.telling.stretches import Stretches
from visualizer.transcript.records import ApiObject, Turn

Entry = dict[str, Any]

_ROLES = {"assistant": "ai", "user": "human", "system": "system", "tool": "tool"}
"""What messages are that say their role in the provider's words."""


def claims(sample: Sample) -> bool:
    """Whether messages are among the first entries, or states that hold some."""
    return any(any(map(is_surely_message, [one, *(state_of(one) or [])])) for one in sample.items)


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in messages: those of one conversation, or of one a state."""
    for messages in told(decoded.items, state_of, outside.findings):
        _Teller(outside).tell(_known(messages, outside.findings))


def _known(entries: list[Entry], findings: Findings) -> list[Message]:
    """Entries as messages; others are counted."""
    found = []
    for one in entries:
        message = message_of(one)
        if message is None or message.kind == "remove":
            findings.count("format.other_line", kind=str(one.get("type", "?"))[:40])
        elif message.kind == "chat":
            kind = _ROLES.get(str(message.data.get("role")), "human")
            found.append(message._replace(kind=kind))
        else:
            found.append(message)
    return put_together(found)


class _Teller:
    """Says the messages of one conversation as events."""

    def __init__(self, outside: Outside) -> None:
        self.findings = outside.findings
        self.stretches = Stretches(outside)
        self.thread = self.stretches.thread()
        self.waiting: list[tuple[str, Any]] = []
        self.turn: Turn | None = None
        self.replies = 0
        self.begun = False
        self.system: str | None = None

    def tell(self, messages: list[Message]) -> None:
        """All of them, in their order."""
        for message in messages:
            model = None
            if message.kind == "ai":
                self._reply(message.data)
                model = model_of(message.data)
            else:
                self._other(message)
            self.begun = self.begun or message.kind != "system"
            sent_with(self.thread, model, self.system)
        self.stretches.finish()
        sent_with(self.thread, None, self.system)

    def _other(self, message: Message) -> None:
        """What the model did not say."""
        content = message.data["content"]
        blocks = blocks_of(content)
        if message.kind in ("tool", "function"):
            self._result(message.data)
        elif any(block["type"] == "tool_result" for block in blocks):
            self.thread.results(blocks)
        elif message.kind == "human":
            sent = {"role": "user", "content": content if isinstance(content, str) else blocks}
            if is_summary(message.data):
                self.thread.prompt(sent, "compaction", asks=False)
            else:
                self.thread.prompt(sent)
        elif self.begun:
            self.thread.insert(blocks, "system")
        else:
            self.system = "\n\n".join(filter(None, (self.system, text_of(blocks))))

    def _reply(self, data: Entry) -> None:
        self.replies += 1
        draft = draft_of(data, f"reply-{self.replies}")
        model, usage = model_of(data), usage_of(data)
        made, inferred = draft.message(reason_of(data), model=model, usage=usage)
        if is_refused(data) and made["stop_reason"] != "refusal":
            made["stop_reason"] = "refusal"
            inferred += [] if STOP in inferred else [STOP]
        self.turn = self.thread.reply(made, inferred)
        asked = [block for block in draft.content if block["type"] == "tool_use"]
        self.waiting = [(block["id"], block["name"]) for block in asked]

    def _result(self, data: Entry) -> None:
        """A tool's result: by the id it names, else for the first call of its name."""
        content: str | list[ApiObject] = parts_of(data["content"])
        failed = data.get("status") == "error"
        name, called = data.get("tool_call_id"), data.get("name")
        if isinstance(name, str) and name:
            self.waiting = [one for one in self.waiting if one[0] != name]
            self.thread.results([result(name, content, failed)])
            return
        fitting = [one for one in self.waiting if called in (None, one[1])]
        if not fitting or called is None:
            self.thread.results([result(called, content, failed)])
            return
        self.waiting.remove(fitting[0])
        give(self.thread, self.turn, result(fitting[0][0], content, failed))


FORMAT = Format("langchain", 70, claims, read)
