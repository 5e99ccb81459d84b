"""What a terminal sends, in whole sequences; what is neither a key nor a report is left out.

Anything can come in: reports of the mouse in an encoding that was not asked for (after a
terminal was rebuilt under the program), answers to questions of a program that ran before, parts
of sequences, bytes that are no UTF-8. None of that may be taken for keys.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Generator, Iterator
from functools import lru_cache

from textual import constants, events
from textual._xterm_parser import XTermParser
from textual.message import Message

PASTE_BEGINS = b"\x1b[200~"
PASTE_ENDS = b"\x1b[201~"

PASTE_MOST = 1 << 20
"""Bytes of a paste that are kept: nobody types into a line here what is longer."""

PASTE_PATIENCE = 1.0
"""Seconds without input after which a paste that has no end counts as over."""

LONGEST = 32
"""Characters up to which Textual looks for the end of a sequence."""

_HELD_MOST = 4096

_TOKEN = re.compile(
    rb"""
      (?P<x10>     \x1b\[M [^\x1b]{3} )
    | (?P<string>  \x1b[\]PX^_] [^\x07\x1b]* (?: \x07 | \x1b\\ ) )
    | (?P<sequence> \x1b\[\[[^\x1b]              # function keys of the Linux console
                 | \x1b\[[0-9]+\$(?!y)           # shifted keys of rxvt
                 | \x1b\[ (?!M) [<=>?]? [0-9:;\-]* [ -/]* [@-Z\\-~]
                 | \x1bO[^\x1b] )
    | (?P<partial> \x1b\[M [^\x1b]{0,2} \Z
                 | \x1b[\]PX^_] [^\x07\x1b]* \x1b? \Z
                 | \x1b\[ [<=>?]? [0-9:;\-]* [ -/]* \Z
                 | \x1b\[\[ \Z
                 | \x1bO? \Z )
    | (?P<broken>  \x1b\[M [^\x1b]* | \x1b[\]PX^_] [^\x07\x1b]* | \x1b\[\[? [ -?]* | \x1bO )
    | (?P<text>    \x1b | [^\x1b]+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_MOUSE = re.compile(r"\x1b\[<[0-9;-]+[Mm]")


class Incoming:
    """Takes bytes as they are read; gives text for Textual's parser, and whole messages.

    ``legacy_mouse`` becomes true with a report of the mouse in the encoding of X10, which means
    that the terminal has forgotten what it was told.
    """

    def __init__(self) -> None:
        self.legacy_mouse = False
        self._held = b""
        self._paste: bytearray | None = None
        self._decode = getincrementaldecoder("utf-8")("ignore").decode

    @property
    def patience(self) -> float | None:
        """Seconds after which ``quiet`` is to be called when nothing comes; None for never."""
        if self._paste is not None:
            return PASTE_PATIENCE
        return constants.ESCAPE_DELAY if self._held else None

    def feed(self, data: bytes) -> Iterator[str | Message]:
        """What has come with these bytes, in order."""
        data, self._held = self._held + data, b""
        while data:
            if self._paste is not None:
                data = yield from self._pasted(self._paste, data)
            else:
                data = yield from self._typed(data)

    def quiet(self) -> Iterator[Message]:
        """Nothing has come for a while: what is held was all there is of it."""
        held, self._held = self._held, b""
        if self._paste is not None:
            yield self._end_of_paste(self._paste + held)
        elif held == b"\x1b":
            yield events.Key("escape", "\x1b")

    def _typed(self, data: bytes) -> Generator[str | Message, None, bytes]:
        """Keys and reports, up to the end or to a paste; returns what comes after its begin."""
        for found in _TOKEN.finditer(data):
            token = found.group()
            if found.lastgroup == "x10":
                self.legacy_mouse = True
            elif found.lastgroup == "partial":
                self._held = _shortened(token)
            elif token == PASTE_BEGINS:
                self._paste = bytearray()
                return data[found.end() :]
            elif found.lastgroup == "sequence":
                if is_known(sequence := token.decode("ascii", "replace")):
                    yield sequence
            elif found.lastgroup == "text" and (text := self._decode(token)):
                yield text
        return b""

    def _pasted(self, paste: bytearray, data: bytes) -> Generator[Message, None, bytes]:
        """Pasted text, up to the end or to its mark; returns what comes after the mark."""
        before, mark, after = data.partition(PASTE_ENDS)
        if not mark:
            kept = next(n for n in range(len(PASTE_ENDS), -1, -1) if data.endswith(PASTE_ENDS[:n]))
            before, self._held = data[: len(data) - kept], data[len(data) - kept :]
        paste += before[: max(0, PASTE_MOST - len(paste))]
        if mark:
            yield self._end_of_paste(paste)
        return after

    def _end_of_paste(self, paste: bytes | bytearray) -> events.Paste:
        self._paste = None
        return events.Paste(paste.decode("utf-8", "ignore").replace("\x00", ""))


def _shortened(held: bytes) -> bytes:
    """A sequence without its end as yet; of a very long one only what decides where it ends."""
    if len(held) <= _HELD_MOST:
        return held
    return held[:2] + (b"\x1b" if held.endswith(b"\x1b") else b"")


@lru_cache(maxsize=512)
def is_known(sequence: str) -> bool:
    """Whether Textual makes something of a whole sequence; else it would take it for keys."""
    if len(sequence) > LONGEST:
        return False
    if _MOUSE.fullmatch(sequence):
        return True
    try:
        return bool(list(XTermParser().feed(sequence)))
    except (ValueError, OverflowError):  # a number that is no character
        return False
