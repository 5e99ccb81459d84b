"""The code of the README: the loop is the right one, and its test passes with it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from visualizer import compare, load_transcript, replay

README = Path(__file__).parent.parent / "README.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the README's Python blocks name in their first lines."""
    blocks = re.findall(
        r"```python\n# (\w+\.py)\n(.*?)```", README.read_text(encoding="utf-8"), re.S
    )
    for name, code in blocks:
        (tmp_path / name).write_text(code, encoding="utf-8")
    assert {name for name, _ in blocks} == {"my_loop.py", "test_my_loop.py"}
    return tmp_path


@pytest.mark.parametrize("name", ["aurora-run", "aurora-run-cutoff", "paris", "two-birth-years"])
def test_the_loop_to_copy_does_what_the_reference_does(folder: Path, name: str) -> None:
    """Step for step, two results in one message included."""
    scenario = load_transcript(name)
    mine = replay(scenario, loop=str(folder / "my_loop.py"))
    reference = replay(scenario)
    assert [step.place for step in mine.steps] == [step.place for step in reference.steps]
    assert mine.messages == reference.messages
    assert compare(mine, reference).parting is None


def test_the_test_to_copy_passes(folder: Path) -> None:
    """As it stands, in a folder of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_my_loop.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert "1 passed" in done.stdout, done.stdout
