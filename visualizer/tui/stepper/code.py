"""The source that ran, with the line done, the line to come, and what each line saw."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from visualizer.app.listing import helpers, own_parts
from visualizer.app.view import View
from visualizer.describe import saw_text
from visualizer.run.timeline import Saw
from visualizer.text import cells, clip, display_safe, pad
from visualizer.tui.draw.point import POINTED, look_here
from visualizer.tui.draw.segments import Line, Seg, fit, spread, surface, width_of
from visualizer.tui.stepper.fold import Row, helper, holds, marks, rows
from visualizer.tui.stepper.ring import PHASES, SEATS

STACKED = 76
"""Narrower screens say values below the code rather than cut the code."""
VALUES = 22
"""The cells that values need at least."""
_WORDS = (
    "for|in|if|elif|else|return|while|try|except|finally|raise|def|not|and|or|is|with|as|pass"
    "|break|continue|None|True|False|import|from|lambda|yield"
)
_PIECES = re.compile(rf"(?P<word>\b(?:{_WORDS})\b)|(?P<string>\"[^\"]*\"|'[^']*')|(?P<note>#.*)")


def gutter(view: View) -> int:
    """The cells left of the code: a phase's name and the mark."""
    ran = set(view.shown.phase_lines.values()) & SEATS.keys() - {"rewrite"}
    names = (view.texts(f"screen.phase.{phase}") for phase in (*PHASES, *ran))
    return max(map(cells, names)) + 5


def code_width(view: View) -> int:
    """The cells that the code takes with its gutter; a longer first line may be cut."""
    first = view.run.loop.first_line
    lines = (cells(text) for number, text in source(view).items() if number != first)
    return gutter(view) + max(lines, default=0)


def source(view: View) -> dict[int, str]:
    """The lines of the loop and its helpers by number, safe, without their common indent."""
    loop = view.run.loop
    found: dict[int, str] = {}
    for name in (loop.function, *helpers(view.run)):
        found |= enumerate(dedented(loop.lines_of(name)), loop.functions[name][0])
    return found


def dedented(lines: Sequence[str]) -> list[str]:
    """A function's lines, safe, without the indent that all lines of its body share."""
    body = [line for line in lines[1:] if line.strip()]
    shared = min((len(line) - len(line.lstrip(" ")) for line in body), default=0)
    return [display_safe(line[shared:] if line[:shared].isspace() else line) for line in lines]


def code(view: View, width: int, height: int) -> list[Line]:
    """Code on the left, on the right the values where there is room for them."""
    left, right = columns(view, width)
    texts = dict(seen(view))
    lines: list[Line] = []
    sources = source(view)
    for row in rows(view, height):
        item = _row(view, row, sources, left)
        if right:
            bar = Seg(view.glyphs.down + " ", "rule")
            item = (*item, bar, *fit(_value(view, row, texts), right))
        lines.append(item)
    return lines


def columns(view: View, width: int) -> tuple[int, int]:
    """The cells of the code and of the values beside it; no values where they don't fit.

    Unfolded code is shown in full width where a line would be cut.
    """
    cut = code_width(view) > width - VALUES - 2
    if cut and (view.settings.unfolded or width < STACKED):
        return width, 0
    left = min(code_width(view), width - VALUES - 2)
    whole = gutter(view) + max(map(cells, source(view).values()))
    if whole <= width - VALUES - 2:
        left = max(left, whole)
    right = width - left - 2
    return (left, right) if left >= gutter(view) + 28 else (width, 0)


def below(view: View, width: int) -> Line:
    """What the line done saw, for screens too narrow to say it beside the code."""
    text = dict(seen(view)).get(view.step.last_line, "")
    if not text:
        return fit([], width)
    return fit([Seg(" > ", "done"), Seg(text, "saw")], width)


def title(view: View) -> str:
    """The heading over the code: the function, and the helper that it has gone into."""
    names = [view.run.loop.function, *([inside] if (inside := helper(view)) else [])]
    return view.texts("screen.code.title", name=display_safe(" > ".join(names)))


