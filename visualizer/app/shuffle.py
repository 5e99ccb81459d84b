"""The lines of a loop in the reader's order, and what came of running them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from visualizer.comparison import Comparison, compare
from visualizer.engine.sources import loop_source
from visualizer.lessons.files import lesson_names, load_lesson
from visualizer.lessons.puzzle import SCENARIOS, Verdict, judge, ordered_lines, shuffled_lines
from visualizer.loops.registry import loop_function


class Result(NamedTuple):
    """How the order did on one recording; no comparison where it is no loop at all."""

    verdict: Verdict
    comparison: Comparison | None


@dataclass
class Shuffle:
    """An order of lines, the line chosen, whether it is held, and the last results.

    ``tried``: the reader has asked to run this order.
    """

    loop: str
    lines: list[str] = field(default_factory=list)
    at: int = 0
    held: bool = False
    results: list[Result] = field(default_factory=list)
    running: bool = False
    tried: bool = False
    chosen: int = 0

    def __post_init__(self) -> None:
        self.head = loop_source(self.loop, loop_function(self.loop)).lines[0]
        if not self.lines:
            self.lines = list(shuffled_lines(self.loop))

    @property
    def complete(self) -> bool:
        """Whether the order has been run over all recordings."""
        return len(self.results) == len(SCENARIOS)

    @property
    def solved(self) -> bool:
        """Whether the order does what the loop does on all of them."""
        return self.complete and all(one.verdict.right for one in self.results)

    def choose(self, at: int) -> None:
        """Choose a line; a line that is held moves there."""
        at = max(0, min(at, len(self.lines) - 1))
        if self.held:
            self.put(at)
        self.at = at

    def put(self, at: int) -> None:
        """Move the chosen line to a place. What was found out is about another order then."""
        at = max(0, min(at, len(self.lines) - 1))
        if at != self.at:
            self.lines.insert(at, self.lines.pop(self.at))
            self.at = at
            self._forget()

    def again(self) -> None:
        """The disorder of the beginning."""
        self.lines = list(shuffled_lines(self.loop))
        self.at, self.held = 0, False
        self._forget()

    def _forget(self) -> None:
        self.results, self.chosen, self.tried = [], 0, False

    def first_wrong(self) -> int | None:
        """The first place (0-based) where another line stands than in the loop."""
        pairs = enumerate(zip(self.lines, ordered_lines(self.loop), strict=True))
        return next((at for at, (mine, right) in pairs if mine != right), None)

    def problem(self) -> tuple[int, str] | None:
        """The line (1-based) at which Python can't read this order, and what it says."""
        try:
            ast.parse("\n".join([self.head, *self.lines]))
        except SyntaxError as error:
            line = (error.lineno or 2) - 1
            return max(1, min(line, len(self.lines))), error.msg
        return None

    def page(self) -> tuple[str, str] | None:
        """The lesson and the page whose experiment this is, where there is one."""
        for name in lesson_names():
            for page in load_lesson(name).pages:
                goal = page.experiment
                if goal is not None and goal.kind == "order" and goal.loop == self.loop:
                    return name, page.id
        return None

    def judged(self, name: str) -> Iterator[Result]:
        """Run the order over each recording (slow: each in a process of its own).

        ``name`` is what to call the loop that the lines make.
        """
        for verdict in judge(self.loop, self.lines):
            if verdict.made is None:
                yield Result(verdict, None)
                continue
            made = replace(verdict.made, loop=replace(verdict.made.loop, name=name))
            yield Result(verdict._replace(made=made), compare(verdict.wanted, made))
