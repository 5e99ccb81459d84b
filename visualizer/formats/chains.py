"""Which recorded request goes on with which, seen from what was sent.

A request that begins with an earlier one and its reply goes on with it, whoever else called in
between. Where a client changed something on the way, its last reply tells: it is known again
by its ids, its calls or its words, and by what it answered. Messages that are as they were are
compared by their marks, so that the cost is what was sent, not its square.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from visualizer.formats.blocks import blocks_of
from visualizer.formats.echoes import after, block_marks, likeness, mark_of, names_of
from visualizer.formats.exchanges import Exchange
from visualizer.transcript import ApiObject

NEAREST = 20
"""Replies that are looked at for the one that a changed request goes on with."""

_COMPARED = 64
"""Messages from either end that are compared to choose among several."""

_ROOT = b""


@dataclass(slots=True, eq=False)
class Sent:
    """The messages of a request, and what other requests tell about them.

    ``before`` is the number of the exchange that it goes on with; its first ``known`` messages
    are that one's and its reply. Where those are not simply the same, ``origins`` has for each
    of them which it stands for (None: none of them). ``own`` says which messages belong to the
    conversation; the others were in this request only. ``unkept`` are blocks of a message that
    later requests don't have. ``reminds`` is true where messages of a conversation come and go.
    """

    messages: list[ApiObject]
    marks: list[bytes]
    chain: list[bytes]
    before: int | None = None
    known: int = 0
    origins: list[int | None] | None = None
    own: list[bool] = field(default_factory=list)
    unkept: dict[int, list[int]] = field(default_factory=dict)
    reminds: bool = False
    doubtful: list[int] = field(default_factory=list)

    def blocks(self, place: int) -> list[ApiObject]:
        """The blocks of a message."""
        return blocks_of(self.messages[place]["content"])

    def role(self, place: int) -> str:
        """Whose message it is."""
        return str(self.messages[place]["role"])

    def like(self, place: int) -> bytes:
        """What stays of a message that is changed."""
        return likeness(self.role(place), self.blocks(place))

    def is_text(self, place: int) -> bool:
        """Whether a message is words of the user's side, and nothing else."""
        kinds = {block["type"] for block in self.blocks(place)}
        return self.role(place) == "user" and kinds <= {"text"}

    @property
    def goes_on(self) -> bool:
        """Whether it holds more than what a user sent first."""
        return any(self.role(at) == "assistant" for at in range(self.tail))

    @property
    def tail(self) -> int:
        """Where the assistant's messages at the end begin."""
        return self.run_before(len(self.messages))

    def run_before(self, end: int) -> int:
        """Where the assistant's messages that end at a place begin."""
        while end and self.role(end - 1) == "assistant":
            end -= 1
        return end


def sent_of(one: Exchange, known: dict[bytes, bytes]) -> Sent:
    """A request with its marks; equal ones are kept once, in ``known``."""
    messages = one.body["messages"] if one.body is not None else []
    chain = [_ROOT if one.continues is None else named(one.continues)]
    marks = []
    for message in messages:
        mark = mark_of(message["role"], blocks_of(message["content"]))
        marks.append(known.setdefault(mark, mark))
        following = after(chain[-1], mark)
        chain.append(known.setdefault(following, following))
    return Sent(messages, marks, chain, own=[one["role"] != "system" for one in messages])


def named(name: str) -> bytes:
    """The mark of a conversation that goes by a name."""
    return b"name " + name.encode("utf-8", "replace")


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
            ends = [len(sent.messages), *self._ends(sent, tail)]
            for end in ends if tail < len(sent.messages) else ends[1:]:
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

    def _ends(self, sent: Sent, tail: int) -> Iterator[int]:
        """Where the last reply in a request ends that is not at its end."""
        end = next((at for at in range(tail, 0, -1) if sent.role(at - 1) == "assistant"), 0)
        if end:
            yield end

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
        origins = _Alignment(earlier, sent, start).origins
        sent.origins = [*origins, *[len(earlier.messages)] * (end - start)]
        kept = {at for at in origins if at is not None}
        for at in earlier.doubtful:
            earlier.own[at] = at in kept
        _judge(earlier, sent, kept)
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


def _judge(earlier: Sent, later: Sent, kept: set[int]) -> None:
    """Which new messages of a request, or blocks of them, the next one does not have."""
    new = range(earlier.known, earlier.tail)
    if any(at in kept and earlier.own[at] for at in new):
        for at in new:
            if at not in kept and earlier.is_text(at):
                earlier.own[at] = False
                earlier.reminds = True
    for at, origin in enumerate(later.origins or ()):
        if origin is None or origin not in new or later.marks[at] == earlier.marks[origin]:
            continue
        if (gone := _gone(earlier.blocks(origin), later.blocks(at))) and earlier.is_text(origin):
            earlier.unkept[origin] = gone


def _gone(blocks: list[ApiObject], left: list[ApiObject]) -> list[int]:
    """Which blocks are gone where the rest was left as it was; none where more was changed."""
    rest = deque(block_marks(left))
    gone = []
    for at, mark in enumerate(block_marks(blocks)):
        if rest and rest[0] == mark:
            rest.popleft()
        else:
            gone.append(at)
    return gone if not rest and len(gone) < len(blocks) else []


def _common(left: list[bytes], right: list[bytes]) -> int:
    count = 0
    for one, other in zip(left[:_COMPARED], right, strict=False):
        if one != other:
            break
        count += 1
    return count


class _Alignment:
    """Messages of a request put beside those of an earlier one."""

    def __init__(self, earlier: Sent, later: Sent, end: int) -> None:
        self.earlier = earlier
        self.later = later
        self.origins: list[int | None] = [None] * end
        left, right = earlier.marks, later.marks[:end]
        first, most = 0, min(len(left), len(right))
        while first < most and left[first] == right[first]:
            self.origins[first] = first
            first += 1
        last = 0
        while last < most - first and left[-1 - last] == right[-1 - last]:
            last += 1
            self.origins[end - last] = len(left) - last
        self._anchors(first, len(left) - last, end - last)
        self._gaps(first, len(left) - last, end - last)

    def _anchors(self, first: int, left: int, right: int) -> None:
        """Pair what is alike, from the end on: what was left out mostly stood in front."""
        places: dict[bytes, list[int]] = defaultdict(list)
        for at in range(first, left):
            places[self.earlier.like(at)].append(at)
        bound = left
        for at in range(right - 1, first - 1, -1):
            known = places.get(self.later.like(at), [])
            while known and known[-1] >= bound:
                known.pop()
            if known:
                bound = self.origins[at] = known.pop()

    def _gaps(self, first: int, left: int, right: int) -> None:
        """Pair what stands between the same neighbours, one by one, where it can be the same."""
        earlier, paired = self.earlier, set(self.origins)
        new = range(earlier.known, earlier.tail)
        gone = earlier.doubtful
        if any(at in paired and earlier.own[at] for at in new):
            gone = [*gone, *filter(earlier.is_text, new)]  # others of the new ones were kept
        lasting = {at for at in range(first, left) if earlier.own[at]}.difference(gone)
        start = first
        free: list[int] = []
        for at in range(first, right + 1):
            origin = self.origins[at] if at < right else left
            if origin is None:
                free.append(at)
                continue
            old = [one for one in range(start, origin) if one in lasting]
            for one, other in zip(old, free, strict=False):
                if earlier.role(one) == self.later.role(other) != "system":
                    self.origins[other] = one
            start, free = origin + 1, []
