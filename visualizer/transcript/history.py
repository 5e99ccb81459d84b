"""Messages that many runs share: each run's first messages are the beginning of one list.

A recording of a thousand prompts would otherwise hold its messages half a million times, in
memory and, where it is converted, in its file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from visualizer.messages import Message, kept_block
from visualizer.transcript.records import ApiObject, Earlier, RecordedRun, Request


class History:
    """A list of messages that only grows, and may begin with the first ones of another.

    ``root`` is the list that all with a common beginning come from.
    """

    __slots__ = ("_base", "_frozen", "_kept", "_own", "root")

    def __init__(self, base: History | None = None, kept: int = 0) -> None:
        self._base = base
        self.root: History = self if base is None else base.root
        self._kept = kept
        self._own: list[ApiObject] = []
        self._frozen: list[Message] = []

    def __len__(self) -> int:
        return self._kept + len(self._own)

    @property
    def base(self) -> tuple[History, int] | None:
        """The list that it begins with, and how many messages of that; None for none."""
        return None if self._base is None else (self._base, self._kept)

    def append(self, message: ApiObject) -> None:
        """One more message at the end."""
        self._own.append(message)

    def last(self) -> ApiObject | None:
        """The last message, None where there is none."""
        return self.at(len(self) - 1)

    def at(self, position: int) -> ApiObject | None:
        """The message at a place, None where there is none."""
        one: History = self
        while one._base is not None and position < one._kept:
            one = one._base
        own = position - one._kept
        return one._own[own] if 0 <= own < len(one._own) else None

    def own(self, first: int, end: int) -> list[ApiObject]:
        """Its own messages from a place on, up to another."""
        return self._own[max(0, first - self._kept) : max(0, end - self._kept)]

    def parts(self, count: int) -> Iterator[tuple[History, int, int]]:
        """Whose own the first ``count`` messages are, the last ones first: (list, first, end)."""
        at: History | None = self
        while at is not None:
            yield at, at._kept, max(at._kept, count)
            count = min(count, at._kept)
            at = at._base

    def first(self, count: int, start: int = 0) -> list[ApiObject]:
        """The first ``count`` messages, from the one at ``start`` on, as a new list."""
        parts: list[list[ApiObject]] = []
        at: History | None = self
        while at is not None and count > start:
            parts.append(at.own(start, count))
            count = min(count, at._kept)
            at = at._base
        return [message for part in reversed(parts) for message in part]

    def frozen(self, count: int) -> list[Message]:
        """The first ``count`` messages as values, each made (and hashed) once for all runs."""
        messages: list[Message] = []
        for part, first, end in reversed(list(self.parts(count))):
            made, wanted = part._frozen, end - first
            made += [Message.of(one, kept_block) for one in part._own[len(made) : wanted]]
            messages += made[:wanted]
        return messages


class SharedRequest(Request):
    """A request whose messages are the first of a history, listed when they are asked for."""

    __slots__ = ("_count", "_history")

    def __init__(self, history: History, model: str | None = None) -> None:
        self._history = history
        self._count = len(history)
        self.model = model
        self.system = None
        self.tools = None
        self.max_tokens = None
        self.after = None

    @property
    def messages(self) -> list[ApiObject]:  # type: ignore[override]
        """The messages, a new list each time."""
        return self._history.first(self._count)

    def frozen(self) -> list[Message]:
        """The messages as values, which runs of one history share."""
        return self._history.frozen(self._count)

    @property
    def last(self) -> ApiObject | None:
        """The last message, None where there is none; without making a list."""
        return self._history.at(self._count - 1)

    @property
    def history(self) -> tuple[History, int]:
        """The history, and how many of its messages were sent first."""
        return self._history, self._count

    def alone(self, after: Earlier | None) -> Request:
        """The same as a plain record, behind messages of an earlier run."""
        messages = self._history.first(self._count, after.messages if after else 0)
        return Request(messages, self.model, self.system, self.tools, self.max_tokens, after)

    def __reduce__(self) -> tuple[Any, ...]:
        plain = (self.messages, self.model, self.system, self.tools, self.max_tokens)
        return Request, plain


def conversation(run: RecordedRun) -> Iterator[ApiObject]:
    """The messages that came behind a run's request in its first take, until one was rewritten."""
    for turn in run.turns_of(run.takes[0]):
        if turn.history is not None:
            return
        if turn.response is not None:
            yield {"role": "assistant", "content": turn.response.get("content")}
        if turn.results is not None:
            yield {"role": "user", "content": turn.results}


def joined(runs: Iterable[RecordedRun]) -> tuple[RecordedRun, ...]:
    """Runs with the messages of earlier ones in front where their requests say so."""
    runs = tuple(runs)
    if all(run.request.after is None for run in runs):
        return runs
    histories: dict[str, History] = {}
    made = []
    for run in runs:
        said = run.request
        history = History()
        if said.after is not None:
            earlier = histories[said.after.run]
            whole = len(earlier) == said.after.messages
            history = earlier if whole else History(earlier, said.after.messages)
        for message in said.messages:
            history.append(message)
        shared = SharedRequest(history, said.model)
        shared.system, shared.tools, shared.max_tokens = said.system, said.tools, said.max_tokens
        made.append(replace(run, request=shared))
        for message in conversation(run):
            history.append(message)
        histories[run.id] = history
    return tuple(made)


def apart(runs: Iterable[RecordedRun]) -> list[RecordedRun]:
    """The opposite: runs as plain records, each with the messages only that no earlier one had."""
    latest: dict[int, RecordedRun] = {}
    made = []
    for run in runs:
        if not isinstance(run.request, SharedRequest):
            made.append(run)
            continue
        history, count = run.request.history
        after = None
        for part, first, end in history.parts(count):
            if first < end and (earlier := latest.get(id(part))):
                same = _in_common(earlier, history, end, count)
                after = Earlier(earlier.id, same) if same else None
                break
        latest[id(history)] = run
        made.append(replace(run, request=run.request.alone(after)))
    return made


def _in_common(earlier: RecordedRun, history: History, end: int, count: int) -> int:
    """How many messages of an earlier run's conversation a history begins with.

    As far as ``end`` both have one list; up to ``count`` they may go on alike.
    """
    assert isinstance(earlier.request, SharedRequest)
    sent = earlier.request.history[1]
    if sent > end:
        return end
    same = sent
    for message in conversation(earlier):
        if same >= count or history.at(same) != message:
            break
        same += 1
    return same
