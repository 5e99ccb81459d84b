"""Looking closer: the request, the messages, what takes room, the code, what is counted."""

from __future__ import annotations

from visualizer.tui.commands import NEWER, OLDER, SELECT, command
from visualizer.tui.run_screen import RunPart


class Closer(RunPart):
    """What a step can be looked at in more detail."""

    @command("request", "r")
    def request(self) -> None:
        """The exact request of the current call."""
        from visualizer.tui.sheets.request import RequestScreen  # noqa: PLC0415

        screen = self.screen
        screen.pause()
        run = screen.seen.run
        if not run.calls:
            screen.status = screen.texts("screen.no_request")
            return
        call = run.call_at(screen.session.index) or run.calls[0]
        screen.app.push_screen(RequestScreen(screen.seen, call))

    @command("room", "T")
    def room(self) -> None:
        """What takes room in the calls so far, part by part."""
        from visualizer.tui.sheets.room import RoomScreen  # noqa: PLC0415
        from visualizer.tui.sheets.room_bars import HIDING  # noqa: PLC0415

        screen = self.screen
        screen.pause()
        secret = bool(screen.view().lens.hidden & HIDING)
        screen.app.push_screen(RoomScreen(screen.seen, secret))

    @command("events", "m")
    def events(self) -> None:
        """The run as the stream of messages that an SDK would emit."""
        from visualizer.sdk import stream_of  # noqa: PLC0415
        from visualizer.tui.events.screen import EventsScreen  # noqa: PLC0415

        screen = self.screen
        screen.pause()
        seen = screen.seen
        screen.later(
            lambda: stream_of(seen.run, seen.scenario),
            lambda stream: screen.app.push_screen(EventsScreen(screen, stream)),
        )

    @OLDER
    def older(self) -> None:
        """Select the message above."""
        self._move(-1)

    @NEWER
    def newer(self) -> None:
        """Select the message below."""
        self._move(1)

    @SELECT
    def select(self, position: str) -> None:
        """Select a message; when it is selected already, show it whole."""
        if self.screen.settings.selected == int(position):
            self.expand()
        else:
            self.screen.settings.selected = int(position)

    @command("expand", "e")
    def expand(self) -> None:
        """The selected message, or the last, whole."""
        from visualizer.tui.sheets.lost import LostScreen, takes_out  # noqa: PLC0415
        from visualizer.tui.sheets.message import MessageScreen  # noqa: PLC0415

        screen = self.screen
        screen.pause()
        if screen.settings.selected is None and takes_out(screen.seen):
            screen.app.push_screen(LostScreen(screen.seen))
            return
        last = self._last()
        chosen = screen.settings.selected
        position = last if chosen is None else min(chosen, last)
        if position >= 0:
            screen.app.push_screen(MessageScreen(screen.seen, position, screen.settings.query))

    @command("unfold", "c")
    def unfold(self) -> None:
        """All of the code, or only what fits."""
        self.screen.settings.unfolded = not self.screen.settings.unfolded

    @command("counts", "i")
    def counts(self) -> None:
        """Show or hide what is counted."""
        self.screen.settings.counts = not self.screen.settings.counts

    def _move(self, change: int) -> None:
        last, chosen = self._last(), self.screen.settings.selected
        start = (last + 1 if change < 0 else last) if chosen is None else min(chosen, last)
        self.screen.settings.selected = max(0, min(last, start + change))

    def _last(self) -> int:
        session = self.screen.session
        return session.run.step(session.index).messages - 1
