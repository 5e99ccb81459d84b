"""Session files of the Claude Code client: a tree of lines, one content block each.

A line names the one before it (``parentUuid``). Lines of one reply share a ``message.id``
and need not stand together; parallel calls branch the tree without being a fork, and lines
of other kinds stand in between, so that links are followed through them. Here lines become
units (a prompt, a whole reply with its results, a note of the host), and the tree of units is
told branch by branch: where a unit has a second successor, the conversation was forked.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from visualizer.formats.claude_tree import Tree, Unit
from visualizer.formats.decode import Decoded
from visualizer.formats.lines import type_of
from visualizer.formats.outside import Format, Outside, Sample, is_beside
from visualizer.formats.stretches import Stretches, Thread
from visualizer.history import History

_LINES = frozenset({"user", "assistant", "system", "attachment", "progress"})


def claims(sample: Sample) -> bool:
    """Whether a session's lines are among the first ones."""
    return any(map(_is_line, sample.items))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in a session."""
    tree = Tree(outside.findings)
    tree.read(decoded.each)
    _Teller(outside, tree).tell()


def _is_line(line: dict[str, Any]) -> bool:
    if type_of(line) not in _LINES:
        return False
    return "parentUuid" in line or ("sessionId" in line and "uuid" in line)


class _Teller:
    """Says the units of a tree as events, each in the conversation it belongs to."""

    def __init__(self, outside: Outside, tree: Tree) -> None:
        self.stretches = Stretches(outside)
        self.tree = tree
        self.tips: dict[int, Unit] = {}

    def tell(self) -> None:
        """All of it, in the order of the file; what a unit follows is told before it."""
        for unit in self.tree.units:
            waiting: list[Unit] = []
            at: Unit | None = unit
            while at is not None and at.thread is None and at not in waiting:
                waiting.append(at)
                at = at.parent
            for one in reversed(waiting):
                self._tell(one)
        self.stretches.finish()

    def _tell(self, unit: Unit) -> None:
        thread = unit.thread = self._thread(unit)
        self.tips[id(thread)] = unit
        match unit.kind:
            case "prompt":
                resumed = "resume" if self._is_resumed(unit) else "prompt"
                thread.prompt(unit.message, resumed, unit.asks)
            case "summary":
                thread.prompt(unit.message, "compaction", asks=False)
            case "reply":
                assert unit.reply is not None
                thread.reply(*unit.reply.response())
            case "interrupted":
                thread.interrupted(unit.message)
            case "failed":
                thread.failed(*unit.failure)
            case "meta":
                thread.insert(unit.message["content"], "meta")
        for blocks in unit.results:
            thread.results(blocks)
        for kind, what in unit.after:
            self._after(thread, kind, what)
        unit.length = len(thread.history)

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
        if parent is None or parent.thread is None:
            side = unit.side and not self.tree.all_side
            starter = self.tree.starter(unit) if side else None
            started_by = "compaction" if unit.compacted else None
            return self.stretches.thread(started_by, side=side, starter=starter)
        if self.tips[id(parent.thread)] is parent:
            return parent.thread
        before = History(parent.thread.history, parent.length)
        return self.stretches.thread("fork", before, unit.side and not self.tree.all_side)

    def _is_resumed(self, unit: Unit) -> bool:
        parent = unit.parent
        if unit.resumed or parent is None:
            return unit.resumed
        return unit.session is not None and parent.session not in (None, unit.session)


def beside(path: Path, decoded: Decoded) -> Iterator[Path]:
    """The subagents' files of a session, which newer clients keep in a folder of its name."""
    folder = path.with_suffix("") / "subagents"
    if folder.is_dir() and is_beside(path, folder):
        yield from sorted(folder.glob("*.jsonl"))


FORMAT = Format("claude-code", 20, claims, read, beside)
