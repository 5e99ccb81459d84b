"""The first lines: what is shown, where it comes from, how far it is, and the turn meter."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.describe import stop_reason_text
from visualizer.text import display_safe
from visualizer.tui.paint.segments import Line, Seg, fit, spread, surface, width_of
from visualizer.tui.view import View

CELLS = 10
"""The most cells of a meter; a higher cap is drawn to scale."""


def narrow(view: View, width: int) -> list[Line]:
    """One line: title with provenance, meter, step. Two where they don't fit in one."""
    where = _where(view)
    used = [*meter(view), Seg("     ", "text"), *where, Seg(" ")]
    title = _title(view, short=True)
    if width_of(title) + width_of(used) + 3 <= width:
        return [surface(spread(title, used, width), "bar")]
    return [
        surface(spread(_title(view, short=True), [*where, Seg(" ")], width), "bar"),
        fit([Seg(" "), *meter(view)], width),
    ]


def wide(view: View, width: int) -> list[Line]:
    """Two lines: the title with its provenance, and the meter with the model's last flag."""
    right = [Seg(f"{view.texts.language.upper()}", "dim", "language"), Seg("    "), *_where(view)]
    top = surface(spread(_title(view, short=False), [*right, Seg(" ")], width), "bar")
    flag = view.step.stop_reason
    second = [Seg(" "), *meter(view)]
    if flag is not None:
        said = view.texts("screen.header.flag", flag=stop_reason_text(flag))
        second += [Seg("        "), Seg(said, "dim")]
    return [top, fit(second, width)]


def meter(view: View) -> Sequence[Seg]:
    """``turns used [##........] 2 of 10``; CUT OFF in words where the cap ended the run."""
    texts, run = view.texts, view.run
    used, cap = view.step.model_calls, run.max_turns
    label = Seg(texts("screen.meter.label") + " ", "label")
    if cap is None:
        return [label, Seg(texts("screen.meter.no_cap", used=used), "strong")]
    bar = "[" + _bar(used, cap, "!" if view.cut_off else "#") + "]"
    count = texts("screen.meter.of", used=used, cap=cap)
    if view.cut_off:
        return [
            label,
            Seg(f"{bar} {count} {texts('screen.meter.cut_off')}", "cut", "raise_cap"),
        ]
    return [label, Seg(bar, "meter", "raise_cap"), Seg(f" {count}", "strong")]


def provenance_kind(view: View) -> str:
    """Where the recording comes from, in a word."""
    found = view.session.scenario.provenance()
    return view.texts(f"screen.provenance.{found.kind}") if found else ""


def _bar(used: int, cap: int, mark: str) -> str:
    size = min(cap, CELLS)
    full = min(size, -(-used * size // cap)) if used < cap else size
    if used < cap and cap > CELLS:
        full = min(full, size - 1)
    return mark * full + "." * (size - full)


def _title(view: View, short: bool) -> list[Seg]:
    found = view.session.scenario.provenance()
    segments = [Seg(" "), Seg(view.title, "strong", "scenario")]
    if found is not None:
        kind = view.texts(f"screen.provenance.{found.kind}")
        if short:
            segments.append(Seg(f" ({kind})", "dim"))
        else:
            source = display_safe(found.source.in_language(view.texts.language))
            segments.append(Seg(f"   {source}", "dim"))
    return segments


def _where(view: View) -> list[Seg]:
    if view.settings.computing:
        return [Seg(view.texts("screen.computing"), "new")]
    step = view.texts("screen.step", index=view.index, total=len(view.run.steps))
    segments = [Seg(step, "strong", "go")]
    if view.settings.playing:
        speed = f"{view.settings.speed:g}"
        segments.insert(0, Seg(view.texts("screen.playing", speed=speed) + "  ", "new", "play"))
    return segments
