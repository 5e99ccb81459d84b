"""The lesson screen: the page above, the live stepper folded around what it points at below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from visualizer.app.pages import Leaf
from visualizer.app.prompt import Prompt
from visualizer.app.view import View
from visualizer.text import cells, clip
from visualizer.tui.caps import painter as caps
from visualizer.tui.draw.footer import prompt_line
from visualizer.tui.draw.point import look_here
from visualizer.tui.draw.segments import Area, Line, Painted, Seg, block, fit, spread, width_of
from visualizer.tui.lesson import aside, aside_stream, aside_tools, task
from visualizer.tui.lesson import page as lesson_page
from visualizer.tui.lesson.pair import pair
from visualizer.tui.sheets import room_bars
from visualizer.tui.stepper import code, counts, header, question, ring, sentence, strip
from visualizer.tui.stepper.frame import SMALLEST, WIDE, Frame, heading, too_small

EMPTY = Leaf("", "", ())
ROOM = 6
"""The lines from which messages stand below a request or a plot, too."""
Shown = Callable[[View, int, int], tuple[str, list[Line]]]
LOOKS: Mapping[str, tuple[Callable[[View], int], Shown]] = {
    "request": (aside.request_height, aside.request),
    "plot": (aside.plot_height, aside.plot),
    "parts": (room_bars.inline_height, room_bars.inline),
    "events": (aside_stream.events_height, aside_stream.events),
    "tools": (aside_tools.tools_height, aside_tools.tools),
    "chained": (aside_stream.chained_height, aside_stream.chained),
}
"""What a page can want to be seen in the place of messages: the lines it takes, and itself."""
LEAST = 8
"""The lines that the stepper needs below a page."""


def lesson(
    view: View, page: Leaf, width: int, height: int, prompt: Prompt | None = None
) -> Painted:
    """The screen at a size: exactly ``height`` lines of ``width`` cells."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return too_small(view, width, height)
    frame = LessonFrame(view, width, height, "lesson", page=page)
    frame.put()
    cursor = None
    if prompt is not None:
        frame.lines[-1], column = prompt_line(prompt, view.texts, width)
        cursor = (column, height - 1)
    return Painted(tuple(frame.lines[:height]), tuple(frame.areas), cursor)


