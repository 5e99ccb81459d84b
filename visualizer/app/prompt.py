"""A line being typed at the foot of a screen: a place to go to, words to search for."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

LONGEST = 200


@dataclass(slots=True)
class Prompt:
    """The text typed so far and where the cursor is in it.

    ``longest`` is how many characters it takes; with ``lines`` a pasted line break stays, as
    ``\\n``.
    """

    kind: str
    text: str = ""
    cursor: int = 0
    longest: int = LONGEST
    lines: bool = False

    def parts(self) -> tuple[str, str, str]:
        """The text before, at and after the cursor."""
        return (
            self.text[: self.cursor],
            self.text[self.cursor : self.cursor + 1],
            self.text[self.cursor + 1 :],
        )

    def insert(self, text: str) -> None:
        """Put in what was typed or pasted; only its first line, without control characters."""
        found = text.splitlines() or [""]
        line = "\\n".join(found) if self.lines else found[0]
        kept = "".join(char for char in line if unicodedata.category(char)[0] != "C")
        kept = kept[: max(self.longest - len(self.text), 0)]
        self.text = self.text[: self.cursor] + kept + self.text[self.cursor :]
        self.cursor += len(kept)

    def edit(self, key: str) -> bool:
        """Move or delete, as ``key`` says. False where the key means nothing here."""
        end = len(self.text)
        if key == "backspace" and self.cursor:
            self.text = self.text[: self.cursor - 1] + self.text[self.cursor :]
            self.cursor -= 1
        elif key == "delete":
            self.text = self.text[: self.cursor] + self.text[self.cursor + 1 :]
        elif key == "ctrl+u":
            self.text, self.cursor = self.text[self.cursor :], 0
        elif key in ("left", "right", "home", "end"):
            places = {"left": self.cursor - 1, "right": self.cursor + 1, "home": 0, "end": end}
            self.cursor = max(0, min(end, places[key]))
        else:
            return key == "backspace"
        return True
