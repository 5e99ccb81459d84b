"""The tree of a Claude Code session: its lines as units, and what each unit follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from visualizer.formats.blocks import blocks_of
from visualizer.formats.lines import (
    INTERRUPTED,
    SYNTHETIC,
    Reply,
    failure,
    is_command,
    message_of,
    text_in,
    type_of,
)
from visualizer.transcript import ApiObject

if TYPE_CHECKING:
    from visualizer.formats.outside import Findings
    from visualizer.formats.stretches import Thread

_PASSED = frozenset({"system", "attachment", "progress"})


@dataclass(slots=True, eq=False)
class Unit:
    """What belongs together in a session. ``after`` is what the host did next to it."""

    kind: str
    parent_line: str | None
    message: ApiObject = field(default_factory=dict)
    reply: Reply | None = None
    failure: tuple[int | None, ApiObject] = (None, {})
    asks: bool = True
    side: bool = False
    agent: str | None = None
    session: str | None = None
    results: list[list[ApiObject]] = field(default_factory=list)
    after: list[tuple[str, Any]] = field(default_factory=list)
    parent: Unit | None = None
    compacted: bool = False
    resumed: bool = False
    thread: Thread | None = None
    length: int = 0


@dataclass(slots=True, eq=False)
class _Passed:
    """A line that links pass through."""

    parent_line: str | None
    boundary: bool = False
    resumes: bool = False
    what: list[tuple[str, Any]] = field(default_factory=list)


class Tree:
    """All units of a session, in the order of the file."""

    def __init__(self, findings: Findings) -> None:
        self.units: list[Unit] = []
        self.findings = findings
        self._nodes: dict[str, Unit | _Passed] = {}
        self._replies: dict[str, Reply] = {}
        self._homes: dict[str, Unit] = {}
        self._of_reply: dict[int, Unit] = {}
        self._passed: list[tuple[str, _Passed]] = []
        self._agents: dict[str, str] = {}
        self._tasks: dict[str, str] = {}
        self._before: dict[bool, str] = {}

    @property
    def all_side(self) -> bool:
        """Whether this is a subagent's own file."""
        return all(unit.side for unit in self.units)

    def starter(self, unit: Unit) -> str | None:
        """The tool request that started a subagent's conversation."""
        if unit.agent is not None and unit.agent in self._agents:
            return self._agents[unit.agent]
        return self._tasks.get(text_in(blocks_of(unit.message.get("content"))))

    def read(self, items: Iterator[tuple[int, dict[str, Any]]]) -> None:
        """Take all lines in, and link the units."""
        for number, line in items:
            self._line(number, line)
        for name, passed in self._passed:
            unit, _, _ = self._resolve(name)
            if unit is not None:
                unit.after += passed.what
        for unit in self.units:
            if unit.parent_line is not None:
                unit.parent, unit.compacted, unit.resumed = self._resolve(unit.parent_line)

    def _line(self, number: int, line: dict[str, Any]) -> None:
        kind, message = type_of(line), message_of(line)
        if kind == "assistant" and message is not None:
            node: Unit | _Passed = self._assistant(line, message)
        elif kind == "user" and message is not None:
            node = self._user(line, message)
        elif kind in _PASSED:
            node = self._pass(line)
        else:
            self.findings.count("format.other_line", kind=kind[:40])
            return
        uuid = line.get("uuid")
        name = uuid if isinstance(uuid, str) else f"line {number}"
        if name in self._nodes and self._nodes[name] is not node:
            if isinstance(node, Unit) and node in self.units[-1:]:
                self.units.pop()
            self.findings.count("format.double_line")
            return
        self._nodes[name] = node
        self._before[bool(line.get("isSidechain"))] = name
        if isinstance(node, _Passed):
            self._passed.append((name, node))

    def _assistant(self, line: dict[str, Any], message: dict[str, Any]) -> Unit | _Passed:
        if message.get("model") == SYNTHETIC or line.get("isApiErrorMessage"):
            if not line.get("isApiErrorMessage"):
                self.findings.count("format.synthetic")
                return _Passed(self._parent(line))
            unit = self._unit("failed", line)
            unit.failure = failure(line, text_in(blocks_of(message["content"])))
            return unit
        name = message.get("id") if isinstance(message.get("id"), str) else None
        key = f"{name} {line.get('isSidechain')} {line.get('agentId')}"
        reply = self._replies.get(key) if name else None
        if reply is None:
            reply = Reply()
            self._of_reply[id(reply)] = self._unit("reply", line)
            self._of_reply[id(reply)].reply = reply
            self._replies[key] = reply
        unit = self._of_reply[id(reply)]
        if not reply.add(line, message):
            self.findings.count("format.double_line")
        for block in blocks_of(message["content"]):
            if block["type"] == "tool_use" and isinstance(block.get("id"), str):
                self._homes.setdefault(block["id"], unit)
                asked = block.get("input")
                task = asked.get("prompt") if isinstance(asked, dict) else None
                if isinstance(task, str):
                    self._tasks.setdefault(task.lstrip(), block["id"])
        return unit

    def _user(self, line: dict[str, Any], message: dict[str, Any]) -> Unit:
        blocks = blocks_of(message["content"])
        answers = [one.get("tool_use_id") for one in blocks if one["type"] == "tool_result"]
        if answers:
            return self._results(line, blocks, [one for one in answers if isinstance(one, str)])
        text = text_in(blocks)
        kind = "prompt"
        if line.get("isCompactSummary"):
            kind = "summary"
        elif line.get("isMeta"):
            kind = "meta"
        elif text.startswith(INTERRUPTED):
            kind = "interrupted"
        unit = self._unit(kind, line)
        whole = message["content"] if kind == "prompt" and blocks != [] else blocks
        unit.message = {"role": "user", "content": blocks if isinstance(whole, list) else whole}
        unit.asks = not is_command(text)
        return unit

    def _results(self, line: dict[str, Any], blocks: list[ApiObject], answers: list[str]) -> Unit:
        """Results belong to the reply that asked for them, wherever the line stands."""
        said = line.get("toolUseResult")
        agent = said.get("agentId") if isinstance(said, dict) else None
        if isinstance(agent, str) and answers:
            self._agents.setdefault(agent, answers[0])
        unit = next((self._homes[one] for one in answers if one in self._homes), None)
        if unit is None:
            unit = self._unit("results", line)
        unit.results.append(blocks)
        return unit

    def _unit(self, kind: str, line: dict[str, Any]) -> Unit:
        unit = Unit(kind, self._parent(line), side=bool(line.get("isSidechain")))
        unit.agent = _string(line.get("agentId"))
        unit.session = _string(line.get("sessionId"))
        self.units.append(unit)
        return unit

    def _parent(self, line: dict[str, Any]) -> str | None:
        parent = line.get("parentUuid")
        if isinstance(parent, str) and parent in self._nodes:
            return parent
        before = self._before.get(bool(line.get("isSidechain")))
        if isinstance(parent, str):
            self.findings.count("format.missing_parent")
            return before
        return None if "uuid" in line else before

    def _pass(self, line: dict[str, Any]) -> _Passed:
        passed = _Passed(self._parent(line))
        data = line.get("attachment", line.get("data"))
        said = data if isinstance(data, dict) else {}
        passed.boundary = line.get("subtype") == "compact_boundary"
        passed.resumes = said.get("hookName") == "SessionStart:resume"
        if line.get("subtype") == "api_error":
            passed.what.append(("retried", failure(line, str(line.get("content", "")))))
        elif said.get("type") == "max_turns_reached" and _count(said.get("maxTurns")):
            passed.what.append(("cap", said["maxTurns"]))
        elif blocks := _put_in(line, said):
            passed.what.append(("insert", (blocks, str(said.get("type"))[:80])))
        return passed

    def _resolve(self, name: str | None) -> tuple[Unit | None, bool, bool]:
        """The unit that a line belongs to or follows, whether it is cut off from what came
        before by a compaction, and whether a resume stands in between.
        """
        resumes, seen = False, set()
        way: list[_Passed] = []
        while name is not None and name not in seen:
            seen.add(name)
            node = self._nodes.get(name)
            if not isinstance(node, _Passed):
                self._shorten(way, name)
                return node, False, resumes
            resumes = resumes or node.resumes
            if node.boundary:
                return None, True, resumes
            way.append(node)
            name = node.parent_line
        return None, False, resumes

    def _shorten(self, way: list[_Passed], unit: str) -> None:
        """Lead long ways straight to the unit, so that each is walked once."""
        for node in way[1:]:
            if not node.resumes:
                node.parent_line = unit


def _put_in(line: dict[str, Any], said: dict[str, Any]) -> list[ApiObject]:
    """The texts of an attachment that the host put into a request."""
    rendered = line.get("rendered")
    parts = rendered if isinstance(rendered, list) else []
    texts = [one.get("content") for one in parts if isinstance(one, dict)]
    if said.get("type") == "queued_command" and not texts:
        return blocks_of(said.get("prompt"))
    return [{"type": "text", "text": text} for text in texts if isinstance(text, str)]


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
