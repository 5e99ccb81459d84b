"""What a loop's further collaborators did, in plain sentences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from visualizer.describe.phrases import kept, safe, span, tool_text
from visualizer.i18n import Texts
from visualizer.run.limits import BILLION, LimitUse
from visualizer.run.timeline import (
    Approval,
    Compaction,
    Cut,
    LimitCheck,
    RequestError,
    Run,
    Saw,
    Step,
    Stop,
    Wait,
)

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


def approve(run: Run, step: Step, texts: Texts) -> list[str]:
    """Whether a call may run, and who says so."""
    about = step.about
    if not isinstance(about, Approval):
        return []
    call = tool_text(about.call)
    if about.asked and about.decision is not None:
        said = [texts(f"step.approve.reader_{about.decision}", call=call)]
    else:
        rule = texts("step.approve.unlisted")
        if about.rule:
            rule = texts("step.approve.rule", pattern=safe(about.rule, _KIND))
        key = f"policy_{about.decision}" if about.decision else "undecided"
        said = [texts(f"step.approve.{key}", call=call, rule=rule)]
    return [*said, texts("step.approve.told")] if about.decision == "deny" else said


def next_approve(run: Run, step: Step, texts: Texts) -> str:
    """Announce a decision."""
    call = tool_text(step.about.call) if isinstance(step.about, Approval) else "?"
    return texts("step.next.approve", call=call)


def undecided(run: Run, stop: Stop, texts: Texts) -> str:
    """A run that stopped because nobody decided about a call."""
    about = next((step.about for step in run.steps if step.place == stop.detail), None)
    call = tool_text(about.call) if isinstance(about, Approval) else "?"
    return texts("step.stop.undecided", call=call)


def truncate(run: Run, step: Step, texts: Texts) -> list[str]:
    """A result that the host has cut."""
    about = step.about
    if not isinstance(about, Cut):
        return []
    asked = (
        one.request
        for one in reversed(run.steps[: step.index])
        if one.request is not None and one.request.id == about.before.tool_use_id
    )
    call = next(asked, None)
    sizes = {"before": f"{len(about.before.result_text):,}", "after": f"{about.kept:,}"}
    said = texts("step.truncate.cut", call=tool_text(call) if call else "?", **sizes)
    return [said, texts("step.truncate.lost")]


def compact(run: Run, step: Step, texts: Texts) -> list[str]:
    """A history that a summary has taken the place of, and what is lost with it."""
    about = step.about
    if not isinstance(about, Compaction):
        return []
    if step.history == about.history:
        return [texts("step.compact.nothing")]
    sizes = texts("step.compact.sizes", before=about.messages, after=step.messages)
    full = ""
    if about.limit is not None:
        tokens = {"tokens": f"{about.tokens:,}", "limit": f"{about.limit:,}"}
        full = texts("step.compact.full", **tokens)
    gone = lost(run, step)
    if not gone:
        return [full, sizes]
    which = span(gone.start, gone.stop - 1)
    return [full, sizes, texts.count("step.compact.lost", len(gone), messages=which)]


def lost(run: Run, step: Step) -> range:
    """The messages of the history before that a compaction did not keep as they were."""
    about = step.about
    if not isinstance(about, Compaction) or step.history == about.history:
        return range(0)
    old = run.histories[about.history][: about.messages]
    new = run.histories[step.history][: step.messages]
    same = 0
    for one, other in zip(old, new, strict=False):
        if one is not other and one != other:
            break
        same += 1
    return range(same, len(old))


def compaction_of(run: Run, history: int) -> Step | None:
    """The step that began a history by putting a summary in place of the one before."""
    return kept(run, "_compactions", _compactions).get(history)


def _compactions(run: Run) -> dict[int, Step]:
    return {
        step.history: step
        for step in reversed(run.steps)
        if isinstance(step.about, Compaction) and step.history != step.about.history
    }


def limit(run: Run, step: Step, texts: Texts) -> list[str]:
    """The limits after a reply: what is used and left."""
    about = step.about
    if not isinstance(about, LimitCheck):
        return []
    uses = texts("step.limit.between").join(use_text(use, texts) for use in about.uses)
    if about.hit is None:
        return [texts("step.limit.within", uses=uses)]
    return [texts("step.limit.hit", name=limit_name(about.hit, texts), uses=uses)]


def use_text(use: LimitUse, texts: Texts) -> str:
    """How much of a limit is used and left: ``$0.0312 of $0.05 used, $0.0188 left``."""
    state = "left" if use.left >= 0 else "over"
    values = {
        "used": amount(use, use.used),
        "configured": amount(use, use.configured, 2),
        state: amount(use, abs(use.left)),
    }
    return texts(f"step.limit.{_UNITS[use.name]}_{state}", **values)


def amount(use: LimitUse, value: int, least: int = 4) -> str:
    """A number of what a limit counts; dollars to four places, ``least`` of them at least."""
    if use.name != "max_budget_usd":
        return f"{value:,}"
    whole, _, rest = f"{value / BILLION:.4f}".partition(".")
    return f"{whole}.{rest.rstrip('0'):0<{least}}"


def limit_name(name: str, texts: Texts) -> str:
    """What a limit bounds, in a word."""
    return texts(f"step.limit.name.{_UNITS[name]}")


def hit_at(run: Run) -> LimitCheck | None:
    """The last time that a run asked the limits, where one was used up."""
    last = limits_at(run, len(run.steps))
    return last if last is not None and last.hit is not None else None


def limits_at(run: Run, index: int) -> LimitCheck | None:
    """The limits as a step knows them: as they were when last asked; None before."""
    found = kept(run, "_limit_checks", _limit_checks)
    at = bisect_right(found, index, key=lambda pair: pair[0]) - 1
    return found[at][1] if at >= 0 else None


def _limit_checks(run: Run) -> list[tuple[int, LimitCheck]]:
    return [(step.index, step.about) for step in run.steps if isinstance(step.about, LimitCheck)]


def _sizes(saw: Saw) -> dict[str, str]:
    return {"before": f"{saw.start:,}", "after": f"{saw.stop:,}"}


_CHOICES = {"allow": "allowed", "deny": "denied", None: "undecided"}
_UNITS = {"max_budget_usd": "usd", "max_total_tokens": "tokens", "max_turns": "turns"}


def next_wait(run: Run, step: Step, texts: Texts) -> str:
    """Announce a wait."""
    seconds = step.about.seconds if isinstance(step.about, Wait) else 0
    return texts("step.next.wait", time=seconds_text(seconds, texts))


HOST: dict[str, Callable[[Saw, Texts], str]] = {
    "waited": lambda saw, texts: seconds_text(saw.value, texts),
    "compacted": lambda saw, texts: texts("step.saw.compacted", **_sizes(saw)),
    "cut": lambda saw, texts: texts("step.saw.cut", **_sizes(saw)),
    "approved": lambda saw, texts: texts(f"step.saw.{_CHOICES[saw.value]}"),
    "limit": lambda saw, texts: (
        texts("step.saw.used_up", name=limit_name(saw.name, texts))
        if saw.name
        else texts("step.saw.within")
    ),
}
"""What a line saw of a collaborator, by the kind of what was seen."""
