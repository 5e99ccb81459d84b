"""What a loop's further collaborators did, in plain sentences."""

from __future__ import annotations

from collections.abc import Callable

from visualizer.describe.phrases import safe
from visualizer.i18n import Texts
from visualizer.timeline import RequestError, Run, Saw, Step, Wait

_KIND = 40


def error_text(error: RequestError, texts: Texts) -> str:
    """Why a request failed: ``HTTP 529 overloaded_error``."""
    if error.status is None:
        return texts("step.request.no_answer")
    kind = safe(error.kind, _KIND)
    key = "step.request.status_kind" if kind else "step.request.status"
    return texts(key, status=error.status, kind=kind)


def seconds_text(seconds: float, texts: Texts) -> str:
    """``1 second``, ``2.5 seconds``."""
    return texts.count("step.wait.seconds", 1 if seconds == 1 else 2, seconds=f"{seconds:g}")


def wait(run: Run, step: Step, texts: Texts) -> list[str]:
    """A wait between two tries."""
    about = step.about
    if not isinstance(about, Wait):
        return []
    time = seconds_text(about.seconds, texts)
    if about.after is None:
        return [texts("step.wait.plain", time=time), texts("step.wait.nothing")]
    why = error_text(about.after, texts)
    told = about.after.retry_after == about.seconds
    return [
        texts("step.wait.after", why=why, time=time),
        texts("step.wait.told") if told else "",
        texts("step.wait.nothing"),
    ]


def next_wait(run: Run, step: Step, texts: Texts) -> str:
    """Announce a wait."""
    seconds = step.about.seconds if isinstance(step.about, Wait) else 0
    return texts("step.next.wait", time=seconds_text(seconds, texts))


HOST: dict[str, Callable[[Saw, Texts], str]] = {
    "waited": lambda saw, texts: seconds_text(saw.value, texts),
}
"""What a line saw of a collaborator, by the kind of what was seen."""
