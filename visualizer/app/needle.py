"""A text to be found whatever its case, as fast as its characters allow.

What counts is ``str.casefold``: "strasse" is found in "Straße". Folding a text that is not
ASCII costs ten times what looking for a few characters in it does, so a text is folded only
where it can hold the words at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

PIECE = 1 << 18
"""Characters looked through at once: a text of a hundred megabytes is never copied whole."""

CASED = (
    (0x80, 0x590),
    (0x10A0, 0x1100),
    (0x13A0, 0x1400),
    (0x1C80, 0x1CC0),
    (0x1E00, 0x2190),
    (0x24B6, 0x24EA),
    (0x2C00, 0x2D30),
    (0xA640, 0xABC0),
    (0xFB00, 0xFB18),
    (0xFF21, 0xFF5B),
    (0x10400, 0x10600),
    (0x10C80, 0x10D90),
    (0x118A0, 0x118E0),
    (0x16E40, 0x16EE0),
    (0x1E900, 0x1E944),
)
"""Where the characters beyond ASCII are that folding changes."""


@cache
def unfolded() -> dict[str, str]:
    """For each character that folding makes: those beyond ASCII it is made from."""
    made: dict[str, str] = {}
    for first, end in CASED:
        for one in map(chr, range(first, end)):
            folded = one.casefold()
            if folded != one:
                for character in folded:
                    made[character] = made.get(character, "") + one
    return made


class Needle:
    """A text to look for. ``holds`` says whether another text holds it."""

    def __init__(self, words: str) -> None:
        self.folded = words.casefold()
        self._bytes = self.folded.encode("utf-8", "surrogatepass")
        self._ascii = self.folded.isascii()
        made = unfolded()
        if self._ascii:
            self._odd = "".join(sorted({one for c in self.folded for one in made.get(c, "")}))
            return
        self._needs = [c + made.get(c, "") for c in dict.fromkeys(self.folded) if not c.isascii()]
        self._caseless = all(
            c not in made and not (c.isascii() and c.isalpha()) for c in self.folded
        )

    def holds(self, text: str) -> bool:
        """Whether the text holds the words."""
        if len(text) > PIECE:
            return any(self.within(piece) for piece in self.pieces(text))
        return self.within(text)

    def pieces(self, text: str) -> Iterator[str]:
        """A text in pieces that hold the words where the text does, one over the other."""
        if len(text) <= PIECE:
            yield text
            return
        for start in range(0, len(text), PIECE):
            yield text[start : start + PIECE + len(self.folded)]

    def within(self, text: str) -> bool:
        """Whether one piece of a text holds the words."""
        if self._ascii:
            if text.isascii():
                return self.folded in text.casefold()
            return self._bytes in text.encode("utf-8", "surrogatepass").lower() or (
                any(one in text for one in self._odd) and self.folded in text.casefold()
            )
        if text.isascii() or not all(any(one in text for one in need) for need in self._needs):
            return False
        return self.folded in (text if self._caseless else text.casefold())


def occurrences(text: str, words: str) -> list[tuple[int, int]]:
    """Where a text holds words, whatever their case: each from, and up to, a character of it."""
    folded, wanted = text.casefold(), words.casefold()
    if not wanted or wanted not in folded:
        return []
    # Folding may lengthen a character: "ß" becomes "ss".
    origin = [at for at, one in enumerate(text) for _ in one.casefold()]
    found: list[tuple[int, int]] = []
    at = folded.find(wanted)
    while at >= 0:
        last = at + len(wanted)
        found.append((origin[at], origin[last - 1] + 1))
        at = folded.find(wanted, last)
    return found
