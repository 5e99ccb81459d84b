"""The tree of a Claude Code session: its lines as units, and what each unit follows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from visualizer.formats.blocks import blocks_of
from visualizer.formats.claude.lines import is_command, text_in
from visualizer.formats.claude.reply_lines import Gap, Reply, Words
from visualizer.formats.claude.session_lines import Line, Lines, Scope
from visualizer.transcript.records import ApiObject

if TYPE_CHECKING:
    from visualizer.formats.outside import Findings
    from visualizer.formats.telling.stretches import Thread

WORKFLOW = "Workflow"
"""The tool that runs a script which starts agents by itself."""

_FOLLOWS = frozenset({"reply", "results", "failed", "interrupted"})
"""What never begins a conversation, even where it names no parent."""


@dataclass(slots=True, eq=False)
class Unit:
    """What belongs together in a session. ``after`` is what the host did next to it."""

    kind: str
    scope: Scope
    session: str | None
    parent: Unit | None = None
    message: ApiObject = field(default_factory=dict)
    reply: Reply | None = None
    failure: tuple[int | None, ApiObject] = (None, {})
    asks: bool = True
    results: list[list[ApiObject]] = field(default_factory=list)
    after: list[tuple[str, Any]] = field(default_factory=list)
    compacted: bool = False
    resumed: bool = False
    thread: Thread | None = None
    length: int = 0

    @property
    def side(self) -> bool:
        """Whether it is a subagent's."""
        return self.scope[0]

    @property
    def blocks(self) -> list[ApiObject]:
        """Its message as blocks."""
        return blocks_of(self.message.get("content"))


class Tree:
    """All units of a session; each stands behind the one that it follows.

    Lines are told apart by the ids of their replies; where these turn out to be no good (a
    gateway gave them), by what each line follows.
    """

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.units: list[Unit] = []
        self.all_side = False
        self.asked: set[str] = set()
        self.started: dict[str, list[str]] = {}
        self.workflows: list[str] = []
        self._tasks: dict[str, str] = {}

    def read(self, items: Iterable[tuple[int, dict[str, Any]]]) -> None:
        """Take all lines in, and make units of them."""
        lines = Lines(self.findings)
        lines.read(items)
        built = _Builder(lines, trusting=True)
        if built.contradicted:
            built = _Builder(lines, trusting=False)
            self.findings.count("format.one_id", built.alike)
        self.findings.count("format.missing_parent", len(built.missing))
        self.findings.count("format.double_line", built.doubled)
        self.units = built.units
        self.all_side = all(unit.side for unit in self.units)
        self.asked = set(built.homes)
        self.started = built.started
        self.workflows = built.workflows
        self._tasks = built.tasks
        for unit in self.units:
            if unit.reply is not None:
                self.findings.count("format.blank_text", unit.reply.blanks)
                self.findings.count("format.partial_usage", int(unit.reply.partial))

    def task(self, unit: Unit) -> str | None:
        """The tool request that hands on what a unit asks, word by word."""
        return self._tasks.get(text_in(unit.blocks))


