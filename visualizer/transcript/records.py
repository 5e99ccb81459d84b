"""The transcript file: recorded runs of one task, with what a scenario needs to be shown.

The classes are plain slotted records. Our own files are validated into them by pydantic
(keys are closed, types strict); readers of outside files build them directly, because
validating tens of thousands of turns costs more than everything else. Objects of the
Messages API (messages, responses, blocks) stay open and are kept as they were.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

from visualizer.transcript.fields import (
    CLOSED,
    AtLeastOne,
    Constraint,
    Count,
    Name,
    NonEmpty,
    Pointer,
)
from visualizer.transcript.settings import Settings

if TYPE_CHECKING:
    from pydantic import ConfigDict

FORMAT_VERSION: Final = 1

ApiObject = dict[str, Any]
"""An object of the Messages API, kept verbatim."""

OUTPUT_TOKENS: Final = "/response/usage/output_tokens"
"""Where it is inferred, a reply's end was not recorded: it had at least these tokens."""

Kind = Literal["recorded", "reconstructed", "scripted", "authored", "inferred"]


TerminalReason = Literal[
    "completed",
    "max_turns",
    "refusal",
    "truncated",
    "paused",
    "returned_early",
    "raised",
    "budget_exhausted",
    "diverged",
    "recording_ended",
    "request_refused",
    "undecided",
    "step_cap",
]


@dataclass(slots=True, eq=False, repr=False)
class Localized:
    """A text for people, in every language of the interface."""

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    en: NonEmpty
    ja: NonEmpty

    def in_language(self, language: str) -> str:
        """The text in ``language``, English where that is not known."""
        return self.ja if language == "ja" else self.en


@dataclass(slots=True, eq=False, repr=False)
class Provenance:
    """Where a part of the file comes from; the longest matching ``of`` counts."""

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    of: Pointer
    kind: Kind
    source: Localized


@dataclass(slots=True, eq=False, repr=False)
class Note:
    """An authored remark, shown as such at a place (and there for one loop or cap only)."""

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    at: NonEmpty
    text: Localized
    loop: Name | None = None
    max_turns: AtLeastOne | None = None


@dataclass(slots=True, eq=False, repr=False)
class Page:
    """One page of a world."""

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    title: NonEmpty
    text: str


@dataclass(slots=True, eq=False, repr=False)
class WorldTool:
    """A tool that finds a page by its title, given in ``argument``."""

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    argument: NonEmpty


@dataclass(slots=True, eq=False, repr=False)
class World:
    """What the tools look into: then execute looks things up, it does not play back."""

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    pages: list[Page]
    tools: dict[str, WorldTool]
    missing: NonEmpty


@dataclass(slots=True, eq=False, repr=False)
class Parent:
    """The run, and the request in it, that started a subagent's run."""

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    run: NonEmpty
    tool_use_id: str | None = None


@dataclass(slots=True, eq=False, repr=False)
class Earlier:
    """The first messages of an earlier run's conversation.

    That is its request's messages, and behind them the replies and results of its first take.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    run: NonEmpty
    messages: AtLeastOne


@dataclass(slots=True, eq=False, repr=False)
class Request:
    """What every call of a run sends beside the growing messages, and the first of those.

    Those of an earlier run may come before ``messages``: then ``after`` says which.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    messages: list[ApiObject]
    model: str | None = None
    system: str | list[ApiObject] | None = None
    tools: list[ApiObject] | None = None
    max_tokens: AtLeastOne | None = None
    after: Earlier | None = None


@dataclass(slots=True, eq=False, repr=False)
class Inserted:
    """Blocks that the host put into one request and not into the loop's list.

    They stood in message ``message`` of that request, from block ``block`` on (0-based).
    """

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    message: Count
    block: Count
    content: list[ApiObject]
    origin: str | None = None


@dataclass(slots=True, eq=False, repr=False)
class Changed:
    """Messages of the loop's list that the client sent otherwise in one request.

    In place of ``count`` of them from ``message`` on (0-based) stood ``messages``, none where
    they were left out.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    message: Count
    count: AtLeastOne
    messages: list[ApiObject]


@dataclass(slots=True, eq=False, repr=False)
class Attempt:
    """A request that failed before the reply: HTTP status and error body.

    One that was ``handled`` was tried again below the loop, which never got to know of it.
    ``retry_after`` is what the server asked to wait, in seconds.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    status: int | None
    error: ApiObject
    handled: bool = False
    retry_after: Annotated[float, Constraint(ge=0)] | None = None


