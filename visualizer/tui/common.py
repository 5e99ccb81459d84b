"""What many screens offer: how things look, the program itself, and what a class needs."""

from __future__ import annotations

from visualizer.tui.commands import DIGITS, SHUFFLE, SUSPENDING, command
from visualizer.tui.painted_screen import Part


class Look(Part):
    """Theme, language, borders; and nothing at all, for a while."""

    @command("theme", "t", group="screen")
    def theme(self) -> None:
        """The next theme."""
        app = self.screen.visualizer
        app.next_theme()
        self.screen.status = self.screen.texts(f"screen.theme.{app.theme_name}")

    @command("language", "L", group="screen")
    def language(self) -> None:
        """The other language, everywhere at once."""
        self.screen.visualizer.next_language()
        self.screen.look_changed()

    @command("borders", "b", group="screen")
    def borders(self) -> None:
        """ASCII borders or box lines."""
        self.screen.visualizer.switch_borders()
        self.screen.look_changed()

    @command("suspend", *SUSPENDING, group="screen")
    def suspend(self) -> None:
        """Stop, and let the shell have the terminal."""
        self.screen.suspend()

    @command("blank", ".", group="class")
    def blank(self) -> None:
        """Nothing on the screen until any key."""
        self.screen.visualizer.go_blank()


class Program(Part):
    """Help, words, everything there is to do, and the way out."""

    @command("palette", ":", "ctrl+p", group="screen", palette=False)
    def palette(self) -> None:
        """Everything that can be done, to search in and choose from."""
        self.screen.visualizer.open_palette(self.screen.offered, self.screen.act)

    @command("help", "?", group="screen")
    def help(self) -> None:
        """All keys."""
        self.screen.visualizer.open_help(self.screen.offered)

    @command("glossary", "w", group="screen")
    def glossary(self) -> None:
        """What the words mean."""
        self.screen.visualizer.open_glossary()

    @command("quit", "q", group="screen")
    def quit(self) -> None:
        """Leave the program."""
        self.screen.app.exit()


class Shuffling(Part):
    """The shuffled lines of the loop."""

    @SHUFFLE
    def shuffle(self) -> None:
        """The shuffled lines of the loop, to put in order."""
        self.screen.visualizer.open_puzzle()


class Instructing(Part):
    """Explanations that wait until they are revealed."""

    @command("instructor", "I", group="class")
    def instructor(self) -> None:
        """Explanations wait to be revealed, or are shown at once."""
        classroom = self.screen.visualizer.classroom
        classroom.on = not classroom.on
        self.screen.status = self.screen.texts(
            f"screen.instructor.{'on' if classroom.on else 'off'}"
        )


class Agenda(Part):
    """The places that an instructor means to show."""

    @command("agenda", "a", group="class")
    def agenda(self) -> None:
        """The places of the agenda, to choose from."""
        if self.screen.visualizer.classroom.agenda:
            self.screen.visualizer.open_agenda(self._chosen)
        else:
            self.screen.status = self.screen.texts("screen.agenda.none")

    def show(self, number: str) -> None:
        """Show the place with this number in the agenda."""
        app = self.screen.visualizer
        entry = app.classroom.place(int(number))
        if entry is not None:
            self.screen.status = app.open_place(entry.locator)
        elif app.classroom.agenda:
            self.screen.status = self.screen.texts("screen.agenda.no_place", number=number)

    def _chosen(self, number: str) -> None:
        self.show(number)
        self.screen.pane.repaint()


class AgendaDigits(Part):
    """The digits open places of the agenda."""

    @command("agenda_place", *DIGITS, group="class", palette=False, numbered=True)
    def agenda_place(self, number: str) -> None:
        """The place with this number in the agenda."""
        self.screen.part(Agenda).show(number)
