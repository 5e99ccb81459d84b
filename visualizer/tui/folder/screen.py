"""Recordings in a folder, or those that clients keep, to choose one from and to come back to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from textual import work
from textual.message import Message
from textual.worker import Worker, get_current_worker

from visualizer.app.arriving import Arriving, first_part
from visualizer.app.glance import Glance, glance
from visualizer.app.session import Session
from visualizer.collection.places import Found, Recent, at_home, recordings_in
from visualizer.describe.phrases import safe
from visualizer.errors import TranscriptError, VisualizerError
from visualizer.loading import unforeseen
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.segments import Painted
from visualizer.tui.folder.painter import Row, folder, window, words_of
from visualizer.tui.lists.screen import Offer, PickerScreen

NAME = 60
WHERE = 200
KB = 1_000
MB = 1_000_000


class LeftError(Exception):
    """Nobody waits for what is being read."""


@dataclass
class Seen(Message):
    """What was found in a file of the list."""

    id: str
    seen: Glance | TranscriptError


class FolderScreen(PickerScreen):
    """A list of files. One that is chosen is read in the background, then stepped through.

    What those in view hold is read in the background, too, a file at a time. ``private`` are
    recordings of one's own: they are not shown in class.
    """

    def __init__(
        self, place: Path | Recent, loop: str | None = None, max_turns: int | None = None
    ) -> None:
        recent = place if isinstance(place, Recent) else None
        self.private = recent is not None
        self.folder = Path() if isinstance(place, Recent) else place
        found = place.found if isinstance(place, Recent) else recordings_in(place)
        self.loop, self.max_turns = loop, max_turns
        self.rows = [self._row(one) for one in found]
        self._sizes = {row.id: one.size for row, one in zip(self.rows, found, strict=True)}
        self._more = recent.more if recent else 0
        self._barred = recent.barred if recent else ()
        self._wanted = ""
        self._left = False
        self._looked: set[str] = set()  # rows that were read or are being read
        self._in_view: tuple[str, ...] = ()
        self._looking: Worker[None] | None = None
        super().__init__(Offer("folder.title_recent", lambda *_: [], self._choose))

    def on_mount(self) -> None:
        """Say which places could not be looked into."""
        self.status = safe(self.texts("folder.comma").join(self._barred), WHERE)

    def on_screen_suspend(self) -> None:
        """Nobody looks at the list: what is in it is no longer read."""
        self._stop_looking()

    def matching(self) -> list[Row]:
        """The rows that hold every word typed; of those not in view yet, only the names count."""
        words = self.line.text.casefold().split()
        if not words:
            return self.rows
        return [
            row
            for row in self.rows
            if all(word in words_of(row, self.texts).casefold() for word in words)
        ]

    def paint(self, width: int, height: int) -> Painted:
        """The line typed, and the files around the chosen one, which are then looked into."""
        rows = self.matching()
        foot = footer("picker", self.texts, self.glyphs, width, 1, self.status)
        title = self.texts("folder.title_recent" if self.private else "screen.picker.folder")
        place = {"at": self.at + 1 if rows else 0, "n": len(rows)}
        right = (
            self.texts("folder.count_more", more=self._more, **place)
            if self._more
            else self.texts("folder.count", **place)
        )
        self._in_view = tuple(rows[number].id for number in window(len(rows), self.at, height))
        self._look_on()
        return folder(title, right, self.line, rows, self.at, self.texts, foot, width, height)

    def down(self) -> None:
        """The file below."""
        self.at = max(0, min(len(self.matching()) - 1, self.at + 1))

    def choose(self, number: str = "") -> None:
        """Read the file; this list stays below."""
        rows = self.matching()
        at = int(number) if number else self.at
        if at < len(rows):
            self.at = at
            self._choose(rows[at].id)

    def cancel(self) -> None:
        """Leave; where nothing is below, the program."""
        self._left = True
        self._stop_looking()
        if len(self.app.screen_stack) > 1:
            self.app.pop_screen()
        else:
            self.app.exit()

    def on_seen(self, message: Seen) -> None:
        """A file was looked into; the one that is chosen stays chosen."""
        rows = self.matching()
        chosen = rows[self.at].id if self.at < len(rows) else ""
        self.rows = [
            row._replace(seen=message.seen) if row.id == message.id else row for row in self.rows
        ]
        ids = [row.id for row in self.matching()]
        self.at = ids.index(chosen) if chosen in ids else 0
        self.pane.repaint()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """What came into view while the last row was read is read next."""
        if event.worker is self._looking and event.worker.is_finished:
            self._look_on()

    def _look_on(self) -> None:
        """See to it that the rows in view are read, unless a file is that was chosen."""
        if self._left or self._wanted or self.app.screen is not self:
            return
        if self._looking is not None and not self._looking.is_finished:
            return
        if set(self._in_view) - self._looked:
            self._looking = self._look()

    def _stop_looking(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None

    @work(thread=True, group="looking", exit_on_error=True)
    def _look(self) -> None:
        """Read the rows in view, the topmost first, until none of them is left."""
        worker = get_current_worker()

        def watch(_: int) -> None:
            if worker.is_cancelled:
                raise LeftError

        while not worker.is_cancelled:
            wanted = next((one for one in self._in_view if one not in self._looked), None)
            if wanted is None:
                return
            self._looked.add(wanted)
            seen: Glance | TranscriptError
            try:
                path, size = self.folder / wanted, self._sizes[wanted]
                seen = glance(path, size, self.texts.language, watch)
            except TranscriptError as error:
                seen = error
            except LeftError:
                self._looked.discard(wanted)
                return
            except Exception as error:  # the other files stay
                seen = unforeseen(wanted, error)
            self.post_message(Seen(wanted, seen))

    def _choose(self, path: str) -> None:
        self._wanted = path
        self._stop_looking()
        self.status = self.texts("screen.folder.reading", file=safe(Path(path).name, NAME))
        self._read(path)

    @work(thread=True, exclusive=True, exit_on_error=True)
    def _read(self, path: str) -> None:
        file = self.folder / path
        arriving = None
        try:
            scenario, arriving = Arriving.begin(file, path, False, first_part(file))
            session = Session.open(scenario, self.loop, self.max_turns)
        except VisualizerError as error:
            self.app.call_from_thread(self._done, path, error)
        except Exception as error:
            self.app.call_from_thread(self._done, path, unforeseen(path, error))
        else:
            self.app.call_from_thread(self._done, path, session, arriving)

    def _done(
        self, path: str, made: Session | VisualizerError, arriving: Arriving | None = None
    ) -> None:
        if path != self._wanted or self.app.screen is not self:
            return
        self._wanted = ""
        if isinstance(made, VisualizerError):
            self.status = made.text(self.texts)
        else:
            self.status = ""
            self.visualizer.open_session(made, arriving)
        self.pane.repaint()

    def _row(self, one: Found) -> Row:
        """A file by its name, the folder it is in, how big it is, and when it was written."""
        where = at_home(one.path.parent)
        if not self.private:
            where = one.path.parent.relative_to(self.folder).as_posix()
        return Row(
            str(one.path if self.private else one.path.relative_to(self.folder)),
            safe(one.path.name, NAME),
            "" if where == "." else safe(where, WHERE),
            f"{one.size / MB:,.1f} MB" if one.size >= MB else f"{one.size / KB:,.0f} kB",
            one.day,
        )
