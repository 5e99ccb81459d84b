"""The words that the program uses, to look up."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.describe.glossary import WORDS, words
from visualizer.text import wrap
from visualizer.tui.draw.segments import Line, Seg, fit
from visualizer.tui.sheets.screen import SheetScreen
from visualizer.tui.sheets.scrolling import Sheet


class GlossaryScreen(SheetScreen):
    """Each word, with its meaning below it."""

    def __init__(self) -> None:
        super().__init__(Sheet(len(WORDS), self._lines))

    def heading(self) -> tuple[str, str]:
        """The title, and how many words there are."""
        return self.texts("glossary.title"), str(len(WORDS))

    def _lines(self, item: int, width: int) -> Sequence[Line]:
        word = list(words(self.texts))[item]
        told = [(Seg("   "), Seg(part)) for part in wrap(word.means, min(width, 100) - 5)]
        return [(Seg(" "), Seg(word.word, "title")), *told, fit([], width)]
