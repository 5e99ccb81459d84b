"""The home screen: lessons as a course, then scenarios by what they show; Enter opens."""

from __future__ import annotations

from typing import ClassVar

from textual import events

from visualizer.app.course import course
from visualizer.app.prompt import Prompt
from visualizer.app.session import Session
from visualizer.app.shelf import Item, Shelf
from visualizer.errors import VisualizerError
from visualizer.tui.commands import CHOOSE, DOWN, QUIZ, UP, Command, command
from visualizer.tui.common import Agenda, AgendaDigits, Instructing, Look, Program, Shuffling
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.segments import Painted
from visualizer.tui.home.painter import Home, library
from visualizer.tui.painted_screen import PaintedScreen, Part

MOVES = {"up": "up", "down": "down", "pageup": "group_before", "pagedown": "group_after"}
"""The keys that move the choice while words are typed, too."""


class LibraryScreen(PaintedScreen):
    """All lessons and scenarios; the one looked at last, or to go on with, is chosen."""

    WHERE: ClassVar[Where] = "library"
    PARTS: ClassVar[tuple[type[Part], ...]] = (
        Look,
        Program,
        Shuffling,
        Instructing,
        Agenda,
        AgendaDigits,
    )

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.shelf = Shelf.with_lessons()
        self._name = name
        self.at = 0

    def on_mount(self) -> None:
        """Choose the entry that was asked for, else the lesson to go on with."""
        names = [item.name for item in self.items]
        if self._name in names:
            self.at = names.index(self._name)
        elif not self.visualizer.classroom.in_use:
            self.at = course(self.shelf, self.visualizer.progress).at or 0

    @property
    def offered(self) -> tuple[Command, ...]:
        """The commands; what is one's own is not offered to a class."""
        hidden = {"recent"} if self.visualizer.classroom.in_use else set()
        return tuple(one for one in self.offers() if one.id not in hidden)

    @property
    def items(self) -> list[Item]:
        """The entries that hold every word typed; all of them where nothing is typed."""
        items = self.shelf.items(private=not self.visualizer.classroom.in_use)
        words = self.prompt.text.casefold().split() if self.prompt else []
        if not words:
            return items
        said = [self.shelf.words(item, self.texts).casefold() for item in items]
        return [
            item
            for item, text in zip(items, said, strict=True)
            if all(word in text for word in words)
        ]

    def paint(self, width: int, height: int) -> Painted:
        """The list at a size."""
        foot = footer("library", self.texts, self.glyphs, width, 1, self.status)
        classroom = self.visualizer.classroom
        done = None if classroom.in_use else course(self.shelf, self.visualizer.progress)
        items = self.items
        self.at = max(0, min(self.at, len(items) - 1))
        home = Home(self.shelf, done, items, self.at, self.prompt)
        return library(home, self.texts, foot, width, height)

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
        self.at = max(0, min(len(self.items) - 1, self.at + 1))

    @command("group_before", "pageup", group="move")
    def group_before(self) -> None:
        """The first entry under this heading, then under the one before."""
        starts = self._starts()
        self.at = max((start for start in starts if start < self.at), default=self.at)

    @command("group_after", "pagedown", group="move")
    def group_after(self) -> None:
        """The first entry under the next heading; under the last one its last entry."""
        after = (start for start in self._starts() if start > self.at)
        self.at = next(after, max(len(self.items) - 1, 0))

    @command("first_entry", "home", group="move")
    def first_entry(self) -> None:
        """The first entry."""
        self.at = 0

    @command("last_entry", "end", group="move")
    def last_entry(self) -> None:
        """The last entry."""
        self.at = max(len(self.items) - 1, 0)

    @command("narrow", "/", group="find")
    def narrow(self) -> None:
        """Type words; what does not hold them is left out."""
        self.ask("pick", lambda _: None)

    @CHOOSE
    def choose(self, number: str = "") -> None:
        """Open the chosen entry; it stays the chosen one."""
        items = self.items
        if number:
            self.at = int(number)
        if self.at >= len(items):
            return
        chosen = items[self.at]
        self._all_again(chosen)
        try:
            if chosen.kind == "lesson":
                self._open_lesson(chosen.name)
            else:
                self._open_scenario(chosen.name)
        except VisualizerError as error:
            self.status = error.text(self.texts)

    def _type(self, event: events.Key, prompt: Prompt) -> None:
        """Arrows choose while words are typed; Enter opens, Escape shows all again."""
        items = self.items
        chosen = items[self.at] if self.at < len(items) else None
        if event.key in MOVES:
            self.act(MOVES[event.key])
        elif event.key == "enter":
            self.act("choose")
        elif event.key == "escape":
            self._all_again(chosen)
            self.pane.repaint()
        else:
            super()._type(event, prompt)
            items = self.items
            self.at = items.index(chosen) if chosen in items else 0

    def _all_again(self, chosen: Item | None) -> None:
        """Leave the words typed; the chosen entry stays where it was in the whole list."""
        self.prompt = None
        items = self.items
        self.at = items.index(chosen) if chosen in items else 0

    def _starts(self) -> list[int]:
        """The entries that stand first under a heading."""
        items = self.items
        return [
            number
            for number, item in enumerate(items)
            if number == 0 or item.group != items[number - 1].group
        ]

    @QUIZ
    def quiz(self) -> None:
        """The quiz of the chosen lesson."""
        from visualizer.app.quiz_session import QuizSession  # noqa: PLC0415
        from visualizer.lessons.files import load_lesson  # noqa: PLC0415

        items = self.items
        if self.at >= len(items) or items[self.at].kind != "lesson":
            self.status = self.texts("quiz.no_lesson")
            return
        try:
            lesson = load_lesson(items[self.at].name)
            begun = QuizSession.begin(lesson, self.visualizer.progress)
        except VisualizerError as error:
            self.status = error.text(self.texts)
            return
        self.status = self.visualizer.open_quiz(begun)

    @command("recent", "r", group="screen")
    def recent(self) -> None:
        """The recordings that clients keep for their users: looked for now, since it is asked."""
        from visualizer.collection.places import recent  # noqa: PLC0415
        from visualizer.tui.folder.screen import FolderScreen  # noqa: PLC0415

        if self.visualizer.classroom.in_use:
            self.status = self.texts("folder.in_class")
            return
        try:
            self.app.push_screen(FolderScreen(recent()))
        except VisualizerError as error:
            self.status = error.text(self.texts)

    def _open_scenario(self, name: str) -> None:
        found = self.shelf.entry(name)
        if isinstance(found, VisualizerError):
            raise found
        self.visualizer.open_session(Session.open(found))

    def _open_lesson(self, name: str) -> None:
        """A lesson: at the page seen last, else at the first one that was not seen."""
        from visualizer.app.lesson_session import LessonSession  # noqa: PLC0415
        from visualizer.lessons.files import load_lesson  # noqa: PLC0415

        progress = self.visualizer.progress
        found = load_lesson(name)
        station = course(self.shelf, progress).stations[self.shelf.lessons.index(name)]
        page = None if station.page is None else found.pages[station.page].id
        self.visualizer.open_lesson(LessonSession.open(found, progress, page))
