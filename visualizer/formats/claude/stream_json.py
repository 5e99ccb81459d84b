"""What the Claude Code client prints with ``--output-format stream-json``.

These are the Agent SDK's messages too: a line each, or one list, or each wrapped by whoever
kept them. One reply comes in several lines, its results may come before its last line, and
the prompt is mostly not there. Lines of a subagent name the tool request that started it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from visualizer.formats.blocks import blocks_of
from visualizer.formats.claude.lines import (
    FAMILY,
    INTERRUPTED,
    SYNTHETIC,
    cap_in,
    failure,
    is_command,
    is_hosts,
    message_of,
    sent_blocks,
    string,
    text_in,
    type_of,
    user_message,
)
from visualizer.formats.claude.printed import Printed, is_kept
from visualizer.formats.claude.reply_lines import Gap, Reply, Words, words_of
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.decoding.envelopes import unwrapped
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.stretches import Stretches, Thread
from visualizer.transcript.history import History
from visualizer.transcript.records import ApiObject

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
    lines = _unwrapped(decoded.items)
    events = _Events(lines, trusting=True)
    if events.contradicted:
        events = _Events(lines, trusting=False)
        outside.findings.count("format.one_id", events.alike)
    for kind, times in events.others.items():
        outside.findings.count("format.other_line", times, kind=kind)
    for key, times in events.counts.items():
        outside.findings.count(key, times)
    _Teller(outside).tell(events.all)


def _unwrapped(items: list[tuple[int, dict[str, Any]]]) -> list[dict[str, Any]]:
    """The client's own lines, out of what they were kept in."""
    kept = items[0][1].get("messages") if len(items) == 1 else None
    entries = [one for one in kept if isinstance(one, dict)] if isinstance(kept, list) else []
    if any("direction" in one or _is_line(one) for one in entries):
        items = [(0, one) for one in entries]
    whole = any(_is_line(line) for _, line in items)
    lines = [unwrapped(line, _is_line) for _, line in items]
    return lines if whole else [line if _is_line(line) else _inside(line) for line in lines]


def _inside(line: dict[str, Any]) -> dict[str, Any]:
    """A line of the client that somebody kept without its marks, or only its message."""
    found = unwrapped(line, _says)
    if _says(found):
        return {"session_id": None, **found}
    inner = line.get("data") if "data" in line else line.get("message")
    wrapped = ("data" in line and "timestamp" in line) or "direction" in line
    if wrapped and isinstance(inner, dict) and string(inner.get("type")) not in (None, "message"):
        return {"session_id": None, **inner}
    kind = type_of(line)
    message = unwrapped(line, lambda one: one.get("role") == kind and _has_content(one))
    if kind in ("assistant", "user") and message is not line:
        return {**line, "session_id": None, "message": message}
    return line


def _says(line: dict[str, Any]) -> bool:
    """Whether something is a line but for the session that it belongs to."""
    kind = type_of(line)
    if kind in ("assistant", "user"):
        return message_of(line) is not None
    return kind in _TYPES and isinstance(line.get("subtype"), str)


def _has_content(message: dict[str, Any]) -> bool:
    return message_of({"message": message}) is not None


def _is_line(line: dict[str, Any]) -> bool:
    kind = type_of(line)
    if kind not in _TYPES or "parentUuid" in line or not any(mark in line for mark in _MARKS):
        return False
    return "message" in line if kind in ("assistant", "user") else "subtype" in line


