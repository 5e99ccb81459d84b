"""Torn and odd files: what can be read is read, and what was made good is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.made import response, text_block
from tests.made_outside import Session, calls_of, small_session
from visualizer.errors import TranscriptError
from visualizer.formats import Unreadable, detect, format_names, read
from visualizer.history import History
from visualizer.i18n import LANGUAGES, texts
from visualizer.loading import load_transcript


def lines_of(made: Session) -> list[bytes]:
    return made.text().splitlines(keepends=True)


def test_a_damaged_line_is_named_and_skipped() -> None:
    """The line's number is said in both languages; the rest is run."""
    lines = lines_of(small_session())
    lines.insert(2, b'{"type": "user", "uuid": \n')
    outside = read(b"".join(lines))
    assert calls_of(outside) == [2]
    for language in LANGUAGES:
        said = [problem.text(texts(language)) for problem in outside.findings.problems()]
        assert any("3" in line for line in said)


def test_a_damaged_first_line_is_no_reason_to_refuse() -> None:
    """The lines after it say what the file is."""
    lines = lines_of(small_session())
    outside = read(b'{"torn' + b"\n" + b"".join(lines))
    assert (outside.format, calls_of(outside)) == ("claude-code", [2])


def test_a_truncated_last_line_is_normal() -> None:
    """A file that is being written ends anywhere."""
    data = small_session().text()
    outside = read(data[:-40])
    assert outside.findings.number("format.truncated") == 1
    assert outside.findings.damaged == []


def test_no_final_newline_is_no_damage() -> None:
    """Nothing is missing then."""
    outside = read(small_session().text().rstrip())
    assert calls_of(outside) == [2]
    assert list(outside.findings.problems()) == []


@pytest.mark.parametrize(
    "text", [b'"half \\ud83d end"', b'"bytes \xff\xfe end"', b'{"n": NaN}'], ids=repr
)
def test_half_characters_and_the_like_are_made_good(text: bytes) -> None:
    """What one parser refuses and another takes is read, visibly mended and counted."""
    made = small_session()
    made.user(["?"], extra="@@")
    made.lines[-1]["message"]["content"] = "And then?"
    outside = read(made.text().replace(b'"@@"', text))
    assert outside.findings.number("format.repaired") == 1
    assert calls_of(outside) == [2, 0]


def test_a_mended_text_holds_a_visible_mark() -> None:
    """A lone surrogate becomes the replacement character."""
    made = Session()
    made.user("@@")
    made.reply("m1", text_block("Yes."))
    outside = read(made.text().replace(b"@@", b"half \\ud83d"))
    assert outside.runs[0].request.messages[0]["content"] == "half \ufffd"


def test_deep_nesting_is_damage() -> None:
    """A line of ten thousand brackets is skipped like any other damaged line."""
    lines = lines_of(small_session())
    lines.insert(1, b'{"type": ' + b"[" * 10_000 + b"]" * 10_000 + b"}\n")
    outside = read(b"".join(lines))
    assert (calls_of(outside), len(outside.findings.damaged)) == ([2], 1)


def test_many_damaged_lines_are_counted_in_the_end() -> None:
    """The first ones are named; the rest is a number."""
    first, *rest = lines_of(small_session())
    outside = read(first + b"{broken\n" * 100 + b"".join(rest))
    assert len(list(outside.findings.problems())) == 21
    assert calls_of(outside) == [2]


@pytest.mark.parametrize(
    "data",
    [b"", b"plain text", b"[]", b"{}", b"[1, 2]", b'{"messages": 7}', b"- yaml\n- list\n", b'"x"'],
    ids=repr,
)
def test_what_is_no_recording_is_refused(data: bytes) -> None:
    """No guess is made from nothing."""
    assert detect(data) is None
    with pytest.raises(Unreadable, match=r"format\.unknown"):
        read(data)


@pytest.mark.parametrize("name", ["notes.txt", "notes.yaml", "notes.jsonl", "notes.json"])
def test_a_refusal_is_one_clear_line(name: str, tmp_path: Path) -> None:
    """It names the file and, where it is JSON or no JSON at all, the formats that are read."""
    path = tmp_path / name
    path.write_text(json.dumps({"steps": [1]}), encoding="utf-8")
    with pytest.raises(TranscriptError) as caught:
        load_transcript(path)
    said = str(caught.value)
    assert name in said
    assert "\n" not in said
    assert all(known in said for known in format_names())


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    """A folder, and a link that leads to itself, are refused in a line."""
    loop = tmp_path / "loop.jsonl"
    loop.symlink_to(loop)
    for path in (tmp_path, loop):
        with pytest.raises(TranscriptError):
            read(path)


def test_runs_share_their_messages() -> None:
    """A thousand prompts hold each message once, however many runs begin with it."""
    made = Session()
    for number in range(300):
        made.user(f"Question {number}?")
        made.reply(f"m{number}", text_block("Yes."), flag="end_turn")
    runs = made.read().runs
    assert [len(run.request.messages) for run in runs] == list(range(1, 600, 2))
    assert runs[299].request.messages[0] is runs[0].request.messages[0]


def test_a_history_can_begin_with_another() -> None:
    """A fork's messages are the first ones of what it left, and its own."""
    base = History()
    for number in range(3):
        base.append({"role": "user", "content": str(number)})
    fork = History(base, 2)
    assert fork.last() == {"role": "user", "content": "1"}
    fork.append({"role": "user", "content": "other"})
    assert [one["content"] for one in fork.first(3)] == ["0", "1", "other"]
    assert [one["content"] for one in fork.first(1)] == ["0"]
    assert (len(fork), History().last()) == (3, None)


def test_half_a_character_does_not_hide_what_a_list_is() -> None:
    """A list is recognised by its beginning, with half characters or bytes that are none."""
    for odd in (b"half \\ud83d", b"bytes \xff"):
        data = (
            b'[{"role": "user", "content": "' + odd + b'"}, {"role": "assistant", "content": "x"}]'
        )
        assert detect(data) == "messages-api"
        assert read(data).findings.number("format.repaired") == 1


LONG_TEXT = 1_200_000
"""Characters of a message that is longer than all that is looked at to tell what a file is."""


def test_a_first_line_of_any_length_is_one_line_of_several() -> None:
    """A picture in the first prompt does not hide the lines behind it, nor is the end torn."""
    session = Session()
    session.user("look " + "x" * LONG_TEXT)
    session.reply("m1", text_block("seen"), flag="end_turn")
    outside = read(session.text())
    assert (outside.format, calls_of(outside)) == ("claude-code", [1])
    assert list(outside.findings.problems()) == []


@pytest.mark.parametrize("shape", ["lines", "list", "object"])
def test_a_long_message_does_not_hide_the_reply_that_tells_the_format(shape: str) -> None:
    """What a file is, is seen behind its first message, however long that is."""
    call = {
        "request": {"messages": [{"role": "user", "content": "x" * LONG_TEXT}]},
        "response": response(text_block("1974")),
    }
    data = {
        "lines": b"\n".join([json.dumps(call).encode()] * 2),
        "list": json.dumps([call, call]).encode(),
        "object": json.dumps(call).encode(),
    }[shape]
    assert detect(data) == "messages-api"
    assert calls_of(read(data)) == ([1] if shape == "object" else [1, 1])
