"""Agendas: a text file of places, with every mistake named by its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from visualizer.app.agenda import parse_agenda, read_agenda
from visualizer.errors import LessonError
from visualizer.i18n import texts
from visualizer.locator import Locator

TEXT = """\ufeff# Monday

aurora-run@t0.check | The flag
  aurora-run@end,max_turns=2|Cut off
paris
"""


def test_an_agenda_is_places_with_titles(tmp_path: Path) -> None:
    """Comments and empty lines don't count; without a title the locator stands for it."""
    path = tmp_path / "agenda.txt"
    path.write_text(TEXT, encoding="utf-8")
    entries = read_agenda(path)
    assert [entry.title for entry in entries] == ["The flag", "Cut off", "paris"]
    assert entries[0].locator == Locator("aurora-run", "t0.check")
    assert entries[1].locator == Locator("aurora-run", "end", max_turns=2)
    assert entries[2].locator == Locator("paris")


def test_titles_are_safe() -> None:
    """Control characters of a file don't reach the screen."""
    (entry,) = parse_agenda("paris | \x1b]0;x\x07Title", "a.txt")
    assert entry.title == "\\x1b]0;x\\x07Title"


WRONG = {
    "aurora-run@start\nnowhere@start | x": "a.txt: 2: ",
    "# only a comment\n": "a.txt: ",
    "paris@end,loop=evil.py": "a.txt: 1: 'evil.py' is not the name of a loop",
    "paris\nparis@end,loop=./a/evil.py:evil | x": "a.txt: 2: './a/evil.py:evil' is not",
    "": "a.txt: ",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_agenda_is_one_line(text: str) -> None:
    """What is unknown is named with its line, a loop's file too; one without places is none."""
    with pytest.raises(LessonError) as refused:
        parse_agenda(text, "a.txt")
    for language in ("en", "ja"):
        (line,) = refused.value.lines(texts(language))
        assert line.startswith("a.txt: ")
    assert str(refused.value).startswith(WRONG[text])
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("data", [b"", b"paris | \xff", None])
def test_a_file_that_can_not_be_read_is_one_line(data: bytes | None, tmp_path: Path) -> None:
    """Empty, not UTF-8, or not there."""
    path = tmp_path / "agenda.txt"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(LessonError) as refused:
        read_agenda(path)
    assert str(refused.value).startswith(f"{path}: ")
