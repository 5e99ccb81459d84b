"""Shuffled lines: the order so far, and what it does on each recording beside the loop."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.app.glyphs import Glyphs
from visualizer.app.shuffle import Result, Shuffle
from visualizer.comparison.report import order_text, parting_text
from visualizer.describe import value_text
from visualizer.describe.phrases import safe
from visualizer.i18n import Texts
from visualizer.lessons.puzzle import SCENARIOS
from visualizer.run.timeline import Run
from visualizer.text import cells, clip, display_safe, pad, wrap
from visualizer.tui.draw.segments import (
    Area,
    Line,
    Painted,
    Seg,
    block,
    fit,
    spread,
    surface,
)
from visualizer.tui.stepper.code import highlighted

NAME = 20


def shuffle_screen(
    shuffle: Shuffle,
    texts: Texts,
    glyphs: Glyphs,
    foot: Sequence[Line],
    width: int,
    height: int,
) -> Painted:
    """The whole screen at a size."""
    name = texts("screen.shuffle.title", name=display_safe(shuffle.loop))
    top = [surface(spread([Seg(f" {name}", "title")], [], width), "bar")]
    told = wrap(texts("screen.shuffle.intro"), width - 2, 2)
    top += [fit([Seg(f" {text}")], width) for text in told]
    rows = [_rule(texts("screen.shuffle.yours"), glyphs, width), *_lines(shuffle, width)]
    state = [_rule(texts("screen.shuffle.results"), glyphs, width), _state(shuffle, texts, width)]
    results = _results(shuffle, texts, width)
    left = height - len(top) - len(rows) - len(state) - len(results) - len(foot)
    why = _why(shuffle, texts, width, max(left, 1))
    spare = height - len(top) - len(state) - len(results) - len(why) - len(foot)
    if spare < len(rows):
        rows = _around(rows, shuffle.at + 2, spare)
    lines = [*top, *rows, *state, *results, *why]
    body = block(lines, width, height - len(foot))
    area = Area("lines", 0, len(top), width, len(rows))
    return Painted((*body, *foot), (area,))


def _rule(text: str, glyphs: Glyphs, width: int) -> Line:
    used = cells(text) + 4
    return fit(
        [
            Seg(glyphs.rule(2) + " ", "rule"),
            Seg(text, "title"),
            Seg(" " + glyphs.rule(width - used), "rule"),
        ],
        width,
    )


def _lines(shuffle: Shuffle, width: int) -> list[Line]:
    """The fixed first line, and the lines in their order with their numbers."""
    lines = [fit([Seg(" " * 7), *highlighted(display_safe(shuffle.head))], width)]
    for at, text in enumerate(shuffle.lines):
        mark = "   " if at != shuffle.at else "<> " if shuffle.held else " > "
        item = fit(
            [
                Seg(mark, "done"),
                Seg(f"{at + 1:>2}  ", "gutter"),
                *highlighted(display_safe(text)),
            ],
            width,
        )
        item = tuple(seg._replace(click=f"take:{at}") for seg in item)
        lines.append(surface(item, "chosen") if at == shuffle.at else item)
    return lines


def _around(rows: list[Line], at: int, height: int) -> list[Line]:
    """The rows around one of them; the heading stays."""
    first = max(1, min(at - height // 2, len(rows) - height + 1))
    return [rows[0], *rows[first : first + max(height - 1, 1)]]


def _state(shuffle: Shuffle, texts: Texts, width: int) -> Line:
    """Not run, running, not Python, wrong, or right."""
    problem = shuffle.problem()
    if shuffle.solved:
        text = texts("screen.shuffle.solved", n=len(SCENARIOS))
        return fit(
            [Seg(" "), Seg(f" {texts('screen.shuffle.right')} ", "won"), Seg(f"  {text}")], width
        )
    if problem is not None and shuffle.tried:
        said = texts("screen.shuffle.unreadable", line=problem[0], error=display_safe(problem[1]))
        return fit([Seg(f" {said}", "bad")], width)
    if shuffle.running:
        done = len(shuffle.results)
        return fit(
            [Seg(f" {texts('screen.shuffle.running', done=done, n=len(SCENARIOS))}", "new")], width
        )
    if not shuffle.complete:
        return fit([Seg(f" {texts('screen.shuffle.run')}", "dim")], width)
    wrong = sum(not one.verdict.right for one in shuffle.results)
    return fit([Seg(f" {texts.count('screen.shuffle.wrong', wrong)}", "bad")], width)


def _results(shuffle: Shuffle, texts: Texts, width: int) -> list[Line]:
    """One line a recording: what this order came to, what the loop comes to, same or not."""
    name = max(cells(one) for one in SCENARIOS) + 2
    room = max((width - 5 - name - 10) // 2 - 2, 10)
    lines: list[Line] = []
    for at, scenario in enumerate(SCENARIOS):
        mark = " > " if shuffle.results and at == shuffle.chosen else "   "
        head = [Seg(mark, "done"), Seg(pad(scenario, name), "label")]
        if at >= len(shuffle.results):
            lines.append(fit([*head, Seg("-", "dim")], width))
            continue
        result = shuffle.results[at]
        right = result.verdict.right
        yours = _outcome(result.verdict.made, result, texts, room)
        wanted = _outcome(result.verdict.wanted, result, texts, room)
        word = texts(f"screen.shuffle.{_verdict(result)}")
        item = fit(
            [
                *head,
                Seg(pad(yours, room), "strong" if right else "bad"),
                Seg("  "),
                Seg(pad(wanted, room), "text"),
                Seg("  "),
                Seg(word, "answer" if right else "never"),
            ],
            width,
        )
        item = tuple(seg._replace(click=f"result:{at}") for seg in item)
        lines.append(surface(item, "chosen") if at == shuffle.chosen else item)
    return lines


def _verdict(result: Result) -> str:
    """The same; the same outcome by other steps; or another outcome."""
    if result.verdict.right:
        return "same"
    agree = result.comparison is not None and result.comparison.outcomes_agree
    return "other_steps" if agree else "differs"


def _outcome(run: Run | None, result: Result, texts: Texts, width: int) -> str:
    if run is None:
        error = result.verdict.error
        return clip(error.text(texts) if error else "", width)
    if run.stop:
        return clip(display_safe(run.terminal_reason), width)
    if run.raised:
        return clip(safe(run.raised.type, 40), width)
    return clip(value_text(run.result, width), width)


def _why(shuffle: Shuffle, texts: Texts, width: int, height: int) -> list[Line]:
    """Why the chosen recording goes otherwise."""
    if not shuffle.results:
        return []
    result = shuffle.results[min(shuffle.chosen, len(shuffle.results) - 1)]
    if result.comparison is None:
        error = result.verdict.error
        text = error.text(texts) if error else ""
    else:
        both = result.comparison
        text = parting_text(both, texts)
        if not text:
            text = texts("compare.parting.none") if both.same_order else order_text(both, texts)
    return [
        fit([Seg(f"   {part}", "text")], width) for part in wrap(text, width - 5, min(height, 3))
    ]
