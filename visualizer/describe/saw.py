"""What a line of code saw in a turn, as the short values beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from visualizer.describe.arguments import ran_text
from visualizer.describe.host import HOST
from visualizer.describe.phrases import kept, label_of, ordinal, span, stop_reason_text, value_text
from visualizer.i18n import Texts
from visualizer.run.timeline import Run, Saw, Step

VALUE = 24
_COUNTS_TURNS = re.compile(
    r"\s*(?:async\s+)?for\s+(\w+)\s+in\s+range\(\s*(?:0\s*,\s*)?max_turns\s*\)"
)


def saw_text(saws: Iterable[Saw], run: Run, step: Step, texts: Texts) -> str:
    """What one line saw in the turn of ``step``, all its executions merged; ``""`` for nothing.

    ``step`` may be the end: then the turn is the run's last one.
    """
    by_kind: dict[str, list[Saw]] = {}
    for saw in saws:
        by_kind.setdefault(f"{saw.kind}:{saw.name}", []).append(saw)
    parts = [_text(same, run, step, texts) for same in by_kind.values()]
    return texts("step.saw.between").join(filter(None, parts))


def _text(saws: Sequence[Saw], run: Run, step: Step, texts: Texts) -> str:
    saw = saws[-1]
    if saw.kind in ("asked", "ran"):
        ids = list(dict.fromkeys(name for each in saws for name in each.ids))
        return _ids_text(saw.kind, ids, run, step, texts)
    if saw.kind in HOST:
        return HOST[saw.kind](saw, texts)
    return _SAID[saw.kind](saw, run, step, texts)


def _sent_text(saw: Saw, _run: Run, _step: Step, texts: Texts) -> str:
    return texts.count("step.saw.sent", saw.stop - saw.start, span=span(saw.start, saw.stop - 1))


def _flag_text(saw: Saw, run: Run, step: Step, texts: Texts) -> str:
    key = "step.saw.flag_on" if _went_on(run, step) else "step.saw.flag"
    return texts(key, flag=stop_reason_text(saw.value))


def _ids_text(kind: str, ids: list[str], run: Run, step: Step, texts: Texts) -> str:
    labels = [f"[{label_of(run, name)}]" for name in ids]
    if kind == "asked":
        if len(labels) > 3:
            return texts("step.saw.asked_many", n=len(labels), first=labels[0], last=labels[-1])
        return texts("step.saw.asked", calls=" ".join(labels)) if labels else ""
    if len(labels) > 3:
        return texts("step.saw.ran_many", n=len(labels), first=labels[0], last=labels[-1])
    if len(labels) == 3:
        return texts("step.saw.ran", calls=" ".join(labels))
    between = texts("step.saw.comma")
    each = [(name, texts("step.saw.ran", calls=f"[{label_of(run, name)}]")) for name in ids]
    return between.join(ran_text(said, run, step, name, texts) for name, said in each)


def _set_text(saw: Saw, run: Run, step: Step, texts: Texts) -> str:
    # No display_safe for the name: Python's own identifiers hold nothing that steers.
    values = {"name": saw.name, "value": value_text(saw.value, VALUE - len(saw.name))}
    if _counts_turns(saw, run, step):
        nth = ordinal(saw.value + 1, texts)
        return texts("step.saw.turn", nth=nth, cap=run.max_turns, **values)
    return texts("step.saw.set", **values)


def _counts_turns(saw: Saw, run: Run, step: Step) -> bool:
    """Whether a variable counts the turns from 0 up to a cap, so that "2nd of 10" is true."""
    if run.max_turns is None or type(saw.value) is not int:
        return False
    turn = step.turn if step.turn is not None else _last_turn(run)
    return saw.value == turn < run.max_turns and saw.name in kept(run, "_turn_names", _turn_names)


def _turn_names(run: Run) -> frozenset[str]:
    matches = (_COUNTS_TURNS.match(line) for line in run.loop.file_lines)
    return frozenset(match[1] for match in matches if match)


def _last_turn(run: Run) -> int:
    return run.calls[-1].turn if run.calls else -1


def _went_on(run: Run, step: Step) -> bool:
    """Whether anything but the end followed the check of this turn."""
    first = run.turn_start(step.index - 1 if step.phase == "end" and step.index > 1 else step.index)
    for index in range(first, step.index + 1):
        if run.step(index).phase == "check" and index < len(run.steps):
            return run.step(index + 1).phase != "end"
    return False


_SAID: dict[str, Callable[[Saw, Run, Step, Texts], str]] = {
    "sent": _sent_text,
    "messages": lambda saw, _run, _step, texts: texts.count("step.saw.messages", saw.stop),
    "flag": _flag_text,
    "set": _set_text,
    "returned": lambda saw, _run, _step, _texts: value_text(saw.value, VALUE),
}
