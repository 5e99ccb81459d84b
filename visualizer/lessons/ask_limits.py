"""Questions about what bounds a run, and about whether a task needs an agent at all."""

from __future__ import annotations

from visualizer.describe.host import hit_at, limits_at
from visualizer.lessons.questions import Asked, Question, question
from visualizer.lessons.tasks import GATES
from visualizer.run.timeline import LimitCheck, Run, Step

LIMITS = {"max_turns": "turns", "max_budget_usd": "money", "max_total_tokens": "tokens"}


def first_limit(asked: Asked) -> Question | None:
    """Which limit ends the run, if one does."""
    run, texts = asked.run, asked.texts
    last = limits_at(run, len(run.steps))
    names = [use.name for use in last.uses] if last is not None else []
    if run.max_turns is not None and "max_turns" not in names:
        names.append("max_turns")
    if run.stop is not None or not names:
        return None
    ended = _limit_of(run)
    none = texts("lesson.option.limit_none")
    options = [texts(f"lesson.option.limit_{LIMITS[name]}") for name in LIMITS if name in names]
    right = texts(f"lesson.option.limit_{LIMITS[ended]}") if ended else none
    prompt = texts("lesson.ask.first_limit")
    shown_at = _hit_step(run).index
    options = [*options, none]
    known = asked.deducible
    return question(asked, "first_limit", prompt, right, options, known, shown_at, turned=False)


def judge(asked: Asked) -> Question | None:
    """One of the four questions about a task; or which of them is answered with no."""
    task, gate, texts = asked.task, asked.on, asked.texts
    if task is None:
        return None
    if gate is not None:
        options = [texts("lesson.option.yes"), texts("lesson.option.no")]
        right = texts(f"lesson.option.{task.judged(gate).answer}")
        name, asks = texts(f"lesson.gate.{gate}"), texts(f"lesson.gate.{gate}.asks")
        prompt = texts("lesson.ask.judge", name=name, asks=asks)
    else:
        if len(task.against) > 1:
            return None
        none = texts("lesson.option.no_gate")
        options = [*(texts(f"lesson.gate.{name}") for name in GATES), none]
        right = texts(f"lesson.gate.{task.against[0]}") if task.against else none
        prompt = texts("lesson.ask.judge_which")
    return question(asked, "judge", prompt, right, options, False, asked.index, turned=False)


def _limit_of(run: Run) -> str:
    """The limit that ended a run, ``""`` for none."""
    if run.terminal_reason == "max_turns":
        return "max_turns"
    last = hit_at(run) if run.terminal_reason == "budget_exhausted" else None
    return last.hit or "" if last is not None else ""


def _hit_step(run: Run) -> Step:
    """Where it is seen: the check that finds a limit used up, else the end."""
    found = (
        step
        for step in run.steps
        if isinstance(step.about, LimitCheck) and step.about.hit is not None
    )
    return next(found, run.steps[-1])
