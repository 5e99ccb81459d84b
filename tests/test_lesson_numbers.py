"""Numbers in a lesson that no claim makes: counts, references, and what both languages hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.made_lessons import problems, small
from visualizer.lessons.numbers import counts, digits, references
from visualizer.lessons.prose import paragraph

CLAIM = "[3](claim:aurora-run#model_calls)"

COUNTS = [
    ("The model was called 12 times.", "12 times"),
    ("It makes\n12 calls.", "12 calls"),
    ("It takes **four** calls.", "four calls"),
    ("Seven tool rounds later", "Seven tool rounds"),
    ("The calls were 9.", "calls were 9"),
    ("Replies: 5", "Replies: 5"),
    ("モデルを 9 回呼び出します。", "9 回"),
    ("モデルを九回呼び出します。", "九回"),
    ("メッセージは十一件です。", "十一件"),
    ("ツールは 2 つです。", "2 つ"),
    ("呼び出しは 9 でした。", "呼び出しは 9"),
    ("呼び出しの回数は全部で 9 でした。", "呼び出しの回数は全部で 9"),
    ("呼び出し 9 回で終わります。", "9 回"),
]
NO_COUNTS = [
    f"It makes {CLAIM} calls; `range(3) calls`.",
    "N rounds and an answer are **N + 1** calls. 呼び出しは **N + 1** 回です。",
    "Turns are counted from 0. ターンは、0 から数えます。",
    "Call 2 sent the list, and turn 1, message 2 follow. One call at a time.",
    "2 回目の呼び出しと、二つ目の返答。一件ずつ、一回だけ。三通りの返し方。",
    "呼び出し 2 まで、メッセージ 4 が届いても、一ラウンドです。",
]


@pytest.mark.parametrize(("text", "found"), COUNTS)
def test_a_count_is_found(text: str, found: str) -> None:
    """Digits and number words, before or behind what they count."""
    assert counts(paragraph(text).bare) == (found,)


@pytest.mark.parametrize("text", NO_COUNTS)
def test_what_is_no_count_is_left_alone(text: str) -> None:
    """Claims, code, the rule N + 1, references, ordinals, and the word one."""
    assert counts(paragraph(text).bare) == ()


def test_references_are_found_in_both_languages() -> None:
    """What is named, and its number; a count is no reference."""
    text = "Call 2 and message 4. 呼び出し 9 では、ターン 0 の返答 3。メッセージ 12 件。"
    found = [(one.what, one.number) for one in references(text)]
    assert found == [("call", 2), ("message", 4), ("call", 9), ("turn", 0), ("reply", 3)]


def both(folder: Path, english: str, japanese: str = "") -> list[str]:
    """What is reported of a page of ``aurora-run@t0.call`` with these texts."""
    head = "## first | A title\n\n"
    return problems(small(folder, english=head + english, japanese=head + (japanese or english)))


@pytest.mark.parametrize(
    "said",
    ["call 4", "call 0", "message 6", "reply 4", "turn 3", "step 99", "呼び出し 9", "メッセージ 6"],
)
def test_a_reference_to_nothing_is_reported(said: str, tmp_path: Path) -> None:
    """The run of the page has no such call, message, reply, turn or step."""
    found = both(tmp_path / "small", f"Look at {said} here.")
    assert len(found) == 2
    assert all(f'"{said}"' in line for line in found)


@pytest.mark.parametrize(
    "said", ["call 3", "message 5", "reply 3", "turn 2", "step 1", "呼び出し 3", "メッセージ 0"]
)
def test_a_reference_to_something_is_silent(said: str, tmp_path: Path) -> None:
    """The last of each kind is still there."""
    assert both(tmp_path / "small", f"Look at {said} here.") == []


def test_a_reference_may_be_to_any_run_of_the_page(tmp_path: Path) -> None:
    """Runs that a claim or the other side names count too."""
    claim = "[10](claim:repeat#model_calls)"
    assert both(tmp_path / "small", f"It makes {claim} calls. Call 10 is the last.") == []
    beside = 'view = "compare"\nbeside = "repeat@t0.call"'
    text = "## first | A title\n\nCall 10 is the last.\n"
    assert problems(small(tmp_path / "other", beside, english=text, japanese=text)) == []


def test_the_title_is_read_too(tmp_path: Path) -> None:
    """A wrong reference in a title is reported as one in the text."""
    text = f"## first | What call 8 sent\n\nIt makes {CLAIM} calls.\n"
    assert len(problems(small(tmp_path / "small", english=text, japanese=text))) == 2


def test_both_languages_hold_the_same_digits(tmp_path: Path) -> None:
    """A number in digits that stands in one language only is reported, with the number."""
    (line,) = both(tmp_path / "small", "He was born in 1951.", "1951 年か 1915 年の生まれです。")
    assert "different numbers: 1915" in line
    assert ".md: first: " in line
    assert both(tmp_path / "good", "Born in 1951.", "１９５１ 年の生まれです。") == []
    assert digits(["3 and 2.5", "1,000"]) == {"3", "2.5", "1,000"}


def test_what_the_review_wrote_is_reported(tmp_path: Path) -> None:
    """Two wrong numbers in prose, one a language."""
    english, japanese = "The model was called 12 times.", "呼び出し 9 では、答えが返ります。"
    found = both(tmp_path / "small", english, japanese)
    assert '"12 times"' in found[0]
    assert '"呼び出し 9"' in found[1]
    assert "different numbers: 12, 9" in found[2]