class _Builder:
    """Makes units of lines that are in order. ``contradicted`` says that ids can't be trusted."""

    def __init__(self, lines: Lines, trusting: bool) -> None:
        self.lines = lines
        self.trusting = trusting
        self.contradicted = False
        self.units: list[Unit] = []
        self.homes: dict[str, Unit] = {}
        self.started: defaultdict[str, list[str]] = defaultdict(list)
        self.tasks: dict[str, str] = {}
        self.workflows: list[str] = []
        self.missing: set[str] = set()
        self.doubled = 0
        self._before: dict[Scope, Line] = {}
        self._of_id: dict[tuple[Scope, str], Unit] = {}
        self._torn: set[tuple[Scope, str]] = set()
        self._given: defaultdict[tuple[Scope, str], int] = defaultdict(int)
        for line in lines.all:
            self._place(line)
            self._unit_of(line)
            self._before[line.scope] = line
        self._judge()

    @property
    def alike(self) -> int:
        """Replies whose id another one has, too."""
        return sum(times for times in self._given.values() if times > 1)

    def _judge(self) -> None:
        """One id for a whole conversation, with results in between, is no reply's."""
        ids: defaultdict[Scope, int] = defaultdict(int)
        for scope, _ in self._of_id:
            ids[scope] += 1
        if any(ids[scope] == 1 for scope, _ in self._torn):
            self.contradicted = True

    def _place(self, line: Line) -> None:
        """Find the message that a line follows."""
        parent = self._parent(line)
        line.unit, line.above, line.cut = None, None, line.boundary
        if parent is None or line.boundary:
            return
        if parent.kind == "passed":
            line.above, line.cut = parent.above, parent.cut
            line.resumes = line.resumes or parent.resumes
        else:
            line.above = parent

    def _parent(self, line: Line) -> Line | None:
        if line.follows is not None:
            return line.follows
        before = self._before.get(line.scope)
        if line.parent is not None:
            if not self.lines.knows(line):
                self.missing.add(line.parent)
            return before
        follows = line.kind in _FOLLOWS or not line.linked or line.scope in self.lines.unlinked
        return before if follows else None

    def _unit_of(self, line: Line) -> None:
        match line.kind:
            case "passed":
                if line.above is not None and line.above.unit is not None:
                    line.above.unit.after += line.put
            case "reply":
                line.unit = self._reply(line)
            case "results":
                line.unit = self._results(line)
            case _:
                unit = line.unit = self._unit(line)
                unit.message, unit.failure = line.message, line.failure
                unit.asks = not is_command(text_in(line.blocks))

    def _unit(self, line: Line) -> Unit:
        unit = Unit(line.kind, line.scope, line.session)
        unit.parent = line.above.unit if line.above is not None else None
        unit.compacted, unit.resumed = line.cut, line.resumes
        self.units.append(unit)
        return unit

    def _reply(self, line: Line) -> Unit:
        words = line.words
        assert words is not None
        unit = self._known(line, words)
        if unit is None:
            unit = self._unit(line)
            unit.reply = Reply()
            if words.name:
                self._of_id[line.scope, words.name] = unit
                self._given[line.scope, words.name] += 1
        assert unit.reply is not None
        self.doubled += not unit.reply.add({"uuid": line.uuid}, line.message, words)
        for block in line.blocks:
            if block["type"] == "tool_use" and isinstance(block.get("id"), str):
                self.homes[block["id"]] = unit
                if block.get("name") == WORKFLOW:
                    self.workflows.append(block["id"])
                for text in _handed_on(block.get("input")):
                    self.tasks.setdefault(text, block["id"])
        return unit

    def _known(self, line: Line, words: Words) -> Unit | None:
        """The reply that a line is a further part of, None where it begins one."""
        if not self.trusting or not words.name:
            unit = line.above.unit if line.above is not None else None
            if unit is None or unit.reply is None or unit.scope != line.scope:
                return None
            return unit if unit.reply.takes(words, self._gap(line, unit)) else None
        unit = self._of_id.get((line.scope, words.name))
        if unit is not None and unit.reply is not None:
            gap = self._gap(line, unit)
            if unit.reply.contradicts(words, gap):
                self.contradicted = True
            elif gap == "results" and not unit.reply.same_request(words):
                self._torn.add((line.scope, words.name))
        return unit

    def _gap(self, line: Line, unit: Unit) -> Gap:
        above = line.above
        if above is not None and above.unit is unit:
            return "results" if above.kind == "results" else "none"
        guessed = line.follows is None and line.scope not in self.lines.unlinked
        return "none" if guessed and self.trusting else "other"

    def _results(self, line: Line) -> Unit:
        """Results belong to the reply that asked for them, wherever the line stands."""
        for agent in line.agents if line.answers else ():
            if line.answers[0] not in self.started[agent]:
                self.started[agent].append(line.answers[0])
        unit = self._home(line)
        if unit is None:
            unit = self._unit(line)
        if unit.reply is not None:
            unit.reply.answered.update(line.answers)
        unit.results.append(line.blocks)
        return unit

    def _home(self, line: Line) -> Unit | None:
        near = line.above.unit if line.above is not None else None
        asked = near.reply.requests if near is not None and near.reply is not None else set()
        if not asked.isdisjoint(line.answers):
            return near
        return next((self.homes[one] for one in line.answers if one in self.homes), None)


def _handed_on(asked: Any) -> Iterable[str]:
    """What a request hands on to an agent."""
    texts = (asked.get(name) for name in ("prompt", "message")) if isinstance(asked, dict) else ()
    return (text.lstrip() for text in texts if isinstance(text, str) and text.strip())
