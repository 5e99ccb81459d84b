"""A comparison in words, in lines of text and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from visualizer.comparison.aligned import Comparison, OtherOrder, compare
from visualizer.comparison.parting import Account, Parting
from visualizer.describe import plain
from visualizer.describe.account import ending_lines
from visualizer.describe.endings import end_sentences
from visualizer.describe.fingerprint import fingerprint
from visualizer.describe.phrases import (
    join,
    ordinal,
    scalar,
    stop_reason_text,
    tool_text,
    value_text,
)
from visualizer.engine import replay
from visualizer.errors import VisualizerError
from visualizer.i18n import Texts
from visualizer.loading import Scenario, load_transcript
from visualizer.run.timeline import Run
from visualizer.text import display_safe, pad

ENDED = frozenset(
    {
        *("request_refused", "diverged", "recording_ended", "undecided", "raised"),
        *("does_not_end", "budget_exhausted"),
    }
)
"""Kinds that the end of the run tells in full."""
OF_BOTH = frozenset({"other_reply", "other_requests", "other_result"})
"""Kinds that are about neither run alone."""
_VALUE = 80
T = TypeVar("T")
_SIGNS = {"equal": " ", "removed": "-", "added": "+"}


def lines(
    name: str | Scenario,
    loops: Sequence[str],
    caps: Sequence[int],
    texts: Texts,
    as_json: bool = False,
) -> Iterator[str]:
    """The comparison that a command asks for, as text or JSON.

    Of what is given twice the first is the left run's; what is given once is the right one's,
    and so are the observations that a reader changed in a scenario.
    """
    scenario = load_transcript(name)
    left, right = (
        replay(one, loop=loop, max_turns=cap)
        for one, (loop, cap) in zip((scenario.plain, scenario), sides(loops, caps), strict=True)
    )
    for place in scenario.observed:
        right.locate(place)  # what is changed must be there
    comparison = compare(left, right)
    if as_json:
        return plain.json_lines(to_json(comparison, scenario, texts))
    return text_lines(comparison, scenario, texts)


def sides(
    loops: Sequence[str], caps: Sequence[int]
) -> tuple[tuple[str | None, int | None], tuple[str | None, int | None]]:
    """The loop and the cap of the left and of the right run, as options give them."""
    left, right = zip(_two("--loop", loops), _two("--max-turns", caps), strict=True)
    return left, right


def _two(option: str, given: Sequence[T]) -> tuple[T | None, T | None]:
    if len(given) > 2:
        raise VisualizerError("compare.error.too_many", option=option)
    left, right = (None, None, *given)[-2:]
    return left, right


def parting_text(comparison: Comparison, texts: Texts) -> str:
    """Why two runs part, in a sentence or two, safe for a terminal; ``""`` where they don't."""
    parting = comparison.parting
    if parting is None:
        return ""
    sides = ("left", "right") if parting.side == "both" else (parting.side,)
    if parting.kind in OF_BOTH:
        sides = ("left",)
    return join([_account_text(comparison, side, parting, texts) for side in sides], texts)


def order_text(comparison: Comparison, texts: Texts) -> str:
    """Whether the phases come in the same order, and where first they don't."""
    order = comparison.order
    if order is None:
        left, right = comparison.left, comparison.right
        alike = comparison.parting is None and left.loop == right.loop
        if alike and fingerprint(left) == fingerprint(right):
            return texts("compare.order.identical", fingerprint=fingerprint(left))
        return texts("compare.order.same")
    orders = [_phases(one, texts) for one in (order.left, order.right)]
    nth = ordinal(order.turn + 1, texts)
    return texts("compare.order.other", nth=nth, left=orders[0], right=orders[1])


def run_names(comparison: Comparison, texts: Texts) -> tuple[str, str]:
    """What to call the two runs: by their loops, by what else tells them apart."""
    runs = (comparison.left, comparison.right)
    names = [display_safe(run.loop.name) for run in runs]
    if names[0] != names[1]:
        return names[0], names[1]
    caps = [run.max_turns for run in runs]
    by = [f"max_turns {cap}" for cap in caps]
    if caps[0] == caps[1] or None in caps:
        by = [texts(f"compare.side.{side}").lower() for side in ("left", "right")]
    if caps[0] == caps[1] and bool(runs[0].observations) != bool(runs[1].observations):
        by = [texts(f"compare.by.{'changed' if run.observations else 'recorded'}") for run in runs]
    left, right = (
        texts("compare.name", loop=name, by=how) for name, how in zip(names, by, strict=True)
    )
    return left, right


def text_lines(comparison: Comparison, scenario: Scenario, texts: Texts) -> Iterator[str]:
    """A comparison in lines of text: both runs, where they part, the steps, the code."""
    yield plain.title_line(scenario, texts)
    for side, run in (("left", comparison.left), ("right", comparison.right)):
        yield texts(
            "compare.run", side=texts(f"compare.side.{side}"), what=plain.loop_line(run, texts)
        )
        told = (*plain.observed_lines(run, texts), *ending_lines(run, texts))
        yield from (f"  {line}" for line in told)
    yield ""
    yield from account_lines(comparison, texts)
    yield ""
    yield from _step_lines(comparison, texts)
    yield ""
    yield from _code_lines(comparison, texts)


def account_lines(comparison: Comparison, texts: Texts) -> Iterator[str]:
    """Whether the outcomes agree, where and why the runs part, whether the order is the same."""
    agree = "agree" if comparison.outcomes_agree else "differ"
    yield texts(f"compare.outcomes.{agree}")
    yield _parting_line(comparison, texts)
    yield order_text(comparison, texts)


