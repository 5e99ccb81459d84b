"""Recordings in a folder, or those that clients keep, to choose one from and to come back to."""

from __future__ import annotations

from pathlib import Path

from textual import work

from visualizer.describe.phrases import safe
from visualizer.errors import VisualizerError
from visualizer.i18n import Texts
from visualizer.loading import load_transcript
from visualizer.places import Found, Recent, at_home, recordings_in
from visualizer.tui.paint.picker import Entry
from visualizer.tui.screens.choices import holding
from visualizer.tui.screens.picker import Offer, PickerScreen
from visualizer.tui.session import Session

NAME = 60
WHERE = 30
MB = 1_000_000


class FolderScreen(PickerScreen):
    """A list of files. One that is chosen is read in the background, then stepped through.

    ``private`` are recordings of one's own: they are not shown in class.
    """

    def __init__(
        self, folder: Path | Recent, loop: str | None = None, max_turns: int | None = None
    ) -> None:
        self.private = isinstance(folder, Recent)
        self.folder = Path() if isinstance(folder, Recent) else folder
        self.found = folder.found if isinstance(folder, Recent) else recordings_in(folder)
        self.loop, self.max_turns = loop, max_turns
        self.entries_of = [self._entry(one) for one in self.found]
        self._more = folder.more if isinstance(folder, Recent) else 0
        self._wanted = ""
        title = "folder.title_recent" if self.private else "screen.picker.folder"
        super().__init__(Offer(title, self._matching, self._choose))

    def on_mount(self) -> None:
        """Say how many there are beside those listed."""
        if self._more:
            self.status = self.texts.count("folder.more_recent", self._more)

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
        """Leave; where nothing is below, the program."""
        if len(self.app.screen_stack) > 1:
            self.app.pop_screen()
        else:
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

    def _entry(self, one: Found) -> Entry:
        """A file by its name, when it was written, how big it is, and the folder it is in."""
        size = f"{one.size / MB:,.1f} MB"
        return Entry(
            str(one.path if self.private else one.path.relative_to(self.folder)),
            safe(one.path.name, NAME),
            f"{one.day}  {size:>11}",
            self._where(one.path.parent),
        )

    def _where(self, folder: Path) -> str:
        """The folder of a file: below the one that is listed; of one's own, the end of it."""
        if not self.private:
            inside = folder.relative_to(self.folder).as_posix()
            return "" if inside == "." else safe(inside, WHERE)
        whole = safe(at_home(folder), 4 * WHERE)
        return whole if len(whole) <= WHERE else f"...{whole[3 - WHERE :]}"
