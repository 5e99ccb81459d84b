"""What holds for every file of the project, beside what the linters check."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "visualizer").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
LONGEST_FILE = 300
LONGEST_FUNCTION = 40


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.stem)
def test_every_test_says_what_should_be_seen(file: Path) -> None:
    """Each test function has a docstring."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    tests = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    ]
    assert tests
    assert [test.name for test in tests if not ast.get_docstring(test)] == []


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(ROOT)))
def test_files_and_functions_stay_short(file: Path) -> None:
    """A long file is asking to be two, a long function too."""
    text = file.read_text(encoding="utf-8")
    assert text.count("\n") <= LONGEST_FILE
    long = [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.body[0].lineno > LONGEST_FUNCTION
    ]
    assert long == []


@pytest.mark.parametrize(
    "module", ["visualizer.cli", "visualizer.engine", "visualizer.plain", "visualizer.check"]
)
def test_only_the_screens_import_textual(module: str) -> None:
    """No module below ``tui`` brings Textual in, not even by a deferred import at start."""
    code = f"import sys, {module}; print('textual' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
