"""The end of a lesson: what it came to, what is left over, what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from visualizer.app.glyphs import Glyphs
from visualizer.app.pages import End
from visualizer.i18n import Texts
from visualizer.text import wrap
from visualizer.tui.commands import BY_ID
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.segments import Line, Painted, Seg, block, fit, spread, surface

if TYPE_CHECKING:
    pass


def lesson_end(
    end: End, texts: Texts, glyphs: Glyphs, width: int, height: int, status: str = ""
) -> Painted:
    """The whole screen at a size."""
    top = surface(
        spread([Seg(f" {end.where}  ", "dim"), Seg(end.title, "strong")], [], width), "bar"
    )
    foot = footer("lesson", texts, glyphs, width, 1, status, "lesson_end")
    lines: list[Line] = [top, fit([], width)]
    lines += [fit([Seg("  "), Seg(part)], width) for part in wrap(end.goal, min(76, width - 4))]
    lines.append(fit([], width))
    lines += [fit([Seg("  "), *item], width) for item in _score(end, texts)]
    lines.append(fit([], width))
    lines += _following(end, texts, width)
    lines += [fit([], width), *_quiz(end, texts, width)]
    room = height - len(lines) - len(foot) - 2
    if end.left and room > 0:
        lines += [
            fit([], width),
            fit([Seg("  "), Seg(texts("screen.lesson.left"), "title")], width),
        ]
        lines += [_left(number, title, width) for number, title in end.left[:room]]
    return Painted(tuple([*block(lines, width, height - len(foot)), *foot][:height]))


def _score(end: End, texts: Texts) -> list[Line]:
    score = end.score
    rows: list[Line] = []
    if end.questions:
        right = texts("screen.lesson.score.right", n=score.right, m=end.questions)
        once = texts("screen.lesson.score.at_once", n=score.at_once)
        rows.append(
            (
                Seg(f" {texts('screen.answer.right')} ", "won"),
                Seg(f" {right}", "strong"),
                Seg(f"  {once}", "dim"),
            )
        )
    if end.experiments:
        solved = texts("screen.lesson.score.solved", n=score.solved, m=end.experiments)
        rows.append((Seg(f" {texts('screen.lesson.done')} ", "won"), Seg(f" {solved}", "strong")))
    return rows


def _following(end: End, texts: Texts, width: int) -> list[Line]:
    if not end.following:
        told = texts("screen.lesson.all_done")
    else:
        told = texts("screen.lesson.following", title=end.following)
    return [
        fit([Seg("  "), Seg(part, "next", "page_after")], width) for part in wrap(told, width - 4)
    ]


def _quiz(end: End, texts: Texts, width: int) -> list[Line]:
    """The offer of a quiz, and the best result so far: a thing to click."""
    if not end.quiz:
        return []
    said = texts("quiz.offer", n=end.quiz, key=BY_ID["quiz"].keys[0])
    if end.best[1]:
        said = f"{said} ({texts('quiz.offer_best', right=end.best[0], n=end.best[1])})"
    return [fit([Seg("  "), Seg(part, "text", "quiz")], width) for part in wrap(said, width - 4)]


def _left(number: int, title: str, width: int) -> Line:
    click = f"page:{number}"
    return fit([Seg(f"  {number + 1:>4}  ", "key", click), Seg(title, "text", click)], width)
