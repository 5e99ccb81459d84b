"""The loop as a ring with two doors: an answer, and turns used up."""

from __future__ import annotations

from visualizer.app.view import View
from visualizer.text import cells
from visualizer.tui.draw.segments import Line, Seg, fit, width_of

TALL = 11
"""The lines of the ring standing up."""
PHASES = ("call", "check", "execute", "append")
SEATS = {
    "wait": "call",
    "limit": "check",
    "approve": "execute",
    "truncate": "execute",
    "compact": "append",
    "rewrite": "append",
}
"""Where on the ring a step stands that is none of the four phases: in the place of which."""


def one_line(view: View, width: int) -> list[Line]:
    """For narrow screens: the four phases in a row, and the way out where one was taken."""
    segments = [Seg(" ")]
    for number, phase in enumerate(PHASES):
        if number:
            segments.append(Seg(view.glyphs.right, "ring"))
        segments.append(_phase(view, phase))
    taken = _exit_taken(view)
    if taken:
        segments += [Seg("  "), _exit(view, taken)]
    else:
        segments += [
            Seg(f" {view.glyphs.right} ", "ring"),
            Seg(view.texts("screen.ring.again"), "ring"),
        ]
    return [fit(segments, width)]


def two_lines(view: View, width: int) -> list[Line]:
    """The ring lying down, the two exits to its right."""
    glyphs = view.glyphs
    top = [Seg(f"{glyphs.top_left}{glyphs.arrow(2)}", "ring")]
    for number, phase in enumerate(PHASES):
        if number:
            top.append(Seg(glyphs.arrow(), "ring"))
        top.append(_phase(view, phase))
    top.append(Seg(f"{glyphs.rule(2)}{glyphs.top_right}", "ring"))
    size = width_of(top)
    word = view.texts("screen.ring.no_turn" if view.cut_off else "screen.ring.next_turn")
    if view.cut_off:
        word = f"X {word} X"
    side = size - 2 - cells(word) - 2
    left = glyphs.rule(side // 2)
    right = glyphs.rule(side - side // 2)
    bottom = [
        Seg(f"{glyphs.bottom_left}{left} ", "ring"),
        Seg(word, "never" if view.cut_off else "ring"),
        Seg(f" {right}{glyphs.bottom_right}", "ring"),
    ]
    gap = Seg(" " * max(2, min(8, width - size - 3 - _exit_width(view))))
    return [
        fit([Seg("   "), *top, gap, _exit(view, "a")], width),
        fit([Seg("   "), *bottom, gap, _exit(view, "b")], width),
    ]


def tall(view: View, width: int) -> list[Line]:
    """The ring standing up, as a flow chart of eleven lines."""
    texts, glyphs = view.texts, view.glyphs
    names = [_phase(view, phase) for phase in PHASES]
    asked = Seg(texts("screen.ring.turns_left"), "ring")
    inner = max(cells(item.text) for item in (asked, *names)) + 2
    side = glyphs.down
    down = _centred(Seg(glyphs.down, "ring"), inner)
    head = _centred(Seg(glyphs.arrow_down, "ring"), inner)
    here = Seg(f" {glyphs.left}{glyphs.rule(2)} {texts('screen.ring.here')}", "ring.on")
    on_yes = _centred(Seg(glyphs.down, "ring"), inner, Seg(" " + texts("screen.ring.yes"), "ring"))
    on_tool = _centred(Seg(glyphs.down, "ring"), inner, Seg(" tool_use", "ring"))
    out_a = [Seg(f" {glyphs.rule(2)} {texts('screen.ring.no_tool')} {glyphs.arrow()} ", "ring")]
    out_b = [Seg(f" {glyphs.rule(2)} {texts('screen.ring.no')} {glyphs.arrow()} ", "ring")]
    if not view.run.loop.takes_max_turns:
        out_b = [Seg("  ")]
    out_a, out_b = [*out_a, _exit(view, "a")], [*out_b, _exit(view, "b")]
    current = SEATS.get(view.step.phase, view.step.phase)
    marks = [[here] if phase == current else [] for phase in PHASES]
    if view.step.stop_reason != "tool_use":
        marks[1] = []  # it would point at the way that is not taken
    rows = [
        (f"{glyphs.top_left}{glyphs.arrow(2)} ", [*_centred(asked, inner), *out_b]),
        (f"{side}   ", on_yes),
        (f"{side}   ", [*_centred(names[0], inner), *marks[0]]),
        (f"{side}   ", down),
        (f"{side}   ", head),
        (f"{side}   ", [*_centred(names[1], inner), *out_a]),
        (f"{side}   ", [*on_tool, *marks[1]]),
        (f"{side}   ", head),
        (f"{side}   ", [*_centred(names[2], inner), *marks[2]]),
        (f"{side}   ", head),
        (f"{glyphs.bottom_left}{glyphs.rule(2)} ", [*_centred(names[3], inner), *marks[3]]),
    ]
    return [fit([Seg("  "), Seg(left, "ring"), *right], width) for left, right in rows]


def _centred(segment: Seg, width: int, after: Seg | None = None) -> list[Seg]:
    """A segment in the middle of ``width`` cells; ``after`` stands right of it, in the rest."""
    left = (width - cells(segment.text)) // 2
    right = width - left - cells(segment.text)
    if after is None:
        return [Seg(" " * left), segment, Seg(" " * right)]
    rest = right - cells(after.text)
    return [Seg(" " * left), segment, after, Seg(" " * max(rest, 0))]


def _phase(view: View, phase: str) -> Seg:
    """A phase's name; in brackets and capitals where the run is."""
    step = view.step
    if phase != SEATS.get(step.phase, step.phase):
        return Seg(f" {view.texts(f'screen.phase.{phase}')} ", "ring", _place(view, phase))
    shown = phase if step.phase == "rewrite" else step.phase
    name = view.texts(f"screen.phase.{shown}")
    if step.phase == "execute":
        number, count = executing(view)
        if count > 1:
            name = f"{name} {number}/{count}"
    return Seg(f"[{name.upper()}]", "phase")


def executing(view: View) -> tuple[int, int]:
    """Which of the turn's tool calls has just run, and how many were asked for."""
    call = view.run.call_at(view.index)
    asked = len(call.reply.tool_calls) if call and call.reply else 0
    start = view.run.turn_start(view.index)
    done = sum(step.phase == "execute" for step in view.run.steps[start - 1 : view.index])
    return done, max(asked, done)


def _place(view: View, phase: str) -> str:
    """A click on a phase goes to it in this turn."""
    turn = view.step.turn
    return "" if turn is None else f"go:t{turn}.{phase}"


def _exit_taken(view: View) -> str:
    """``a`` or ``b`` where the run has left the loop by that door, else nothing."""
    if not view.at_end or view.run.stop or view.run.raised:
        return ""
    return "b" if view.run.terminal_reason == "max_turns" else "a"


def _exit(view: View, door: str) -> Seg:
    texts = view.texts
    if door == "b" and not view.run.loop.takes_max_turns:
        return Seg(texts("screen.exit.none"), "dim")
    name = texts(f"screen.exit.{door}")
    if _exit_taken(view) == door:
        if door == "a" and view.run.terminal_reason != "completed":
            return Seg(f"[{texts('screen.exit.other').upper()}]", "bad", "last")
        return Seg(f"[{name.upper()}]", "cut" if door == "b" else "won", "last")
    return Seg(name, "ring")


def _exit_width(view: View) -> int:
    return max(cells(_exit(view, door).text) for door in "ab")
