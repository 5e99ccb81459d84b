"""The lines of a Claude Code session: what each says, and in which order they belong.

A line is kept as what is read of it, not as it stands in the file: the client writes each
result twice. A line that is there twice is taken once. Links are resolved when all lines are
known; where one stands before the line that it follows, the links give the order, and the
times where those leave it open.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any

from visualizer.formats.blocks import blocks_of
from visualizer.formats.claude.lines import (
    INTERRUPTED,
    SYNTHETIC,
    count,
    failure,
    is_hosts,
    is_summary,
    message_of,
    sent_blocks,
    string,
    text_in,
    type_of,
    user_message,
)
from visualizer.formats.claude.reply_lines import Words, words_of
from visualizer.transcript.records import ApiObject

if TYPE_CHECKING:
    from visualizer.formats.claude.session_tree import Unit
    from visualizer.formats.outside import Findings

Scope = tuple[bool, str | None]
"""Whose lines they are: a subagent's or not, and that agent's id."""

_PASSED = frozenset({"system", "attachment", "progress"})

_LATEST = 1e18
"""No time is a larger number than this."""

_AGENT_KEYS = frozenset({"agentId", "resumedAgentId"})
_AGENT = re.compile(r'"resumedAgentId"\s*:\s*"([^"]+)"|\b(wf_[\w-]+)')


@dataclass(slots=True, eq=False)
class Line:
    """One line. ``kind`` says what it is, ``passed`` one that links only pass through.

    ``follows`` is the line that it names as its parent; ``above`` the nearest one that has a
    message of its own, up to a compaction (``cut``). ``put`` is what the host did next to it.
    """

    place: int
    part: int
    kind: str
    uuid: str | None
    parent: str | None
    scope: Scope
    time: str
    session: str | None
    linked: bool
    message: ApiObject = field(default_factory=dict)
    blocks: list[ApiObject] = field(default_factory=list)
    words: Words | None = None
    answers: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    failure: tuple[int | None, ApiObject] = (None, {})
    put: list[tuple[str, Any]] = field(default_factory=list)
    boundary: bool = False
    resumes: bool = False
    follows: Line | None = None
    above: Line | None = None
    cut: bool = False
    unit: Unit | None = None

    def repeats(self, other: Line) -> bool:
        """Whether it says what another line with its uuid says."""
        if self.kind != other.kind:
            return False
        if self.answers:
            return self.answers == other.answers
        if self.kind == "passed":
            return self.boundary == other.boundary and self.put == other.put
        return self.blocks == other.blocks


class Lines:
    """All lines of a session and of the files that belong to it."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.all: list[Line] = []
        self.unlinked: set[Scope] = set()
        self._named: dict[tuple[Scope, str], Line] = {}
        self._anywhere: dict[str, Line] = {}
        self._shared: set[tuple[Scope, str]] = set()
        self._again: list[Line] = []
        self._requests: set[str] = set()
        self._replied: set[str] = set()
        self._failed = 0

    def read(self, items: Iterable[tuple[int, dict[str, Any]]]) -> None:
        """Take all lines in, once each, and put them into order."""
        part = last = 0
        for number, raw in items:
            part += number <= last  # a file that belongs to this one counts from 1 again
            last = number
            self._take(raw, part)
        again = [one for one in self._again if (one.scope, one.uuid) in self._shared]
        self.findings.count("format.double_line", len(self._again) - len(again))
        if self._shared:
            self.findings.count("format.same_uuid", len(self._shared))
            self.all = sorted(self.all + again, key=lambda line: line.place)
        if self._replied:
            unkept = len(self._requests - self._replied) - self._failed
            self.findings.count("format.unkept_reply", max(0, unkept))
        self._link()

    def _take(self, raw: dict[str, Any], part: int) -> None:
        line = self._line(raw, part)
        if line is None:
            return
        if line.uuid is None:
            self.all.append(line)
            return
        name = (line.scope, line.uuid)
        known = self._named.get(name) or self._copied(raw, line)
        if known is None:
            self._named[name] = line
            self._anywhere.setdefault(line.uuid, line)
            self.all.append(line)
        elif line.repeats(known):
            self._again.append(line)
            self._named.setdefault(name, known)
        else:
            self._shared.add(name)
            self.all.append(line)

    def _copied(self, raw: dict[str, Any], line: Line) -> Line | None:
        """The line that a fork copied under another uuid, where both are in the file."""
        origin = raw.get("forkedFrom")
        name = string(origin.get("messageUuid")) if isinstance(origin, dict) else None
        known = self._anywhere.get(name) if name else None
        return known if known is not None and line.repeats(known) else None

    def _line(self, raw: dict[str, Any], part: int) -> Line | None:
        kind, message = type_of(raw), message_of(raw)
        line = Line(
            len(self.all) + len(self._again),
            part,
            "passed",
            string(raw.get("uuid")),
            string(raw.get("parentUuid")),
            (raw.get("isSidechain") is True, string(raw.get("agentId"))),
            _time(raw.get("timestamp")),
            string(raw.get("sessionId")),
            "uuid" in raw,
        )
        if kind in ("assistant", "user"):
            if message is None:
                self.findings.count("format.odd_line")
            elif kind == "assistant":
                self._assistant(line, raw, message)
            else:
                _user(line, raw, message)
        elif kind in _PASSED:
            self._pass(line, raw)
        else:
            if kind == "api-request" and (name := string(raw.get("id"))):
                self._requests.add(name)
            self.findings.count("format.other_line", kind=kind[:40])
            return line if line.uuid else None
        return line

    def _assistant(self, line: Line, raw: dict[str, Any], message: dict[str, Any]) -> None:
        line.blocks = blocks_of(message["content"])
        if raw.get("isApiErrorMessage"):
            line.kind = "failed"
            line.failure = failure(raw, text_in(line.blocks))
            self._failed += 1
        elif message.get("model") == SYNTHETIC:
            self.findings.count("format.synthetic")
            line.blocks = []
        else:
            line.kind = "reply"
            line.message = message
            line.words = words_of(raw, message, line.blocks)
            if line.words.request:
                self._replied.add(line.words.request)

    def _pass(self, line: Line, raw: dict[str, Any]) -> None:
        data = raw.get("attachment", raw.get("data"))
        said = data if isinstance(data, dict) else {}
        line.boundary = raw.get("subtype") == "compact_boundary"
        line.resumes = said.get("hookName") == "SessionStart:resume"
        cap = count(said.get("maxTurns"))
        if raw.get("subtype") == "api_error":
            line.put.append(("retried", failure(raw, str(raw.get("content", "")))))
            self._failed += 1
        elif said.get("type") == "max_turns_reached" and cap and cap > 0:
            line.put.append(("cap", cap))
        elif blocks := _put_in(raw, said):
            line.put.append(("insert", (blocks, str(said.get("type"))[:80])))

    def _link(self) -> None:
        """Find what each line follows, and the order that this gives."""
        asked: dict[str, Line] = {}
        scopes, linked = set(), set()
        for line in self.all:
            scopes.add(line.scope)
            if line.parent is not None:
                line.follows = self._parent(line, line.parent)
            if line.follows is line:
                line.follows = None
                self.findings.count("format.circle")
            if line.follows is not None:
                linked.add(line.scope)
            for name in _asked(line):
                asked.setdefault(name, line)
        self.unlinked = scopes - linked
        needs = [
            [one for one in (line.follows, _request(line, asked)) if one is not None]
            for line in self.all
        ]
        late = sum(
            any(one.place > line.place for one in need)
            for line, need in zip(self.all, needs, strict=True)
        )
        if late:
            self.findings.count("format.reordered", late)
            self._sort(needs)

    def _parent(self, line: Line, parent: str) -> Line | None:
        name = (line.scope, parent)
        if name in self._shared:
            return None
        return self._named.get(name) or self._anywhere.get(parent)

    def knows(self, line: Line) -> bool:
        """Whether the file holds what a line names as its parent, one way or the other."""
        return line.parent is None or line.parent in self._anywhere

    def _sort(self, needs: list[list[Line]]) -> None:
        """Each line behind those that it needs; where that leaves a choice, by time.

        What came at the same time stays in the order of what it follows.
        """
        waits = {id(line): len(need) for line, need in zip(self.all, needs, strict=True)}
        needed = {id(line): need for line, need in zip(self.all, needs, strict=True)}
        behind: defaultdict[int, list[Line]] = defaultdict(list)
        for line, need in zip(self.all, needs, strict=True):
            for one in need:
                behind[id(one)].append(line)
        ready = [_key(line, -1) for line in self.all if not waits[id(line)]]
        heapify(ready)
        done: list[Line] = []
        told: set[int] = set()
        first = 0
        while len(done) < len(self.all):
            if not ready:
                while id(self.all[first]) in told:
                    first += 1
                heappush(ready, _key(self._open_circle(self.all[first], needed, told), -1))
            line = heappop(ready)[-1]
            if id(line) in told:
                continue
            told.add(id(line))
            done.append(line)
            for one in behind[id(line)]:
                waits[id(one)] -= 1
                if not waits[id(one)] and id(one) not in told:
                    one.time = one.time or line.time
                    heappush(ready, _key(one, len(done)))
        self.all = done

    def _open_circle(self, line: Line, needed: dict[int, list[Line]], told: set[int]) -> Line:
        """A line of a circle that leads to ``line``; what it names as its parent is dropped."""
        seen: set[int] = set()
        while id(line) not in seen:
            seen.add(id(line))
            line = next(one for one in needed[id(line)] if id(one) not in told)
        self.findings.count("format.circle")
        if line.follows is not None and id(line.follows) not in told:
            line.follows = None
        return line


