"""Blocks that a host put into requests, beside the loop's list."""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.transcript.history import History
from visualizer.transcript.records import ApiObject, Inserted, Turn

_Place = tuple[int, int]  # the message, the block in it


class PutIn:
    """What a host put into the next request."""

    def __init__(self) -> None:
        self._waiting: list[tuple[list[ApiObject], str, _Place | None]] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, blocks: list[ApiObject], origin: str, place: _Place | None) -> None:
        """Some more, behind all the rest or at a place."""
        self._waiting.append((blocks, origin, place))

    def said(self) -> Iterator[list[ApiObject]]:
        """All of it, where it is the messages themselves that the host went on with."""
        waiting, self._waiting = self._waiting, []
        return (blocks for blocks, *_ in waiting)

    def taken(self, history: History, turn: Turn | None) -> list[Inserted]:
        """All of it, at the place where it stood: behind the messages of the loop.

        ``turn`` is the one before, whose results are the last message where it has some.
        """
        last, block = len(history), 0
        if turn is not None and turn.results is not None:
            last, block = last - 1, len(turn.results)
        made = []
        for blocks, origin, place in self._waiting:
            made.append(Inserted(*(place or (last, block)), blocks, origin))
            block += 0 if place else len(blocks)
        self._waiting = []
        return made
