"""The result line: how a run would be reported to the caller of the SDK."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from visualizer.loops.registry import DEFAULT
from visualizer.run.limits import BILLION, Budget
from visualizer.run.timeline import LimitCheck, Run
from visualizer.transcript.settings import Limits, Prices

if TYPE_CHECKING:
    from visualizer.loading import Scenario

CLIENT = "2.1.332"
"""The version of the client that was measured."""

FIELDS = (
    "subtype",
    "is_error",
    "terminal_reason",
    "stop_reason",
    "num_turns",
    "result",
    "errors",
    "total_cost_usd",
    "permission_denials",
)
"""What of a recorded result line can be compared with one that was worked out."""

_USAGE = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
)
_BOUNDLESS = 1e6
"""US dollars that no run spends: a budget counts only where there is one."""


def result_line(
    run: Run,
    prices: Prices | None,
    users: int,
    denials: Sequence[Mapping[str, Any]],
    spent: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any] | None:
    """The line for the end of a run; None where the visualizer stopped it.

    ``users`` is how many user lines came before. ``num_turns`` is one more; where the cap
    ended the run, one more than the cap. ``spent`` is the usage of earlier runs' replies.
    """
    usages = [*spent, *(call.usage for call in run.calls if call.reply and call.usage)]
    if run.stop is not None:
        return None
    subtype, reason, errors = _how(run)
    flag = run.calls[-1].stop_reason if run.calls else None
    failed = reason == "api_error"
    line: dict[str, Any] = {
        "type": "result",
        "subtype": subtype,
        "is_error": subtype != "success" or failed,
        "terminal_reason": reason,
        "stop_reason": flag,
        "num_turns": num_turns(run, users),
    }
    if subtype == "success":
        line["result"] = _text(run)
    if errors:
        line["errors"] = errors
    if failed and run.calls[-1].error is not None:
        line["api_error_status"] = run.calls[-1].error.status
    if prices is not None:
        line["total_cost_usd"] = _cost(usages, prices)
    if usages:
        line["usage"] = _usage(usages)
    line["permission_denials"] = list(denials)
    return line


def num_turns(run: Run, users: int) -> int:
    """What the measured client reports as ``num_turns`` for a run with some user lines."""
    if run.terminal_reason == "max_turns":
        return (run.max_turns or run.model_calls) + 1
    return users + 1


def said_of(run: Run, scenario: Scenario) -> Mapping[str, Any] | None:
    """The client's own result line, where it was recorded for a run driven just so."""
    recorded = scenario.run(run.recorded_run)
    said = recorded.recorded or {}
    settings = scenario.settings
    cap = None if recorded.uncapped else recorded.max_turns or settings.max_turns
    own = run.loop.name == (settings.loop or DEFAULT)
    if not isinstance(said.get("subtype"), str) or run.max_turns != cap or not own:
        return None
    return {"type": "result", **{name: said[name] for name in FIELDS if name in said}}


def differences(
    worked_out: Mapping[str, Any], said: Mapping[str, Any]
) -> list[tuple[str, Any, Any]]:
    """(field, worked out, recorded) where the two are not the same; None for an absent one.

    What a run can't know, since its recording has no prices, is not compared.
    """
    names = [name for name in FIELDS if name in said]
    if "total_cost_usd" not in worked_out and "total_cost_usd" in names:
        names.remove("total_cost_usd")
    pairs = ((name, worked_out.get(name), said[name]) for name in names)
    return [(name, one, other) for name, one, other in pairs if not _same(one, other)]


def remark(run: Run) -> str:
    """What is to be known about a result line that was not measured so: a word, or ``""``.

    ``goes_on``: the client would have called again; ``early``: it has no loop that leaves a
    tool request behind; ``api_error``: as documented; ``no_counterpart``: it has no such limit.
    """
    if run.terminal_reason in ("refusal", "truncated"):
        return "goes_on"
    if run.terminal_reason == "returned_early":
        return "early"
    if run.terminal_reason == "budget_exhausted" and _limit_hit(run) != "max_budget_usd":
        return "no_counterpart"
    if run.raised is not None:
        return "api_error" if _request_failed(run) else "raised"
    return ""


def _how(run: Run) -> tuple[str, str, list[str]]:
    """Subtype, terminal reason, and what stands in ``errors``."""
    if run.terminal_reason == "max_turns":
        cap = run.max_turns or run.model_calls
        return "error_max_turns", "max_turns", [f"Reached maximum number of turns ({cap})"]
    if run.terminal_reason == "budget_exhausted":
        return "error_max_budget_usd", "budget_exhausted", _budget_errors(run)
    if run.raised is not None:
        if _request_failed(run):
            return "success", "api_error", []
        return "error_during_execution", "model_error", [f"{run.raised.type}: {run.raised.text}"]
    return "success", "completed", []


def _request_failed(run: Run) -> bool:
    return run.raised is not None and bool(run.calls) and run.calls[-1].error is not None


def _text(run: Run) -> str:
    """What the caller reads as the answer: the returned text, else that of the last reply."""
    if isinstance(run.result, str):
        return run.result
    last = run.calls[-1] if run.calls else None
    if last is not None and last.error is not None:
        return f"API Error: {last.error.status or ''} {last.error.message}".strip()
    return last.reply.text if last is not None and last.reply is not None else ""


def _limit_checks(run: Run) -> list[LimitCheck]:
    return [step.about for step in run.steps if isinstance(step.about, LimitCheck)]


def _limit_hit(run: Run) -> str | None:
    checks = _limit_checks(run)
    return checks[-1].hit if checks else None


def _budget_errors(run: Run) -> list[str]:
    checks = _limit_checks(run)
    uses = [use for use in (checks[-1].uses if checks else ()) if use.name == "max_budget_usd"]
    return [f"Reached maximum budget (${use.configured / BILLION:g})" for use in uses]


def _cost(usages: Sequence[Mapping[str, Any]], prices: Prices) -> float:
    budget = Budget(Limits(max_budget_usd=_BOUNDLESS), prices)
    for usage in usages:
        budget.hit(usage)
    return budget.uses[0].used / BILLION


def _usage(usages: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Token counts of all replies together, as far as the recording has them."""
    found = dict.fromkeys(_USAGE, 0)
    for usage in usages:
        for name in _USAGE:
            value = usage.get(name)
            found[name] += value if type(value) is int and value > 0 else 0
    return found


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=1e-9)
    return bool(one == other)