def seen(view: View) -> Iterator[tuple[int, str]]:
    """(line, what it saw in this turn), for the lines that ran; skipped ones say so."""
    ran: dict[int, list[Saw]] = {}
    order: list[int] = []
    for number, saws in view.run.lines_at(view.index):
        ran.setdefault(number, []).extend(saws)
        order.append(number)
    if not ran:
        return
    lines = view.run.loop.functions[helper(view) or view.run.loop.function]
    # What ran before the turn's first step is left from the turn before: not yet come to again.
    began = _line_of_turn(view)
    order = order[order.index(began) :] if began in ran else order
    furthest = max((number for number in order if holds(lines, number)), default=0)
    skipped = {number for number in view.shown.statements if holds(lines, number)}
    for number in sorted(ran.keys() | skipped):
        if number in ran and view.lens.hidden and _is_asked(view, ran[number]):
            yield number, "?"
        elif number in ran:
            yield number, saw_text(ran[number], view.run, view.step, view.texts)
        elif number < furthest:
            yield number, ""


def _line_of_turn(view: View) -> int:
    """The loop's own line on which the turn that is shown began."""
    run, index = view.run, view.index
    start = run.turn_start(index - 1 if view.at_end and index > 1 else index)
    return (own_parts(run.loop, run.step(start)) or ((0, 0),))[0][1]


def _is_asked(view: View, saws: Sequence[Saw]) -> bool:
    """Whether what a line saw is what the reader is asked for."""
    return "sent" in view.lens.hidden and any(saw.kind == "sent" for saw in saws)


def _row(view: View, row: Row, sources: Mapping[int, str], width: int) -> Line:
    if row.hidden:
        text = view.texts.count("screen.code.folded", row.hidden)
        return fit([Seg(" " * gutter(view)), Seg(f"... {text}", "dim", "unfold")], width)
    done, coming = marks(view)
    label = _label(view, row.number)
    mark, role = ("> ", "done") if row.number == done else ("  ", "text")
    if row.number == coming:
        mark, role = ">>", "next"
    text = sources[row.number]
    pointed = row.number == view.lens.line
    segments = [
        Seg(POINTED, "point") if pointed else Seg(" "),
        Seg(label, "ring.on" if label.strip() and _is_current(view, row.number) else "gutter"),
        Seg(mark + " ", role),
        *highlighted(clip(text, width - gutter(view))),
    ]
    item = fit(segments, width)
    if pointed and width_of(segments) + cells(look_here(view)) + 2 <= width:
        item = spread(segments, [Seg(look_here(view), "point"), Seg(" ")], width)
    return surface(item, "mark") if row.number == done or pointed else item


def _label(view: View, number: int) -> str:
    phase = view.shown.phase_lines.get(number, "")
    if _is_current(view, number):
        phase = view.step.phase
    text = view.texts(f"screen.phase.{phase}") if phase else ""
    return pad(text.upper() if _is_current(view, number) else text, gutter(view) - 4)


def _is_current(view: View, number: int) -> bool:
    """Whether the step ran on a line, or on one of a helper that was called there."""
    if view.step.phase in ("start", "end"):
        return False
    return any(line == number for _, line in own_parts(view.run.loop, view.step))


def _value(view: View, row: Row, texts: dict[int, str]) -> list[Seg]:
    key = dict(view.lens.choices).get(row.number)
    if key is not None:
        return [Seg(f"[{key}]", "key", f"answer:{key}")]
    if row.hidden or row.number not in texts:
        return []
    text = texts[row.number]
    if text:
        return [Seg(text, "saw")]
    ran = row.number in {number for number, _ in view.run.lines_at(view.index)}
    return [] if ran else [Seg(view.texts("screen.code.skipped"), "skipped")]


def highlighted(text: str) -> list[Seg]:
    """Python source in its few kinds: words of the language, strings, the rest."""
    segments: list[Seg] = []
    position = 0
    for match in _PIECES.finditer(text):
        if match.start() > position:
            segments.append(Seg(text[position : match.start()], "code"))
        role = {"word": "code.word", "string": "code.string"}.get(match.lastgroup or "", "dim")
        segments.append(Seg(match[0], role))
        position = match.end()
    if position < len(text):
        segments.append(Seg(text[position:], "code"))
    return segments
