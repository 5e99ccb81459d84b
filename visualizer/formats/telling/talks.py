"""One conversation as its requests show it, beside the list that the loop holds.

The loop's list is that of the replies as they came and the results as they were sent first.
Clients send it otherwise: shortened, with old results cleared, with their own ids. What each
request had otherwise is kept with its call.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from visualizer.formats.blocks import blocks_of
from visualizer.formats.outside import Findings
from visualizer.formats.telling.echoes import mark_of
from visualizer.formats.telling.requests import Sent
from visualizer.formats.telling.stretches import Thread
from visualizer.formats.telling.tool_ids import is_placed, with_ids
from visualizer.transcript.records import ApiObject, Changed

_Changes = dict[int, list[ApiObject]]  # by the place in the loop's list: what was sent there


class Talk:
    """A conversation, with the place in the loop's list of each message that was sent last."""

    def __init__(self, thread: Thread, findings: Findings) -> None:
        self.thread = thread
        self.findings = findings
        self.changed: list[Changed] = []
        self._changes: _Changes = {}
        self._places: list[int | None] = []
        self._said: list[bytes] = []
        self._parts: Counter[int] = Counter()
        self._waiting: list[int] = []
        self._ids: dict[str, list[str]] = {}

    def forget(self) -> None:
        """The next request holds only what is new."""
        self._places, self._said, self._waiting = [], [], []

    def put(self, mark: bytes, place: int | None) -> None:
        """One more message was sent; it stands in the loop's list, or does not."""
        if place is None:
            self._waiting.append(len(self._places))
        else:
            self._parts[place] += 1
        self._places.append(place)
        self._said.append(mark)

    def replied(self, mark: bytes, before: int) -> None:
        """The reply that came; ``before`` is how long the loop's list was till then.

        Where the host went on with what it had put in, that has become a part of the list.
        """
        place = len(self.thread.history) - 1
        for at, taken in zip(reversed(self._waiting), range(place - 1, before - 1, -1)):  # noqa: B905
            self._places[at] = taken
            self._parts[taken] += 1
        self.put(mark, place)
        self._waiting, self._ids = [], {}

    def goes_on(self, sent: Sent, origins: list[int | None]) -> None:
        """A request holds what was sent before and the reply to that, changed somewhere."""
        places: list[int | None] = []
        said: list[bytes] = []
        found: _Changes = {}
        other: set[int] = set()
        for at, origin in enumerate(origins):
            place = None if origin is None else self._places[origin]
            mark = own_mark(sent, at)
            if origin is None:
                self._put_in(sent, at, places)
            elif place is not None:
                found.setdefault(place, []).append(self._with_ids(sent.messages[at], place))
                other |= {place} if mark != self._said[origin] else set()
                mark = self._said[origin]
            places.append(place)
            said.append(mark)
        changes: _Changes = {}
        for place, parts in self._parts.items():
            if place not in found:
                changes[place] = []
            elif place in other or len(found[place]) != parts:
                changes[place] = found[place]
        self._count(changes)
        self._rename(sent, origins)
        self._places, self._said, self._changes = places, said, changes
        self.changed = _listed(changes)

    def named(self, block: ApiObject) -> ApiObject:
        """A result, for the request that the client gave another id."""
        known = self._ids.get(str(block.get("tool_use_id")))
        return {**block, "tool_use_id": known.pop(0)} if known else block

    def _with_ids(self, message: ApiObject, place: int) -> ApiObject:
        """A message that stands for one of the loop's list, with the ids that are used there."""
        if not any(map(_is_placed, blocks_of(message["content"]))):
            return message
        reply = place if message["role"] == "assistant" else place - 1
        asked = _ids(blocks_of((self.thread.history.at(reply) or {}).get("content")))
        return {**message, "content": with_ids(message["content"], asked)}

    def _put_in(self, sent: Sent, at: int, places: list[int | None]) -> None:
        """A message that only this request has, behind one of the loop's list."""
        before = next((one for one in reversed(places) if one is not None), None)
        origin = "system" if sent.role(at) == "system" else "not_kept"
        self.findings.count("format.not_kept", int(origin == "not_kept"))
        place = (0, 0)
        if before is not None:
            message = self.thread.history.at(before) or {}
            place = before, len(blocks_of(message.get("content")))
        self.thread.insert(sent.blocks(at), origin, place)

    def _count(self, changes: _Changes) -> None:
        last = self._places[-1]
        for place, messages in changes.items():
            if messages and place == last:
                self.findings.count("format.changed_reply")
            elif messages and not self._changes.get(place):
                self.findings.count("format.changed_message")
            elif not messages and (self._changes.get(place) or place not in self._changes):
                self.findings.count("format.left_out")

    def _rename(self, sent: Sent, origins: list[int | None]) -> None:
        """Ids that the client gave the requests of the reply, and those that they go by."""
        place = self._places[-1]
        reply = self.thread.history.at(place) if place is not None else None
        ours = _ids(blocks_of((reply or {}).get("content")))
        last = len(self._places) - 1
        theirs = [
            one for at, origin in enumerate(origins) if origin == last
            for one in _ids(sent.blocks(at))
        ]  # fmt: skip
        self._ids = {}
        if len(ours) == len(theirs):
            for name, known in zip(theirs, ours, strict=True):
                self._ids.setdefault(name, []).append(known)


def own_mark(sent: Sent, at: int) -> bytes:
    """The mark of what the loop's list takes from a message."""
    kept = own_blocks(sent, at)
    return sent.marks[at] if kept is None else mark_of(sent.role(at), kept)


def own_blocks(sent: Sent, at: int) -> list[ApiObject] | None:
    """The blocks that the loop's list takes from a message; None for all of them."""
    if sent.role(at) != "user":
        return None
    blocks = sent.blocks(at)
    results = [block for block in blocks if block["type"] == "tool_result"]
    if results:
        return results if len(results) < len(blocks) else None
    gone = sent.unkept.get(at)
    return [block for number, block in enumerate(blocks) if number not in gone] if gone else None


def _ids(blocks: list[ApiObject]) -> list[str]:
    return [str(block.get("id")) for block in blocks if block["type"] == "tool_use"]


def _is_placed(block: ApiObject) -> bool:
    return is_placed(block.get("id")) or is_placed(block.get("tool_use_id"))


def _listed(changes: _Changes) -> list[Changed]:
    """Changes as a call keeps them: neighbours that were left out are one."""
    found: list[Changed] = []
    ordered = sorted(changes.items())
    runs = groupby(enumerate(ordered), lambda one: (one[1][0] - one[0], not one[1][1]))
    for (_, left_out), group in runs:
        rows = [row for _, row in group]
        if left_out:
            found.append(Changed(rows[0][0], len(rows), []))
        else:
            found += [Changed(place, 1, messages) for place, messages in rows]
    return found
