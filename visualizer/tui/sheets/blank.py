"""Nothing: a screen to look away from."""

from __future__ import annotations

from textual import events

from visualizer.tui.draw.segments import Painted, block
from visualizer.tui.painted_screen import PaintedScreen


class BlankScreen(PaintedScreen):
    """Empty until any key or click, which does nothing else."""

    def paint(self, width: int, height: int) -> Painted:
        """Empty lines."""
        return Painted(tuple(block([], width, height)))

    async def on_key(self, event: events.Key) -> None:
        """Back to the screen below."""
        event.stop()
        event.prevent_default()
        self.app.pop_screen()

    def on_click(self, event: events.Click) -> None:
        """Back to the screen below."""
        event.stop()
        self.app.pop_screen()
