"""Two runs beside each other on the page of a lesson: the page's own left, the other right."""

from __future__ import annotations

from visualizer.app.beside import SIDES, CompareView
from visualizer.app.view import View
from visualizer.comparison.report import run_names
from visualizer.describe import phase_label
from visualizer.text import cells, clip
from visualizer.tui.compare import code as compare_code
from visualizer.tui.compare import rows as compare_rows
from visualizer.tui.draw.segments import Line, Seg, beside, block, fit, width_of
from visualizer.tui.stepper import header
from visualizer.tui.stepper.frame import heading

SAID = 2
LEAST_CODE = 5


def pair(view: View, both: CompareView, width: int, height: int) -> list[Line]:
    """What both do here, the code with its difference, the messages where there is room."""
    left = (width - 1) // 2
    sizes = (left, width - 1 - left)
    said = SAID if height < 13 else SAID + 1 if height < 18 else SAID + 2
    lines = [_names(view, both, sizes), *_meters(view, both, sizes)]
    lines += _happened(view, both, sizes, said)
    room = height - len(lines)
    whole = compare_code.length(both, width)
    same = all(line.change == "equal" for line in both.beside.comparison.code)
    held = 0
    if room >= whole + 5:
        held = room - whole - 1
    elif same:
        held = room - (LEAST_CODE if room > 2 * LEAST_CODE else 0)
    if room - held > 1:
        lines += _code(view, both, width, sizes, room - held - 1)
    if held > 1:
        lines += _messages(both, sizes, held)
    return block(lines, width, height)


def _names(view: View, both: CompareView, sizes: tuple[int, int]) -> Line:
    """The two runs by what tells them apart."""
    names = run_names(both.beside.comparison, view.texts)
    drawn = [
        heading(view, clip(f"{view.texts(f'compare.side.{side}')}: {name}", size - 6), size)
        for side, name, size in zip(SIDES, names, sizes, strict=True)
    ]
    return (*drawn[0], Seg(view.glyphs.cross_down, "rule"), *drawn[1])


def _meters(view: View, both: CompareView, sizes: tuple[int, int]) -> list[Line]:
    """Both turn meters; the page's own hides what is asked."""
    columns = []
    for one, size in zip((view, both.side("right")), sizes, strict=True):
        shown = list(header.meter(one))
        if width_of(shown) + 1 > size:
            shown = shown[1:]
        step = view.texts("screen.lesson.step", index=one.index)
        if width_of(shown) + cells(step) + 4 <= size:
            shown += [Seg("   "), Seg(step, "dim")]
        columns.append([fit([Seg(" "), *shown], size)])
    return beside(columns[0], [(Seg(view.glyphs.down, "rule"),)], columns[1])


def _happened(view: View, both: CompareView, sizes: tuple[int, int], height: int) -> list[Line]:
    """What has just happened in both; what is asked about is not told."""
    if view.waiting:
        phase = phase_label(view.run, view.index, view.texts)
        asked = fit([Seg(" "), Seg(f" {phase} ", "phase"), Seg("  ?", "dim")], sizes[0])
        left = block([asked], sizes[0], height)
    else:
        left = compare_rows.happened(both.side("left"), sizes[0], height)
    right = compare_rows.happened(both.side("right"), sizes[1], height)
    return beside(left, [(Seg(view.glyphs.down, "rule"),)] * height, right)


def _code(
    view: View, both: CompareView, width: int, sizes: tuple[int, int], height: int
) -> list[Line]:
    same = all(line.change == "equal" for line in both.beside.comparison.code)
    title = view.texts("screen.compare.code_same" if same else "screen.compare.code")
    head = heading(view, title, width, pane="code")
    if compare_code.fits_beside(both, width):
        return [head, *compare_code.split(both, *sizes, height)]
    return [head, *compare_code.merged(both, width, height)]


def _messages(both: CompareView, sizes: tuple[int, int], height: int) -> list[Line]:
    one, other = both.sides
    heads = [
        heading(each, each.texts("screen.messages.title", n=each.step.messages), size)
        for each, size in zip((one, other), sizes, strict=True)
    ]
    top = (*heads[0], Seg(one.glyphs.cross_down, "rule"), *heads[1])
    columns = [
        compare_rows.message_rows(both, side, size, height - 1)
        for side, size in zip(SIDES, sizes, strict=True)
    ]
    return [top, *beside(columns[0], [(Seg(one.glyphs.down, "rule"),)] * (height - 1), columns[1])]
