"""The source that ran, with the line done, the line to come, and what each line saw."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from visualizer.describe import saw_text
from visualizer.text import cells, clip, display_safe, pad
from visualizer.timeline import Saw
from visualizer.tui.paint.point import POINTED, look_here
from visualizer.tui.paint.ring import PHASES
from visualizer.tui.paint.segments import Line, Seg, fit, spread, surface, width_of
from visualizer.tui.view import View

STACKED = 76
"""Narrower screens say values below the code rather than cut the code."""
VALUES = 22
"""The cells that values need at least."""
_WORDS = (
    "for|in|if|elif|else|return|while|try|except|finally|raise|def|not|and|or|is|with|as|pass"
    "|break|continue|None|True|False|import|from|lambda|yield"
)
_PIECES = re.compile(rf"(?P<word>\b(?:{_WORDS})\b)|(?P<string>\"[^\"]*\"|'[^']*')|(?P<note>#.*)")


class Row(NamedTuple):
    """A line of the loop by its number in its file; a fold of ``hidden`` lines otherwise."""

    number: int
    hidden: int = 0


def gutter(view: View) -> int:
    """The cells left of the code: a phase's name and the mark."""
    names = (view.texts(f"screen.phase.{phase}") for phase in PHASES)
    return max(map(cells, names)) + 5


def code_width(view: View) -> int:
    """The cells that the code takes with its gutter; a longer first line may be cut."""
    return gutter(view) + max((cells(text) for text in source(view)[1:]), default=0)


def source(view: View) -> list[str]:
    """The loop's lines, safe, without the indent that all lines of its body share."""
    lines = view.run.loop.lines
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
    whole = gutter(view) + max(map(cells, source(view)))
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
    """The heading over the code: the function, and whether lines are folded away."""
    name = display_safe(view.run.loop.function)
    return view.texts("screen.code.title", name=name)


def seen(view: View) -> Iterator[tuple[int, str]]:
    """(line, what it saw in this turn), for the lines that ran; skipped ones say so."""
    ran: dict[int, list[Saw]] = {}
    for number, saws in view.run.lines_at(view.index):
        ran.setdefault(number, []).extend(saws)
    if not ran:
        return
    furthest = max(ran)
    for number in sorted(ran.keys() | set(view.shown.statements)):
        if number in ran and view.lens.hidden and _is_asked(view, ran[number]):
            yield number, "?"
        elif number in ran:
            yield number, saw_text(ran[number], view.run, view.step, view.texts)
        elif number < furthest:
            yield number, ""


def _is_asked(view: View, saws: Sequence[Saw]) -> bool:
    """Whether what a line saw is what the reader is asked for."""
    return "sent" in view.lens.hidden and any(saw.kind == "sent" for saw in saws)


def rows(view: View, height: int) -> list[Row]:
    """The lines that fit: all, or those around the line done and the line to come."""
    loop = view.run.loop
    first, count = loop.first_line, len(loop.lines)
    last = first + count - 1
    if count <= height:
        return [Row(number) for number in range(first, last + 1)]
    if count == height + 1:
        return [Row(number) for number in range(first + 1, last + 1)]
    done, coming = marks(view)
    centre = view.lens.line or done or coming or first
    chosen = {number for number in (view.lens.line, done, coming) if first <= number <= last}
    if view.lens.line and len(_folded(chosen, first, last)) > height:
        chosen = {view.lens.line}
    options = chosen | {line for line, _ in view.lens.choices}
    if len(_folded(options, first, last)) <= height:
        chosen = options
    for distance in range(count):
        for number in (centre + distance, centre - distance):
            more = chosen | {number}
            if first <= number <= last and len(_folded(more, first, last)) <= height:
                chosen = more
    return _folded(chosen, first, last)[:height]


def marks(view: View) -> tuple[int, int]:
    """The line done and the line to come; 0 where there is none."""
    following = view.following
    done = view.step.last_line if view.step.phase != "start" else 0
    return done, following.line if following else 0


def _folded(chosen: set[int], first: int, last: int) -> list[Row]:
    found: list[Row] = []
    expected = first
    for number in [*sorted(chosen), last + 1]:
        hidden = number - expected
        if hidden and not (expected == first and hidden == 1):
            found.append(Row(0, hidden))
        if number <= last:
            found.append(Row(number))
        expected = number + 1
    return found


def _row(view: View, row: Row, sources: Sequence[str], width: int) -> Line:
    if row.hidden:
        text = view.texts.count("screen.code.folded", row.hidden)
        return fit([Seg(" " * gutter(view)), Seg(f"... {text}", "dim", "unfold")], width)
    done, coming = marks(view)
    label = _label(view, row.number)
    mark, role = ("> ", "done") if row.number == done else ("  ", "text")
    if row.number == coming:
        mark, role = ">>", "next"
    text = sources[row.number - view.run.loop.first_line]
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
    return view.step.line == number and view.step.phase not in ("start", "end")


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
