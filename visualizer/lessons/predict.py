"""Predict mode: which question to ask at a step of any scenario.

The choice depends only on what the reader can see, never on what comes: a question that is
asked only before an end would give the end away.
"""

from __future__ import annotations

from visualizer.i18n import Texts
from visualizer.lessons.model import QuestionKind
from visualizer.lessons.questions import Question, ask
from visualizer.run.timeline import Run, Step

_AFTER_APPEND: tuple[QuestionKind, ...] = ("sent", "returned", "new", "next_flag")
_AFTER_CALL: tuple[QuestionKind, ...] = ("next_line", "exit")
_AFTER_LAST_FLAG: tuple[QuestionKind, ...] = ("returned", "model_calls")


def predict(run: Run, index: int, texts: Texts) -> Question | None:
    """The question to ask before going on from a step; None where there is nothing to ask."""
    if index >= len(run.steps):
        return None
    kind = _kind(run.step(index))
    return None if kind is None else ask(kind, run, index, texts)


def _kind(step: Step) -> QuestionKind | None:
    turn = step.turn or 0
    if step.phase == "start":
        return "next_flag"
    if step.phase == "call":
        return _AFTER_CALL[turn % len(_AFTER_CALL)]
    if step.phase == "append":
        return _AFTER_APPEND[turn % len(_AFTER_APPEND)]
    if step.phase == "check" and step.stop_reason != "tool_use":
        return _AFTER_LAST_FLAG[turn % len(_AFTER_LAST_FLAG)]
    return None
