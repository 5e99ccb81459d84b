"""The tokens that a recording counts: those of its replies, or its own sums over several."""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import STOP
from visualizer.transcript.records import OUTPUT_TOKENS, Turn

_SENT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


_UNFINISHED = frozenset({STOP, OUTPUT_TOKENS})
"""What is inferred in a reply that may not have been whole when it was noted."""


class Tokens:
    """Adds up usage, run after run.

    A client may print a reply while it is still being written, with the tokens so far, and a sum
    at the end of a query. The sum holds unless the replies already come to more. Without one,
    there were ``at_least`` the tokens that were printed.
    """

    def __init__(self) -> None:
        self.at_least = False
        self._known = False
        self._sent = self._received = 0
        self._since = (0, 0)
        self._early = False

    def add(self, turn: Turn) -> None:
        """A reply; one whose stop reason is inferred may not have been whole yet."""
        usage = (turn.response or {}).get("usage")
        if isinstance(usage, dict):
            sent, received = _of(usage)
            self._since = self._since[0] + sent, self._since[1] + received
            self._known = True
            self._early = self._early or not _UNFINISHED.isdisjoint(turn.inferred)

    def said(self, usage: Any) -> None:
        """The file's own sum over the replies since the last one, if it has one."""
        if not isinstance(usage, dict):
            return
        self._known = True
        sent, received = _of(usage)
        if received >= self._since[1]:
            self._since, self._early = (max(sent, self._since[0]), received), False
        self._take()

    def sums(self) -> tuple[int | None, int | None]:
        """Tokens sent and received; None where the file counts none."""
        self._take()
        return (self._sent, self._received) if self._known else (None, None)

    def _take(self) -> None:
        self._sent, self._received = self._sent + self._since[0], self._received + self._since[1]
        self.at_least = self.at_least or self._early
        self._since, self._early = (0, 0), False


def _of(usage: dict[str, Any]) -> tuple[int, int]:
    numbers = [usage.get(name) for name in (*_SENT, "output_tokens")]
    whole = [one if isinstance(one, int) else 0 for one in numbers]
    return sum(whole[:3]), whole[3]
