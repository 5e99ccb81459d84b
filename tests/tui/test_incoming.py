"""What a terminal sends becomes keys only where it is keys."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.message import Message

from visualizer.tui.terminal import incoming
from visualizer.tui.terminal.incoming import Incoming

X10 = b"\x1b[M" + bytes([67, 152, 42])


def messages(*pieces: bytes, quiet: bool = True) -> list[Message]:
    """What comes of bytes that are read in these pieces; ``quiet`` means that no more comes."""
    source, parser = Incoming(), XTermParser()
    found: list[Message] = []

    def take(parts: Iterable[str | Message]) -> None:
        for part in parts:
            found.extend([part] if isinstance(part, Message) else parser.feed(part))

    for piece in pieces:
        take(source.feed(piece))
    if quiet:
        take(source.quiet())
        take(source.feed(b"~"))  # a key, which shows that nothing is waited for
    return found


def keys(*pieces: bytes) -> list[str]:
    """The keys alone."""
    found = [one.key for one in messages(*pieces) if isinstance(one, events.Key)]
    assert found.pop() == "tilde"
    return found


@pytest.mark.parametrize(
    ("sent", "there"),
    [
        (b"q", ["q"]),
        ("あq".encode(), ["あ", "q"]),
        (b"\x1b", ["escape"]),
        (b"\x1b[C", ["right"]),
        (b"\x1bOA\x1b[5~", ["up", "pageup"]),
        (b"\x1b[97u\x1b[122;5u", ["a", "ctrl+z"]),
        (b"\x1a\x03", ["ctrl+z", "ctrl+c"]),
    ],
)
def test_keys_are_keys(sent: bytes, there: list[str]) -> None:
    """Characters, arrows, the Escape key alone, and what Kitty's protocol makes of keys."""
    assert keys(sent) == there
    assert keys(*(sent[at : at + 1] for at in range(len(sent)))) == there


@pytest.mark.parametrize(
    "sent",
    [
        X10,
        b"\x1b[M qq",
        b"\x1b[M\xc3\xa9q",  # two coordinates that together look like a character
        b"\x1b[M",
        b"\x1b[Mq",
        b"\xff\xfe",
        b"\x98",
        b"\xe3\x81",
        b"\x1b[1;",
        b"\x1b[?62;22c",
        b"\x1b[>0;276;0c",
        b"\x1b[" + b"1;" * 100 + b"A",
        b"\x1b[99999999999;1u",
        b"\x1b[:u",
        b"\x1b]11;rgb:0000/0000/0000\x07",
        b"\x1b]11;rgb:0000/0000/0000\x1b\\",
        b"\x1b]0;qq",
        b"\x1bP>|term 1\x1b\\",
        b"\x1b_qq\x1b\\",
        b"\x1b^" + b"q" * 10_000,
        b"\x1b[201~",
    ],
)
def test_what_is_no_key_is_none(sent: bytes) -> None:
    """Reports, answers and what is cut off: no key comes of it, and the next key still works."""
    assert keys(sent) == []
    assert keys(sent, b"\x1b[C") == ["right"]
    assert keys(b"a" + sent) == ["a"]
    assert keys(*(sent[at : at + 1] for at in range(len(sent)))) == []


def test_an_old_report_of_the_mouse_is_noticed() -> None:
    """Only it is, so that the terminal can be told again how to report."""
    source = Incoming()
    assert list(source.feed(b"q\x1b[C\x1b[<35;3;3M")) == ["q", "\x1b[C", "\x1b[<35;3;3M"]
    assert not source.legacy_mouse
    assert list(source.feed(X10[:4])) == list(source.feed(X10[4:])) == []
    assert source.legacy_mouse


def test_every_sequence_that_textual_knows_gets_through() -> None:
    """Nothing that Textual takes for a key is taken for noise."""
    for sequence in ANSI_SEQUENCES_KEYS:
        if len(sequence) == 1 or sequence == "\x1b\x1b":  # two keys
            continue
        known = list(XTermParser().feed(sequence))
        text = "".join(one for one in Incoming().feed(sequence.encode()) if isinstance(one, str))
        assert text == (sequence if known else ""), repr(sequence)


@pytest.mark.parametrize("cut", range(1, 24))
def test_a_paste_is_text_wherever_it_is_cut(cut: int) -> None:
    """What is pasted is no keys, and what comes behind it is."""
    sent = b"\x1b[200~" + "qあ\x00q".encode() + b"\x1b[201~\x1b[C"
    paste, key, last = messages(sent[:cut], sent[cut:])
    assert isinstance(paste, events.Paste)
    assert paste.text == "qあq"
    assert isinstance(key, events.Key)
    assert isinstance(last, events.Key)
    assert (key.key, last.key) == ("right", "tilde")


def test_a_paste_without_end_ends_when_nothing_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is kept up to a bound, waited for longer than a key, and then keys are keys again."""
    monkeypatch.setattr(incoming, "PASTE_MOST", 10)
    source = Incoming()
    assert source.patience is None
    assert list(source.feed(b"\x1b[200~" + b"q" * 50)) == []
    assert list(source.feed(b"q" * 50)) == []
    assert source.patience == incoming.PASTE_PATIENCE
    (paste,) = source.quiet()
    assert isinstance(paste, events.Paste)
    assert paste.text == "q" * 10
    assert list(source.feed(b"q")) == ["q"]
    assert source.patience is None


@given(st.lists(st.sampled_from([X10, b"\x1b", b"[", b"]", b"M", b"200~", b"q", b"\x98", b"\\"])))
def test_whatever_comes_the_next_key_works(pieces: list[bytes]) -> None:
    """Sequences cut and joined at any place: nothing is raised, and a key after it is a key."""
    source = Incoming()
    for piece in pieces:
        list(source.feed(piece))
    list(source.quiet())
    assert list(source.feed(b"\x1b[C")) == ["\x1b[C"]
    assert list(source.quiet()) == []


@given(st.lists(st.binary(max_size=40), max_size=5))
def test_bytes_of_any_kind_are_taken(pieces: list[bytes]) -> None:
    """Nothing is raised; text is text of whole characters."""
    for part in (part for piece in pieces for part in Incoming().feed(piece)):
        assert isinstance(part, Message) or part.encode()
