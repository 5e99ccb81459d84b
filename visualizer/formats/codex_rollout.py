"""Sessions that the Codex client keeps on disk: rollouts, in JSONL.

Each line wraps an item of the Responses API, an event, or what holds from then on; the oldest
files have bare items. Lines do not say which items came in one reply: the client writes a
token count once a reply, before its items or after them, and calls may have their results
written in between. Without token counts, a reply ends where results follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from visualizer.formats.blocks import NOT_RECORDED
from visualizer.formats.codex_agents import Line, files_of, own_lines, started
from visualizer.formats.codex_teller import Reply, Teller
from visualizer.formats.decode import Decoded
from visualizer.formats.openai_items import (
    blocks_of,
    is_output,
    is_surely_item,
    messages_of,
    role_of,
    type_of,
)
from visualizer.formats.openai_words import parts_of, text_of, usage_of
from visualizer.formats.outside import Findings, Format, Outside, Sample
from visualizer.formats.stretches import Stretches
from visualizer.transcript import ApiObject

_WRAPPED = (
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
    "world_state",
)
_NO_ITEMS = ("ghost_snapshot", "other")
_BEGINS = ("task_started", "turn_started")
_ENDS = ("task_complete", "turn_complete")


def claims(sample: Sample) -> bool:
    """Whether wrapped lines are among the first ones, or bare items after an old header."""
    if any(map(_is_wrapped, sample.items)):
        return True
    headed = any(map(_is_header, sample.items[:2]))
    return headed and any(map(is_surely_item, sample.items))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in a session, then in those of its subagents."""
    stretches = Stretches(outside)
    files = _files(decoded)
    calls = {agent: call for lines in files[::-1] for agent, call in started(lines).items()}
    for at, lines in enumerate(files):
        copied, own = own_lines(lines, files[:at]) if at else ([], lines)
        reader = _Reader(outside.findings, own, copied)
        starter = calls.get(reader.session) if isinstance(reader.session, str) else None
        Teller(stretches, at > 0, starter).tell(reader.events)
    stretches.finish()


def beside(path: Path, decoded: Decoded) -> Iterator[Path]:
    """The rollouts of a session's subagents, as far as they are in the same folder."""
    return files_of(path, started(_unwrapped(line) for _, line in decoded.items))


def _files(decoded: Decoded) -> list[list[Line]]:
    """The lines of a session and of those read with it: each begins at the first line again."""
    files: list[list[Line]] = [[]]
    before = 0
    for number, line in decoded.items:
        if number <= before:
            files.append([])
        files[-1].append(_unwrapped(line))
        before = number
    return files


def _is_wrapped(line: dict[str, Any]) -> bool:
    return line.get("type") in _WRAPPED and isinstance(line.get("payload"), dict)


def _is_header(line: dict[str, Any]) -> bool:
    return "record_type" in line or ("instructions" in line and "type" not in line)


def _unwrapped(line: dict[str, Any]) -> Line:
    if isinstance(line.get("type"), str) and isinstance(line.get("payload"), dict):
        return line["type"], line["payload"]
    if _is_header(line):
        return ("state" if "record_type" in line else "session_meta"), line
    return "response_item", line


