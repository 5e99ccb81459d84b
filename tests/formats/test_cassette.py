"""Cassettes in YAML: plain data only, bounded, and read where the parser is installed."""

from __future__ import annotations

import gzip
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from tests.made import response, text_block
from tests.made_outside import calls_of, small_stream
from visualizer.engine import replay
from visualizer.errors import TranscriptError
from visualizer.formats import Outside, Unreadable, read
from visualizer.formats.decoding.cassette import MAX_BYTES, load
from visualizer.formats.outside import Findings
from visualizer.i18n import texts
from visualizer.loading import load_transcript

yaml = pytest.importorskip("yaml")

REQUEST = """\
interactions:
- request:
    body: '{"model":"model-x","max_tokens":64,"messages":[{"role":"user","content":"Which?"}]}'
    headers: &shared
      recorded: 2026-01-02
      limit: .inf
    uri: https://api.example/v1/messages
"""
REPLY = """\
  response:
    headers: *shared
    parsed_body:
      type: message
      role: assistant
      stop_reason: end_turn
      content:
      - type: text
        text: Whitby.
    status: {code: 200}
"""


def packed(data: bytes) -> str:
    body = b64encode(gzip.compress(data)).decode()
    return f"  response:\n    body:\n      string: !!binary |\n        {body}\n"


def reply_of(outside: Outside) -> str:
    turn = outside.runs[0].takes[0].turns[0]
    assert turn.response is not None
    return str(turn.response["content"][0]["text"])


def test_a_cassette_is_read(tmp_path: Path) -> None:
    """Texts and parsed bodies, aliases, dates and numbers that JSON has not."""
    path = tmp_path / "cassette.yaml"
    path.write_text(REQUEST + REPLY, encoding="utf-8")
    scenario = load_transcript(path)
    run = replay(scenario)
    assert (run.result, run.model_calls) == ("Whitby.", 1)
    assert scenario.outside is not None
    assert scenario.outside.format == "messages-api"


def test_a_packed_body_is_unpacked() -> None:
    """Recorders keep bodies as they came: as gzip, in binary."""
    text = REQUEST + packed(yaml.safe_dump(response(text_block("Whitby."))).encode())
    with pytest.raises(Unreadable):
        read(text.encode())  # what is unpacked must be a reply
    reply = b'{"type":"message","role":"assistant","content":[{"type":"text","text":"Hull."}]}'
    assert reply_of(read((REQUEST + packed(reply)).encode())) == "Hull."


def test_lines_that_are_no_yaml_are_named_and_left_out() -> None:
    """A redaction broke a line: it is skipped by number, the rest is read."""
    damaged = REQUEST.replace("    uri:", "    redacted name\n    uri:") + REPLY
    outside = read(damaged.encode())
    assert calls_of(outside) == [1]
    assert [dict(problem.values)["line"] for problem in outside.findings.damaged] == [7]


BOMB = "a0: &a0 [x, x]\n" + "".join(
    f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}, *a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)
)
BAD = {
    "an alias of what it stands in": "interactions:\n- &a [*a]\n",
    "an alias of nothing": "interactions:\n- *a\n",
    "depth": "interactions:\n" + "- " * 500 + "x\n",
    "damage everywhere": "interactions:\n- a\n" + "  x\n  y: z: 1\n" * 60,
    "a key that is a list": "interactions:\n- ? [a]\n  : b\n",
    "no base64": "interactions:\n- !!binary x\n",
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_plain_data_is_refused(name: str) -> None:
    """One line for whatever the parser, or what comes of it, can't be."""
    with pytest.raises(Unreadable, match=r"format\.yaml_bad"):
        read(BAD[name].encode())


MILLION = b"x" * 1_000_000
BLANK = b64encode(gzip.compress(b" " * 9_000_000)).decode()
BOMBS = {
    "aliases of aliases": ("- 1\n" + BOMB, "yaml_memory"),
    "a text again and again": (f"- &a {MILLION.decode()}\n" + "- *a\n" * 800, "yaml_memory"),
    "bytes again and again": (
        f"- &a !!binary {b64encode(MILLION).decode()}\n" + "- *a\n" * 800,
        "yaml_memory",
    ),
    "a body of lists": (packed(b"[" + b"[]," * 9_000_000), "yaml_memory"),
    "a big body": (packed(b" " * (MAX_BYTES + 1)), "yaml_packed"),
    "many bodies": (f"- !!binary {BLANK}\n" * 8, "yaml_packed"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_what_comes_to_too_much_is_refused(name: str) -> None:
    """What a small file stands for is counted before it is made; the line names the bound."""
    text, key = BOMBS[name]
    with pytest.raises(Unreadable, match=rf"format\.{key}") as caught:
        read((REQUEST + text).encode())
    said = texts("en")(caught.value.key, **caught.value.values)
    assert "MiB" in said


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1:59:59", "1:59:59"),
        ("1" + ":59" * 300, "1" + ":59" * 300),
        ("1:30.5", "1:30.5"),
        ("2026-01-02", "2026-01-02"),
        ("1e999", "1e999"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("9" * 400, "9" * 400),
        ("9" * 5000, "9" * 5000),
        ("0899", "0899"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        ("yes", "yes"),
        ("!!int x", "x"),
        ("!!bool x", "x"),
        ("!!timestamp 2026-99-99", "2026-99-99"),
        ("!!python/object/apply:os.getcwd []", []),
        ("-12", -12),
        ("1.5e3", 1500.0),
        ("true", True),
        ("~", None),
        ("'12'", "12"),
    ],
)
def test_values_are_as_json_would_hold_them(written: str, value: object) -> None:
    """Numbers that can be counted with, and the words of JSON; all else is the text it is."""
    loaded = load(f"interactions:\n- {{1: {written}}}\n".encode(), Findings())
    assert loaded == {"interactions": [{"1": value}]}


def test_what_is_merged_stands_behind_the_keys_of_its_own() -> None:
    """``<<`` puts in what an alias stands for, or several of them."""
    text = "messages:\n- &a {x: 1, y: 2}\n- &b {z: 3}\n- {<<: [*a, *b], y: 5}\n- {<<: *a}\n"
    found = load(text.encode(), Findings())["messages"]
    assert found[2:] == [{"x": 1, "y": 5, "z": 3}, {"x": 1, "y": 2}]


def test_a_large_file_is_refused() -> None:
    """YAML is slow to read, so that the cap is lower than for JSON."""
    with pytest.raises(Unreadable, match=r"format\.yaml_big"):
        read(REQUEST.encode() + b"#" * MAX_BYTES)


def test_without_the_parser_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says what to install."""
    path = tmp_path / "cassette.yaml"
    path.write_text(REQUEST + REPLY, encoding="utf-8")
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(TranscriptError, match=r"agent-loop-visualizer\[yaml\]"):
        load_transcript(path)


def test_messages_of_the_sdk_in_yaml() -> None:
    """A stream's messages under one key are a stream."""
    text = yaml.safe_dump({"messages": small_stream().lines}, sort_keys=False)
    outside = read(text.encode())
    assert (outside.format, calls_of(outside)) == ("stream-json", [2])