def _user(line: Line, raw: dict[str, Any], message: dict[str, Any]) -> None:
    line.blocks = sent_blocks(blocks_of(message["content"]))
    text = text_in(line.blocks)
    line.message = {"role": "user", "content": line.blocks}
    results = [one for one in line.blocks if one["type"] == "tool_result"]
    if results:
        line.kind = "results"
        line.answers = tuple(filter(None, (string(one.get("tool_use_id")) for one in results)))
        line.agents = _agents(raw.get("toolUseResult"), results)
    elif is_summary(raw, text):
        line.kind = "summary"
    elif raw.get("isMeta"):
        line.kind = "meta"
    elif text.startswith(INTERRUPTED):
        line.kind = "interrupted"
    else:
        line.kind = "host" if is_hosts(raw, line.blocks) else "prompt"
        line.message = user_message(message)


def _agents(said: Any, results: list[ApiObject]) -> tuple[str, ...]:
    """The agents and workflows that a result names."""
    found: list[str] = []
    for name, value in said.items() if isinstance(said, dict) else ():
        if isinstance(value, str) and (name in _AGENT_KEYS or value.startswith("wf_")):
            found.append(value)
    for block in results:
        text = text_in(blocks_of(block.get("content")))
        if "AgentId" in text or "wf_" in text:
            found += map("".join, _AGENT.findall(text))
    return tuple(found)


