"""Mutated cassettes in YAML: as the mutations of the other recordings."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats import test_gemini, test_messages_api, test_openai_chat, test_openai_responses
from tests.formats.test_mutations import MARK, MUCH, changed, cut, marked, open_and_use

yaml = pytest.importorskip("yaml")

Call = dict[str, Any]


def http(call: Call) -> Call:
    """A call as a recorder of HTTP keeps it: bodies as texts, or parsed."""
    asked, came = call.get("request") or call, call.get("response")
    return {"request": {"body": json.dumps(asked)}, "response": {"parsed_body": came}}


CALLS = [
    *map(http, test_messages_api.ROUND),
    *test_openai_chat.ROUND,
    {"request": test_openai_chat.body(), "response": {"body": test_openai_chat.STREAM}},
    *test_openai_responses.ROUND,
    *[test_gemini.http(one, True) for one in test_gemini.EXCHANGES],
]
YAMLS = [
    b"*a",
    b"&a ",
    b"&a [*a, *a]",
    b"!!binary ",
    b"!!python/none ",
    b"\t",
    b": ",
    b"- ",
    b"|\n",
    b"1:59:59:59.5",
    b"1" + b":59" * 300,
    b"2026-01-02 ",
    b"0x1f ",
    b"0899 ",
    b".inf ",
    b".nan ",
    b"1e999 ",
    b"9" * 400,
    b"9" * 5000,
    b"? {a: 1}\n: ",
    b"1: ",
    b"~: ",
    b"<<: *a\n",
    b"!!int x ",
    b"!!bool x ",
    b'!!float "" ',
    b"!!timestamp x ",
    b"!!set {a} ",
    b"\xe2\x80\xa8",
    b"\xc2\x85",
]
"""What means something in YAML, put in anywhere."""


def as_yaml(value: Any) -> bytes:
    """YAML in which what is ``Raw`` stands as it is, and keys may be numbers."""
    text: str = yaml.safe_dump(marked(value), allow_unicode=True)
    return re.sub(rf"'?{MARK}([^'\n]*)'?", r"\1", text).encode("utf-8", "replace")


@st.composite
def cassettes(draw: st.DrawFn) -> bytes:
    """Some calls with changes inside, and perhaps some in the text."""
    start = draw(st.integers(0, len(CALLS) - 1))
    calls = changed(draw, CALLS[start : start + draw(st.integers(1, 3))])
    text = as_yaml({"interactions": calls})
    if draw(st.booleans()):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(YAMLS)) + text[at:]
    return cut(draw, text) if draw(st.integers(0, 2)) == 0 else text


def test_mutated_cassettes_are_a_clear_line_or_a_run(tmp_path: Path) -> None:
    """Whatever was cut, swapped, anchored, tagged or of another type: no traceback, no hang."""

    @MUCH
    @given(cassettes())
    def holds(text: bytes) -> None:
        open_and_use(text, tmp_path)

    holds()
