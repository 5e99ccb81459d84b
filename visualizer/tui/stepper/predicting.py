"""Predict mode on any scenario: what comes is asked for before it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from visualizer.app.session import Session
from visualizer.app.view import PLAIN, Lens
from visualizer.i18n import Texts
from visualizer.tui.commands import ANSWER, SKIP, command
from visualizer.tui.common import Agenda
from visualizer.tui.painted_screen import PaintedScreen
from visualizer.tui.run_screen import RunPart

if TYPE_CHECKING:
    from visualizer.app.prediction import Prediction

TELLING = frozenset({"compare", "caps"})
"""Commands that may tell how a run ends."""


class Predicting(RunPart):
    """Asks before the run goes on, where the reader wants that. The digits answer."""

    def __init__(self, screen: PaintedScreen) -> None:
        super().__init__(screen)
        self.prediction: Prediction | None = None

    @property
    def seen(self) -> Session:
        """The session; while predicting, as far as it has been seen."""
        return self.prediction.seen if self.prediction else self.screen.session

    @property
    def asks(self) -> bool:
        """Whether the reader predicts."""
        return self.prediction is not None

    def lens(self, texts: Texts) -> Lens:
        """What is asked and hidden."""
        if self.prediction is None:
            return PLAIN
        self.prediction.follow(self.screen.session)
        return self.prediction.lens(texts)

    def waits(self, texts: Texts) -> bool:
        """Whether a question waits for its answer."""
        return self.prediction is not None and self.prediction.waiting(texts) is not None

    def may(self, command: str) -> bool:
        """Another run is not shown while it would tell the end too early."""
        if command not in TELLING or self.prediction is None:
            return True
        if not self.lens(self.screen.texts).veiled:
            return True
        self.screen.pause()
        self.screen.status = self.screen.texts("screen.predict.no_compare")
        return False

    @command("predict", "p", group="learn")
    def predict(self) -> None:
        """Begin to predict what comes, or stop that."""
        from visualizer.app.prediction import Prediction  # noqa: PLC0415

        screen = self.screen
        screen.pause()
        if self.prediction is not None:
            self.leave()
            screen.status = screen.texts("screen.predict.off")
            return
        self.prediction = Prediction(screen.session)
        self.prediction.follow(screen.session)
        screen.status = screen.texts("screen.predict.on")

    def leave(self) -> None:
        """Predict no more."""
        if self.prediction is not None:
            self.prediction.leave()
            self.prediction = None

    @ANSWER
    def answer(self, number: str) -> None:
        """Answer the question that waits; where none does, a digit opens a place of the agenda."""
        texts = self.screen.texts
        if self.prediction is None or self.prediction.waiting(texts) is None:
            self.screen.part(Agenda).show(number)
            return
        asked = self.prediction.asked
        right = self.prediction.answer(number, texts)
        if self.prediction.asked > asked:
            self.screen.visualizer.progress.predict(bool(right))
            self.screen.visualizer.keep_progress()

    @SKIP
    def skip(self) -> None:
        """Go on without an answer."""
        if self.prediction is not None:
            self.prediction.skip(self.screen.texts)


class Poll(RunPart):
    """The same question for a whole room."""

    @command("poll", "P", group="class")
    def poll(self) -> None:
        """The question before the next step, alone on the screen."""
        from visualizer.lessons.predict import predict  # noqa: PLC0415
        from visualizer.tui.poll.screen import PollScreen  # noqa: PLC0415

        screen = self.screen
        screen.pause()
        if predict(screen.session.run, screen.session.index, screen.texts) is None:
            screen.status = screen.texts("screen.poll.nothing")
        else:
            screen.app.push_screen(PollScreen(screen.session))
