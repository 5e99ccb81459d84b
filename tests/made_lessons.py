"""Lessons made in the tests: a small one, and copies of the shipped ones to break."""

from __future__ import annotations

import shutil
from pathlib import Path

from visualizer.check import check_paths
from visualizer.files.resources import shipped
from visualizer.i18n import texts

DECLARED = """
minutes = 5
[title]
en = "Small"
ja = "小さなレッスン"
[goal]
en = "Small."
ja = "小さい。"
"""
ENGLISH = "## first | The first\n\nIt makes [3](claim:aurora-run#model_calls) calls.\n"
JAPANESE = "## first | 最初\n\n呼び出しは[三](claim:aurora-run#model_calls)回です。\n"
PAGE = '[[page]]\nid = "first"\nat = "aurora-run@t0.call"\n'


def small(
    folder: Path,
    page: str = "",
    english: str = ENGLISH,
    japanese: str = JAPANESE,
    head: str = DECLARED,
) -> Path:
    """A lesson of one page; ``page`` is added to the page's table."""
    folder.mkdir(exist_ok=True)
    texts_of = {
        "lesson.toml": f"{head}\n{PAGE}{page}\n",
        "en.md": english,
        "ja.md": japanese,
        "teaching.en.md": "# Teaching\n",
        "teaching.ja.md": "# 教え方\n",
    }
    for name, text in texts_of.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def lessons(folder: Path) -> Path:
    """A folder of two lessons; the first has an experiment."""
    folder.mkdir()
    (folder / "index.toml").write_text('lessons = ["one", "two"]\n', encoding="utf-8")
    small(folder / "one", 'experiment = { kind = "reach_turn", turn = 1 }')
    small(folder / "two", 'ask = [{ kind = "sent" }]')
    return folder


def shipped_copy(folder: Path) -> Path:
    """A copy of the shipped lessons."""
    return shutil.copytree(shipped("lessons"), folder / "lessons")


def problems(path: Path, language: str = "en") -> list[str]:
    """What ``check`` says about a path."""
    return list(check_paths([str(path)], texts(language)))
