"""The texts of lessons: pieces with styles, claims and quotations, broken into lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.made_lessons import small
from visualizer import load_transcript, replay
from visualizer.lessons.facts import Stage, as_said, quoted_lines
from visualizer.lessons.files import load_lesson
from visualizer.lessons.prose import Claim, Quote, Span, paragraph, sections
from visualizer.text import cells

MIXED = "Two rounds: **[three](claim:a@t1.check,max_turns=2#sent)** calls, `x = [1]` then."


def test_styles_and_claims_are_told_apart() -> None:
    """Bold, code and claims, also inside each other; the plain text is all that is shown."""
    read = paragraph(MIXED)
    assert read.plain == "Two rounds: three calls, x = [1] then."
    assert read.spans == (
        Span("Two rounds: "),
        Span("three", "bold"),
        Span(" calls, "),
        Span("x = [1]", "code"),
        Span(" then."),
    )
    assert read.claims == (Claim("three", "a@t1.check,max_turns=2", "sent"),)


@pytest.mark.parametrize("width", [5, 9, 14, 40])
def test_lines_keep_their_styles(width: int) -> None:
    """Broken at any width, every line fits and no styled word is lost."""
    read = paragraph("本文に `stop_reason` と **太字** があります。 " + MIXED)
    lines = read.lines(width)
    joined = "".join(span.text for line in lines for span in line)
    assert joined.replace(" ", "") == read.plain.replace(" ", "")
    assert all(sum(cells(span.text) for span in line) <= width for line in lines)
    styled = "".join(span.text for line in lines for span in line if span.style == "code")
    assert styled.replace(" ", "") == "stop_reasonx=[1]"


def test_japanese_lines_join_without_a_space() -> None:
    """A line break in the source is a space between Latin words only."""
    assert paragraph("一行目、\n二行目。").plain == "一行目、二行目。"
    assert paragraph("one\ntwo").plain == "one two"
    assert paragraph("値は\n`None` です").plain == "値は None です"


def test_control_characters_are_made_visible() -> None:
    """A lesson from elsewhere can't steer the terminal."""
    found, _ = sections("## a | T\x07\n\nbell\x1b[31m\n")
    assert found[0].text.title == "T\\x07"
    assert "\x1b" not in str(found[0].text.blocks)


def test_a_page_keeps_its_blocks_in_order(tmp_path: Path) -> None:
    """Paragraphs and quoted lines stand as written; hints stand apart."""
    text = "## first | One\n\nBefore.\n![](loop:agent_loop#return%20None)\nAfter.\n\n> A\n> hint.\n"
    page = load_lesson(small(tmp_path / "small", english=text)).pages[0].text("en")
    assert page.blocks == (
        paragraph("Before."),
        Quote("agent_loop", "return None"),
        paragraph("After."),
    )
    assert [hint.plain for hint in page.hints] == ["A hint."]


def test_quoted_code_is_the_code_that_runs() -> None:
    """A phase's line, a line by its text, the whole function, and nothing for what is not."""
    stage = Stage()
    run = replay(load_transcript("aurora-run"))
    assert quoted_lines(Quote("agent_loop", "check"), run, stage) == (
        'if reply.stop_reason != "tool_use":',
    )
    assert quoted_lines(Quote("agent_loop", "return None"), None, stage) == ("return None",)
    assert quoted_lines(Quote("agent_loop"), None, stage) == run.loop.lines
    assert quoted_lines(Quote("production", "execute"), run, stage)
    assert quoted_lines(Quote("agent_loop", "return"), run, stage) == ()
    assert quoted_lines(Quote("no_loop", "check"), run, stage) == ()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (3, {"3", "three", "Three", "三"}),
        ("1974", {'"1974"', "1974"}),
        (None, {"None"}),
        (99, {"99"}),
    ],
)
def test_how_a_value_may_be_said(value: object, said: set[str]) -> None:
    """Digits, and number words of both languages; texts with or without quotes."""
    assert said <= as_said(value)
