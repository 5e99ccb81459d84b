"""Nothing but a line feed ends a line, wherever lines are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from visualizer.app.agenda import parse_agenda
from visualizer.engine import replay
from visualizer.engine.sources import loop_source
from visualizer.errors import LessonError
from visualizer.lessons.prose import sections
from visualizer.loading import load_transcript
from visualizer.text import lines_of

SEPARATORS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"


def test_lines_of_a_text() -> None:
    """The last one may end or not."""
    assert lines_of(f"a{SEPARATORS}b\nc") == [f"a{SEPARATORS}b", "c"]
    assert lines_of("a\n\nb\n") == ["a", "", "b"]
    assert lines_of("") == []


def test_a_page_break_in_a_loop_moves_no_line(tmp_path: Path) -> None:
    """The line that is marked is the line that ran, whatever stands before it."""
    path = tmp_path / "loop.py"
    source = f'''"""A loop{SEPARATORS[2:]}"""\n\x0c\ndef loop(model, tools, messages):
    reply = model(messages)
    return reply.text\n'''
    path.write_text(source, encoding="utf-8")
    space: dict[str, object] = {}
    exec(compile(source, str(path), "exec"), space)
    function = space["loop"]
    assert callable(function)
    found = loop_source("loop", function)
    first, _ = found.functions["loop"]
    assert found.line(first + 1).strip() == "reply = model(messages)"
    run = replay(load_transcript("paris"), contained=False, loop=f"{path}:loop")
    assert "model(messages)" in run.loop.line(run.steps[1].line)


def test_an_agenda_names_the_line_that_an_editor_shows() -> None:
    """A separator in a title is part of it."""
    with pytest.raises(LessonError) as caught:
        parse_agenda(f"paris | a{SEPARATORS}b\nnowhere-at-all | c\n", "class.txt")
    assert "class.txt: 2: " in str(caught.value)


def test_a_section_of_a_lesson_stands_where_it_stands() -> None:
    """The numbers of lines are those of the file."""
    found, problems = sections(f"## one | A\n\nText{SEPARATORS}more.\n\n## two | B\n")
    assert problems == []
    assert [one.line for one in found][-1] == 5
