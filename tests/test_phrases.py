"""Values, labels, locators and sizes as short, safe text."""

from __future__ import annotations

from typing import Any

from tests import made_runs as made
from tests.cost import calls
from tests.made_runs import driven
from visualizer.describe import (
    call_line,
    context_size,
    locator,
    ordinal,
    request_labels,
    result_line,
    value_text,
)
from visualizer.describe.phrases import differing, letters
from visualizer.engine import replay
from visualizer.i18n import texts
from visualizer.loading import load_transcript
from visualizer.locator import Locator
from visualizer.messages import Block
from visualizer.text import cells

EN, JA = texts("en"), texts("ja")


def test_labels_go_on_after_z() -> None:
    """Requests are a, b … z, aa, ab … in the order they were asked for."""
    assert [letters(number) for number in (0, 25, 26, 27, 701, 702)] == [
        "a", "z", "aa", "ab", "zz", "aaa",
    ]  # fmt: skip
    run = driven(made.parallel())
    assert dict(request_labels(run)) == {"toolu_1": "a", "toolu_2": "b"}
    assert request_labels(run) is request_labels(run)


def test_lines_for_calls_and_results() -> None:
    """A lone string argument is quoted, anything else is compact JSON; errors are words."""

    def block(value: Any) -> Block:
        return Block({"type": "tool_use", "id": "t", "name": "find", "input": value})

    assert call_line(block({"query": 'a "b"\n'}), "a") == r'[a] find "a \"b\"\n"'
    assert call_line(block({"a": 1, "b": ["c"]}), "b") == '[b] find {"a":1,"b":["c"]}'
    assert call_line(block({}), "c") == "[c] find"
    assert call_line(Block({}), "?") == "[?] ?"
    assert call_line(block({"query": "\u202e\ud800"}), "a") == r'[a] find "\u202e\ud800"'
    result = {"type": "tool_result", "tool_use_id": "t", "content": "no\tluck"}
    assert result_line(Block(result), "a", EN) == "[a] no luck"
    assert result_line(Block({**result, "is_error": True}), "a", EN) == "[a] error: no luck"
    assert result_line(Block({**result, "content": ""}), "a", EN) == "[a] (empty)"


def test_long_texts_cost_no_more_than_their_beginning() -> None:
    """A megabyte in one line is cut before it is looked at."""
    big = Block({"type": "tool_use", "id": "t", "name": "x", "input": {"q": "\u202e" * 1_000_000}})
    line = call_line(big, "a", 80)
    assert cells(line) < 100
    assert line.endswith('..."')
    small = Block({**big.data, "input": {"q": "\u202e" * 10_000}})
    assert calls(lambda: call_line(big, "a", 80)) == calls(lambda: call_line(small, "a", 80))


def test_values_of_any_kind() -> None:
    """Whatever a loop returns has a text: a broken repr, a huge number, a control character."""

    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    assert value_text(None) == "None"
    assert value_text("a\x07") == r'"a\u0007"'
    assert value_text(Broken()) == "<Broken: RuntimeError>"
    assert value_text(10**5000).startswith("<int: ValueError>")
    assert cells(value_text("長い" * 100)) <= 42


def test_ordinals() -> None:
    """1st, 2nd, 3rd, 4th, and the teens; a count in Japanese."""
    numbers = (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)
    assert [ordinal(n, EN) for n in numbers] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
    ]  # fmt: skip
    assert ordinal(2, JA) == "2 回目"


def test_locators_round_trip() -> None:
    """A locator says what differs from the scenario's own settings, and reads back the same."""
    run = replay(load_transcript("aurora-run"))
    capped = replay(load_transcript("aurora-run"), max_turns=2)
    assert locator("aurora-run", run, 7, default=run) == "aurora-run@t1.check"
    assert locator("aurora-run", capped, 7, default=run) == "aurora-run@t1.check,max_turns=2"
    full = locator("aurora-run", capped, 7)
    assert Locator.parse(full) == Locator("aurora-run", "t1.check", 2, "agent_loop")
    assert str(Locator.parse(full)) == full
    assert Locator.parse("a@b/run.json") == Locator("a@b/run.json")
    assert Locator.parse("a@b/run.json@12") == Locator("a@b/run.json", "12")
    assert str(Locator("x", None, 2)) == "x@start,max_turns=2"
    assert str(Locator("x")) == "x"
    assert Locator.parse("x@end,loop=my.py:f") == Locator("x", "end", None, "my.py:f")


def test_context_size_is_recorded_or_an_estimate() -> None:
    """Recorded usage counts cached input too; without it a rough estimate says it is one."""
    usage = {
        "input_tokens": 10,
        "cache_creation_input_tokens": 5,
        "cache_read_input_tokens": None,
        "output_tokens": 99,
    }
    recorded = driven(made.scenario(made.turn(made.text("x"), usage=usage)))
    assert context_size(recorded, recorded.calls[0]) == (15, False)
    latin = driven(made.scenario(made.turn(made.text("x")), question="a" * 40))
    assert context_size(latin, latin.calls[0]) == (10, True)
    wide = driven(made.scenario(made.turn(made.text("x")), question="語" * 40))
    assert context_size(wide, wide.calls[0]) == (40, True)
    grown = driven(made.aurora())
    sizes = [context_size(grown, call)[0] for call in grown.calls]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == 3


def test_two_texts_are_shown_from_where_they_differ() -> None:
    """Short of an excerpt they stay as they are; later they begin shortly before the difference."""
    assert differing("1974", "1973") == ("1974", "1973")
    same = "a long beginning that both texts have, "
    assert differing(f"{same}born in 1974", f"{same}born in 1973") == (
        "... born in 1974",
        "... born in 1973",
    )
    assert differing(same, f"{same}and more") == ("... texts have, ", "... texts have, and more")
    assert differing("", "x") == ("", "x")
