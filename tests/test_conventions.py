"""What holds for every file of the project, beside what the linters check."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from visualizer import formats

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "visualizer").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
LONGEST_FILE = 600
LONGEST_FUNCTION = 40


def functions(file: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions in a file, those inside others too."""
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_every_test_says_what_should_be_seen() -> None:
    """Each test function has a docstring."""
    tests = [
        (file, node) for file in TESTS for node in functions(file) if node.name.startswith("test_")
    ]
    assert len(tests) > len(TESTS)
    assert [(file.name, node.name) for file, node in tests if not ast.get_docstring(node)] == []


def test_files_and_functions_stay_short() -> None:
    """A file is one thing that can be read in one go, and so is a function."""
    lengths = {file: file.read_text(encoding="utf-8").count("\n") for file in MODULES}
    assert [str(file) for file, length in lengths.items() if length > LONGEST_FILE] == []
    long = [
        (file.name, node.name)
        for file in MODULES
        for node in functions(file)
        if (node.end_lineno or 0) - node.body[0].lineno > LONGEST_FUNCTION
    ]
    assert long == []


def test_each_format_is_listed() -> None:
    """Whatever module holds a format is asked whether it knows a recording."""
    folder = ROOT / "visualizer" / "formats"
    holding = [file for file in folder.rglob("*.py") if "\nFORMAT = " in file.read_text("utf-8")]
    names = {".".join(file.relative_to(folder).with_suffix("").parts) for file in holding}
    assert names == set(formats.MODULES)


@pytest.mark.parametrize(
    "module",
    ["visualizer.cli.main", "visualizer.engine", "visualizer.describe.plain", "visualizer.check"],
)
def test_only_the_screens_import_textual(module: str) -> None:
    """No module below ``tui`` brings Textual in, not even by a deferred import at start."""
    code = f"import sys, {module}; print('textual' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
