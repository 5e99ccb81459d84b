"""The recordings in a folder, to choose one from and to come back to."""

from __future__ import annotations

from pathlib import Path

from textual import work

from visualizer.describe.phrases import safe
from visualizer.errors import VisualizerError
from visualizer.i18n import Texts
from visualizer.loading import load_transcript
from visualizer.tui.folder import Found, recordings_in
from visualizer.tui.paint.picker import Entry
from visualizer.tui.screens.choices import holding
from visualizer.tui.screens.picker import Offer, PickerScreen
from visualizer.tui.session import Session

NAME = 60
WHERE = 30
MB = 1_000_000


class FolderScreen(PickerScreen):
    """A list of files. One that is chosen is read in the background, then stepped through."""

    def __init__(self, folder: Path, loop: str | None = None, max_turns: int | None = None) -> None:
        self.folder = folder
        self.loop, self.max_turns = loop, max_turns
        self.entries_of = [_entry(folder, one) for one in recordings_in(folder)]
        self._wanted = ""
        super().__init__(Offer("screen.picker.folder", self._matching, self._choose))

    def _matching(self, _: Texts, words: str) -> list[Entry]:
        return holding(self.entries_of, words)

    def do_choose(self, number: str = "") -> None:
        """Read the file; this list stays below."""
        entries = self.entries()
        at = int(number) if number else self.at
        if at < len(entries):
            self.at = at
            self._choose(entries[at].id)

    def do_cancel(self) -> None:
        """Leave: there is nothing below."""
        self.app.exit()

    def _choose(self, path: str) -> None:
        self._wanted = path
        self.status = self.texts("screen.folder.reading", file=safe(Path(path).name, NAME))
        self._read(path)

    @work(thread=True, exclusive=True, exit_on_error=True)
    def _read(self, path: str) -> None:
        try:
            session = Session.open(load_transcript(self.folder / path), self.loop, self.max_turns)
        except VisualizerError as error:
            self.app.call_from_thread(self._done, path, error)
        else:
            self.app.call_from_thread(self._done, path, session)

    def _done(self, path: str, made: Session | VisualizerError) -> None:
        if path != self._wanted or self.app.screen is not self:
            return
        self._wanted = ""
        if isinstance(made, VisualizerError):
            self.status = made.text(self.texts)
        else:
            self.status = ""
            self.visualizer.open_session(made)
        self.pane.repaint()


def _entry(folder: Path, one: Found) -> Entry:
    """A file by its name, when it was written, how big it is, and the folder it is in."""
    inside = one.path.parent.relative_to(folder).as_posix()
    size = f"{one.size / MB:,.1f} MB"
    where = "" if inside == "." else safe(inside, WHERE)
    return Entry(
        str(one.path.relative_to(folder)),
        safe(one.path.name, NAME),
        f"{one.day}  {size:>11}",
        where,
    )
