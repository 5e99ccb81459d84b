"""Predict mode on any scenario: what comes is asked for before it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from visualizer.tui.screens.moving import MovingScreen
from visualizer.tui.session import Session
from visualizer.tui.view import PLAIN, Lens

if TYPE_CHECKING:
    from visualizer.tui.prediction import Prediction


class PredictingScreen(MovingScreen):
    """A screen that can ask before it goes on. The digits answer."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.prediction: Prediction | None = None

    @property
    def seen(self) -> Session:
        """The session; while predicting, as far as it has been seen."""
        return self.prediction.seen if self.prediction else self.session

    def lens(self) -> Lens:
        """What is asked and hidden."""
        if self.prediction is None:
            return PLAIN
        self.prediction.follow(self.session)
        return self.prediction.lens(self.texts)

    def stuck(self) -> str:
        """Why there is no going on: a question waits, or this is the end."""
        if self.prediction is not None and self.prediction.waiting(self.texts):
            return self.texts("screen.predict.waiting")
        return super().stuck()

    def do_predict(self) -> None:
        """Begin to predict what comes, or stop that."""
        from visualizer.tui.prediction import Prediction  # noqa: PLC0415

        self._stop()
        if self.prediction is not None:
            self.prediction.leave()
            self.prediction = None
            self.status = self.texts("screen.predict.off")
            return
        self.prediction = Prediction(self.session)
        self.prediction.follow(self.session)
        self.status = self.texts("screen.predict.on")

    def do_compare(self) -> None:
        """Another run beside, unless that would tell how this one ends before it is predicted."""
        if not self._would_tell():
            super().do_compare()

    def do_caps(self) -> None:
        """The table of caps, under the same condition."""
        if not self._would_tell():
            super().do_caps()

    def _would_tell(self) -> bool:
        """Whether another run would tell the end too early; then that is said."""
        if self.prediction is None or not self.lens().veiled:
            return False
        self._stop()
        self.status = self.texts("screen.predict.no_compare")
        return True

    def do_answer(self, number: str) -> None:
        """Answer the question that waits; where none does, a digit opens a place of the agenda."""
        if self.prediction is None or self.prediction.waiting(self.texts) is None:
            self.do_agenda_place(number)
            return
        asked = self.prediction.asked
        right = self.prediction.answer(number, self.texts)
        if self.prediction.asked > asked:
            self.visualizer.progress.predict(bool(right))
            self.visualizer.keep_progress()

    def do_skip(self) -> None:
        """Go on without an answer."""
        if self.prediction is not None:
            self.prediction.skip(self.texts)
