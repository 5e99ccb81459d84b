"""Predict mode: before a check, a call or an end the reader says what comes.

What has not been seen yet is not in the session that is painted. Stepping back never asks
again; nothing moves on while a question waits.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from visualizer.app import options
from visualizer.app.session import Session
from visualizer.app.veil import neutral_title, veiled
from visualizer.app.view import PLAIN, Asking, Lens
from visualizer.i18n import Texts, texts
from visualizer.lessons.predict import predict
from visualizer.lessons.questions import Question
from visualizer.run.timeline import Run, Step

HIDES = {
    "sent": "sent",
    "new": "new",
    "model_calls": "calls",
    "tool_rounds": "rounds",
    "tool_calls": "tools",
    "thread_sent": "thread",
    "largest_part": "room",
    "unchanged": "same",
}
"""What a question asks for that the screen would show: kind -> the value hidden."""


def hidden_by(question: Question | None, step: Step) -> frozenset[str]:
    """The values that a question at a step hides. What an earlier call sent is no secret."""
    name = HIDES.get(question.kind, "") if question else ""
    return (
        frozenset() if not name or (name == "sent" and step.phase != "call") else frozenset({name})
    )


@dataclass
class Prediction:
    """How far a run has been seen, and what was answered on the way, by step."""

    session: Session
    frontier: int = 1
    right: int = 0
    asked: int = 0
    answers: dict[int, int | None] = field(default_factory=dict)
    _run: Run | None = None
    _seen: tuple[int, Session] | None = None

    def follow(self, session: Session) -> None:
        """Go on with a session: another scenario, or another run of the same."""
        if session is self.session and session.run is self._run:
            return
        kept = self.answers if session is self.session else {}
        self.session.gate = None
        self.session, self._run, self._seen = session, session.run, None
        self.frontier = session.index
        self.answers = {step: said for step, said in kept.items() if step < self.frontier}
        session.gate = self.reach

    def leave(self) -> None:
        """Let the session move freely again."""
        self.session.gate = None

    def reach(self, index: int) -> int:
        """How far a move to a step may go: up to the next question."""
        while self.frontier < index and self.question(texts("en")) is None:
            self.frontier += 1
        return min(index, self.frontier)

    def question(self, said: Texts) -> Question | None:
        """The question that waits at the furthest step seen."""
        if self.frontier in self.answers:
            return None
        return predict(self.session.run, self.frontier, said)

    def waiting(self, said: Texts) -> Question | None:
        """The question to answer now; None while an earlier step is looked at."""
        return self.question(said) if self.session.index == self.frontier else None

    def answer(self, digit: str, said: Texts) -> bool | None:
        """Answer with a digit; whether that is right, None for a guess or no option."""
        question = self.waiting(said)
        chosen = options.chosen(question, digit) if question else None
        if question is None or chosen is None:
            return None
        self.asked += question.scored
        self.right += question.scored and chosen == question.right
        self._go_on(chosen)
        return chosen == question.right if question.scored else None

    def skip(self, said: Texts) -> None:
        """Go on without an answer."""
        if self.waiting(said) is not None:
            self._go_on(None)

    @property
    def seen(self) -> Session:
        """The session up to what has been seen, and the next step where nothing is asked."""
        last = self.frontier + (self.question(texts("en")) is None)
        if self._seen is None or self._seen[0] != last:
            self._seen = last, veiled(self.session, last)
        session = self._seen[1]
        if session is not self.session:
            session.index = self.session.index
        return session

    def lens(self, said: Texts) -> Lens:
        """How the stepper looks while this goes on."""
        asking, question = self.asking(said), self.question(said)
        veil = self.frontier < len(self.session.run.steps)
        return Lens(
            choices=choices(question) if asking and asking.options else (),
            asking=asking,
            veiled=veil,
            hidden=hidden_by(question, self.session.run.step(self.frontier)),
            title=neutral_title(self.session) if veil else PLAIN.title,
            score=said("screen.predict.score", right=self.right, asked=self.asked),
            state="predict" if asking and asking.options else "predicted",
        )

    def asking(self, said: Texts) -> Asking | None:
        """The question that waits here, and what came of the one before it."""
        question = self.waiting(said)
        feedback, good = self._feedback(said)
        if question is None:
            return Asking(feedback=feedback, good=good) if feedback else None
        number = "" if question.scored else said("screen.answer.unscored")
        stamp = said("screen.answer.predict")
        return Asking(
            stamp,
            question.prompt,
            options.labels(question, said),
            options.keys(question),
            number=number,
            feedback=feedback,
            good=good,
            earlier=True,
        )

    def _feedback(self, said: Texts) -> tuple[str, bool | None]:
        """What came of the prediction at the step before this one."""
        asked_at = self.session.index - 1
        chosen = self.answers.get(asked_at)
        question = predict(self.session.run, asked_at, said) if chosen is not None else None
        if question is None or chosen is None:
            return "", None
        return feedback(question, chosen, said)

    def _go_on(self, chosen: int | None) -> None:
        self.answers[self.frontier] = chosen
        self.session.move(self.frontier + 1)


def choices(question: Question | None) -> tuple[tuple[int, str], ...]:
    """The lines of code that are options, with their digits."""
    if question is None or not question.lines:
        return ()
    return tuple(zip(question.lines, options.keys(question), strict=True))


def feedback(question: Question, chosen: int, said: Texts) -> tuple[str, bool | None]:
    """What to say to an answer, and whether it was right; None for a guess.

    A stamp says that it was right; then what is right is all there is to say.
    """
    if not question.scored:
        return question.feedback(chosen, said), None
    if chosen == question.right:
        return question.options[chosen], True
    return question.feedback(chosen, said), False
