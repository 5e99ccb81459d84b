"""What all screens share: one pane, the action table, a line to type in, a line to say things."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from visualizer.i18n import Texts
from visualizer.tui.actions import Where, key_of, keymap
from visualizer.tui.paint.glyphs import Glyphs
from visualizer.tui.paint.segments import Painted
from visualizer.tui.prompt import Prompt
from visualizer.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from visualizer.tui.app import VisualizerApp


class PaintedScreen(Screen[None]):
    """A screen that is painted as a whole and does what the action table says."""

    WHERE: ClassVar[Where] = "sheet"
    BINDINGS: ClassVar[list[BindingType]] = []  # every key comes from the action table
    CSS = "PaintedScreen { overflow: hidden; }"
    AUTO_FOCUS = None

    def __init__(self) -> None:
        super().__init__()
        self.status = ""
        self.prompt: Prompt | None = None
        self.pane = Pane(self.paint, lambda: self.visualizer.look, self.act, self.wheel)

    @property
    def visualizer(self) -> VisualizerApp:
        """The app, which holds language, theme and borders."""
        return cast("VisualizerApp", self.app)

    @property
    def texts(self) -> Texts:
        """The texts of the language chosen."""
        return self.visualizer.texts

    @property
    def glyphs(self) -> Glyphs:
        """The characters that lines are drawn with."""
        return self.visualizer.glyphs

    @property
    def hidden(self) -> frozenset[str]:
        """The actions of the table that are not offered now."""
        return frozenset()

    def compose(self) -> ComposeResult:
        """The pane alone."""
        yield self.pane

    def paint(self, width: int, height: int) -> Painted:
        """The screen at a size."""
        raise NotImplementedError

    def on_screen_resume(self) -> None:
        """Language, theme or borders may have changed above this screen."""
        self.pane.repaint()

    async def on_key(self, event: events.Key) -> None:
        """A key acts as the table says; while something is typed, it is typed."""
        event.stop()
        event.prevent_default()
        if self.prompt is not None:
            self._type(event, self.prompt)
            return
        action = keymap(self.WHERE).get(key_of(event.key, event.character))
        if action is not None:
            self.act(action)

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted goes into the line being typed."""
        event.stop()
        if self.prompt is not None:
            self.prompt.insert(event.text)
            self.typed()

    def act(self, what: str) -> None:
        """Carry out an action, given as ``id`` or ``id:argument``."""
        name, _, argument = what.partition(":")
        self.status = ""
        method: Callable[..., None] = getattr(self, f"do_{name}")
        if argument:
            method(argument)
        else:
            method()
        self.pane.repaint()

    def wheel(self, area: str, direction: int) -> None:
        """The mouse wheel over a part of the screen."""

    def ask(self, kind: str) -> None:
        """Begin to type a line; ``answered`` gets it."""
        self.prompt = Prompt(kind)
        self.pane.repaint()

    def answered(self, kind: str, text: str) -> None:
        """A line has been typed."""

    def typed(self) -> None:
        """The line being typed has changed."""
        self.pane.repaint()

    def _type(self, event: events.Key, prompt: Prompt) -> None:
        if event.key == "escape":
            self.prompt = None
        elif event.key == "enter":
            self.prompt = None
            self.status = ""
            self.answered(prompt.kind, prompt.text)
        elif not prompt.edit(event.key) and event.is_printable and event.character:
            prompt.insert(event.character)
        self.typed()

    def do_theme(self) -> None:
        """The next theme."""
        self.visualizer.next_theme()
        self.status = self.texts(f"screen.theme.{self.visualizer.theme_name}")

    def do_language(self) -> None:
        """The other language, everywhere at once."""
        self.visualizer.next_language()

    def do_borders(self) -> None:
        """ASCII borders or box lines."""
        self.visualizer.switch_borders()

    def do_quit(self) -> None:
        """Leave the program."""
        self.app.exit()

    def do_suspend(self) -> None:
        """Stop, and let the shell have the terminal."""
        if not self.visualizer.stop_job():
            self.status = self.texts("screen.suspend.no_shell")

    def do_help(self) -> None:
        """All keys."""
        from visualizer.tui.screens.help import HelpScreen  # noqa: PLC0415

        self.app.push_screen(HelpScreen(self.WHERE, self.hidden))

    def do_glossary(self) -> None:
        """What the words mean."""
        from visualizer.tui.screens.glossary import GlossaryScreen  # noqa: PLC0415

        self.app.push_screen(GlossaryScreen())

    def do_blank(self) -> None:
        """Nothing on the screen until any key."""
        from visualizer.tui.screens.blank import BlankScreen  # noqa: PLC0415

        self.app.push_screen(BlankScreen())

    def do_instructor(self) -> None:
        """Explanations wait to be revealed, or are shown at once."""
        classroom = self.visualizer.classroom
        classroom.on = not classroom.on
        self.status = self.texts(f"screen.instructor.{'on' if classroom.on else 'off'}")

    def do_agenda(self) -> None:
        """The places of the agenda, to choose from."""
        from visualizer.tui.screens.choices import agenda  # noqa: PLC0415

        classroom = self.visualizer.classroom
        if classroom.agenda:
            self.app.push_screen(agenda(classroom, self.act_on_place))
        else:
            self.status = self.texts("screen.agenda.none")

    def do_agenda_place(self, number: str) -> None:
        """The place with this number in the agenda."""
        entry = self.visualizer.classroom.place(int(number))
        if entry is not None:
            self.status = self.visualizer.open_place(entry.locator)
        elif self.visualizer.classroom.agenda:
            self.status = self.texts("screen.agenda.no_place", number=number)

    def act_on_place(self, number: str) -> None:
        """A place was chosen from the list of the agenda."""
        self.act(f"agenda_place:{number}")

    def do_shuffle(self) -> None:
        """The shuffled lines of the loop, to put in order."""
        from visualizer.tui.screens.shuffle import ShuffleScreen  # noqa: PLC0415

        self.app.push_screen(ShuffleScreen())

    def do_palette(self) -> None:
        """Everything that can be done, to search in and choose from."""
        from visualizer.tui.screens.picker import palette  # noqa: PLC0415

        self.app.push_screen(palette(self))