@dataclass
class LessonFrame(Frame):
    """A page and a stepper being put together from the top down."""

    page: Leaf = EMPTY

    def put(self) -> None:
        """Page, question, then as much of the run as there is room for."""
        foot = self._foot(1 if self.height < 30 else 2)
        upper = self._page(self.height - len(foot) - 1 - LEAST)
        self._add("", upper)
        rest = self.height - len(upper) - 1 - len(foot)
        if self.page.task is not None:
            self.lines += task.sheet(self.view, self.page.task, self.width, rest + 1)
            self._add("", foot)
            return
        self.lines.append(self._stage())
        if self.page.caps is not None:
            self.lines += caps.pane(self.page.caps, self.width, rest)
        elif self.page.both is not None:
            self._add("sentence", pair(self.view, self.page.both, self.width, rest))
        elif rest >= LEAST - 3:
            self._run(rest)
        else:
            self.lines += block([], self.width, rest)
        self._add("", foot)

    def _page(self, most: int) -> list[Line]:
        """The page in at most ``most`` lines: air where there is room, no text under a hint."""
        view, width, page = self.view, self.width, self.page
        text, hint, hello = (
            lesson_page.body(page, width),
            lesson_page.hints(view, page, width),
            lesson_page.welcome(page, width),
        )
        top, air = lesson_page.top(page, width), fit([], width)
        wide = question.panel(view, width)
        tight = question.panel(view, width, tight=True)
        gap = [air] if wide or hint else []
        candidates: Sequence[list[Line]] = (
            [top, air, *text, *hello, *gap, *wide, *hint, air],
            [top, *text, *hello, *gap, *wide, *hint],
            [top, *text, *hello, *wide, *hint],
            [top, *text, *hello, *tight, *hint],
            [top, *(hint or text), *hello, *tight],
        )
        roomy = most + (LEAST - 14 if self.height < 30 else LEAST - 20)
        for number, lines in enumerate(candidates):
            if len(lines) <= (roomy if number == 0 else most):
                return lines
        return candidates[-1][: self.height - 3]

    def _stage(self) -> Line:
        """The line across between page and run: the scenario, the meter, the step."""
        view = self.view
        rule = view.glyphs.rule
        step = view.texts("screen.lesson.step", index=view.index)
        meter, kind = list(header.meter(view)), header.provenance(view)
        tail = [*header.spent(view, most=1), Seg(f"   {step} ", "strong", "go")]
        if view.lens.pane == "meter":
            tail += [Seg(f" {look_here(view)} ", "point")]
        if self.width - width_of((*meter, *tail)) - cells(kind) - 7 < cells(view.title):
            meter = meter[1:]  # the bar says it without its label
        right = [] if self.page.both is not None else [*meter, *tail]
        room = self.width - width_of(right) - cells(kind) - 7
        title = clip(view.title, max(room, 8))
        left = [Seg(rule(2) + " ", "rule"), Seg(title, "title"), Seg(kind, "dim"), Seg(" ")]
        line = rule(self.width - width_of(left) - width_of(right) - 1)
        return spread([*left, Seg(line, "rule"), Seg(" ")], right, self.width)

    def _run(self, rest: int) -> None:
        """Sentence, ring, code and messages, each as high as ``rest`` lets it be."""
        view, width = self.view, self.width
        said = self._sentence(rest)
        self._add("sentence", said)
        rest -= len(said)
        narrow = code.columns(view, width)[1] == 0
        lines = len(view.run.loop.lines)
        if width >= WIDE[0] and not self.page.look and rest >= ring.TALL + lines + 2:
            small = self._small(with_ring=False)
            self._add("", small)
            self._upper(rest - len(small) - lines - 2)
            self._code(width, lines, narrow)
            return
        ringed = view.lens.pane == "ring" or rest - LEAST >= len(self._ring()) + 2
        small = self._small(with_ring=ringed)
        self._add("", small)
        rest -= len(small)
        if rest < 7:
            self._one(rest)
            return
        wanted = max(2 if narrow else 3, min(self._wanted(), rest - 6 - narrow))
        ran = min(lines + narrow, rest - 2 - wanted)
        self._code(width, ran, narrow)
        self._side(rest - ran - 2)

    def _one(self, rest: int) -> None:
        """Where there is room for one pane only: the one that is pointed at."""
        view = self.view
        if view.lens.line:
            self._code(self.width, rest - 1, code.columns(view, self.width)[1] == 0)
        elif view.lens.message is not None or view.lens.pane in ("messages", "hand"):
            self._side(rest - 1)
        else:
            self._code(self.width, rest - 1, code.columns(view, self.width)[1] == 0)

    def _sentence(self, rest: int) -> list[Line]:
        """What has happened; nothing while a question waits, since it might tell."""
        view, width = self.view, self.width
        if view.waiting or self.page.welcome:
            return []
        most = max(2, min(6, rest - LEAST)) if view.at_end else 2 if rest < 14 else 3
        if rest < LEAST + 2:
            most = max(rest - LEAST + 1, 0)
        if not most:
            return []
        high = min(most, sentence.ending_height(view, width, most)) if view.at_end else most
        lines = sentence.sentence(view, width, high)
        if view.lens.pane == "sentence":
            title = view.texts("screen.lesson.happened")
            return [heading(view, title, width, pane="sentence"), *lines]
        return lines

    def _ring(self) -> list[Line]:
        view, width = self.view, self.width
        lines = ring.one_line(view, width) if width < code.STACKED else ring.two_lines(view, width)
        if view.lens.pane != "ring":
            return lines
        return [heading(view, view.texts("screen.ring.title"), width, pane="ring"), *lines]

    def _small(self, with_ring: bool) -> list[Line]:
        """The ring, where it has no place of its own; counts and strip, where pointed at."""
        view, width = self.view, self.width
        lines: list[Line] = []
        if with_ring:
            lines += self._ring()
        if view.settings.counts or view.lens.pane == "counts":
            if view.lens.pane == "counts":
                title = view.texts("screen.counts.title")
                lines.append(heading(view, title, width, pane="counts"))
            lines.append(counts.counts_line(view, width))
        if view.lens.pane == "strip":
            title = view.texts("screen.lesson.strip")
            lines += [heading(view, title, width, pane="strip"), strip.strip(view, width)]
        return lines

    def _wanted(self) -> int:
        """The lines that messages, or what stands in their place, would like to have."""
        look = LOOKS.get(self.page.look or "")
        if look is not None:
            return look[0](self.view)
        return self.view.step.messages + 1

    def _side(self, height: int) -> None:
        """Messages; what the page wants to be seen stands in their place, or above them."""
        view, width, page = self.view, self.width, self.page
        below = height - self._wanted() - 1
        look = LOOKS.get(page.look or "")
        if look is None:
            self._messages(width, height)
            return
        if below >= ROOM:
            self._side(height - below - 1)
            self._messages(width, below)
            return
        title, lines = look[1](view, width, height)
        self.areas.append(Area("messages", 0, len(self.lines), width, height + 1))
        self.lines += [heading(view, title, width, pane="counts"), *lines]
