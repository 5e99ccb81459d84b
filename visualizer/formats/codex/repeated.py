"""What a Codex session tells more than once: token counts, and prompts.

Counts come for a reply and for the session so far, some of them again without a new reply. A
prompt is an item and one or two events.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from visualizer.formats.codex.items import prompt_in, words_of
from visualizer.formats.codex.lines import Line
from visualizer.formats.openai.items import type_of
from visualizer.formats.openai.words import usage_of
from visualizer.transcript.records import ApiObject

RECORD = "token_usage_record"
"""Lines that newer clients write for each reply."""


class Tokens:
    """The token counts of a session: of each reply, and of all of them so far."""

    def __init__(self, lines: list[Line]) -> None:
        told = {_counts(line) for line in lines}
        self.told_by = next((one for one in ("token_count", RECORD) if one in told), "")
        self.next: ApiObject | None = None
        self._total: Any = None

    def of(self, last: Any, total: Any) -> ApiObject | None:
        """What one reply took; None where a count only says again what was counted."""
        before, self._total = self._total, total
        if isinstance(total, dict):
            if total == before:
                return None
            if not isinstance(last, dict):
                last = _difference(total, before if isinstance(before, dict) else {})
        return usage_of(last)


def _counts(line: Line) -> str:
    if line.kind == "event_msg" and type_of(line.what) == "token_count" and line.what.get("info"):
        return "token_count"
    return line.kind


def _difference(total: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """What was added to the counts of a session; where they went down, they began anew."""
    numbers = {name: value for name, value in total.items() if isinstance(value, int)}
    known = {name: before[name] for name in numbers if isinstance(before.get(name), int)}
    if any(numbers[name] < value for name, value in known.items()):
        known = {}
    return {name: value - known.get(name, 0) for name, value in numbers.items()}


class Prompts:
    """Prompts, which items tell and events again: only those without an item are taken.

    There are two kinds of such events, and a file may have both.
    """

    def __init__(self, lines: list[Line]) -> None:
        items: Counter[str] = Counter()
        told: dict[str, Counter[str]] = {}
        for kind, what, _ in lines:
            if kind == "response_item" and what.get("role") == "user":
                items[words_of(what)] += 1
            elif kind == "event_msg" and (prompt := prompt_in(what)) is not None:
                told.setdefault(type_of(what), Counter())[words_of(prompt)] += 1
        self._items = {kind: items.copy() for kind in told}
        self._events: Counter[str] = Counter()
        for counted in told.values():
            self._events |= counted
        self._waiting: list[dict[str, Any]] = []
        self._others = 0

    def came(self, item: dict[str, Any]) -> None:
        """An item of a user."""
        words = words_of(item)
        if self._events[words] > 0:
            self._events[words] -= 1
        else:
            self._others += 1  # an event may tell it in other words

    def heard(self, told: dict[str, Any], kind: str) -> bool:
        """An event that tells a prompt; false where an item has the same words."""
        words, items = words_of(told), self._items[kind]
        if items[words] > 0:
            items[words] -= 1
            return False
        if not words or any(words_of(one) == words for one in self._waiting):
            return False
        self._waiting.append(told)
        return True

    def left(self) -> list[dict[str, Any]]:
        """The prompts that no item told up to here."""
        found = self._waiting[self._others :]
        self._waiting, self._others = [], 0
        return found
