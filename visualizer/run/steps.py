"""The parts of a run as values: steps, calls, what was seen, why it stopped.

All of them are made once, while the run goes on, and never change afterwards.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from visualizer.errors import Problem
from visualizer.i18n import Texts
from visualizer.messages import Block, Message, short_repr
from visualizer.protocol import Violation
from visualizer.run.step_details import About, RequestError

Phase = Literal[
    "start",
    "call",
    "check",
    "execute",
    "append",
    "rewrite",
    "wait",
    "approve",
    "limit",
    "truncate",
    "compact",
    "end",
]
"""``rewrite`` is what an append is not: messages taken out, replaced, moved or edited.

``wait`` to ``compact`` are what a loop does that takes further collaborators.
"""

PLACE = re.compile(r"start|end|t\d+\.[a-z]+(?:\.\d+)?|\d+", re.ASCII)


class Step(NamedTuple):
    """One stop of the visualizer. Counts are totals up to and including this step.

    ``line`` is the line (1-based, in the loop's file) on which the phase ran,
    ``last_line`` the last one that had an effect in this step. ``parts`` is the way there:
    (function, line), innermost last. ``sent`` is how many messages the latest call sent.
    ``log_end`` and ``saw_end`` are where the line log stood after its last effect. ``about``
    says more of a step of a further collaborator.
    """

    index: int  # type: ignore[assignment] # hides tuple.index, which no one needs here
    turn: int | None
    phase: Phase
    place: str
    line: int
    last_line: int
    parts: tuple[tuple[str, int], ...]
    stop_reason: str | None
    messages: int
    history: int
    model_calls: int
    tool_rounds: int
    tool_calls: int
    sent: int
    log_end: int
    saw_end: int
    request: Block | None = None
    result: Block | None = None
    about: About | None = None

    def __repr__(self) -> str:
        return f"Step({self.index}, {self.place!r}, line {self.line})"


class Call(NamedTuple):
    """One model call that got a reply, or was the last one tried (``reply`` is None).

    ``sent`` messages of ``history`` went out. ``repeated`` counts how often this very reply
    had been given before. ``violations`` are protocol rules that the request breaks,
    ``error`` is why a request failed. ``recorded`` are parameters that were recorded for this
    call alone, None for none; ``parameters`` those that the loop passed.
    """

    turn: int
    step: int
    history: int
    sent: int
    reply: Message | None
    stop_reason: str | None
    usage: dict[str, Any] | None
    parameters: dict[str, Any]
    take: str | None = None
    repeated: int = 0
    violations: tuple[Violation, ...] = ()
    error: RequestError | None = None
    recorded: dict[str, Any] | None = None

    def __repr__(self) -> str:
        told = self.stop_reason if self.reply is not None else self.error
        return f"Call(turn {self.turn}, {self.sent} messages sent, {told!r})"


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing sent that was not recorded.

    ``where`` is ``messages``, ``parameters`` or ``tool``; ``message`` the index in what was
    sent, ``field`` a JSON pointer inside it. ``recorded`` and ``sent`` are the two values;
    ``ABSENT`` where one side has nothing there.
    """

    where: Literal["messages", "parameters", "tool"]
    message: int | None
    field: str
    recorded: Any
    sent: Any

    def __repr__(self) -> str:
        values = f"recorded {short_repr(self.recorded)}, sent {short_repr(self.sent)}"
        return f"Difference({self.where}, message {self.message}, {self.field!r}: {values})"


ABSENT = "<absent>"


@dataclass(frozen=True, slots=True)
class Stop:
    """Why the visualizer, not the loop, ended a run.

    ``reason`` is the terminal reason. ``detail`` tells causes of one reason apart:
    ``no_more_calls``, ``no_result`` or ``no_summary`` (recording_ended); ``calls``, ``steps``,
    ``lines`` or ``time`` (step_cap), with the cap in ``cap``; for ``undecided`` the place of
    the decision that nobody made.
    """

    reason: str
    detail: str = ""
    difference: Difference | None = None
    violations: tuple[Violation, ...] = ()
    cap: int | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception that left the loop: the type's name and its text.

    ``file`` and ``line`` are where it was raised, in code that is not this package's; ``slip``
    says in any language what it shows to be mixed up.
    """

    type: str
    text: str
    file: str = ""
    line: int = 0
    slip: Problem | None = None

    def said(self, texts: Texts) -> str:
        """Its text, in a language where that is known."""
        return self.slip.text(texts) if self.slip else self.text


class Foreign(str):
    """The ``repr`` of an object that only the loop's own process had; ``foreign`` is its type."""

    foreign: str

    def __new__(cls, text: str, foreign: str) -> Foreign:  # noqa: D102 - as the class says
        made = super().__new__(cls, text)
        made.foreign = foreign
        return made

    def __reduce__(self) -> tuple[type[Foreign], tuple[str, str]]:
        return Foreign, (str(self), self.foreign)

    def __repr__(self) -> str:
        return str(self)


SawKind = Literal[
    "sent",
    "messages",
    "flag",
    "asked",
    "ran",
    "set",
    "returned",
    "waited",
    "limit",
    "approved",
    "cut",
    "compacted",
]


class Saw(NamedTuple):
    """What one execution of a line was seen to do. Which fields count depends on ``kind``.

    ``sent``: messages ``start`` to ``stop - 1`` went to the model; ``messages``: the list
    now holds ``stop``; ``flag``: stop_reason was read as ``value``; ``asked``: tool calls
    were read (ids in ``ids``); ``ran``: a tool call was executed; ``set``: the variable
    ``name`` became ``value`` (a number, a short text, a bool or None); ``returned``:
    ``value`` was returned; ``waited``: for ``value`` seconds; ``limit``: ``name`` was used up,
    ``""`` for none; ``approved``: ``value`` was the decision; ``cut`` and ``compacted``: from
    ``start`` characters or messages to ``stop``.
    """

    kind: SawKind
    start: int = 0
    stop: int = 0
    name: str = ""
    value: Any = None
    ids: tuple[str, ...] = ()


class LineLog:
    """Every line of the loop's function in the order it ran, and what was seen on them.

    ``saws`` holds (position in ``lines``, what), in the order it was seen.
    """

    def __init__(self) -> None:
        self.lines = array("I")
        self.saws: list[tuple[int, Saw]] = []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LineLog) and self.lines == other.lines and self.saws == other.saws

    def __repr__(self) -> str:
        return f"LineLog({len(self.lines)} lines)"

    __hash__ = None  # type: ignore[assignment] # it grows while the run goes on

    def size(self) -> tuple[int, int]:
        """How many lines and how many saws there are."""
        return len(self.lines), len(self.saws)

    def between(
        self, start: tuple[int, int], stop: tuple[int, int]
    ) -> Iterator[tuple[int, list[Saw]]]:
        """(line, what was seen on it) for the executions from ``start`` to ``stop``."""
        seen: dict[int, list[Saw]] = {}
        for position, what in self.saws[start[1] : stop[1]]:
            seen.setdefault(position, []).append(what)
        for position in range(start[0], stop[0]):
            yield self.lines[position], seen.get(position, [])


@dataclass(frozen=True, slots=True)
class LoopSource:
    """The source that ran: the loop's file as it was read, and where the function is in it.

    ``functions`` maps the names of the file's functions to (first, last) line, 1-based.
    ``takes_max_turns`` says whether the loop has a cap at all.
    """

    name: str
    function: str
    file: str
    file_lines: tuple[str, ...] = field(repr=False)
    functions: dict[str, tuple[int, int]] = field(repr=False)
    takes_max_turns: bool

    @property
    def first_line(self) -> int:
        """The line of the loop's ``def``."""
        return self.functions[self.function][0]

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the loop's function."""
        return self.lines_of(self.function)

    def lines_of(self, function: str) -> tuple[str, ...]:
        """The lines of a function of the loop's file, empty for an unknown one."""
        first, last = self.functions.get(function, (1, 0))
        return self.file_lines[first - 1 : last]

    def line(self, number: int) -> str:
        """The text of a line by its number in the file, ``""`` outside it."""
        return self.file_lines[number - 1] if 0 < number <= len(self.file_lines) else ""
