"""A question alone on the screen, in lines that can be read from the back of a room."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.app.options import keys, labels
from visualizer.i18n import Texts
from visualizer.lessons.questions import Question
from visualizer.text import cells, wrap
from visualizer.tui.draw.segments import Line, Painted, Seg, block, fit, surface

WIDEST = 72


def poll(
    question: Question,
    marked: int | None,
    revealed: bool,
    texts: Texts,
    foot: Sequence[Line],
    width: int,
    height: int,
) -> Painted:
    """The question in the middle; once it is revealed, the answer is marked in words."""
    room = min(width - 8, WIDEST)
    indent = Seg(" " * ((width - room) // 2))
    gap: Line = fit([], width)
    spacious = height >= 20
    lines: list[Line] = []
    for text in wrap(question.prompt, room):
        lines += [(indent, Seg(text, "strong")), gap] if spacious else [(indent, Seg(text))]
    lines.append(gap)
    for number, option in enumerate(labels(question, texts)):
        lines += _option(question, number, option, marked, revealed, texts, indent, room)
        lines += [gap] if spacious else []
    end = texts("screen.poll.free" if not question.scored else "screen.poll.ask")
    said = texts("screen.poll.answer") if revealed else end
    lines += [gap, (indent, Seg(said, "new" if revealed else "dim"))]
    above = max((height - len(foot) - len(lines)) // 2, 0)
    body = block([*([gap] * above), *lines], width, height - len(foot))
    return Painted((*body, *foot))


def _option(
    question: Question,
    number: int,
    option: str,
    marked: int | None,
    revealed: bool,
    texts: Texts,
    indent: Seg,
    room: int,
) -> list[Line]:
    """An option with its number; ``>>`` and a word where it is the answer, ``*`` where marked."""
    right = revealed and number == question.right
    mark = ">>" if right else " *" if number == marked else "  "
    word = f"   {texts('screen.poll.right')}" if right else ""
    role = "answer" if right else "strong"
    digit = keys(question)[number]
    click = f"mark:{digit}"
    lines: list[Line] = []
    for row, part in enumerate(wrap(option, room - 8 - cells(word))):
        head = f" {mark}  {digit}  " if row == 0 else " " * 8
        tail = Seg(word, "answer", click) if row == 0 else Seg("")
        item = (Seg(head, "key", click), Seg(part, role, click), tail)
        lines.append((indent, *(surface(item, "mark") if right else item)))
    return lines
