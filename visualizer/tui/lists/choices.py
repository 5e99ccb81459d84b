"""Lists to choose from: the loops on show, the places of an agenda."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from visualizer.app.agenda import Entry as AgendaEntry
from visualizer.app.classroom import Classroom, entry_title, place_name
from visualizer.i18n import Texts
from visualizer.loops.registry import is_about_the_cap
from visualizer.text import display_safe
from visualizer.tui.lists.painter import Entry
from visualizer.tui.lists.screen import Offer, PickerScreen


def loops(
    current: str,
    chosen: Callable[[str], object],
    title: str = "screen.picker.loops",
    more: str = "",
) -> PickerScreen:
    """All loops on show, the current one chosen; ``more`` is one entry before them."""
    from visualizer.loops.registry import loop_names  # noqa: PLC0415

    names = loop_names()
    at = names.index(current) if current in names else 0

    def matching(texts: Texts, words: str) -> list[Entry]:
        entries = [_loop(name, texts) for name in names]
        if more:
            entries.insert(0, Entry(more, more, texts("screen.picker.more_turns"), ""))
        return holding(entries, words)

    return PickerScreen(Offer(title, matching, chosen), 0 if more else at)


def agenda(classroom: Classroom, chosen: Callable[[str], object]) -> PickerScreen:
    """The places of the agenda by their numbers."""

    def matching(_: Texts, words: str) -> list[Entry]:
        entries = [
            Entry(str(number), f"{number}  {entry_title(entry)}", _where(entry), "")
            for number, entry in enumerate(classroom.agenda, start=1)
        ]
        return holding(entries, words)

    return PickerScreen(Offer("screen.picker.agenda", matching, chosen))


def _where(entry: AgendaEntry) -> str:
    """The place, where the title does not say it."""
    place = place_name(entry)
    return "" if place == entry_title(entry) else place


def _loop(name: str, texts: Texts) -> Entry:
    """A loop with what it does, as far as the catalogue knows it."""
    try:
        told = texts(f"screen.loop.{name}")
    except KeyError:
        told = ""
    group = texts("screen.loop.about_the_cap") if is_about_the_cap(name) else ""
    return Entry(name, display_safe(name), told, group)


def holding(entries: Sequence[Entry], words: str) -> list[Entry]:
    """The entries that hold every one of the words."""
    wanted = words.casefold().split()
    return [
        entry
        for entry in entries
        if all(word in f"{entry.id} {entry.title} {entry.detail}".casefold() for word in wanted)
    ]
