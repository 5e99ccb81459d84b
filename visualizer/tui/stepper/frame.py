"""The stepper's whole screen: which pane goes where, for every size from 60x20 on."""

from __future__ import annotations

from dataclasses import dataclass, field

from visualizer.app.prompt import Prompt
from visualizer.app.view import View
from visualizer.text import cells, wrap
from visualizer.tui.draw.footer import footer, prompt_line
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.point import look_here
from visualizer.tui.draw.segments import (
    Area,
    Line,
    Painted,
    Seg,
    beside,
    block,
    fit,
    spread,
)
from visualizer.tui.stepper import (
    code,
    counts,
    header,
    messages,
    pending_results,
    question,
    ring,
    sentence,
    strip,
)

SMALLEST = (60, 20)
WIDE = (104, 32)
LEAST_CODE = 5
"""The lines of code that are left at the end of a run."""


def stepper(view: View, width: int, height: int, prompt: Prompt | None = None) -> Painted:
    """The stepper at a size: exactly ``height`` lines of ``width`` cells."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return too_small(view, width, height)
    frame = Frame(view, width, height)
    if width >= WIDE[0] and height >= WIDE[1]:
        frame.wide()
    else:
        frame.compact()
    cursor = None
    if prompt is not None:
        last, column = prompt_line(prompt, view.texts, width)
        frame.lines[-1] = last
        cursor = (column, height - 1)
    return Painted(tuple(frame.lines), tuple(frame.areas), cursor)


def too_small(view: View, width: int, height: int) -> Painted:
    """What a window says that is too small for a run."""
    text = view.texts("screen.too_small", width=SMALLEST[0], height=SMALLEST[1])
    lines = [(Seg(part),) for part in wrap(text, max(1, width))]
    return Painted(tuple(block(lines, width, height)))


def heading(view: View, text: str, width: int, right: str = "", pane: str = "") -> Line:
    """A pane's title in a line across; a lesson may point at the ``pane``."""
    glyphs = view.glyphs
    if pane and pane == view.lens.pane:
        left = [Seg(glyphs.rule(2) + " ", "rule"), Seg(text, "title"), Seg(" ")]
        tail = [Seg(f" {look_here(view)} ", "point"), Seg(glyphs.rule(2), "rule")]
        used = sum(cells(seg.text) for seg in (*left, *tail))
        return spread([*left, Seg(glyphs.rule(width - used), "rule")], tail, width)
    left = [Seg(glyphs.rule(2) + " ", "rule"), Seg(text, "title"), Seg(" ")]
    tail = [Seg(f" {right} ", "read"), Seg(glyphs.rule(2), "rule")] if right else []
    used = sum(cells(seg.text) for seg in (*left, *tail))
    return spread([*left, Seg(glyphs.rule(width - used), "rule")], tail, width)