def _asked(line: Line) -> Iterable[str]:
    if line.kind != "reply":
        return ()
    names = (string(one.get("id")) for one in line.blocks if one["type"] == "tool_use")
    return filter(None, names)


def _request(line: Line, asked: dict[str, Line]) -> Line | None:
    """The line with the request that a result answers, where it is another one."""
    found = next((asked[one] for one in line.answers if one in asked), None)
    return None if found is line or found is line.follows else found


def _put_in(line: dict[str, Any], said: dict[str, Any]) -> list[ApiObject]:
    """The texts of an attachment that the host put into a request."""
    rendered = line.get("rendered")
    parts = rendered if isinstance(rendered, list) else []
    texts = [one.get("content") for one in parts if isinstance(one, dict)]
    if said.get("type") == "queued_command" and not texts:
        return blocks_of(said.get("prompt"))
    return [{"type": "text", "text": text} for text in texts if isinstance(text, str)]


def _time(value: Any) -> str:
    """A time as a text that sorts."""
    if isinstance(value, str):
        return value
    number = value if isinstance(value, float) else count(value)
    return f"{number:025.3f}" if number is not None and 0 <= number < _LATEST else ""


def _key(line: Line, behind: int) -> tuple[int, str, int, int, Line]:
    """What a line is sorted by; ``behind`` is the place of the last one that it waited for."""
    return line.part, line.time, behind, line.place, line
