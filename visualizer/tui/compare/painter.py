"""Two runs side by side: where they part and why, what each does, the code, the messages.

``paint_compare`` is all of it but the keys, for a screen of its own and for a page of a lesson.
"""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.app.beside import SIDES, CompareView
from visualizer.app.view import View
from visualizer.comparison.report import order_text, parting_text, run_names
from visualizer.describe import value_text
from visualizer.describe.phrases import safe
from visualizer.text import cells, clip, display_safe, wrap
from visualizer.tui.compare import code as compare_code
from visualizer.tui.compare import rows as compare_rows
from visualizer.tui.draw.segments import (
    Area,
    Line,
    Painted,
    Seg,
    beside,
    block,
    fit,
    spread,
    surface,
    width_of,
)
from visualizer.tui.stepper.frame import SMALLEST, heading, too_small

TALL = 30
"""From so many lines on there is room for the steps of both runs."""


LITTLE = 8
"""With less room the code stands alone; the messages are a key away."""


def compare_screen(view: CompareView, foot: Sequence[Line], width: int, height: int) -> Painted:
    """The whole screen at a size, the keys included."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return too_small(view.side("left"), width, height)
    lines = [*paint_compare(view, width, height - len(foot)), *foot]
    return Painted(tuple(lines), (Area("compare", 0, 0, width, height - len(foot)),))


def paint_compare(view: CompareView, width: int, height: int) -> list[Line]:
    """Two runs at a place: exactly ``height`` lines of ``width`` cells, 58x14 at least."""
    top = _top(view, width, height)
    left = (width - 1) // 2
    sizes = (left, width - 1 - left)
    heads = [_heads(view, sizes), _both(view, sizes, 1, "state")]
    strips = compare_rows.steps(view, width) if height >= TALL - 2 else []
    room = height - len(top) - 2 - len(strips)
    said = min(2 if room < 10 else 3 if room < 15 else 4 if room < 26 else 5, room)
    room -= said
    lines = [*top, *(item for head in heads for item in head)]
    lines += _both(view, sizes, said, "happened")
    code, held = _share(view, width, room)
    if code:
        lines += _code(view, width, sizes, code - 1)
    if held:
        lines += _message_heading(view, sizes)
        lines += _both(view, sizes, held - 1, "messages")
    return block([*lines, *strips], width, height)


def _share(view: CompareView, width: int, room: int) -> tuple[int, int]:
    """The lines that code and messages get, their headings included."""
    if room < LITTLE or view.settings.panes != "all":
        return (0, room) if view.settings.panes == "messages" else (room, 0)
    whole = compare_code.length(view, width) + 1
    held = min(4 if room < 16 else room * 2 // 5, room - 2)
    code = min(whole, room - held)
    return code, room - code


def _top(view: CompareView, width: int, height: int) -> list[Line]:
    """What is compared, how it stands with the two, and why they part."""
    lines = [_title(view, width), _state(view, width)]
    most = 2 if height < TALL - 2 else 4
    if view.settings.veiled:
        return [*lines, fit([Seg(f"  {view.texts('screen.compare.veiled')}", "dim")], width)]
    comparison = view.beside.comparison
    text = parting_text(comparison, view.texts) or order_text(comparison, view.texts)
    lines += [(Seg("  "), Seg(part, "strong")) for part in wrap(text, width - 3, most)]
    return [fit(item, width) for item in lines]


def _title(view: CompareView, width: int) -> Line:
    texts, beside_ = view.texts, view.beside
    where = texts("screen.step", index=beside_.at + 1, total=beside_.last + 1)
    right = [Seg(texts("screen.compare.title"), "title"), Seg(f"   {where} ", "strong")]
    found = beside_.left.scenario.provenance()
    kind = f" ({texts(f'screen.provenance.{found.kind}')})" if found else ""
    titles = list(dict.fromkeys(one.title for one in view.sides))
    room = width - width_of(right) - cells(kind) - 2
    title = clip(" | ".join(titles), max(room, 4))
    return surface(spread([Seg(" "), Seg(title, "strong"), Seg(kind, "dim")], right, width), "bar")


def _state(view: CompareView, width: int) -> Line:
    """Whether the two part later, here or have parted; at the end how the outcomes compare."""
    texts, beside_ = view.texts, view.beside
    if view.settings.veiled:
        return fit([Seg(" "), Seg(f" {texts('screen.compare.stepping')} ", "phase")], width)
    if beside_.at_end:
        return _outcomes(view, width)
    parting = beside_.comparison.parting
    if parting is None or beside_.parting is None:
        return fit([Seg(" "), Seg(f" {texts('screen.compare.never')} ", "won")], width)
    left, right = beside_.left.run, beside_.right.run
    places = (left.step(parting.left_step).place, right.step(parting.right_step).place)
    if beside_.at == beside_.parting:
        stamp, role = texts("screen.compare.here"), "cut"
    else:
        key = "later" if beside_.at < beside_.parting else "parted"
        stamp, role = texts(f"screen.compare.{key}"), "phase"
    key = "places" if beside_.at == beside_.parting else "at"
    text = texts(f"screen.compare.{key}", left=places[0], right=places[1])
    key = "" if beside_.at == beside_.parting else texts("screen.compare.jump")
    return spread(
        [Seg(" "), Seg(f" {stamp} ", role, "part"), Seg(f"  {text}", "text", "part")],
        [Seg(f" {key} ", "key", "part")] if key else [],
        width,
    )


def _outcomes(view: CompareView, width: int) -> Line:
    """How both ended, beside each other, and whether that is the same."""
    agree = view.beside.comparison.outcomes_agree
    stamp = view.texts("screen.compare.agree" if agree else "screen.compare.differ")
    head = [Seg(" "), Seg(f" {stamp} ", "won" if agree else "cut"), Seg("  ")]
    room = (width - width_of(head) - 5) // 2
    left, right = (_outcome(one, room) for one in view.sides)
    return fit([*head, Seg(left, "strong"), Seg("  |  ", "rule"), Seg(right, "strong")], width)


def _outcome(view: View, width: int) -> str:
    """``"1974" completed``: what came back, and why the run ended."""
    run = view.run
    reason = display_safe(run.terminal_reason)
    if run.stop or run.raised:
        return clip(f"{reason} {safe(run.raised.type, 40)}" if run.raised else reason, width)
    return clip(f"{value_text(run.result, max(width - cells(reason) - 1, 8))} {reason}", width)


def _heads(view: CompareView, sizes: tuple[int, int]) -> list[Line]:
    """The names of the two; a run that does not end is named as contained."""
    names = run_names(view.beside.comparison, view.texts)
    drawn: list[Line] = []
    for side, name, size, one in zip(SIDES, names, sizes, view.sides, strict=True):
        word = view.texts(f"compare.side.{side}")
        note = view.texts("screen.compare.contained") if compare_rows.contained(one) else ""
        note = "" if view.settings.veiled else note
        room = size - cells(note) - 8
        item = heading(one, clip(f"{word}: {name}", room), size, note)
        drawn.append(tuple(seg._replace(click=f"step_{side}") for seg in item))
    return [(*drawn[0], Seg(view.glyphs.cross_down, "rule"), *drawn[1])]


def _both(view: CompareView, sizes: tuple[int, int], height: int, what: str) -> list[Line]:
    """The same pane of both runs, with a line between them."""
    columns = []
    for side, size in zip(SIDES, sizes, strict=True):
        if what == "state":
            columns.append([compare_rows.state_line(view, side, size)])
        elif what == "happened":
            veiled = view.settings.veiled
            columns.append(compare_rows.happened(view.side(side), size, height, veiled))
        else:
            columns.append(compare_rows.message_rows(view, side, size, height))
    bar = [(Seg(view.glyphs.down, "rule"),)] * height
    return beside(columns[0], bar, columns[1])


def _code(view: CompareView, width: int, sizes: tuple[int, int], height: int) -> list[Line]:
    """The code with its heading: two columns where they fit, else one listing."""
    same = all(line.change == "equal" for line in view.beside.comparison.code)
    title = view.texts("screen.compare.code_same" if same else "screen.compare.code")
    one = view.side("left")
    if compare_code.fits_beside(view, width):
        head = heading(one, title, width)
        return [head, *compare_code.split(view, *sizes, height)]
    note = view.texts("screen.compare.marks")
    note = note if cells(title) + cells(note) + 10 <= width else ""
    head = heading(one, title, width, note)
    return [head, *compare_code.merged(view, width, height)]


def _message_heading(view: CompareView, sizes: tuple[int, int]) -> list[Line]:
    drawn = [
        heading(one, view.texts("screen.messages.title", n=one.step.messages), size)
        for one, size in zip(view.sides, sizes, strict=True)
    ]
    cross = view.glyphs.cross_down
    return [(*drawn[0], Seg(cross, "rule"), *drawn[1])]
