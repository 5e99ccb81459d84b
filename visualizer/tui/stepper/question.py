"""A question with its options, what came of an answer, something to try out."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.app.view import Asking, View
from visualizer.text import cells, display_safe, wrap
from visualizer.tui.draw.segments import Line, Seg, fit, spread, width_of

GAP = 3


def panel(view: View, width: int, tight: bool = False) -> list[Line]:
    """All there is to ask and to answer; ``tight`` puts short options beside each other."""
    asking = view.lens.asking
    if asking is None:
        return []
    told = feedback(view, asking, width)
    asked = prompt(asking, width) if asking.prompt else []
    lines = [*told, *asked] if asking.earlier else [*asked, *told]
    return [*lines, *options(asking, width, tight)]


def feedback(view: View, asking: Asking, width: int) -> list[Line]:
    """What was answered and what is, behind a word that says how good that was."""
    if not asking.feedback:
        return []
    kind = "guess" if asking.good is None else "right" if asking.good else "wrong"
    kind = "view" if asking.judged else kind
    role = {"guess": "phase", "view": "phase", "right": "won", "wrong": "cut"}[kind]
    return stamped(view.texts(f"screen.answer.{kind}"), role, asking.feedback, width)


def prompt(asking: Asking, width: int) -> list[Line]:
    """What is asked, and which of the questions this is."""
    number = [Seg(f"  {asking.number} ", "dim")] if asking.number else []
    return stamped(asking.stamp, "phase", asking.prompt, width, number, "strong")


def stamped(
    stamp: str, role: str, text: str, width: int, right: Sequence[Seg] = (), ink: str = "text"
) -> list[Line]:
    """A word in reverse, then a text, broken into lines of its own column."""
    indent = cells(stamp) + 4
    room = max(width - indent - 1 - width_of(right), 8)
    lines: list[Line] = []
    for number, part in enumerate(wrap(display_safe(text), room) or [""]):
        head = [Seg(" "), Seg(f" {stamp} ", role), Seg(" ")] if number == 0 else [Seg(" " * indent)]
        lines.append(spread([*head, Seg(part, ink)], right if number == 0 else (), width))
    return lines


def options(asking: Asking, width: int, tight: bool = False) -> list[Line]:
    """The options behind their digits, each a thing to click."""
    entries = [
        (key, display_safe(text)) for key, text in zip(asking.keys, asking.options, strict=True)
    ]
    half = (width - 2) // 2
    if tight and len(entries) > 2 and all(cells(text) <= half - GAP - 4 for _, text in entries):
        column = min(max(cells(text) for _, text in entries) + GAP + 6, half)
        drawn = [fit(_first(key, text), column) for key, text in entries]
        pairs = [drawn[at : at + 2] for at in range(0, len(drawn), 2)]
        return [fit([seg for cell in pair for seg in cell], width) for pair in pairs]
    lines: list[Line] = []
    for key, text in entries:
        parts = wrap(text, width - GAP - 5) or [""]
        lines.append(fit(_first(key, parts[0]), width))
        rest = (Seg(part, "text", f"answer:{key}") for part in parts[1:])
        lines += [fit([Seg(" " * (GAP + 3)), part], width) for part in rest]
    return lines


def _first(key: str, text: str) -> list[Seg]:
    click = f"answer:{key}"
    return [Seg(" " * GAP), Seg(key, "key", click), Seg("  "), Seg(text, "text", click)]
