"""A poll: the question before the next step, for a whole room, without a score."""

from __future__ import annotations

from typing import ClassVar

from visualizer.app.options import keys
from visualizer.app.session import Session
from visualizer.lessons.predict import predict
from visualizer.lessons.questions import Question
from visualizer.tui.commands import DIGITS, LEAVE, command
from visualizer.tui.common import Look
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.segments import Painted
from visualizer.tui.painted_screen import PaintedScreen, Part
from visualizer.tui.poll.painter import poll


class PollScreen(PaintedScreen):
    """Only the question. Nothing is counted, and the answer waits for a key."""

    WHERE: ClassVar[Where] = "poll"
    PARTS: ClassVar[tuple[type[Part], ...]] = (Look,)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.marked: int | None = None
        self.revealed = False

    @property
    def question(self) -> Question:
        """The question, in the language of the moment."""
        found = predict(self.session.run, self.session.index, self.texts)
        assert found is not None, "a poll is opened where there is a question"
        return found

    def paint(self, width: int, height: int) -> Painted:
        """The question at a size."""
        foot = footer("poll", self.texts, self.glyphs, width, 1, self.status)
        question = self.question
        return poll(question, self.marked, self.revealed, self.texts, foot, width, height)

    @command("answer_poll", "enter", "space", group="class", palette=False)
    def answer_poll(self) -> None:
        """Show the answer, or hide it again."""
        self.revealed = not self.revealed

    @command("mark", *DIGITS, group="class", palette=False, numbered=True)
    def mark(self, number: str) -> None:
        """Mark what the room thinks; once more takes the mark away."""
        digits = keys(self.question)
        if number in digits:
            chosen = digits.index(number)
            self.marked = None if self.marked == chosen else chosen

    @LEAVE
    def leave(self) -> None:
        """Back to the run."""
        self.app.pop_screen()
