"""What a step was about that is none of the four phases: waits, gates, limits, cuts."""

from __future__ import annotations

from typing import NamedTuple

from visualizer.messages import Block
from visualizer.run.limits import LimitUse
from visualizer.transcript.settings import Choice


class RequestError(NamedTuple):
    """Why a request got no reply: HTTP status (None: no answer came), and what the body said."""

    status: int | None
    kind: str = ""
    message: str = ""
    retry_after: float | None = None


class Wait(NamedTuple):
    """A wait: the seconds asked for (nothing really waits), and the failure before it."""

    seconds: float
    after: RequestError | None = None


class LimitCheck(NamedTuple):
    """The limits after a reply, and the one that was used up first (None: none is)."""

    uses: tuple[LimitUse, ...]
    hit: str | None


class Observed(NamedTuple):
    """A tool result that a reader changed: the block that was recorded, or looked up."""

    recorded: Block


class Approval(NamedTuple):
    """Whether a call may run: the decision (None: nobody decided), and how it came about.

    ``asked`` says that the policy leaves it to a person; ``rule`` is the pattern that says
    so, ``""`` where no list has the tool.
    """

    call: Block
    decision: Choice | None
    asked: bool
    rule: str


class Cut(NamedTuple):
    """A tool's result before and after the host cut it, and how many characters it kept."""

    before: Block
    after: Block
    kept: int


class Compaction(NamedTuple):
    """A history replaced by a summary: its number and its messages before.

    ``tokens`` is what the latest call and its reply held, ``limit`` how much may be held
    (None where no limit is set).
    """

    history: int
    messages: int
    tokens: int
    limit: int | None


About = Wait | LimitCheck | Observed | Approval | Cut | Compaction
"""What a step of a further collaborator was about."""