def to_json(comparison: Comparison, scenario: Scenario, texts: Texts) -> dict[str, Any]:
    """A comparison as plain data."""
    order, parting = comparison.order, comparison.parting
    return {
        "scenario": scenario.name,
        "left": _run_json(comparison.left),
        "right": _run_json(comparison.right),
        "outcomes_agree": comparison.outcomes_agree,
        "same_order": comparison.same_order,
        "order": _order_json(order) if order else None,
        "parting": _parting_json(comparison, parting, texts) if parting else None,
        "steps": [list(pair) for pair in comparison.steps],
        "code": [line._asdict() for line in comparison.code],
    }


def _account_text(comparison: Comparison, side: str, parting: Parting, texts: Texts) -> str:
    mine = side == "left"
    run, other = comparison.left, comparison.right
    who, whom = run_names(comparison, texts)
    if not mine:
        run, other, who, whom = other, run, whom, who
    account = parting.left if mine else parting.right
    if account is None:
        return ""
    if account.kind in ENDED:
        what = join(end_sentences(run, run.steps[-1], texts), texts)
        return texts("compare.parting.ended", who=who, what=what)
    value = value_text(run.result, _VALUE)
    if account.kind == "cut_off" and run.max_turns is not None:
        return texts.count("compare.parting.cut_off", run.max_turns, who=who, value=value)
    return texts(
        f"compare.parting.{_variant(account)}",
        who=who,
        other=whom,
        value=value,
        other_value=value_text(other.result, _VALUE),
        flag=stop_reason_text(account.flag),
        calls=texts("compare.comma").join(tool_text(block) for block in account.requests[:3]),
        message=account.message,
        cap=run.max_turns,
        call=account.call.turn + 1 if account.call else 0,
    )


def _variant(account: Account) -> str:
    """The kind, or the other wording of it for what there is to say."""
    if account.kind == "answer_not_from_model" and account.message is None:
        return "answer_from_nowhere"
    if account.kind == "returned_early" and account.call is None:
        return "returned_without_call"
    return account.kind


def _phases(phases: tuple[str, ...], texts: Texts) -> str:
    names = (texts(f"step.phase.{phase}").lower() for phase in phases)
    return texts("compare.comma").join(names)


def _parting_line(comparison: Comparison, texts: Texts) -> str:
    parting = comparison.parting
    if parting is None:
        return texts("compare.parting.none")
    places = (comparison.left.step(parting.left_step), comparison.right.step(parting.right_step))
    where = texts("compare.parting.at", left=places[0].place, right=places[1].place)
    return join([where, parting_text(comparison, texts)], texts)


def _step_lines(comparison: Comparison, texts: Texts) -> Iterator[str]:
    """The steps of both runs, those that belong together on one line."""
    runs = (comparison.left, comparison.right)
    digits = len(str(max(len(run.steps) for run in runs)))
    width = digits + 2 + max(len(step.place) for step in comparison.left.steps)
    sides = [texts("compare.side.left"), texts("compare.side.right")]
    yield f"  {pad(sides[0], width)}  {sides[1]}"
    parting = comparison.parting
    here = (parting.left_step, parting.right_step) if parting else None
    for pair, position in zip(comparison.steps, comparison.positions, strict=True):
        cells = [
            "" if at is None else f"{at:>{digits}}  {run.step(at).place}"
            for at, run in zip(pair, runs, strict=True)
        ]
        mark = ">" if position == here else " "
        yield f"{mark} {pad(cells[0], width)}  {cells[1]}".rstrip()


def _code_lines(comparison: Comparison, texts: Texts) -> Iterator[str]:
    if all(line.change == "equal" for line in comparison.code):
        yield texts("compare.code.same")
        return
    yield texts("compare.code.differs")
    for line in comparison.code:
        left, right = display_safe(line.left_text), display_safe(line.right_text)
        if line.change == "changed":
            yield f"- {left}".rstrip()
            yield f"+ {right}".rstrip()
        else:
            yield f"{_SIGNS[line.change]} {left or right}".rstrip()


def _run_json(run: Run) -> dict[str, Any]:
    return {
        "loop": run.loop.name,
        "max_turns": run.max_turns,
        "result": scalar(run.result),
        "terminal_reason": run.terminal_reason,
        "fingerprint": fingerprint(run),
        "model_calls": run.model_calls,
        "tool_rounds": run.tool_rounds,
        "tool_calls": run.tool_calls,
        "steps": len(run.steps),
    }


def _order_json(order: OtherOrder) -> dict[str, Any]:
    return {"turn": order.turn, "left": list(order.left), "right": list(order.right)}


def _parting_json(comparison: Comparison, parting: Parting, texts: Texts) -> dict[str, Any]:
    main = parting.right if parting.side == "right" else parting.left
    evidence: dict[str, Any] = {}
    if main is not None:
        evidence = {
            "stop_reason": main.flag,
            "codes": [one.code for one in main.violations],
            "tool_use_ids": [block.id for block in main.requests],
            "message": main.message,
            "difference": plain.difference_json(main.difference) if main.difference else None,
            "cap": main.stop.cap if main.stop else None,
        }
    return {
        "place": parting.place,
        "left_step": parting.left_step,
        "right_step": parting.right_step,
        "left_place": comparison.left.step(parting.left_step).place,
        "right_place": comparison.right.step(parting.right_step).place,
        "kind": parting.kind,
        "side": parting.side,
        "text": parting_text(comparison, texts),
        **evidence,
    }
