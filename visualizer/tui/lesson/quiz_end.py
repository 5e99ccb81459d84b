"""The result of a quiz: the score, each question with what came of it, the chosen one at length."""

from __future__ import annotations

from visualizer.app.glyphs import Glyphs
from visualizer.app.pages import Outcome, QuizEnd, Result
from visualizer.i18n import Texts
from visualizer.text import cells, clip, pad, wrap
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.segments import Line, Painted, Seg, block, fit, spread, surface

ROLES: dict[Outcome, str] = {"right": "won", "wrong": "bad", "skipped": "note"}


def quiz_end(
    end: QuizEnd, texts: Texts, glyphs: Glyphs, width: int, height: int, status: str = ""
) -> Painted:
    """The whole screen at a size."""
    where = texts("quiz.end", n=end.attempt)
    top = surface(spread([Seg(f" {where}  ", "dim"), Seg(end.title, "strong")], [], width), "bar")
    foot = footer("lesson", texts, glyphs, width, 1, status, "quiz_end")
    right = sum(one.name == "right" for one in end.results)
    score = texts("quiz.score", right=right, n=len(end.results))
    best = texts("quiz.best", right=end.best[0], n=end.best[1]) if end.best[1] else ""
    lines: list[Line] = [
        top,
        fit([], width),
        fit([Seg("  "), Seg(score, "strong"), Seg(f"   {best}", "dim")], width),
        *(fit([Seg("  "), Seg(part, "dim")], width) for part in wrap(texts("quiz.how"), width - 4)),
        fit([], width),
    ]
    for number, one in enumerate(end.results):
        lines += _result(one, number, number == end.at, texts, width)
    return Painted(tuple([*block(lines, width, height - len(foot)), *foot][:height]))


def _result(one: Result, number: int, chosen: bool, texts: Texts, width: int) -> list[Line]:
    """A question in a line; the chosen one with its whole text and what there is to say."""
    stamps = [texts(f"quiz.stamp.{name}") for name in ROLES]
    column = max(map(cells, stamps)) + 2
    stamp = pad(f" {texts(f'quiz.stamp.{one.name}')} ", column)
    mark = Seg(" > " if chosen else "   ", "done")
    head = [mark, Seg(f"{number + 1}  ", "key"), Seg(stamp, ROLES[one.name]), Seg("  ")]
    indent = " " * (8 + column)
    room = width - len(indent) - 1
    if not chosen:
        lines = [fit([*head, Seg(clip(one.prompt, room))], width)]
    else:
        first, *rest = wrap(one.prompt, room) or [""]
        lines = [fit([*head, Seg(first, "strong")], width)]
        lines += [fit([Seg(indent), Seg(part, "strong")], width) for part in rest]
        lines += [fit([Seg(indent), Seg(part)], width) for part in wrap(one.told, room, 2)]
        lines.append(fit([Seg(indent), Seg(one.place, "dim")], width))
    lines = [tuple(seg._replace(click=f"page:{number}") for seg in line) for line in lines]
    return [surface(line, "chosen") for line in lines] if chosen else lines
