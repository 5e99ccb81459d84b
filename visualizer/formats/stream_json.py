"""What the Claude Code client prints with ``--output-format stream-json``.

These are the Agent SDK's messages too: a line each, or one list, or each wrapped by whoever
kept them. One reply comes in several lines, its results may come before its last line, and
the prompt is mostly not there. Lines of a subagent name the tool request that started it.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import blocks_of
from visualizer.formats.decode import Decoded
from visualizer.formats.lines import (
    INTERRUPTED,
    SYNTHETIC,
    Reply,
    cap_in,
    failure,
    is_command,
    message_of,
    text_in,
    type_of,
)
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.printed import Printed, is_kept
from visualizer.formats.stretches import Stretches, Thread
from visualizer.history import History
from visualizer.transcript import ApiObject

_TYPES = frozenset({"system", "assistant", "user", "result"})
_EVENTS = ("init", "api_retry", "compact_boundary")
_MARKS = ("session_id", "parent_tool_use_id")
_END = (
    "subtype",
    "is_error",
    "terminal_reason",
    "stop_reason",
    "num_turns",
    "result",
    "usage",
    "errors",
    "api_error_status",
    "total_cost_usd",
    "permission_denials",
)


def claims(sample: Sample) -> bool:
    """Whether lines of the client are among the first ones."""
    return any(map(_is_line, _unwrapped([(0, one) for one in sample.items])))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in a stream."""
    _Reader(outside).read(_unwrapped(decoded.items))


def _unwrapped(items: list[tuple[int, dict[str, Any]]]) -> list[dict[str, Any]]:
    """The client's own lines, out of what they were kept in."""
    kept = items[0][1].get("messages") if len(items) == 1 else None
    entries = [one for one in kept if isinstance(one, dict)] if isinstance(kept, list) else []
    if any("direction" in one or _is_line(one) for one in entries):
        items = [(0, one) for one in entries]
    found = []
    for _, line in items:
        inner = line.get("data") if "data" in line else line.get("message")
        wrapped = ("data" in line and "timestamp" in line) or "direction" in line
        if wrapped and isinstance(inner, dict) and isinstance(inner.get("type"), str):
            line = {**inner, "sent": line.get("direction") == "send"}  # noqa: PLW2901
            line.setdefault("session_id", None)
        found.append(line)
    return found


def _is_line(line: dict[str, Any]) -> bool:
    kind = type_of(line)
    if kind not in _TYPES or "parentUuid" in line or not any(mark in line for mark in _MARKS):
        return False
    return "message" in line if kind in ("assistant", "user") else "subtype" in line


class _Reader:
    """Takes the lines in, then says them as events: replies are whole only at the end."""

    def __init__(self, outside: Outside) -> None:
        self.stretches = Stretches(outside)
        self.findings = outside.findings
        self.events: list[tuple[str, str, Any]] = []
        self.replies: dict[tuple[str, str], Reply] = {}
        self.threads: dict[str, Thread] = {}
        self.latest: dict[str, Reply | None] = {}
        self.printed = Printed()

    def read(self, lines: list[dict[str, Any]]) -> None:
        """All of a stream."""
        for line in lines:
            self._line(line)
        for thread, kind, what in self.events:
            self._say(self._thread(thread), kind, what)
        self.stretches.finish()

    def _line(self, line: dict[str, Any]) -> None:
        kind = type_of(line)
        parent = line.get("parent_tool_use_id")
        thread = parent if isinstance(parent, str) else ""
        message = message_of(line)
        if kind == "assistant" and message is not None:
            self._assistant(thread, line, message)
        elif kind == "user" and message is not None:
            self._user(thread, line, message)
        elif kind == "result":
            self._event(thread, "result", line)
            self.replies.clear()
        elif kind == "system" and line.get("subtype") in _EVENTS:
            self._event(thread, str(line["subtype"]), line)
        else:
            self.findings.count("format.other_line", kind=_kind(line))
            if is_kept(line):
                self.events.append((thread, "printed", line))

    def _event(self, thread: str, kind: str, what: Any) -> None:
        self.events.append((thread, kind, what))
        self.latest[thread] = None

    def _assistant(self, thread: str, line: dict[str, Any], message: dict[str, Any]) -> None:
        if message.get("model") == SYNTHETIC:
            text = text_in(blocks_of(message["content"]))
            if line.get("error") or line.get("isApiErrorMessage"):
                self._event(thread, "failed", failure(line, text))
            else:
                self.findings.count("format.synthetic")
            return
        name = message.get("id")
        known = self.latest.get(thread)
        if isinstance(name, str):
            known = self.replies.get((thread, name))
        if known is None:
            known = Reply()
            self.events.append((thread, "reply", known))
        if isinstance(name, str):
            self.replies[thread, name] = known
        self.latest[thread] = known
        if not known.add(line, message):
            self.findings.count("format.double_line")

    def _user(self, thread: str, line: dict[str, Any], message: dict[str, Any]) -> None:
        blocks = blocks_of(message["content"])
        text = text_in(blocks)
        if any(block["type"] == "tool_result" for block in blocks):
            self._event(thread, "results", blocks)
        elif line.get("isSynthetic") or line.get("isMeta"):
            self._event(thread, "meta", blocks)
        elif text.startswith(INTERRUPTED):
            self._event(thread, "interrupted", {"role": "user", "content": blocks})
        else:
            prompt = {"role": "user", "content": message["content"]}
            if isinstance(prompt["content"], list):
                prompt["content"] = blocks
            self._event(thread, "prompt", (prompt, not is_command(text)))
            for key in [key for key in self.replies if key[0] == thread]:
                del self.replies[key]

    def _thread(self, name: str) -> Thread:
        if name not in self.threads:
            starter = name or None
            self.threads[name] = self.stretches.thread(side=bool(name), starter=starter)
        return self.threads[name]

    def _say(self, thread: Thread, kind: str, what: Any) -> None:
        match kind:
            case "reply":
                thread.reply(*what.response())
                self.printed.replied(thread)
            case "results":
                thread.results(what)
            case "meta":
                thread.insert(what, "meta")
            case "prompt":
                thread.prompt(what[0], asks=what[1])
            case "interrupted":
                thread.interrupted(what)
            case "failed":
                thread.failed(*what)
            case "api_retry":
                thread.failed(*failure(what, str(what.get("error", ""))), handled=True)
            case "compact_boundary":
                thread.rewritten(History())
            case "printed":
                self.printed.line(thread, what)
            case "init":
                thread.anew()
            case _:
                _end(thread, what)


def _end(thread: Thread, line: dict[str, Any]) -> None:
    """The client's own word on how a run ended."""
    if line.get("subtype") == "error_max_turns":
        named = cap_in(line.get("errors"))
        thread.cap(named or thread.calls or 1, inferred=named is None)
    said: ApiObject = {name: line[name] for name in _END if name in line}
    flag = line.get("stop_reason")
    thread.ended(said, flag if isinstance(flag, str) else None)


def _kind(line: dict[str, Any]) -> str:
    parts = [line.get("type"), line.get("subtype")]
    return "/".join(part for part in parts if isinstance(part, str)) or "?"


FORMAT = Format("stream-json", 30, claims, read)
