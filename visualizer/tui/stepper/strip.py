"""All steps in a row, turn by turn: where we are, and a click away from any other step."""

from __future__ import annotations

from visualizer.app.view import View
from visualizer.run.timeline import Step
from visualizer.tui.draw.segments import Line, Seg, fit, width_of


def strip(view: View, width: int) -> Line:
    """The steps around the current one; arrows say that there are more."""
    steps = view.run.steps
    left = right = view.index
    middle = _cell(view, view.step)
    before: list[Seg] = []
    after: list[Seg] = []
    room = width - width_of(middle) - 6
    half = room // 2
    while right < len(steps) and width_of(after) < room:
        after += _cell(view, steps[right])
        right += 1
    taken = min(width_of(after), max(half, 0))
    while left > 1:
        cell = _cell(view, steps[left - 2])
        if width_of(before) + width_of(cell) > room - taken:
            break
        before = cell + before
        left -= 1
    spare = room - width_of(before)
    while after and width_of(after) > spare:
        right -= 1
        after = after[: -len(_cell(view, steps[right]))]
    head = Seg(f" {view.glyphs.left} " if left > 1 else " ", "dim", f"go:{max(left - 1, 1)}")
    more = right < len(steps)
    if view.lens.veiled and not more:
        return fit([head, *before, *middle, *after, Seg(" ?", "dim")], width)
    tail = Seg(f" {view.glyphs.right}" if more else "", "dim", f"go:{min(right + 1, len(steps))}")
    return fit([head, *before, *middle, *after, tail], width)


def _cell(view: View, step: Step) -> list[Seg]:
    """A step's word; where a turn begins, a line and its number come first."""
    word = _word(view, step)
    click = f"go:{step.index}"
    role = "text" if step.index < view.index else "dim"
    if step.index == view.index:
        role = view.stamp
    segments = [Seg(word, role, click), Seg(" ")]
    before = view.run.steps[step.index - 2] if step.index > 1 else None
    if before is not None and before.turn != step.turn:
        number = f" {step.turn} " if step.turn is not None else " "
        segments = [Seg(f"{view.glyphs.down}{number}", "rule"), *segments]
    return segments


def _word(view: View, step: Step) -> str:
    texts = view.texts
    if step.phase == "end":
        run = view.run
        if run.terminal_reason == "max_turns":
            word = texts("screen.meter.cut_off")
        else:
            kind = "stopped" if run.stop else "raised" if run.raised else "returned"
            word = texts(f"screen.strip.{kind}")
    else:
        word = texts(f"screen.phase.{step.phase}")
        place, _, number = step.place.rpartition(".")
        if number.isdigit() and place.count("."):
            word = f"{word} {number}"
    return f"[{word.upper()}]" if step.index == view.index else word