class _Events:
    """The lines as events: replies are whole only at the end.

    Ids of replies are trusted, or not; ``contradicted`` says that they can't be.
    """

    def __init__(self, lines: list[dict[str, Any]], trusting: bool) -> None:
        self.trusting = trusting
        self.contradicted = False
        self.all: list[tuple[str, str, Any]] = []
        self.others: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self._ids: dict[tuple[str, str], Reply] = {}
        self._given: Counter[tuple[str, str]] = Counter()
        self._torn: set[tuple[str, str]] = set()
        self._homes: dict[tuple[str, str], Reply] = {}
        self._at: dict[str, tuple[Gap, Reply]] = {}
        self._streamed: dict[str, Reply] = {}
        self._said: dict[str, Any] = {}
        for line in lines:
            self._line(line)
        threads = Counter(thread for thread, _ in self._ids)
        self.contradicted |= any(threads[thread] == 1 for thread, _ in self._torn)

    @property
    def alike(self) -> int:
        """Replies whose id another one has, too."""
        return sum(times for times in self._given.values() if times > 1)

    def _line(self, line: dict[str, Any]) -> None:
        kind = type_of(line)
        thread = string(line.get("parent_tool_use_id")) or ""
        message = message_of(line)
        if kind in ("assistant", "user"):
            if message is None:
                self.counts["format.odd_line"] += 1
            elif self._is_again(line, message):
                self.counts["format.double_line"] += 1
            elif kind == "assistant":
                self._assistant(thread, line, message)
            else:
                self._user(thread, line, message)
        elif kind == "result":
            self._event(thread, "result", line)
        elif kind == "system" and line.get("subtype") in _EVENTS:
            self._event(thread, str(line["subtype"]), line)
        else:
            self.others[_kind(line)] += 1
            if is_kept(line):
                self.all.append((thread, "printed", line))
            if kind == "stream_event":
                self._stream(thread, line.get("event"))

    def _is_again(self, line: dict[str, Any], message: dict[str, Any]) -> bool:
        """Whether a line with its uuid has said the same."""
        uuid = string(line.get("uuid"))
        if uuid is None:
            return False
        return bool(self._said.setdefault(uuid, message) == message) and (
            self._said[uuid] is not message
        )

    def _event(self, thread: str, kind: str, what: Any) -> None:
        self.all.append((thread, kind, what))
        if thread in self._at:
            self._at[thread] = ("other", self._at[thread][1])

    def _stream(self, thread: str, event: Any) -> None:
        """A piece of a reply as it came: its beginning, and how it ended."""
        kind = event.get("type") if isinstance(event, dict) else None
        if kind == "message_start":
            self._streamed.pop(thread, None)
            if thread in self._at:
                self._at[thread] = ("other", self._at[thread][1])
        elif kind == "message_delta" and thread in self._streamed:
            delta = event.get("delta")
            flag = delta.get("stop_reason") if isinstance(delta, dict) else None
            self._streamed[thread].end(flag, event.get("usage"))

    def _assistant(self, thread: str, line: dict[str, Any], message: dict[str, Any]) -> None:
        blocks = blocks_of(message["content"])
        if message.get("model") == SYNTHETIC:
            if line.get("error") or line.get("isApiErrorMessage"):
                self._event(thread, "failed", failure(line, text_in(blocks)))
            else:
                self.counts["format.synthetic"] += 1
            return
        words = words_of(line, message, blocks)
        reply = self._known(thread, words)
        if reply is None:
            reply = Reply()
            self.all.append((thread, "reply", reply))
            if words.name:
                self._ids[thread, words.name] = reply
                self._given[thread, words.name] += 1
        if not reply.add(line, message, words):
            self.counts["format.double_line"] += 1
        for name in reply.requests:
            self._homes[thread, name] = reply
        self._at[thread] = ("none", reply)
        self._streamed[thread] = reply

    def _known(self, thread: str, words: Words) -> Reply | None:
        """The reply that a line is a further part of, None where it begins one."""
        at = self._at.get(thread)
        near = at[1] if at is not None else None
        gap: Gap = at[0] if at is not None else "other"
        if not self.trusting or not words.name:
            return near if near is not None and near.takes(words, gap) else None
        known = self._ids.get((thread, words.name))
        if known is not None:
            gap = gap if known is near else "other"
            if known.contradicts(words, gap):
                self.contradicted = True
            elif gap == "results" and not known.same_request(words):
                self._torn.add((thread, words.name))
        return known

    def _user(self, thread: str, line: dict[str, Any], message: dict[str, Any]) -> None:
        blocks = sent_blocks(blocks_of(message["content"]))
        text = text_in(blocks)
        if any(block["type"] == "tool_result" for block in blocks):
            self._results(thread, blocks)
        elif is_hosts(line, blocks):
            self._event(thread, "host", user_message(message))
        elif line.get("isSynthetic") or line.get("isMeta"):
            self._event(thread, "meta", blocks)
        elif text.startswith(INTERRUPTED):
            self._event(thread, "interrupted", {"role": "user", "content": blocks})
        else:
            self._event(thread, "prompt", (user_message(message), not is_command(text)))

    def _results(self, thread: str, blocks: list[ApiObject]) -> None:
        self.all.append((thread, "results", blocks))
        names = [string(one.get("tool_use_id")) for one in blocks]
        for name in names:
            home = self._homes.get((thread, name)) if name else None
            if home is not None and name:
                home.answered.add(name)
                gap, near = self._at.get(thread, ("other", home))
                if near is not home or gap != "other":
                    self._at[thread] = ("results", home)


class _Teller:
    """Says the events of a stream, each in the conversation it belongs to."""

    def __init__(self, outside: Outside) -> None:
        self.stretches = Stretches(outside)
        self.findings = outside.findings
        self.threads: dict[str, Thread] = {}
        self.printed = Printed()

    def tell(self, events: list[tuple[str, str, Any]]) -> None:
        """All of a stream."""
        for thread, kind, what in events:
            self._say(self._thread(thread), kind, what)
        self.stretches.finish()

    def _thread(self, name: str) -> Thread:
        if name not in self.threads:
            starter = name or None
            self.threads[name] = self.stretches.thread(side=bool(name), starter=starter)
        return self.threads[name]

    def _say(self, thread: Thread, kind: str, what: Any) -> None:
        match kind:
            case "reply":
                self.findings.count("format.blank_text", what.blanks)
                self.findings.count("format.partial_usage", int(what.partial))
                thread.reply(*what.response())
                self.printed.replied(thread)
            case "results":
                thread.results(what)
            case "meta":
                thread.insert(what, "meta")
            case "host":
                thread.woken(what)
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


FORMAT = Format("stream-json", 30, claims, read, by_line=True, family=FAMILY)
