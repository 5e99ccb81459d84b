"""``check`` on broken lessons: one line each, with the file and the place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.made_lessons import DECLARED, ENGLISH, JAPANESE, lessons, problems, shipped_copy, small
from visualizer.cli import main as cli
from visualizer.lessons.files import lesson_names, load_lesson


def test_the_shipped_lessons_pass(tmp_path: Path) -> None:
    """Nothing to report on what comes with the program, nor on the small lesson used here."""
    assert problems(shipped_copy(tmp_path)) == []
    assert problems(small(tmp_path / "small")) == []


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


BROKEN: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a page names a step that does not exist": (
        lambda d: edit(d / "one" / "lesson.toml", "aurora-run@t0.call", "aurora-run@t9.call"),
        "one/lesson.toml: /page/0/at",
        "t9.call",
    ),
    "a page names a scenario that does not exist": (
        lambda d: edit(d / "one" / "lesson.toml", "aurora-run@t0.call", "aurora@t0.call"),
        "one/lesson.toml: /page/0/at",
        "aurora",
    ),
    "a page is driven by a file": (
        lambda d: edit(d / "one" / "lesson.toml", "@t0.call", "@t0.call,loop=evil.py"),
        "one/lesson.toml: /page/0/at",
        "not the name of a loop",
    ),
    "the Japanese page is missing": (
        lambda d: (d / "two" / "ja.md").unlink(),
        "two/ja.md",
        "no such file",
    ),
    "a section is missing": (
        lambda d: edit(d / "two" / "ja.md", "## first", "## second"),
        "two/ja.md",
        "first",
    ),
    "the instructor's page is missing": (
        lambda d: (d / "two" / "teaching.en.md").unlink(),
        "two/teaching.en.md",
        "no such file",
    ),
    "an experiment is solved at its start": (
        lambda d: edit(d / "one" / "lesson.toml", "turn = 1", "turn = 0"),
        "one/lesson.toml: /page/0/experiment",
        "already solved",
    ),
    "an experiment can't be solved": (
        lambda d: edit(d / "one" / "lesson.toml", "turn = 1", "turn = 8"),
        "one/lesson.toml: /page/0/experiment",
        "can't be solved",
    ),
    "a question can't be asked there": (
        lambda d: edit(d / "two" / "lesson.toml", '"sent"', '"who_ended"'),
        "two/lesson.toml: /page/0/ask/0/kind",
        "who_ended",
    ),
    "a stated number is wrong": (
        lambda d: edit(d / "one" / "en.md", "[3](claim:", "[5](claim:"),
        "one/en.md: first",
        "says 5",
    ),
    "a folder is not listed": (
        lambda d: small(d / "more"),
        "index.toml: /lessons",
        "more",
    ),
    "a listed folder is missing": (
        lambda d: edit(d / "index.toml", '"two"', '"two", "nowhere"'),
        "index.toml: /lessons/2",
        "nowhere",
    ),
    "a folder is listed twice": (
        lambda d: edit(d / "index.toml", '"two"', '"two", "one"'),
        "index.toml: /lessons/2",
        "twice",
    ),
    "a file that no one reads": (
        lambda d: (d / "one" / "fr.md").write_text("x", encoding="utf-8"),
        "one/fr.md",
        "no file of a lesson",
    ),
    "the index is no TOML": (
        lambda d: (d / "index.toml").write_text("lessons = [", encoding="utf-8"),
        "index.toml",
        "TOML",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_copy_is_reported(case: str, tmp_path: Path) -> None:
    """The line names the file and the place, and says what is wrong there."""
    folder = lessons(tmp_path / "lessons")
    assert problems(folder) == []
    change, place, words = BROKEN[case]
    change(folder)
    found = problems(folder)
    assert len(found) in (1, 2)
    assert place in found[0]
    assert words in found[0]
    assert all("\n" not in line for line in found)
    assert len(problems(folder, "ja")) == len(found)


WRONG_PAGES: dict[str, tuple[str, str]] = {
    'point = "messages:9"': ("/page/0/point", "messages:9"),
    'point = "message"': ("/page/0/point", "message"),
    'point = "meter:1"': ("/page/0/point", "meter:1"),
    'point = "code:nothing like it"': ("/page/0/point", "nothing like it"),
    'point = "code:return"': ("/page/0/point", "code:return"),
    'view = "compare"': ("/page/0/beside", "compare"),
    'view = "compare"\nbeside = "paris@t9.call"': ("/page/0/beside", "t9.call"),
    'view = "chart"': ("/page/0/view", "request"),
    'ask = [{ kind = "no_such" }]': ("/page/0/ask/0/kind", "must be"),
    'ask = [{ kind = "never_read" }]': ("/page/0/ask/0/kind", "t0.call"),
    'ask = [{ kind = "sent", at = "paris@t1.call" }]': ("/page/0/ask/0/at", "t1.call"),
    'experiment = { kind = "reach_text" }': ("/page/0/experiment/text", "needs text"),
    'experiment = { kind = "cut_off", turn = 2 }': ("/page/0/experiment/turn", "cut_off"),
    'experiment = { kind = "reach_text", text = "2042" }': ("/page/0/experiment", "solved"),
    'experiment = { kind = "scenario", scenario = "nowhere" }': (
        "/page/0/experiment",
        "can't be solved",
    ),
    'ask = [{ kind = "sent" }]\nexperiment = { kind = "cut_off" }': ("/page/0", "not both"),
    'color = "red"': ("/page/0/color", "not a known key"),
    '[[page]]\nid = "first"\nat = "paris"': ("id", "twice"),
}


@pytest.mark.parametrize("page", WRONG_PAGES)
def test_a_wrong_page_is_reported(page: str, tmp_path: Path) -> None:
    """Points, views, questions and experiments that can't be are named at their place."""
    where, words = WRONG_PAGES[page]
    found = problems(small(tmp_path / "small", page))
    assert found
    assert where in found[0]
    assert words in found[0]