@dataclass
class Frame:
    """A screen being put together from the top down."""

    view: View
    width: int
    height: int
    where: Where = "stepper"
    lines: list[Line] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)

    def compact(self) -> None:
        """One column: ring, sentence, code, messages. Narrow screens stack the values too."""
        view, width = self.view, self.width
        narrow = code.columns(view, width)[1] == 0
        top = header.narrow(view, width)
        loop = ring.one_line(view, width) if width < code.STACKED else ring.two_lines(view, width)
        foot = self._foot(1 if self.height < 30 else 2)
        counted = [counts.counts_line(view, width)] if view.settings.counts else []
        steps = [strip.strip(view, width)]
        asked = question.panel(view, width, tight=self.height < 28)
        left = self.height - sum(map(len, (top, loop, asked, foot, counted, steps))) - 2
        said, ran, held = self._share(left, narrow)
        self._add("", [*top, *loop, *asked])
        self._add("sentence", sentence.sentence(view, width, said))
        self._code(width, ran, narrow)
        self._messages(width, held)
        self._add("", [*counted, *steps, *foot])

    def wide(self) -> None:
        """Ring beside messages, code beside what the calls send."""
        view, width = self.view, self.width
        foot = self._foot(2)
        top = header.wide(view, width)
        across = fit([Seg(view.glyphs.rule(width), "rule")], width)
        steps = [across, strip.strip(view, width)]
        lines = len(view.run.loop.lines)
        asked = question.panel(view, width)
        left = self.height - len(top) - 1 - len(asked) - len(steps) - len(foot) - 2
        told = 0 if view.waiting else 4
        ran = min(lines, left - (5 if view.settings.unfolded else ring.TALL + told))
        if view.at_end and ran < lines and not view.settings.unfolded:
            # What is folded anyway makes room for what came of the run.
            wanted = sentence.ending_height(view, width, left)
            ran = max(LEAST_CODE, min(ran, left - ring.TALL - wanted))
        said = max(4, left - ring.TALL - ran)
        least = sentence.ending_height if view.at_end else sentence.height_of
        said = min(said, least(view, width, said if view.at_end else 4))
        said = 0 if view.waiting else said
        upper = left - said - ran
        self._add("", [*top, across, *asked])
        self._add("sentence", sentence.sentence(view, width, said) if said else [])
        self._upper(upper)
        self._lower(ran)
        self._add("", [*steps, *foot])

    def _upper(self, height: int) -> None:
        """The ring on the left, messages with the results in hand on the right."""
        view = self.view
        left = min(56, self.width * 9 // 20)
        right = self.width - left - 1
        bar = [(Seg(view.glyphs.down, "rule"),)] * height
        shown = ring.tall(view, left)
        drawn = shown if height >= len(shown) else ring.one_line(view, left)
        title, note = messages.heading(view)
        y = len(self.lines)
        cross = (Seg(view.glyphs.cross_down, "rule"),)
        self.lines.append(
            (
                *heading(view, view.texts("screen.ring.title"), left, pane="ring"),
                *cross,
                *heading(view, title, right, note, "messages"),
            )
        )
        self.areas.append(Area("messages", left + 1, y, right, height + 1))
        rows = self._message_rows(right, height)
        self.lines += beside(block(drawn, left, height), bar, rows)

    def _lower(self, height: int) -> None:
        """The code with its values on the left, plot and counts on the right."""
        view = self.view
        right = 36 if self.width < 118 else 40 if self.width < 130 else 48
        left = self.width - right - 1
        y = len(self.lines)
        cross = (Seg(view.glyphs.cross_down, "rule"),)
        self.lines.append(
            (
                *self._code_heading(left),
                *cross,
                *heading(view, view.texts("screen.plot.title"), right),
            )
        )
        self.areas.append(Area("code", 0, y, left, height + 1))
        numbers = 5 if height >= 8 else 0
        side = counts.plot(view, right, height - numbers - (1 if numbers else 0))
        if numbers:
            side += [*block([], right, 1), *counts.counts(view, right, numbers)]
        bar = [(Seg(view.glyphs.down, "rule"),)] * height
        self.lines += beside(block(code.code(view, left, height), left, height), bar, side)

    def _share(self, left: int, narrow: bool) -> tuple[int, int, int]:
        """The lines of sentence, code and messages that share ``left``."""
        view = self.view
        lines = len(view.run.loop.lines)
        extra = 1 if narrow else 0
        if view.waiting:
            said, held = 0, 2 if left < 8 else 3
            ran = min(lines + extra, left - held)
        elif view.at_end and not view.settings.unfolded:
            said = sentence.ending_height(view, self.width, max(4, left - 6))
            ran = min(lines, max(2, (left - said) // 3)) + extra
        else:
            said = sentence.height_of(view, self.width, 3 if left < 22 else 4)
            held = 2 if view.settings.unfolded else 3 if left < 18 else 4
            whole = lines if left >= 20 or view.settings.unfolded else lines - 1
            ran = min(whole + extra, left - said - held)
            if not view.settings.unfolded and left < 15:
                ran = min(ran, left // 2 + 1)
        return said, ran, left - said - ran

    def _code(self, width: int, height: int, narrow: bool) -> None:
        self.areas.append(Area("code", 0, len(self.lines), width, height + 1))
        self.lines.append(self._code_heading(width))
        if narrow:
            shown = block(code.code(self.view, width, height - 1), width, height - 1)
            self.lines += [*shown, code.below(self.view, width)]
        else:
            self.lines += block(code.code(self.view, width, height), width, height)

    def _code_heading(self, width: int) -> Line:
        view = self.view
        title = code.title(view)
        split = code.columns(view, width)
        if split[1] == 0:
            return heading(view, title, width, pane="code")
        cross = (Seg(view.glyphs.cross_down, "rule"),)
        saw = heading(view, view.texts("screen.code.saw"), split[1] + 1)
        return fit([*heading(view, title, split[0], pane="code"), *cross, *saw], width)

    def _messages(self, width: int, height: int) -> None:
        self.areas.append(Area("messages", 0, len(self.lines), width, height + 1))
        title, note = messages.heading(self.view)
        self.lines.append(heading(self.view, title, width, note, "messages"))
        self.lines += self._message_rows(width, height)

    def _message_rows(self, width: int, height: int) -> list[Line]:
        """Messages, with the results in hand under them."""
        view = self.view
        held = pending_results.in_hand_height(
            view, width, max(2, height - 1 if height < 8 else height * 2 // 3)
        )

        def titled(text: str, size: int) -> Line:
            return heading(view, text, size, pane="hand")

        shown = messages.messages(view, width, height - held)
        return shown + (pending_results.in_hand(view, width, held, titled) if held else [])

    def _foot(self, height: int) -> list[Line]:
        view = self.view
        return footer(
            self.where,
            view.texts,
            view.glyphs,
            self.width,
            height,
            view.status,
            view.lens.state,
            view.lens.asking.keys if view.lens.asking else (),
        )

    def _add(self, name: str, lines: list[Line]) -> None:
        if name:
            self.areas.append(Area(name, 0, len(self.lines), self.width, len(lines)))
        self.lines += lines
