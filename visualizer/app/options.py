"""Which digit stands for which option of a question.

Where the options are numbers, the digit is the number: who means 3 presses 3. Otherwise the
options are counted from 1.
"""

from __future__ import annotations

import re

from visualizer.i18n import Texts
from visualizer.lessons.questions import Question

COUNTED = frozenset(
    {
        *("sent", "new", "sent_in_all"),
        *("model_calls", "tool_rounds", "tool_calls", "smallest_max_turns"),
        *("num_turns", "assistant_lines", "thread_sent"),
    }
)
"""Questions for a number; ``screen.unit.<kind>`` says of what."""
HIGHEST = 9
_NAMED = re.compile(r"\d+")


def keys(question: Question) -> tuple[str, ...]:
    """The digit of each option."""
    ordinals = tuple(str(number) for number in range(1, len(question.options) + 1))
    named = [_number(question, option) for option in question.options]
    numbers = [number for number in named if number is not None]
    others = len(named) - len(numbers)
    if not numbers or others > 1 or max(numbers) + others > HIGHEST:
        return ordinals
    last = max(numbers) + 1
    return tuple(str(last if number is None else number) for number in named)


def _number(question: Question, option: str) -> int | None:
    """The number that an option is, or the message that it names."""
    if question.kind == "never_read":
        found = _NAMED.search(option)
        return int(found[0]) if found else None
    return int(option) if question.kind in COUNTED and option.isdecimal() else None


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
