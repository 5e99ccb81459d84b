"""A run in a few lines, without its steps: how it ended, why, and where that was.

This is what ``str(run)``, ``repr(run)`` and ``run.explain()`` say, and the last lines of
``visualizer run``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from visualizer.describe.endings import end_sentences
from visualizer.describe.fingerprint import fingerprint
from visualizer.describe.phrases import counts_text, join, safe, value_text
from visualizer.i18n import Texts
from visualizer.locator import Locator
from visualizer.run.timeline import Run
from visualizer.text import clip, display_safe

_REASON = 150
"""Cells of a reason within one line: test programs show some 240 characters of a value."""


def ending_lines(run: Run, texts: Texts) -> Iterator[str]:
    """How a run ended, in two lines: what came of it, and the counts."""
    reason = display_safe(run.terminal_reason)
    if run.stop:
        yield texts("command.run.stopped", reason=reason)
    elif run.raised:
        yield texts("command.run.raised", reason=reason, type=display_safe(run.raised.type))
    else:
        yield texts("command.run.returned", value=value_text(run.result, 400), reason=reason)
    yield texts("command.run.counts", counts=_counts(run, texts))
    yield texts("command.run.fingerprint", fingerprint=fingerprint(run))


def explanation(run: Run, texts: Texts) -> str:
    """Why a run ended as it did, and where: the sentences, then the place."""
    sentences = join(end_sentences(run, run.steps[-1], texts), texts)
    return f"{sentences}\n{_place_line(run, texts)}"


def account(run: Run, texts: Texts) -> str:
    """A run in a few lines: what it was driven with, its end, its counts, why and where."""
    cap = "" if run.max_turns is None else f", max_turns {run.max_turns}"
    head = f"{safe(run.scenario, 80)}: {safe(run.loop.name, 80)}{cap}"
    *ending, _fingerprint = ending_lines(run, texts)
    return "\n".join([head, *ending, explanation(run, texts)])


def in_one_line(run: Run, texts: Texts) -> str:
    """A run as ``repr`` shows it: its end, and the counts or the reason."""
    who = f"{safe(run.scenario, 40)} by {safe(run.loop.name, 40)}"
    if run.stop is None and run.raised is None:
        value = value_text(run.result, _REASON - 60)
        return f"<Run {who}: {run.terminal_reason}, returned {value}; {_counts(run, texts)}>"
    sentences = end_sentences(run, run.steps[-1], texts)
    reason = clip(sentences[min(1, len(sentences) - 1)], _REASON)
    return f"<Run {who}: {run.terminal_reason} at {_place(run)}. {reason}>"


def _counts(run: Run, texts: Texts) -> str:
    return counts_text(run.model_calls, run.tool_rounds, run.tool_calls, texts)


def _place_line(run: Run, texts: Texts) -> str:
    """Where a run ended: its place, and the line of the loop."""
    step = run.step(run.locate(_place(run)))
    file, line = run.loop.file, step.last_line
    if run.raised is not None and run.raised.line:
        file, line = run.raised.file, run.raised.line
    place = display_safe(str(Locator(run.scenario, step.place)))
    return texts("command.run.place", place=place, file=safe(PurePath(file).name, 80), line=line)


def _place(run: Run) -> str:
    """The step that a stop came in, else the end."""
    return run.steps[-2 if run.stop else -1].place
