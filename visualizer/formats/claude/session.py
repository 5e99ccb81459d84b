"""Session files of the Claude Code client: a tree of lines, one content block each.

A line names the one before it (``parentUuid``). Lines of one reply share a ``message.id``
and need not stand together; parallel calls branch the tree without being a fork, and lines
of other kinds stand in between, so that links are followed through them. Here lines become
units (a prompt, a whole reply with its results, a note of the host), and the tree of units is
told branch by branch: where a unit has a second successor, the conversation was forked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from visualizer.formats.claude.agents import Starters, files, told_of
from visualizer.formats.claude.lines import FAMILY, type_of
from visualizer.formats.claude.session_lines import Scope
from visualizer.formats.claude.session_tree import Tree, Unit
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.decoding.envelopes import unwrapped
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.stretches import Stretches, Thread
from visualizer.transcript.history import History

_LINES = frozenset({"user", "assistant", "system", "attachment", "progress"})
_NOTES = frozenset({"meta", "host"})
"""What the host says by itself: a conversation is not forked for it alone."""


def claims(sample: Sample) -> bool:
    """Whether a session's lines are among the first ones, and no other client's like them."""
    lines = [unwrapped(line, _is_line) for line in sample.items]
    return any(map(_is_line, lines)) and not any(map(_has_parts, lines))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in a session."""
    tree = Tree(outside.findings)
    tree.read((number, unwrapped(line, _is_line)) for number, line in decoded.each)
    _Teller(outside, tree, decoded.told).tell()


def _is_line(line: dict[str, Any]) -> bool:
    if type_of(line) not in _LINES:
        return False
    return "parentUuid" in line or ("sessionId" in line and "uuid" in line)


def _has_parts(line: dict[str, Any]) -> bool:
    message = line.get("message")
    return isinstance(message, dict) and "parts" in message


class _Teller:
    """Says the units of a tree as events, each in the conversation it belongs to."""

    def __init__(self, outside: Outside, tree: Tree, told: dict[str, str]) -> None:
        self.stretches = Stretches(outside)
        self.findings = outside.findings
        self.tree = tree
        self.starters = Starters(tree, told)
        self.tips: dict[int, Unit] = {}
        self.loose: defaultdict[Scope, list[Unit]] = defaultdict(list)

    def tell(self) -> None:
        """All of it, in order: what a unit follows is told before it."""
        for unit in self.tree.units:
            if unit.kind in _NOTES and not self._goes_on(unit):
                self.loose[unit.scope].append(unit)
                continue
            waiting: list[Unit] = []
            at: Unit | None = unit
            while at is not None and at.thread is None:
                waiting.append(at)
                at = at.parent
            for one in reversed(waiting):
                self._tell(one)
        for unit in (one for units in self.loose.values() for one in units):
            if unit.thread is None:
                self.findings.count("format.other_line", kind=unit.kind)
        self.stretches.finish()

    def _goes_on(self, unit: Unit) -> bool:
        """Whether a unit begins a conversation, or stands at the end of one."""
        parent = unit.parent
        if parent is None:
            return True
        tip = parent.thread is not None and self.tips[id(parent.thread)] is parent
        return tip and parent.scope == unit.scope

    def _tell(self, unit: Unit) -> None:
        thread = unit.thread = self._thread(unit)
        self.tips[id(thread)] = unit
        match unit.kind:
            case "prompt":
                self._prompt(thread, unit)
            case "summary":
                thread.prompt(unit.message, "compaction", asks=False)
            case "reply":
                assert unit.reply is not None
                thread.reply(*unit.reply.response())
            case "interrupted":
                thread.interrupted(unit.message)
            case "failed":
                thread.failed(*unit.failure)
            case "host":
                thread.woken(unit.message)
            case "meta":
                thread.insert(unit.blocks, "meta")
        for blocks in unit.results:
            thread.results(blocks)
        for kind, what in unit.after:
            self._after(thread, kind, what)
        unit.length = len(thread.history)

    def _prompt(self, thread: Thread, unit: Unit) -> None:
        if self._is_agents(unit):
            thread.starter = self.starters.of(unit)
            if thread.starter not in self.tree.asked and unit.parent is None:
                self.findings.count("format.unattached")
        resumed = "resume" if self._is_resumed(unit) else "prompt"
        thread.prompt(unit.message, resumed, unit.asks)

    def _after(self, thread: Thread, kind: str, what: Any) -> None:
        if kind == "insert":
            thread.insert(*what)
        elif kind == "retried":
            thread.failed(what[0], what[1], handled=True)
        elif kind == "cap":
            thread.cap(what)
            thread.ended({"end": "max_turns_reached"})

    def _thread(self, unit: Unit) -> Thread:
        parent = unit.parent
        side = self._is_agents(unit)
        if parent is None or parent.thread is None:
            return self.stretches.thread("compaction" if unit.compacted else None, side=side)
        if self._goes_on(unit):
            return parent.thread
        before = History(parent.thread.history, parent.length)
        thread = self.stretches.thread("fork", before, side)
        for note in self.loose.pop(unit.scope, []):
            if note.thread is None:
                note.thread = thread
                thread.insert(note.blocks, "meta")
        return thread

    def _is_agents(self, unit: Unit) -> bool:
        """Whether a unit is a subagent's, in a file that holds more than that."""
        return unit.side and not self.tree.all_side

    def _is_resumed(self, unit: Unit) -> bool:
        parent = unit.parent
        if unit.resumed or parent is None:
            return unit.resumed
        return unit.session is not None and parent.session not in (None, unit.session)


def beside(path: Path, decoded: Decoded) -> Iterator[Path]:
    """The subagents' files of a session, which newer clients keep in a folder of its name."""
    for file in files(path):
        decoded.told |= told_of(file)
        yield file


FORMAT = Format("claude-code", 20, claims, read, beside, by_line=True, family=FAMILY)
