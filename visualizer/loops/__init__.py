"""The loops on show: one file each, named after the one loop in it.

Adding a loop is adding a file. Each is plain code that could be pasted into a project. What
a loop needs beside the model and the tools stands here: ``tool_results``, and for loops that
ask for more, the error of a failed request, the result of a call that was not allowed, and
what holds where a host sets no limits.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

PASSING = frozenset({408, 409, 429})
"""HTTP statuses below 500 that say: try again later."""

NOT_EXECUTED = "Not executed: "
DENIED_BY_POLICY = "the policy denies this tool."
DENIED_BY_USER = "the user denied this call."
"""What the model reads of a call that was denied. A recording holds these very words."""


class RequestFailed(Exception):
    """A request got no reply: HTTP ``status`` (None: no answer came) and the ``error`` body.

    ``retry_after`` is what the server asked to wait, in seconds, None where it said nothing.
    """

    def __init__(
        self, status: int | None, error: dict[str, Any], retry_after: float | None = None
    ) -> None:
        self.status = status
        self.error = error
        self.retry_after = retry_after
        super().__init__(f"request failed with status {status}")

    @property
    def retryable(self) -> bool:
        """Whether the same request may pass later: too many, overloaded, no connection."""
        return self.status is None or self.status in PASSING or self.status >= 500


def tool_results(results: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The one user message that takes all results of a reply back to the model."""
    return {"role": "user", "content": list(results)}


def denied(call: Any, reason: str) -> dict[str, Any]:
    """The result of a call that was not run: the model is told, in place of an output."""
    text = f"{NOT_EXECUTED}{reason}"
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


class Decision:
    """Whether a call may run, and in words why not."""

    def __init__(self, allowed: bool, reason: str = "") -> None:
        self.allowed = allowed
        self.reason = reason

    def __bool__(self) -> bool:
        return self.allowed


def allow(call: Any) -> Decision:
    """What holds where nobody is asked: every call may run."""
    return Decision(True)


class NoLimits:
    """What holds where a host sets no limits beside the turns."""

    def hit(self, usage: dict[str, Any] | None) -> str | None:
        """The name of the limit that a reply of this usage passes: none does."""
        return None

    def context_is_full(self, share: float = 1) -> bool:
        """Whether the last request came near (a share of) what the window holds: never."""
        return False


NO_LIMITS = NoLimits()


def unchanged(value: Any) -> Any:
    """What holds where a host neither truncates nor summarises."""
    return value
