"""Which recorded request goes on with which, seen from what was sent.

A request that begins with an earlier one and its reply goes on with it, whoever else called in
between. Where a client changed something on the way, its last reply tells: it is known again
by its ids, its calls or its words, and by what it answered. Messages that are as they were are
compared by their marks, so that the cost is what was sent, not its square.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice

from visualizer.formats.telling.alignment import Alignment, judge
from visualizer.formats.telling.echoes import after, mark_of, names_of
from visualizer.formats.telling.requests import Sent
from visualizer.transcript.records import ApiObject

NEAREST = 20
"""Replies that are looked at for the one that a changed request goes on with."""

_COMPARED = 64
"""Messages from either end that are compared to choose among several."""


class Chains:
    """The requests of a recording, each joined to the one that it goes on with."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self._replies: dict[int, list[ApiObject]] = {}
        self._tips: dict[bytes, int] = {}
        self._known_as: dict[int, list[bytes]] = {}
        self._by_name: dict[bytes, dict[int, None]] = defaultdict(dict)
        self._times: Counter[bytes] = Counter()

    def add(self, sent: Sent, reply: list[ApiObject] | None, joins: bool) -> None:
        """The next exchange, and the blocks of its reply. ``joins``: it is told on its own."""
        number = len(self.sent)
        self.sent.append(sent)
        if joins and sent.messages:
            self._join(sent)
        if sent.before is not None:
            self._close(sent.before)
        if reply is None or not sent.messages:
            return
        self._replies[number] = reply
        self._tips[after(sent.chain[-1], mark_of("assistant", reply))] = number
        begun = "".join(
            str(block.get("text", ""))
            for place in range(sent.tail, len(sent.messages))
            for block in sent.blocks(place)
        )
        names = names_of(reply, begun)
        self._known_as[number] = names
        for name in names:
            self._by_name[name][number] = None
            self._times[name] += 1

    def _close(self, number: int) -> None:
        """A reply was gone on with: no other request does."""
        for name in self._known_as.pop(number, ()):
            self._by_name[name].pop(number, None)

    def _join(self, sent: Sent) -> None:
        tail = sent.tail
        places = range(len(sent.chain) - 1, 0, -1)
        known = next((at for at in places if sent.chain[at] in self._tips), 0)
        if not known or any(sent.role(at) == "assistant" for at in range(known, tail)):
            for end in _ends(sent):
                start = sent.run_before(end)
                if (found := self._found(sent, start, end)) is not None:
                    self._joined(sent, found, start, end)
                    return
        if known:
            sent.before, sent.known = self._tips.pop(sent.chain[known]), known
            earlier = self.sent[sent.before]
            for at in earlier.doubtful:
                earlier.own[at] = True
            sent.own[: known - 1] = earlier.own[: known - 1]
            self._doubt(sent, earlier)

    def _found(self, sent: Sent, start: int, end: int) -> int | None:
        """The exchange whose reply the messages from ``start`` to ``end`` are."""
        blocks = [block for at in range(start, end) for block in sent.blocks(at)]
        calls = any(block["type"] == "tool_use" for block in blocks)
        names = names_of(blocks)
        for name in names:
            some = list(islice(reversed(self._by_name.get(name, {})), NEAREST))
            if not some:
                continue
            alone = len(some) == 1
            if alone and self._times[name] == 1 and len(names) > 1 and name == names[0]:
                return some[0]  # by ids that no other reply has
            fitting = [one for one in some if not start or self._answers(one, sent, start)]
            if alone and calls:
                fitting = some
            if fitting and (start or calls or alone):
                return max(fitting, key=lambda one: (self._alike(one, sent, start), one))
        return None

    def _answers(self, number: int, sent: Sent, start: int) -> bool:
        """Whether what stands before a reply is what that of an exchange was given to."""
        earlier = self.sent[number]
        end = tail = earlier.tail
        while end and earlier.role(end - 1) != "assistant":
            end -= 1
        before = sent.like(start - 1)
        return any(earlier.like(at) == before for at in range(max(end, tail - NEAREST), tail))

    def _alike(self, number: int, sent: Sent, start: int) -> int:
        """How many messages from both ends are the same before a reply."""
        left, right = self.sent[number].marks, sent.marks[:start]
        return _common(left, right) + _common(left[::-1], right[::-1])

    def _joined(self, sent: Sent, number: int, start: int, end: int) -> None:
        """Join a request to one of which it holds the reply, changed somewhere."""
        earlier = self.sent[number]
        reply = self._replies[number]
        self._tips.pop(after(earlier.chain[-1], mark_of("assistant", reply)), None)
        sent.before, sent.known = number, end
        origins = Alignment(earlier, sent, start).origins
        sent.origins = [*origins, *[len(earlier.messages)] * (end - start)]
        kept = {at for at in origins if at is not None}
        for at in earlier.doubtful:
            earlier.own[at] = at in kept
        judge(earlier, sent, kept)
        for at, origin in enumerate(origins):
            sent.own[at] = origin is not None and earlier.own[origin]
        self._doubt(sent, earlier)

    def _doubt(self, sent: Sent, earlier: Sent) -> None:
        """Words behind something new may be gone next time, where that happened before."""
        sent.reminds = earlier.reminds
        if not sent.reminds:
            return
        for at in range(sent.known + 1, len(sent.messages)):
            if sent.own[at] and sent.is_text(at):
                sent.doubtful.append(at)
                sent.own[at] = False


def _ends(sent: Sent) -> Iterator[int]:
    """Where a reply that was sent back may end: at the request's end, and before its tail."""
    if sent.tail < len(sent.messages):
        yield len(sent.messages)
    end = next((at for at in range(sent.tail, 0, -1) if sent.role(at - 1) == "assistant"), 0)
    if end:
        yield end


def _common(left: list[bytes], right: list[bytes]) -> int:
    count = 0
    for one, other in zip(left[:_COMPARED], right, strict=False):
        if one != other:
            break
        count += 1
    return count