@dataclass(slots=True, eq=False, repr=False)
class Turn:
    """One model call and the results that followed.

    ``response`` is a Message object, null where every attempt failed. ``results`` is the
    content of the user message that followed, null where the recording has none.
    ``history`` is the list sent, where the host had rewritten it, ``compacted`` that it did
    so by putting a summary in place of what was there; ``request`` holds the
    parameters that this call sent otherwise than the run's request (a higher max_tokens, say).
    ``changed`` is what a client sent otherwise than the loop's list has it (old results cleared,
    say): the reply is given for the list all the same.
    ``inferred`` points at what the recording did not say. A turn that ``repeats`` is given
    again to contexts that differ only by its own repetition.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    response: ApiObject | None
    results: list[ApiObject] | None = None
    history: list[ApiObject] | None = None
    compacted: bool = False
    request: ApiObject = field(default_factory=dict)
    inserted: list[Inserted] = field(default_factory=list)
    changed: list[Changed] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    repeats: bool = False
    inferred: list[Pointer] = field(default_factory=list)


@dataclass(slots=True, eq=False, repr=False)
class Take:
    """One way a run went. With ``base`` it begins with the first ``after`` turns of that take.

    Where takes answer one request otherwise, a tool gives the first of these results (but none
    that says that the call was denied): a take with a result that the host cut comes second.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    name: Name
    turns: list[Turn]
    base: Name | None = None
    after: Count | None = None


@dataclass(slots=True, eq=False, repr=False)
class RecordedRun:
    """One recorded stretch that one drive of a loop covers, in one or several takes.

    ``max_turns`` is the cap that the recorded host had; ``uncapped`` says that it had none,
    so that a loop with a cap is driven without one. Neither said: the scenario's settings hold,
    or the loop's own. ``recorded`` is what the recording itself says of its end.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    id: NonEmpty
    request: Request
    takes: Annotated[list[Take], Constraint(min_length=1)]
    parent: Parent | None = None
    started_by: str = "prompt"
    max_turns: AtLeastOne | None = None
    uncapped: bool = False
    recorded: ApiObject | None = None

    def take(self, name: str | None) -> Take:
        """The take called ``name``, the first one for ``None``. Raises ``KeyError``."""
        if name is None:
            return self.takes[0]
        for take in self.takes:
            if take.name == name:
                return take
        raise KeyError(name)

    def turns_of(self, take: Take) -> list[Turn]:
        """The turns of a take from the run's first call on, its base's included."""
        if take.base is None:
            return take.turns
        return [one.turns[number] for one, number in self.path(take)]

    def path(self, take: Take) -> list[tuple[Take, int]]:
        """The same as pairs: a take, and the number of a turn among its own."""
        names = {one.name: one for one in reversed(self.takes)} if take.base is not None else {}
        chain = [take]
        while (base := chain[-1].base) is not None:
            chain.append(names[base])
        found: list[tuple[Take, int]] = []
        for one in reversed(chain):
            if one.after is not None:
                del found[one.after :]
            found += [(one, number) for number in range(len(one.turns))]
        return found


@dataclass(slots=True, eq=False, repr=False)
class Expect:
    """What a run must come to; ``visualizer check`` replays and compares.

    ``result`` is what ``run --json`` prints: a text or null, of anything else its ``repr``.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    result: str | None
    terminal_reason: TerminalReason
    model_calls: Count
    tool_rounds: Count
    tool_calls: Count


@dataclass(slots=True, eq=False, repr=False)
class Transcript:
    """A file of recorded runs, or a scenario over another file's runs (``recording``)."""

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    format_version: Literal[1]
    title: Localized
    summary: Localized
    provenance: list[Provenance] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    world: World | None = None
    runs: Annotated[list[RecordedRun], Constraint(min_length=1)] | None = None
    recording: Name | None = None
    settings: Settings = field(default_factory=Settings)
    expect: dict[str, Expect] = field(default_factory=dict)
