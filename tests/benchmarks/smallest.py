"""The smallest Textual program that paints something on each key: the floor to measure from."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.events import Key
from textual.widgets import Static


class Smallest(App[None]):
    """One line of text that counts the keys."""

    count = 0

    def compose(self) -> ComposeResult:
        """The line."""
        yield Static("ready 0")

    def on_key(self, event: Key) -> None:
        """Count."""
        self.count += 1
        self.query_one(Static).update(f"ready {self.count}")


if __name__ == "__main__":
    Smallest().run()
