"""Torn and odd files: what can be read is read, and what was made good is counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.made import response, text_block
from tests.made_outside import Session, calls_of, small_session, small_stream
from visualizer.errors import TranscriptError
from visualizer.formats import Unreadable, detect, format_names, read
from visualizer.i18n import LANGUAGES, texts
from visualizer.loading import load_transcript
from visualizer.transcript.history import History


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
    assert list(outside.findings.faults()) == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (b'"half \\ud83d end"', "repaired"),
        (b'"bytes \xff\xfe end"', "not_utf8"),
        (b'{"n": NaN}', "repaired"),
        (b'{"n": -1e999}', "repaired"),
        (b'{"n": 0.1E+400}', "repaired"),
        (b"9" * 400, "repaired"),
    ],
    ids=repr,
)
def test_half_characters_and_the_like_are_made_good(text: bytes, key: str) -> None:
    """What one parser refuses and another takes is read, visibly mended and counted."""
    made = small_session()
    made.user(["?"], extra="@@")
    made.lines[-1]["message"]["content"] = "And then?"
    outside = read(made.text().replace(b'"@@"', text))
    assert outside.findings.number(f"format.{key}") == 1
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
    assert len(list(outside.findings.faults())) == 21
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
    for odd, key in ((b"half \\ud83d", "repaired"), (b"bytes \xff", "not_utf8")):
        data = (
            b'[{"role": "user", "content": "' + odd + b'"}, {"role": "assistant", "content": "x"}]'
        )
        assert detect(data) == "messages-api"
        assert read(data).findings.number(f"format.{key}") == 1


def found_in(data: bytes) -> tuple[str, list[int], list[str]]:
    """The format, the calls of each run, and the keys of what was odd."""
    outside = read(data)
    return outside.format, calls_of(outside), [one.key for one in outside.findings.problems()]


def list_of(*more: dict[str, Any]) -> list[dict[str, Any]]:
    """Messages of which a line by itself looks like an object of another kind."""
    thought = {"type": "thinking", "thinking": "185", "signature": "s"}
    asked = {"role": "user", "content": "What is 925 / 5?"}
    return [
        asked,
        {"role": "assistant", "content": [thought, {"type": "text", "text": "185"}]},
        *more,
    ]


PRETTY = {
    "as Prettier writes it": """[
  { "role": "user", "content": "What is 925 / 5?" },
  {
    "role": "assistant",
    "content": [
      { "type": "thinking", "thinking": "185", "signature": "s" },
      { "type": "text", "text": "185" }
    ]
  }
]
""",
    "indented": json.dumps(list_of(), indent=1),
    "with a half character": json.dumps(list_of(), indent=1).replace("185", "\\ud83d", 1),
    "an object": json.dumps({"model": "x", "messages": list_of()}, indent=4),
    "an entry a line": "[\n" + ",\n".join(map(json.dumps, list_of())) + "\n]\n",
    "an entry a line, commas before": "[" + "\n, ".join(map(json.dumps, list_of())) + "]",
    "an entry a line, as Windows ends them": "[\r\n"
    + ",\r\n".join(map(json.dumps, list_of()))
    + "\r\n]",
    "blank lines": "\n\n" + json.dumps(list_of(), indent=2).replace("\n", "\n\n"),
}


@pytest.mark.parametrize("name", PRETTY)
def test_lines_of_pretty_json_are_no_objects_a_line(name: str) -> None:
    """Wherever its line breaks stand, JSON that is one value is read as one."""
    format_, calls, odd = found_in(PRETTY[name].encode())
    assert (format_, calls) == ("messages-api", [1])
    assert odd == (["format.repaired"] if "half" in name else [])


SESSION = small_session().lines
ONE_BY_ONE = {
    "indented": "\n".join(json.dumps(line, indent=2) for line in SESSION),
    "with commas": "".join(json.dumps(line) + ",\n" for line in SESSION),
    "a list that lost its end": "[\n" + "".join(json.dumps(line) + ",\n" for line in SESSION),
    "with record separators": "".join(f"\x1e{json.dumps(line)}\n" for line in SESSION),
    "two on a line": "".join(
        json.dumps(line) + ("\n" if number % 2 else "") for number, line in enumerate(SESSION)
    ),
}


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_objects_one_after_another(name: str) -> None:
    """Each is read, however they are set apart."""
    format_, calls, odd = found_in(ONE_BY_ONE[name].encode())
    assert (format_, calls) == ("claude-code", [2])
    assert "format.damaged" not in odd


NULS = b"\0" * 600
PADDED = {
    "behind a line": lambda lines: [lines[0], lines[1][:-1] + NULS + b"\n", *lines[2:]],
    "before a line": lambda lines: [lines[0], NULS + lines[1], *lines[2:]],
    "a line of them": lambda lines: [lines[0], NULS + b"\n", *lines[1:]],
    "in place of a line feed": lambda lines: [lines[0][:-1] + NULS + lines[1], *lines[2:]],
    "at the start": lambda lines: [NULS + lines[0], *lines[1:]],
    "at the end": lambda lines: [*lines, NULS],
    "behind the last line": lambda lines: [*lines[:-1], lines[-1][:-1] + NULS],
}


@pytest.mark.parametrize("name", PADDED)
def test_what_a_crash_pads_with_nuls_is_kept(name: str, tmp_path: Path) -> None:
    """The objects around them are whole: nothing is damaged, one place was made good."""
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"".join(PADDED[name](lines_of(small_session()))))
    scenario = load_transcript(path)
    assert scenario.outside is not None
    assert calls_of(scenario.outside) == [2]
    assert [one.key for one in scenario.outside.findings.faults()] == ["format.repaired"]


def test_a_list_that_is_padded_with_nuls() -> None:
    """The same for a file that is one value."""
    assert found_in(json.dumps(list_of()).encode() + NULS) == (
        "messages-api",
        [1],
        ["format.repaired"],
    )


TORN = {
    "behind half an object": b'{"type": "user", "uuid": "x", "message": {"role": "us',
    "behind one with others in it": b'{"type": "user", "message": {"content": [{"type": "a"}, {"ty',
    "behind half an object and NULs": b'{"type": "user", "uuid"' + NULS,
}


@pytest.mark.parametrize("name", TORN)
def test_the_object_behind_a_torn_one_is_kept(name: str) -> None:
    """A write that was not finished has the next one on its line; what was torn is named."""
    lines = lines_of(small_session())
    lines[3] = TORN[name] + lines[3]
    outside = read(b"".join(lines))
    assert calls_of(outside) == [2]
    assert [(one.key, one.values) for one in outside.findings.faults()] == [
        ("format.damaged_part", {"line": 4})
    ]


def test_what_stands_in_a_torn_object_is_none_of_the_file() -> None:
    """A block is whole where its line breaks off behind it; it is no line all the same."""
    lines = lines_of(small_stream())
    lines.insert(
        2, b'{"type": "assistant", "message": {"content": [{"type": "text", "text": "x"}\n'
    )
    lines.append(b'{"type": "assistant", "message": {"content": [{"type": "text", "text": "x"}')
    outside = read(b"".join(lines))
    assert calls_of(outside) == [2]
    assert [one.key for one in outside.findings.faults()] == ["format.damaged"]
    assert outside.findings.number("format.truncated") == 1


SEPARATORS = "\u2028 \u2029 \x85 \x0b \x0c \r \x1c \x1d \x1e"


@pytest.mark.parametrize("ascii_", [True, False])
def test_nothing_but_a_line_feed_ends_a_line(ascii_: bool) -> None:
    """Not in a file, nor in a body: separators of paragraphs and pages are text."""
    said = response(text_block(SEPARATORS))
    call = {"messages": [{"role": "user", "content": SEPARATORS}], "response": said}
    line = json.dumps(call, ensure_ascii=ascii_)
    outside = read((line + "\n" + line + "\n").encode())
    assert calls_of(outside) == [1, 1]
    turn = outside.runs[0].takes[0].turns[0]
    assert turn.response is not None
    assert turn.response["content"] == [text_block(SEPARATORS)]


def test_two_formats_in_one_file_are_said() -> None:
    """Lines of another format are not read as those of the first, and their number is said."""
    mixed = lines_of(small_session()) + [
        json.dumps({"type": "event_msg", "payload": {"type": "user_message", "n": n}}).encode()
        + b"\n"
        for n in range(3)
    ]
    outside = read(b"".join(mixed))
    assert (outside.format, calls_of(outside)) == ("claude-code", [2])
    (found,) = outside.findings.faults()
    assert found.values == {"other": "codex-rollout", "format": "claude-code", "own": 7, "n": 3}
    for language in LANGUAGES:
        assert "codex-rollout" in found.text(texts(language))


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
