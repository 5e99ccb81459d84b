"""Which digit stands for which option of a question.

Where the options are numbers, the digit is the number: who means 3 presses 3. Otherwise the
options are counted from 1.
"""

from __future__ import annotations

from visualizer.i18n import Texts
from visualizer.lessons.questions import Question

COUNTED = frozenset(
    {"sent", "new", "sent_in_all", "model_calls", "tool_rounds", "smallest_max_turns"}
)
"""Questions for a number; ``screen.unit.<kind>`` says of what."""
HIGHEST = 9


def keys(question: Question) -> tuple[str, ...]:
    """The digit of each option."""
    ordinals = tuple(str(number) for number in range(1, len(question.options) + 1))
    numbers = [int(option) for option in question.options if option.isdecimal()]
    if question.kind not in COUNTED or not numbers or max(numbers) > HIGHEST:
        return ordinals
    others = len(question.options) - len(numbers)
    if others > 1 or max(numbers) + others > HIGHEST:
        return ordinals
    last = str(max(numbers) + 1)
    return tuple(option if option.isdecimal() else last for option in question.options)


def labels(question: Question, said: Texts) -> tuple[str, ...]:
    """What each option says: numbers with what they count."""
    if question.kind not in COUNTED:
        return question.options
    return tuple(
        said.count(f"screen.unit.{question.kind}", int(option)) if option.isdecimal() else option
        for option in question.options
    )


def chosen(question: Question, digit: str) -> int | None:
    """The option (0-based) that a digit stands for; None where it stands for none."""
    found = keys(question)
    return found.index(digit) if digit in found else None