RIGHT_PAGES = [
    'point = "code:check"',
    'point = "code:return None"',
    'point = "messages:1"',
    'view = "request"',
    'view = "compare"\nbeside = "aurora-run@t0.call,max_turns=2"',
    'experiment = { kind = "cut_off" }',
    'experiment = { kind = "ends", reason = "request_refused" }',
    'experiment = { kind = "reach_text", text = "1951" }',
    'experiment = { kind = "scenario", scenario = "paris" }',
    'experiment = { kind = "loop", loop = "forgets" }',
    'experiment = { kind = "order", loop = "agent_loop" }',
]


@pytest.mark.parametrize("page", RIGHT_PAGES)
def test_a_right_page_is_silent(page: str, tmp_path: Path) -> None:
    """What a page may hold is not reported."""
    assert problems(small(tmp_path / "small", page)) == []


def text(*lines: str) -> str:
    return "## first | The first\n\n" + "\n\n".join(lines) + "\n"


CLAIM = "[3](claim:aurora-run#model_calls)"
WRONG_TEXTS: dict[str, tuple[str, str, str]] = {
    "too long": (text(CLAIM, *["word " * 15] * 5), "first", "6 lines"),
    "a list": (text(CLAIM, "- one\n- two"), "5", "paragraphs"),
    "an open mark": (text(CLAIM, "an `open mark"), "5", "paragraphs"),
    "a link": (text(CLAIM, "[here](https://example.org)"), "5", "paragraphs"),
    "unknown fact": (text("[3](claim:aurora-run#money)"), "first", "money"),
    "no such place": (text("[3](claim:aurora-run@t9.call#sent)"), "first", "t9.call"),
    "a bare count": (text(CLAIM, "It takes **3 calls**."), "first", "3 calls"),
    "wrong word": (text("[four](claim:aurora-run#model_calls)"), "first", "says four"),
    "nothing to quote": (text(CLAIM, "![](loop:agent_loop#sleep)"), "first", "sleep"),
    "no such loop": (text(CLAIM, "![](loop:no_loop#check)"), "first", "no_loop"),
    "text before": ("Hello.\n\n" + text(CLAIM), "1", "section"),
    "an empty section": ("## first | The first\n", "1", "empty"),
    "another claim": (text("[2](claim:aurora-run#tool_rounds)"), "first", "claim"),
    "more hints": (text(CLAIM, "> Look."), "first", "hints"),
    "a section too many": (text(CLAIM) + "\n## second | More\n\nText.\n", "5", "second"),
}


