"""A list to choose from, narrowed down by typing: scenarios, and everything one can do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events

from visualizer.app.glyphs import Glyphs
from visualizer.app.prompt import Prompt
from visualizer.errors import VisualizerError
from visualizer.i18n import Texts
from visualizer.text import display_safe
from visualizer.tui.commands import CHOOSE, DOWN, UP, Command, command, key_of
from visualizer.tui.draw.footer import footer, key_name
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.segments import Painted
from visualizer.tui.lists.painter import Entry, picker
from visualizer.tui.painted_screen import PaintedScreen

if TYPE_CHECKING:
    from visualizer.app.shelf import Shelf


@dataclass
class Offer:
    """What a picker offers: a title, entries that match some words, and what choosing does."""

    title: str
    matching: Callable[[Texts, str], list[Entry]]
    chosen: Callable[[str], object]


class PickerScreen(PaintedScreen):
    """Type to narrow down, arrows to move, Enter to choose."""

    WHERE: ClassVar[Where] = "picker"

    def __init__(self, offer: Offer, at: int = 0) -> None:
        super().__init__()
        self.offer = offer
        self.line = Prompt("pick")
        self.at = at

    def entries(self) -> list[Entry]:
        """What is left to choose from."""
        return self.offer.matching(self.texts, self.line.text)

    def paint(self, width: int, height: int) -> Painted:
        """The line typed, and the entries around the chosen one."""
        foot = footer("picker", self.texts, self.glyphs, width, 1, self.status)
        title = self.texts(self.offer.title)
        return picker(title, self.line, self.entries(), self.at, self.texts, foot, width, height)

    async def on_key(self, event: events.Key) -> None:
        """Characters narrow down; the rest is in the table."""
        event.stop()
        event.prevent_default()
        what = self.keys.get(key_of(event.key, event.character))
        if what is not None:
            self.act(what)
            return
        if not self.line.edit(event.key) and event.is_printable and event.character:
            self.line.insert(event.character)
        self.at = 0
        self.pane.repaint()

    def on_paste(self, event: events.Paste) -> None:
        """Pasted words narrow down, too."""
        event.stop()
        self.line.insert(event.text)
        self.at = 0
        self.pane.repaint()

    def wheel(self, area: str, direction: int) -> None:
        """The wheel moves the choice."""
        self.act("down" if direction > 0 else "up")

    @UP
    def up(self) -> None:
        """The entry above."""
        self.at = max(0, self.at - 1)

    @DOWN
    def down(self) -> None:
        """The entry below."""
        self.at = max(0, min(len(self.entries()) - 1, self.at + 1))

    @CHOOSE
    def choose(self, number: str = "") -> None:
        """Take the entry, and leave."""
        entries = self.entries()
        at = int(number) if number else self.at
        if at < len(entries):
            self.app.pop_screen()
            self.offer.chosen(entries[at].id)

    @command("cancel", "escape", group="screen", palette=False)
    def cancel(self) -> None:
        """Leave without choosing."""
        self.app.pop_screen()


def scenarios(
    current: str, open_scenario: Callable[[str], object], veil: str = "", private: bool = True
) -> PickerScreen:
    """All scenarios, the current one chosen; choosing one opens it.

    With ``veil``, that stands for title, summary and name of the current one, which may tell
    how a run ends that is being predicted. Without ``private``, one's own are left out.
    """
    from visualizer.app.shelf import Shelf  # noqa: PLC0415

    shelf = Shelf()
    names = [name for group in shelf.groups(private) for name in group.names]

    def matching(texts: Texts, words: str) -> list[Entry]:
        entries = [
            Entry(name, veil, "", "") if veil and name == current else _scenario(shelf, name, texts)
            for name in names
        ]
        return [entry for entry in entries if _holds(entry, words, entry.title != veil)]

    at = names.index(current) if current in names else 0
    return PickerScreen(Offer("screen.picker.scenarios", matching, open_scenario), at)


def palette(
    offered: Sequence[Command], act: Callable[[str], object], glyphs: Glyphs
) -> PickerScreen:
    """Everything that can be done on a screen; choosing does it."""

    def matching(texts: Texts, words: str) -> list[Entry]:
        entries = [
            Entry(
                one.id,
                texts(f"screen.action.{one.id}"),
                texts(f"screen.action.{one.id}.help"),
                " ".join(key_name(key, texts, glyphs) for key in one.keys),
            )
            for one in offered
            if one.palette
        ]
        return [entry for entry in entries if _holds(entry, words)]

    return PickerScreen(Offer("screen.picker.actions", matching, act))


def _holds(entry: Entry, words: str, named: bool = True) -> bool:
    text = f"{entry.id if named else ''} {entry.title} {entry.detail}".casefold()
    return all(word in text for word in words.casefold().split())


def _scenario(shelf: Shelf, name: str, texts: Texts) -> Entry:
    found = shelf.entry(name)
    shown = display_safe(name)
    if isinstance(found, VisualizerError):
        return Entry(name, shown, found.text(texts), "")
    language = texts.language
    title = display_safe(found.title(language))
    return Entry(name, title, display_safe(found.summary(language)), shown)
