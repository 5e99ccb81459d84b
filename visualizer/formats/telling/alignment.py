"""A request put beside the one that it goes on with, where something in it was changed."""

from __future__ import annotations

from collections import defaultdict, deque

from visualizer.formats.telling.echoes import block_marks
from visualizer.formats.telling.requests import Sent
from visualizer.transcript.records import ApiObject


class Alignment:
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


def judge(earlier: Sent, later: Sent, kept: set[int]) -> None:
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
