"""Reading a loop's source: its text, its functions, and the first line of each statement."""

from __future__ import annotations

import ast
import inspect
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from visualizer.errors import LoopError
from visualizer.files.resources import PACKAGE
from visualizer.run.timeline import LoopSource
from visualizer.text import lines_of

_PYTHON = Path(os.__file__).parent
"""Where Python's own modules are (asking sysconfig takes milliseconds)."""


def loop_source(name: str, function: Callable[..., Any]) -> LoopSource:
    """The source of a loop; of the function inside, where it is decorated.

    Raises ``LoopError`` where the function can't be a loop.
    """
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise LoopError("problem.loop_is_coroutine", name=name)
    if inspect.isgeneratorfunction(function):
        raise LoopError("problem.loop_is_generator", name=name)
    inner = inspect.unwrap(function)
    for one in (function, inner):
        if not inspect.isfunction(one):
            kind = type(one).__name__
            raise LoopError("problem.loop_is_no_function", name=name, kind=kind)
    parameters = list(inspect.signature(inner).parameters.values())
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(positional) < 3:
        raise LoopError("problem.loop_parameters", name=name)
    code = inner.__code__
    file = code.co_filename
    try:
        text = Path(file).read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (OSError, ValueError, SyntaxError):
        key = "loop_no_source" if Path(file).is_file() else "loop_in_no_file"
        raise LoopError(f"problem.{key}", name=name) from None
    functions = _functions(tree, code.co_firstlineno)
    functions.setdefault(code.co_name, (code.co_firstlineno, code.co_firstlineno))
    return LoopSource(
        name=name,
        function=code.co_name,
        file=file,
        file_lines=tuple(lines_of(text)),
        functions=functions,
        takes_max_turns=any(p.name == "max_turns" for p in parameters),
    )


@cache
def statement_lines(file: str) -> dict[int, int]:
    """Line -> first line of the statement it belongs to, for the lines where these differ.

    Python versions disagree about which line of a long statement is running.
    """
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError):
        return {}
    found: dict[int, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            for line in range(node.lineno + 1, _head_end(node) + 1):
                found[line] = node.lineno
    return found


@cache
def is_users(file: str) -> bool:
    """Whether code is a loop's own or a helper's: not Python's, an installed package's or ours."""
    if file.startswith("<"):
        return False
    path = Path(file)
    if path.is_relative_to(PACKAGE):
        return path.is_relative_to(PACKAGE / "loops")
    if "site-packages" in path.parts or "dist-packages" in path.parts:
        return False
    return not path.is_relative_to(_PYTHON)


def _head_end(statement: ast.stmt) -> int:
    """The last line of a statement without the statements inside it."""
    body = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if not body:
        return statement.end_lineno or statement.lineno
    first = body[0].pattern.lineno if isinstance(body[0], ast.match_case) else body[0].lineno
    return max(statement.lineno, int(first) - 1)


def _functions(tree: ast.Module, first: int) -> dict[str, tuple[int, int]]:
    """The lines of the functions by name; of several the one that begins at line ``first``."""
    found: dict[str, tuple[int, int]] = {}
    settled = ""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name != settled:
            found[node.name] = (node.lineno, node.end_lineno or node.lineno)
            if min([node.lineno, *(one.lineno for one in node.decorator_list)]) == first:
                settled = node.name
    return found
