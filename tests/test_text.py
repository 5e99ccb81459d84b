"""Text stays visible, measured and inside its line."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.cost import calls
from visualizer.text import MAX_MARKS, cells, clip, display_safe, pad, wrap

# Characters that meet each other in odd ways, and any others.
ODD = st.sampled_from(
    [*"ab_\"'`()[]、。」「（！ーっ漢カｶﾞ- \u3000\t\n\r\x1b", "\u0301", "\u200d", "👍", "\U0001f3fd"]
)
TEXTS = st.text(ODD | st.characters(), max_size=80)
SAFE_TEXTS = TEXTS.map(lambda text: display_safe(text, newlines=True))
NO_START = "、。，．！？）」』】ーっゃゅょッャュョ…"
NO_END = "（「『【"


def test_no_dangerous_category_survives() -> None:
    """Of all code points, none that controls, formats or separates comes through."""
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
            assert char not in display_safe(char), hex(code)


@pytest.mark.parametrize(
    "code",
    [
        0x34F,
        0x115F,
        0x1160,
        0x17B4,
        0x17B5,
        0x180B,
        0x180F,
        0x2065,
        0x3164,
        0xFE00,
        0xFE0F,
        0xFFA0,
        0xE0041,
        0xE0100,
        0xE01EF,
        0xE0FFF,
    ],
)
def test_invisible_characters_show(code: int) -> None:
    """Fillers, selectors, tags and reserved ignorable characters become escapes."""
    assert display_safe(chr(code)) in {f"\\u{code:04x}", f"\\U{code:08x}"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\tb", "a    b"),
        ("a\r\nb\rc\n", "a\\r\\nb\\rc\\n"),
        ("user\u202egnp.exe", "user\\u202egnp.exe"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("\x9b1m", "\\x9b1m"),
        ("日本語、café 👍\u3000\ue000", "日本語、café 👍\u3000\ue000"),
        ("👨\u200d👩", "👨\\u200d👩"),
    ],
)
def test_escapes_are_readable(text: str, shown: str) -> None:
    """What can't be shown stands there as an escape; all other text is unchanged."""
    assert display_safe(text) == shown


def test_newlines_are_kept_on_request() -> None:
    """With newlines, each kind of line end shows as what it is: kept, merged or escaped."""
    assert display_safe("a\nb\r\nc\rd\r\r\ne", newlines=True) == "a\nb\nc\\rd\\r\ne"


@pytest.mark.parametrize("mark", ["\u0301", "\u20dd", "\u0e34", "\U0001f3fd", "\u1161"])
def test_stacked_marks_end(mark: str) -> None:
    """Four marks stay on their base; the fifth and later are escapes."""
    escaped = display_safe("a" + mark * 6)
    assert escaped.startswith("a" + mark * 4 + "\\")
    assert escaped.count(mark) == 4


@given(TEXTS, st.booleans())
def test_safe_text_is_stable_and_encodable(text: str, newlines: bool) -> None:
    """Made safe twice is made safe once; it encodes, and marks don't pile up."""
    safe = display_safe(text, newlines)
    assert display_safe(safe, newlines) == safe
    assert safe.encode().decode() == safe
    assert "\t" not in safe
    assert newlines or "\n" not in safe
    run = 0
    for char in safe:
        run = run + 1 if cells(char) == 0 else 0
        assert run <= MAX_MARKS


@given(TEXTS)
def test_each_line_is_safe_alone(text: str) -> None:
    """Keeping newlines changes only the newlines."""
    lines = display_safe(text, newlines=True).split("\n")
    assert lines == [display_safe(line) for line in text.replace("\r\n", "\n").split("\n")]


def test_widths_agree_with_the_screen() -> None:
    """Every assigned character that is shown is as wide here as the screen draws it."""
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char) not in {"Cn", "Cs", "Co"} and display_safe(char) == char:
            assert cells(char) == cell_len(char), hex(code)


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("stop_reason", 11),
        ("停止理由", 8),
        ("ｶﾞ", 2),
        ("e\u0301", 1),
        ("👍", 2),
        ("…", 1),
        ("\u0378", 1),
    ],
)
def test_cells(text: str, width: int) -> None:
    """Wide characters count two, marks none."""
    assert cells(text) == width


@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("short", 5, "short"),
        ("longer", 5, "lo..."),
        ("停止理由", 8, "停止理由"),
        ("停止理由", 7, "停止..."),
        ("停止理由", 6, "停..."),
        ("cafe\u0301s au lait", 7, "cafe\u0301..."),
        ("longer", 2, ".."),
        ("longer", 0, ""),
        ("longer", -1, ""),
        ("", 0, ""),
    ],
)
def test_clip(text: str, width: int, cut: str) -> None:
    """Too long a text ends in dots, counted in; no wide character is split."""
    assert clip(text, width) == cut


def test_clip_with_another_ellipsis() -> None:
    """The ellipsis is the caller's choice."""
    assert clip("longer", 5, "…") == "long…"


