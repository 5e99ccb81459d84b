"""Sessions of Qwen Code: lines like those of another client, with messages in Gemini's words.

Each line names the one that it follows. A line that follows an earlier one than the last begins
another way on from there.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.claude.lines import FAMILY
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.gemini.parts import (
    Entry,
    responses,
    result_of,
    said_parts,
    tokens_of,
    user_blocks,
)
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.replies import Draft, sent_with
from visualizer.formats.telling.stretches import Stretches
from visualizer.transcript.history import History

_KINDS = ("user", "assistant", "tool_result")
_USAGE = (
    "promptTokenCount",
    "candidatesTokenCount",
    "thoughtsTokenCount",
    "cachedContentTokenCount",
)


def claims(sample: Sample) -> bool:
    """Whether lines of the client are among the first ones."""
    return any(map(_is_line, sample.items))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in a session."""
    teller = _Teller(Stretches(outside))
    for _, line in decoded.items:
        teller.take(line)
    teller.stretches.finish()


def _is_line(line: Entry) -> bool:
    if line.get("type") not in _KINDS or "parentUuid" not in line:
        return False
    return isinstance(entry(line.get("message")).get("parts"), list)


class _Teller:
    """Says the lines of a session as events."""

    def __init__(self, stretches: Stretches) -> None:
        self.stretches = stretches
        self.findings = stretches.outside.findings
        self.thread = stretches.thread()
        self.places: dict[str, tuple[History, int]] = {}
        self.last: Any = None

    def take(self, line: Entry) -> None:
        """One line."""
        kind, name = line.get("type"), line.get("uuid")
        if _is_line(line):
            self._follow(line.get("parentUuid"))
            parts = line["message"]["parts"]
            if kind == "assistant":
                self._reply(line, parts)
            elif found := responses(parts):
                results = [result_of(one.get("id"), one) for one in found]
                self.thread.results([*results, *user_blocks(parts)])
            elif blocks := user_blocks(parts):
                self.thread.prompt({"role": "user", "content": blocks})
        elif history := entries(entry(line.get("systemPayload")).get("compressedHistory")):
            self._compacted(history)
        else:
            more = line.get("subtype")
            shown = "/".join(str(one) for one in (kind, more) if isinstance(one, str))
            self.findings.count("format.other_line", kind=shown[:40] or "?")
        if isinstance(name, str):
            self.places[name] = self.thread.history, len(self.thread.history)
            self.last = name

    def _follow(self, parent: Any) -> None:
        """Go back to the line that the next one follows, where that is not the last."""
        if isinstance(parent, str) and parent != self.last and parent in self.places:
            history, length = self.places[parent]
            if history is not self.thread.history or length != len(history):
                self.thread = self.stretches.thread("fork", History(history, length))

    def _compacted(self, contents: list[Entry]) -> None:
        """What is sent from now on begins with a summary of what was said."""
        history = History()
        for content in contents:
            role = "assistant" if content.get("role") == "model" else "user"
            history.append({"role": role, "content": user_blocks(content.get("parts"))})
        self.thread.rewritten(history, "compaction")

    def _reply(self, line: Entry, parts: Any) -> None:
        draft = Draft()
        said_parts(parts, draft)
        usage = tokens_of(*(entry(line.get("usageMetadata")).get(one) for one in _USAGE))
        model = line.get("model")
        told = {"model": model if isinstance(model, str) else None, "usage": usage}
        self.thread.reply(*draft.message(**told))
        sent_with(self.thread, model)


FORMAT = Format("qwen-code", 19, claims, read, family=FAMILY)
