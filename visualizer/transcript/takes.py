"""The takes of a run as a tree: each begins with turns of another one, or by itself.

Everything here is linear in the takes, however long the chain of those that they begin with.
"""

from __future__ import annotations

from visualizer.transcript.records import RecordedRun, Take


class Branch:
    """A take as a branch: behind the first ``start`` turns of ``base`` come its own.

    ``base`` is the take that holds the last of these turns, None where there are none.
    """

    __slots__ = ("base", "start", "take")

    def __init__(self, take: Take, base: Branch | None, start: int) -> None:
        self.take = take
        self.base = base
        self.start = start

    @property
    def length(self) -> int:
        """Its turns from the run's first call on."""
        return self.start + len(self.take.turns)

    @property
    def leaves_early(self) -> bool:
        """Whether it leaves its base before that one ends."""
        return self.base is not None and self.start < self.base.length


def branches(run: RecordedRun) -> list[Branch]:
    """All takes, each with where it leaves the one that it begins with."""
    found: dict[str, Branch] = {}
    for take in run.takes:
        base = found.get(take.base) if take.base is not None else None
        start = 0 if base is None else base.length
        if take.after is not None:
            start = min(start, take.after)
        while base is not None and start <= base.start:
            base = base.base  # nothing of its own is kept
        found[take.name] = Branch(take, base, start)
    return list(found.values())


def leaves(run: RecordedRun) -> list[Take]:
    """The takes that go on to where no other one goes: together they hold every turn."""
    tree = branches(run)
    passed = {id(one.base) for one in tree if one.base and one.start == one.base.length}
    ends = (one.take for one in tree if id(one) not in passed)
    return [take for take in ends if take.turns or take.base is None]


def heads(run: RecordedRun) -> list[Take]:
    """The takes that begin with no other one as a whole."""
    return [one.take for one in branches(run) if one.base is None or one.leaves_early]


def longest_take(run: RecordedRun) -> int:
    """The turns of the longest take."""
    return max(branch.length for branch in branches(run))
