"""A task to judge, and the four questions about it: what they ask, then how they are answered."""

from __future__ import annotations

from visualizer.app.pages import TaskView
from visualizer.app.view import View
from visualizer.lessons.tasks import GATES, Gate, Task
from visualizer.text import cells, display_safe, pad, wrap
from visualizer.tui.draw.segments import Line, Seg, block, fit
from visualizer.tui.stepper.frame import heading

GAP = 2


def sheet(view: View, one: TaskView, width: int, height: int) -> list[Line]:
    """The task, a row for each question, and what follows from the answers."""
    texts = view.texts
    title = display_safe(one.task.title.in_language(texts.language))
    names = {gate: texts(f"lesson.gate.{gate}") for gate in GATES}
    answers = [texts("lesson.option.yes"), texts("lesson.option.no")]
    columns = (max(map(cells, names.values())), max(map(cells, answers)))
    lines = [
        heading(view, texts("screen.task.title"), width),
        fit([Seg("  "), Seg(title, "strong")], width),
    ]
    spare = height - len(lines) - 1
    for gate in GATES:
        lines += _row(view, one, gate, columns, width, max(1, spare // len(GATES)))
    if len(one.shown) == len(GATES):
        told = _verdict(view, one.task, width)
        lines += [fit([], width), *told] if len(lines) + len(told) < height else told
    return block(lines, width, height)


def _row(
    view: View, one: TaskView, gate: Gate, columns: tuple[int, int], width: int, most: int
) -> list[Line]:
    """A question: its name, its answer, and why; or what it asks, while that is open."""
    texts = view.texts
    judged = one.task.judged(gate)
    known = gate in one.shown
    answer = texts(f"lesson.option.{judged.answer}") if known else "?"
    role = "dim" if not known else "won" if judged.answer == "yes" else "cut"
    why = judged.why.in_language(texts.language) if known else texts(f"lesson.gate.{gate}.asks")
    mark = " > " if gate == one.asked else "   "
    head = [
        Seg(mark, "done"),
        Seg(pad(texts(f"lesson.gate.{gate}"), columns[0]), "label"),
        Seg(" " * GAP),
        Seg(pad(answer, columns[1]), role),
        Seg(" " * GAP),
    ]
    indent = len(mark) + sum(columns) + 2 * GAP
    ink = "text" if known else "dim"
    parts = wrap(display_safe(why), max(width - indent - 1, 12), most)
    rows = [fit([*head, Seg(parts[0], ink)], width)]
    return rows + [fit([Seg(" " * indent), Seg(part, ink)], width) for part in parts[1:]]


def _verdict(view: View, task: Task, width: int) -> list[Line]:
    """One "no" is enough for a simpler design; four times yes, an agent is worth a try."""
    key = "simpler" if task.against else "agent"
    said = view.texts(f"screen.task.{key}")
    return [fit([Seg("   "), Seg(part, "strong")], width) for part in wrap(said, width - 4)]
