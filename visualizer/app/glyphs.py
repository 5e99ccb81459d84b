"""The few characters that lines and arrows are drawn with, in two sets.

Box lines and arrows are of ambiguous width: a terminal set up for Japanese may draw them two
cells wide. So they are used for English only, and the ASCII set always works.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of characters, each one cell wide where the set is used."""

    across: str
    down: str
    cross_down: str
    cross_up: str
    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    right: str
    left: str
    arrow_down: str
    ascii: bool

    @property
    def key_right(self) -> str:
        """The key Right."""
        return "->" if self.ascii else self.right

    @property
    def key_left(self) -> str:
        """The key Left."""
        return "<-" if self.ascii else self.left

    def rule(self, width: int) -> str:
        """A line across."""
        return self.across * max(width, 0)

    def arrow(self, length: int = 3) -> str:
        """An arrow to the right, ``length`` cells long."""
        return self.across * (length - 1) + self.right


BOX = Glyphs("─", "│", "┬", "┴", "┌", "┐", "└", "┘", "→", "←", "↓", False)
ASCII = Glyphs("-", "|", "+", "+", ".", ".", "'", "'", ">", "<", "v", True)
