"""What of a loop's file is shown: the loop, and the helpers beside it in which a phase ran."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping, Sequence

from visualizer.describe.phrases import kept
from visualizer.run.timeline import LoopSource, Run, Step


def own_parts(loop: LoopSource, step: Step) -> Sequence[tuple[str, int]]:
    """The way to a step as far as it leads through the loop's file: (function, line)."""
    if len(step.parts) < 2:
        return ((loop.function, step.line),)
    return [
        (function, line)
        for function, line in step.parts
        if (found := loop.functions.get(function)) and found[0] <= line <= found[1]
    ]


def phase_steps(run: Run) -> Mapping[int, tuple[str, int]]:
    """For each line on which a phase ran, or was called from: the phase, and its first step."""
    found: dict[int, tuple[str, int]] = {}
    for step in run.steps:
        if step.phase in ("start", "end"):
            continue
        found.setdefault(step.line, (step.phase, step.index))
        if len(step.parts) > 1:
            for _, line in own_parts(run.loop, step):
                found.setdefault(line, (step.phase, step.index))
    return found


def helpers(run: Run) -> tuple[str, ...]:
    """The functions beside the loop, in its file, in which a phase of the run ran."""
    return kept(run, "_helpers", _helpers)


def _helpers(run: Run) -> tuple[str, ...]:
    found = {
        function: None
        for step in run.steps
        if len(step.parts) > 1
        for function, _ in own_parts(run.loop, step)
    }
    found.pop(run.loop.function, None)
    return tuple(found)


def statement_lines(loop: LoopSource, function: str = "") -> tuple[int, ...]:
    """The first line of each statement in a function (the loop's own by default)."""
    name = function or loop.function
    first = loop.functions[name][0]
    lines = loop.lines_of(name)
    try:
        tree = ast.parse(textwrap.dedent("\n".join(lines)))
    except SyntaxError:
        return tuple(range(first, first + len(lines)))
    found = {
        node.lineno + first - 1
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node not in tree.body and not _is_docstring(node)
    }
    return tuple(sorted(found))


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