class _Reader:
    """Makes events of lines; replies are whole only when all lines are in."""

    def __init__(self, findings: Findings, lines: list[Line], copied: list[Line]) -> None:
        self.findings = findings
        self.events: list[tuple[str, Any]] = []
        self._counted = any(_counts(kind, what) for kind, what in lines)
        self._open: Reply | None = None
        self._answered = False
        self._usage: ApiObject | None = None
        self._total: Any = None
        self._model: str | None = None
        self._system: list[ApiObject] = []
        self.session: Any = None
        self._begun = False
        if copied:
            items = [what for kind, what in copied if kind == "response_item"]
            self._say("forked", messages_of(items, {})[1])
        for kind, what in lines:
            self._line(kind, what)

    def _line(self, kind: str, what: dict[str, Any]) -> None:
        if kind == "response_item":
            self._item(what)
        elif kind == "event_msg":
            self._event(what)
        elif kind == "turn_context":
            self._close()
            self._model = model if isinstance(model := what.get("model"), str) else self._model
        elif kind == "session_meta":
            self._meta(what)
        elif kind == "compacted":
            self._say("compacted", self._after_compaction(what))
        else:
            self.findings.count("format.other_line", kind=kind)

    def _say(self, kind: str, what: Any) -> None:
        self._close()
        self._usage = None
        self.events.append((kind, what))

    def _close(self) -> None:
        """The reply is whole."""
        self._open = None

    def _item(self, item: dict[str, Any]) -> None:
        role = role_of(item)
        kind = type_of(item)
        if role is None or kind in _NO_ITEMS:
            self.findings.count("format.other_line", kind=f"response_item/{kind[:40]}")
        elif kind == "agent_message":
            self.events.append(("agent", parts_of(item.get("content"))))
        elif is_output(item):
            self._answered = self._open is not None
            self.events.append(("results", blocks_of(item)))
        elif role == "assistant":
            self._said(item, kind)
        elif role == "system" and not self._begun:
            self._system += blocks_of(item)
        elif role == "system":
            self.events.append(("developer", blocks_of(item)))
        else:
            self._say("user", (blocks_of(item), text_of(item.get("content"))))

    def _said(self, item: dict[str, Any], kind: str) -> None:
        """An item of the model: of the reply that is going on, or of a new one."""
        if self._answered and (kind == "reasoning" or not self._counted):
            self._close()
        if self._open is None:
            self._open = Reply(self._model, self._system, self._usage)
            self._usage, self._answered, self._begun = None, False, True
            self.events.append(("reply", self._open))
        self._open.add(item)

    def _event(self, what: dict[str, Any]) -> None:
        kind = type_of(what)
        if kind == "token_count":
            self._count(what.get("info"))
        elif kind in _BEGINS:
            self._say("begins", None)
        elif kind in _ENDS:
            self._say("ended", {"end": kind})
        elif kind == "turn_aborted":
            self._say("ended", {"interrupted": True, "end": str(what.get("reason", kind))[:80]})
        elif kind == "thread_rolled_back":
            self._say("rolled_back", what.get("num_turns"))
        elif kind in ("error", "stream_error"):
            self._say(kind, what.get("message"))
        else:
            self.findings.count("format.other_line", kind=f"event_msg/{kind[:40]}")

    def _count(self, info: Any) -> None:
        """A token count: it ends the reply before it, or comes before its own reply's items."""
        if not isinstance(info, dict) or info.get("total_token_usage") == self._total:
            return
        self._total = info.get("total_token_usage")
        usage = usage_of(info.get("last_token_usage"))
        if self._open is not None and self._open.usage is None:
            self._open.usage = usage
        else:
            self._usage = usage
        self._close()

    def _meta(self, what: dict[str, Any]) -> None:
        """The head of a session; the same one again where it was resumed."""
        meta = what["meta"] if isinstance(what.get("meta"), dict) else what
        if self.session is not None:
            if meta.get("id") == self.session:
                self._say("resumed", None)
            else:
                self.findings.count("format.other_line", kind="session_meta")
            return
        self.session = meta.get("id")
        said = meta.get("base_instructions", meta.get("instructions"))
        text = said.get("text") if isinstance(said, dict) else said
        if isinstance(text, str) and text:
            self._system.append({"type": "text", "text": text})

    def _after_compaction(self, what: dict[str, Any]) -> list[ApiObject]:
        """The messages that a compaction left; the client may keep only its summary."""
        kept = what.get("replacement_history")
        if isinstance(kept, list):
            return messages_of(kept, {})[1]
        text = what.get("message")
        if not isinstance(text, str) or not text:
            return []
        return [NOT_RECORDED, {"role": "user", "content": text}]


def _counts(kind: str, what: dict[str, Any]) -> bool:
    return kind == "event_msg" and type_of(what) == "token_count" and bool(what.get("info"))


FORMAT = Format("codex-rollout", 40, claims, read, beside, by_line=True)
