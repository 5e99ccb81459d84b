"""What a host took out of the messages, whole: a long result as it was, a history replaced."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.app.session import Session
from visualizer.run.timeline import Compaction, Cut
from visualizer.tui.draw.segments import Line
from visualizer.tui.sheets.lost_text import cut_lines, replaced_lines
from visualizer.tui.sheets.screen import SheetScreen
from visualizer.tui.sheets.scrolling import Sheet


def takes_out(session: Session) -> bool:
    """Whether the step took something out that can be shown."""
    return isinstance(session.run.step(session.index).about, (Cut, Compaction))


class LostScreen(SheetScreen):
    """What was there before a step that truncates or compacts, and what is left of it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.index = session.index
        super().__init__(Sheet(1, self._lines))

    def heading(self) -> tuple[str, str]:
        """What was taken out, and of how much."""
        about = self.session.run.step(self.index).about
        if isinstance(about, Cut):
            size = f"{len(about.before.result_text):,}"
            return self.texts("screen.lost.result"), self.texts("screen.lost.size", n=size)
        return self.texts("screen.lost.history"), ""

    def _lines(self, item: int, width: int) -> Sequence[Line]:
        run = self.session.run
        step = run.step(self.index)
        if isinstance(step.about, Cut):
            return cut_lines(step.about, self.texts, width)
        return replaced_lines(run, step, self.texts, width)