@given(SAFE_TEXTS, st.integers(0, 30))
def test_clip_and_pad_keep_the_width(text: str, width: int) -> None:
    """A clipped text is never wider than asked, a padded one exactly as wide."""
    assert cells(clip(text, width)) <= width
    assert cells(pad(text, width)) == width
    if cells(text) <= width:
        assert pad(text, width).rstrip(" ") == text.rstrip(" ")


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 10, [""]),
        ("one\n\ntwo", 10, ["one", "", "two"]),
        ("the model asks, the loop runs", 12, ["the model", "asks, the", "loop runs"]),
        ("exactly ten", 7, ["exactly", "ten"]),
        ("wait     here", 6, ["wait", "here"]),
        ("    indented text", 14, ["    indented", "text"]),
        ("値は stop_reason です", 12, ["値は", "stop_reason", "です"]),
        ("値はstop_reasonです。", 15, ["値はstop_reason", "です。"]),
        ('予想は"1974"です', 10, ["予想は", '"1974"です']),
        ('予想は"はい"です', 8, ["予想は", '"はい"で', "す"]),
        ('値は{"題":"年"}', 11, ["値は", '{"題":"年"}']),
        ("ループが終わる。", 14, ["ループが終わ", "る。"]),
        ("結果は「完了」です", 8, ["結果は", "「完了」", "です"]),
        ("ちょっと待って", 6, ["ちょっ", "と待っ", "て"]),
        ("停止(停止理由)です", 5, ["停止", "(停止", "理由)", "です"]),
        ("a 、b", 4, ["a 、", "b"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("漢字", 1, ["漢", "字"]),
        ("aaaaaaaa。b", 8, ["aaaaaaa", "a。b"]),
    ],
)
def test_wrap(text: str, width: int, lines: list[str]) -> None:
    """Lines break where a reader of English or Japanese expects it."""
    assert wrap(text, width) == lines


@given(SAFE_TEXTS, st.integers(2, 30))
def test_wrap_fits_and_loses_nothing(text: str, width: int) -> None:
    """Every line fits, and every character that is no space is there, in order."""
    lines = wrap(text, width)
    assert all(cells(line) <= width and "\n" not in line for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(
    st.lists(
        st.sampled_from(
            ["漢", "です。", "「語」と", "（ab）、", "待って", "ルール", "ab ", "、", " "]
        )
    ),
    st.integers(16, 30),
)
def test_wrap_follows_kinsoku(parts: list[str], width: int) -> None:
    """No line starts with a closing mark or ends with an opening one."""
    text = re.sub("[、 ]*、", "、", "".join(parts)).lstrip("、 ")
    for line in wrap(text, width):
        assert line[:1] not in set(NO_START)
        assert line[-1:] not in set(NO_END)


@given(
    st.lists(st.sampled_from(["stop_reason", '"tool_use"', "model()", "値は", "です。"])),
    st.integers(12, 40),
)
def test_wrap_keeps_words_whole(parts: list[str], width: int) -> None:
    """A word or quoted token that fits in a line stands in one line."""
    lines = wrap(" ".join(parts), width)
    for word in ("stop_reason", '"tool_use"', "model()"):
        assert sum(line.count(word) for line in lines) == parts.count(word)


@given(SAFE_TEXTS, st.integers(4, 30), st.integers(0, 5))
def test_wrap_stops_after_max_lines(text: str, width: int, most: int) -> None:
    """No more lines than asked; dots say that something was left out, and only then."""
    lines = wrap(text, width, most)
    everything = wrap(text, width)
    while everything[1:] and not everything[-1]:
        everything.pop()
    assert len(lines) <= most
    assert all(cells(line) <= width for line in lines)
    if len(everything) <= most:
        assert lines == everything
    elif most:
        assert lines[:-1] == everything[: most - 1]
        assert lines[-1].endswith("...")


def test_wrap_fills_the_last_line() -> None:
    """A preview shows as much of a long word as has room."""
    assert wrap('input: {"path":"/a/very/long/path"}', 20, 1) == ['input: {"path":"/...']
    assert wrap("one\ntwo", 20, 1) == ["one..."]
    assert wrap("one\n\n", 20, 1) == ["one"]


@pytest.mark.parametrize(
    "unit", ["x", "é", "漢", "。", "漢字かな、", "─", "\u0301", "👍", "a漢\u0301"]
)
def test_a_long_line_is_wrapped_whole(unit: str) -> None:
    """A very long line without a space loses nothing, and no line is too wide."""
    text = display_safe(unit * (200_000 // len(unit.encode())))
    lines = wrap(text, 80)
    assert "".join(lines) == text
    assert all(cells(line) <= 80 for line in lines)


@pytest.mark.parametrize("unit", ["あ" + " " * 9, "「" * 9 + "a", "a" * 30 + "。", '"', "。a"])
def test_wrap_is_linear(unit: str) -> None:
    """Ten times the text is about ten times the work, whatever its breaks are like."""
    short = calls(partial(wrap, unit * 500, 20))
    assert calls(partial(wrap, unit * 5_000, 20)) < 11 * short


def test_a_preview_costs_no_more_than_its_lines() -> None:
    """Three lines of a long text are the work of three lines of a short one."""
    assert calls(partial(wrap, "漢" * 100_000, 80, 3)) < 2 * calls(partial(wrap, "漢" * 400, 80, 3))
