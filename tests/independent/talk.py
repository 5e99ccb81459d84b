"""Counting over requests that hold whole conversations: the rule that several APIs share.

A request says again what was said before, so a reply is met many times. Two are the same
where they ask for the same calls, or, without calls, say the same words: ids and blanks are
what clients change. What a request holds more often than replies were given and met before is
a reply from before the file began. A result answers the reply before it, by its id, or an
earlier one of the same request.

Only the first request of a file can hold replies from before without a doubt: what a later one
holds and nobody saw may be another conversation, or what a client made of an error.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from tests.independent.raw import Count

_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)


class Said(NamedTuple):
    """One message: its calls as (id, what is called), its results as the ids they answer."""

    role: str
    text: str = ""
    calls: tuple[tuple[str | None, str], ...] = ()
    results: tuple[str | None, ...] = ()

    @property
    def print(self) -> str:
        """What a reply is known by."""
        if self.calls:
            return "calls " + " ".join(what for _, what in self.calls)
        return "text " + _THOUGHT.sub("", self.text).strip()


class Call(NamedTuple):
    """One request to a model, with the reply or the error that came back."""

    messages: list[Said]
    reply: Said | None = None
    failed: bool = False
    tokens_out: int | None = None


def counted(calls: list[Call], by_name: bool = False) -> Count:
    """The counts over all requests of a file. Who wrote a user's message, an API does not say.

    ``by_name``: calls have no ids, so results answer the first of their name that waits.
    """
    if all(one.reply is None and not one.failed for one in calls):
        return _lists([one.messages for one in calls], by_name)
    return _counted(calls, by_name)


def _lists(lists: list[list[Said]], by_name: bool) -> Count:
    """Conversations without responses: each on its own, one that a later one goes on with, not."""
    last = [
        one
        for at, one in enumerate(lists)
        if not any(other[: len(one)] == one for other in lists[at + 1 :])
    ]
    counts = [_counted([Call(one)], by_name) for one in last]
    columns = list(zip(*counts, strict=True))
    replies, asked, answered, orphans = (sum(filter(None, one)) for one in columns[:4])
    return Count(replies, asked, answered, orphans, failed=0)


def _counted(calls: list[Call], by_name: bool = False) -> Count:
    known: Counter[str] = Counter()
    asked = 0
    names: set[str | None] = set()
    answered: set[tuple[str, int, int]] = set()
    stray: set[tuple[int, str | None]] = set()
    sure = True
    for number_of, one in enumerate(calls):
        seen: Counter[str] = Counter()
        waiting: list[tuple[str | None, tuple[str, int, int]]] = []  # the latest reply first
        for at, message in enumerate(one.messages):
            prefilled = at == len(one.messages) - 1 and (one.reply is not None or one.failed)
            if message.role == "assistant" and not prefilled:
                number = seen[message.print]
                seen[message.print] += 1
                if seen[message.print] > known[message.print]:
                    sure = sure and number_of == 0
                    known[message.print] += 1
                    asked += len(message.calls)
                new = [
                    (name, (message.print, number, n)) for n, (name, _) in enumerate(message.calls)
                ]
                waiting = [*new, *waiting]
                names |= {name for name, _ in message.calls}
            for name in message.results:
                place = next((what for known_as, what in waiting if known_as == name), None)
                if place is not None:
                    waiting.remove((name, place))
                    answered.add(place)
                elif by_name or name not in names:
                    stray.add((at if by_name else 0, name))
        if one.reply is not None:
            known[one.reply.print] += 1
            asked += len(one.reply.calls)
            names |= {name for name, _ in one.reply.calls}
    failed = sum(one.failed for one in calls)
    spent = [one.tokens_out for one in calls if one.tokens_out is not None]
    tokens = sum(spent) if spent else None
    if not sure:
        return Count(failed=failed, tokens_out=tokens)
    return Count(known.total(), asked, len(answered), len(stray), None, failed, tokens)
