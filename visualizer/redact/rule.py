"""What a rule is, and the pieces that several patterns are made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

Found = re.Match[str]

PLACEHOLDER = "[redacted:{kind}-{n}]"
USER = "user-{n}"

QUOTE = r"""\\{0,3}["'`]"""
"""A quotation mark, perhaps escaped: JSON inside a text, or inside JSON inside a text."""

LATIN = "A-Za-z0-9À-ÖØ-öø-ɏ"
"""Latin letters and digits, for a class. Where names end, other scripts may go on unparted."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing to take out: what it looks like and why it goes.

    The group ``secret`` of the pattern, else ``quoted`` or ``bare``, else all of it (or what
    ``part`` says) is replaced where ``accepts`` agrees. A text without any of ``hints`` is not
    searched. A value that was only ``named`` by what stands beside it is replaced wherever else
    it stands, too.
    """

    kind: str
    why: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    accepts: Callable[[Found], bool] | None = None
    named: bool = False
    form: str = PLACEHOLDER
    part: Callable[[Found], tuple[int, int]] | None = None

    def span(self, found: Found) -> tuple[int, int]:
        """Where the part that is replaced stands."""
        if self.part is not None:
            return self.part(found)
        for name in ("secret", "quoted", "bare"):
            if name in self.pattern.groupindex and found.start(name) >= 0:
                return found.span(name)
        return found.span()
