"""The numbers that a lesson's text states without a claim: counts, references, digits.

A count ("called 12 times", 九回) must be computed. A reference ("call 2", メッセージ 4) names
something that a run of the page must have.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from visualizer.run.timeline import Run

_WORDS = "zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_NUMBER = rf"(?:\d+|{_WORDS})"
_NAMES = "call|round|message|step|turn|tool|reply|replie|result|request|time"
_UNITS = "回|件|ラウンド|ステップ|ターン"
_KANJI = "〇一二三四五六七八九十百"
_OF_A_RUN = "呼び出し|メッセージ|ラウンド|ステップ|ターン|返答"
_COUNT = re.compile(
    rf"(?<!\+ )\b{_NUMBER} (?:(?:model|tool|new|more) )?(?:{_NAMES})s?\b"
    rf"|\b(?:{_NAMES})s?(?::| is| are| was| were) {_NUMBER}\b"
    rf"|(?<!\+ )\d+ ?(?:{_UNITS}|つ)(?!目)"
    rf"|(?<![{_KANJI}])(?!一[^{_KANJI}])[{_KANJI}]+ ?(?:{_UNITS})(?!目)"
    rf"|(?:{_OF_A_RUN})(?:の?[回件]?数)?[はがも](?:全部で|合計)? ?\d+",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"\b(?P<en>call|message|turn|reply|step) (?P<n>\d+)\b"
    rf"|(?P<ja>呼び出し|メッセージ|ターン|返答|ステップ) ?(?P<m>\d+)(?!\d| ?(?:{_UNITS}|つ))",
    re.IGNORECASE,
)
_ENGLISH = {
    "呼び出し": "call",
    "メッセージ": "message",
    "ターン": "turn",
    "返答": "reply",
    "ステップ": "step",
}


class Reference(NamedTuple):
    """A call, message, turn, reply or step that a text names by its number."""

    said: str
    what: str
    number: int

    def is_in(self, run: Run) -> bool:
        """Whether a run has it. Turns and messages are counted from 0."""
        numbers = {
            "call": range(1, run.model_calls + 1),
            "reply": range(1, sum(call.reply is not None for call in run.calls) + 1),
            "turn": range(max(step.turn or 0 for step in run.steps) + 1),
            "message": range(max(step.messages for step in run.steps)),
            "step": range(1, len(run.steps) + 1),
        }
        return self.number in numbers[self.what]


def counts(text: str) -> tuple[str, ...]:
    """The counts in a text from which claims and code are taken out."""
    return tuple(found[0] for found in _COUNT.finditer(text))


def references(text: str) -> Iterator[Reference]:
    """The references in such a text."""
    for found in _REFERENCE.finditer(text):
        what = _ENGLISH.get(found["ja"] or "") or found["en"].lower()
        yield Reference(found[0], what, int((found["n"] or found["m"])[:9]))


def digits(texts: Iterable[str]) -> set[str]:
    """Every number that such texts write in digits."""
    plain = unicodedata.normalize("NFKC", "\n".join(texts))
    return set(re.findall(r"\d+(?:[.,]\d+)*", plain))
