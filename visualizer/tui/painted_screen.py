"""What all screens share: one pane, parts with their commands, a line to type in or to say things.

A screen lists the parts that it is made of, and offers what they and it declare with
``@command``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from visualizer.app.glyphs import Glyphs
from visualizer.app.prompt import Prompt
from visualizer.i18n import Texts
from visualizer.tui.commands import Command, commands_of, key_of, keymap
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.pane import Pane

if TYPE_CHECKING:
    from visualizer.tui.draw.segments import Painted
    from visualizer.tui.host import Host


class Part:
    """A part of a screen: something that it offers, with the state that this needs."""

    def __init__(self, screen: PaintedScreen) -> None:
        self.screen = screen

    def may(self, command: str) -> bool:
        """Whether a command of the screen may be carried out now. What it ends, ends here."""
        return True

    def pause(self) -> None:
        """Stop what goes on by itself: the reader does something else."""

    def replaced(self) -> None:
        """The screen shows another session."""


P = TypeVar("P", bound=Part)


class PaintedScreen(Screen[None]):
    """A screen that is painted as a whole and does what its commands say."""

    WHERE: ClassVar[Where] = "sheet"
    PARTS: ClassVar[tuple[type[Part], ...]] = ()
    BINDINGS: ClassVar[list[BindingType]] = []  # every key comes from a command
    CSS = "PaintedScreen { overflow: hidden; }"
    AUTO_FOCUS = None

    if TYPE_CHECKING:

        def paint(self, width: int, height: int) -> Painted:
            """The screen at a size: each kind of screen has its own."""

    def __init__(self) -> None:
        super().__init__()
        self.status = ""
        self.prompt: Prompt | None = None
        self._then: Callable[[str], object] | None = None
        self.pane = Pane(self.paint, lambda: self.visualizer.look, self.act, self.wheel)
        self.parts = tuple(kind(self) for kind in self.PARTS)

    @classmethod
    def offers(cls) -> tuple[Command, ...]:
        """The commands of this kind of screen: those of its parts, then its own."""
        holders: tuple[type[Any], ...] = (*cls.PARTS, cls)
        found = {one.id: one for kind in holders for one in commands_of(kind).values()}
        return tuple(found.values())

    @property
    def offered(self) -> tuple[Command, ...]:
        """The commands that are offered now."""
        return self.offers()

    @cached_property
    def _methods(self) -> Mapping[str, Callable[..., object]]:
        """What carries out each command; the screen's own before a part's."""
        holders: tuple[Any, ...] = (*self.parts, self)
        return {
            one.id: getattr(holder, name)
            for holder in holders
            for name, one in commands_of(type(holder)).items()
        }

    @cached_property
    def keys(self) -> Mapping[str, str]:
        """Key -> command."""
        return keymap(self.offers())

    @property
    def visualizer(self) -> Host:
        """The app, which holds language, theme and borders."""
        return cast("Host", self.app)

    @property
    def texts(self) -> Texts:
        """The texts of the language chosen."""
        return self.visualizer.texts

    @property
    def glyphs(self) -> Glyphs:
        """The characters that lines are drawn with."""
        return self.visualizer.glyphs

    def part(self, kind: type[P]) -> P:
        """The part of a kind, which this screen has. Raises ``LookupError`` without one."""
        for one in self.parts:
            if isinstance(one, kind):
                return one
        raise LookupError(kind.__name__)

    def has(self, kind: type[Part]) -> bool:
        """Whether this screen has a part of a kind."""
        return any(isinstance(one, kind) for one in self.parts)

    def compose(self) -> ComposeResult:
        """The pane alone."""
        yield self.pane

    def on_screen_resume(self) -> None:
        """Language, theme or borders may have changed above this screen."""
        self.pane.repaint()

    def on_text_selected(self) -> None:
        """Text was selected with the mouse: say how to copy it."""
        if self.get_selected_text():
            self.say("screen.selected")

    def say(self, key: str) -> None:
        """Show a text on the line for messages."""
        self.status = self.texts(key)
        self.pane.repaint()

    async def on_key(self, event: events.Key) -> None:
        """A key acts as its command says; while something is typed, it is typed."""
        event.stop()
        event.prevent_default()
        if self.prompt is not None:
            self._type(event, self.prompt)
            return
        what = self.keys.get(key_of(event.key, event.character))
        if what is not None:
            self.act(what)

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted goes into the line being typed."""
        event.stop()
        if self.prompt is not None:
            self.prompt.insert(event.text)
            self.typed()

    def act(self, what: str) -> None:
        """Carry out a command, given as ``id`` or ``id:argument``."""
        name, _, argument = what.partition(":")
        self.status = ""
        if self.may(name):
            method = self._methods[name]
            if argument:
                method(argument)
            else:
                method()
            self.acted()
        self.pane.repaint()

    def may(self, command: str) -> bool:
        """Whether a command may be carried out now; why not has been said."""
        return all(part.may(command) for part in self.parts)

    def acted(self) -> None:
        """A command has been carried out."""

    def wheel(self, area: str, direction: int) -> None:
        """The mouse wheel over a part of the screen."""

    def ask(self, prompt: str | Prompt, then: Callable[[str], object]) -> None:
        """Let the reader type a line; ``then`` gets it."""
        self.prompt = Prompt(prompt) if isinstance(prompt, str) else prompt
        self._then = then
        self.pane.repaint()

    def typed(self) -> None:
        """The line being typed has changed."""
        self.pane.repaint()

    def look_changed(self) -> None:
        """Language or borders are others now."""

    def _type(self, event: events.Key, prompt: Prompt) -> None:
        if event.key == "escape":
            self.prompt = None
        elif event.key == "enter":
            self.prompt = None
            self.status = ""
            if self._then is not None:
                self._then(prompt.text)
        elif not prompt.edit(event.key) and event.is_printable and event.character:
            prompt.insert(event.character)
        self.typed()

    def suspend(self) -> None:
        """Stop, and let the shell have the terminal."""
        if not self.visualizer.stop_job():
            self.status = self.texts("screen.suspend.no_shell")