@pytest.mark.parametrize("case", WRONG_TEXTS)
def test_a_wrong_text_is_reported(case: str, tmp_path: Path) -> None:
    """Length, Markdown, claims and quotations, each with the page or the line."""
    english, where, words = WRONG_TEXTS[case]
    found = problems(small(tmp_path / "small", english=english))
    assert found
    assert f".md: {where}: " in found[0]
    assert words in found[0]


RIGHT_TEXTS = [
    text("[three](claim:aurora-run#model_calls)"),
    text("**[3](claim:aurora-run#model_calls)** and `code`, 2 * 3."),
    text(CLAIM, *["word " * 15] * 4),
    "# The title\n\n" + ENGLISH,
    text(CLAIM, "N rounds are N + 1 calls; turn 1, message 2, `range(3) calls`."),
]


@pytest.mark.parametrize("english", RIGHT_TEXTS)
def test_a_right_text_is_silent(english: str, tmp_path: Path) -> None:
    """Number words, styles around claims, and five lines are fine."""
    assert problems(small(tmp_path / "small", english=english, japanese=english)) == []


def test_claims_take_settings_and_values(tmp_path: Path) -> None:
    """A claim may be about another cap, and about a result."""
    claim = "[`None`](claim:aurora-run@end,max_turns=2#result)"
    both = {"english": text(claim), "japanese": text(claim)}
    assert problems(small(tmp_path / "small", **both)) == []
    wrong = text(claim.replace("max_turns=2", "max_turns=3"))
    found = problems(small(tmp_path / "small", english=wrong, japanese=wrong))
    assert len(found) == 2
    assert '"1974"' in found[0]


def test_the_teaching_page_is_proved_too(tmp_path: Path) -> None:
    """Claims and quotations in it are computed; whole functions may be quoted there."""
    folder = small(tmp_path / "small")
    page = folder / "teaching.en.md"
    page.write_text("![](loop:agent_loop)\n\n- [3](claim:paris#model_calls)\n", encoding="utf-8")
    (line,) = problems(folder)
    assert f"{page}: 3: " in line


def test_no_whole_loop_fits_on_a_page(tmp_path: Path) -> None:
    """A quoted function counts with all its lines."""
    whole = text(CLAIM, "![](loop:agent_loop)")
    found = problems(small(tmp_path / "small", english=whole, japanese=whole))
    assert len(found) == 2
    assert "lines" in found[0]


@pytest.mark.parametrize("bad", ["minutes = 0\n", 'minutes = "5"\n', "x = [\n", "\xff"])
def test_a_broken_declaration_is_reported(bad: str, tmp_path: Path) -> None:
    """Wrong types and what is no TOML are named with the file."""
    folder = small(tmp_path / "small")
    encoded = bad.encode("latin-1")
    rest = DECLARED.replace("minutes = 5\n", "").encode()
    (folder / "lesson.toml").write_bytes(encoded + rest)
    assert problems(folder)
    assert all("lesson.toml" in line for line in problems(folder))


def test_the_exit_code_says_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``visualizer check FOLDER`` ends with 1 where a lesson is wrong, with 0 where none is."""
    good = small(tmp_path / "good")
    bad = small(tmp_path / "bad", japanese=JAPANESE.replace("三", "四"))
    for folder, code in ((good, 0), (bad, 1)):
        with pytest.raises(SystemExit) as left:
            cli.main(["check", str(folder), "--lang", "en"])
        assert left.value.code == code
    assert "says 四" in capsys.readouterr().out


def test_every_listed_lesson_loads() -> None:
    """The index names lessons that can be opened, each with a page in both languages."""
    for name in lesson_names():
        lesson = load_lesson(name)
        assert lesson.name == name
        for page in lesson.pages:
            assert page.text("en").title
            assert page.text("ja").title
            assert lesson.number(page.id) is not None
