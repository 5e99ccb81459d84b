"""The first lines: what is shown, where it comes from, how far it is, and the turn meter."""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.app.recorded import faults_in
from visualizer.app.view import View
from visualizer.describe import stop_reason_text
from visualizer.describe.host import amount, limits_at, use_text
from visualizer.text import cells, clip, display_safe
from visualizer.tui.draw.recorded import began, flag_note, of_several
from visualizer.tui.draw.segments import Line, Seg, fit, spread, surface, width_of

ONE_LINE = 72
CELLS = 10
"""The most cells of a meter; a higher cap is drawn to scale."""


def narrow(view: View, width: int) -> list[Line]:
    """One line: title with provenance, meter, step. Two on a very narrow screen."""
    where = [*_where(view), Seg(" ")]
    budget = spent(view)
    if width_of(budget) > width // 2:
        budget = spent(view, most=1)
    turns = [*meter(view, bar=not budget), *budget]
    if width < ONE_LINE:
        return [
            surface(spread(_title(view, width - width_of(where) - 2), where, width), "bar"),
            fit([Seg(" "), *turns], width),
        ]
    right = [*turns, Seg("     "), *where]
    title = _title(view, width)
    if width_of(title) + width_of(right) + 2 > width:
        right = [*turns, Seg("  "), *_where(view, "step_short"), Seg(" ")]
        if view.lens.veiled:
            right = right[1:]  # a task is longer than a title, and the bar says enough
        title = _title(view, width - width_of(right) - 2)
    return [surface(spread(title, right, width), "bar")]


def wide(view: View, width: int) -> list[Line]:
    """Two lines: the title with its provenance, and the meter with the model's last flag."""
    language = Seg(view.texts.language.upper(), "dim", "language")
    right = [language, Seg("    "), *_where(view), Seg(" ")]
    title = _title(view, width, whole=True)
    found = view.session.scenario.provenance()
    if found is not None and not view.lens.veiled:
        source = display_safe(found.source.in_language(view.texts.language))
        room = width - width_of(title) - width_of(right) - 5
        title.append(Seg(f"  {clip(source, room)}", "dim"))
    top = surface(spread(title, right, width), "bar")
    told: list[Seg] = []
    flag = view.step.stop_reason
    if flag is not None:
        said = view.texts("screen.header.flag", flag=stop_reason_text(flag)) + flag_note(view)
        told += [Seg("        "), Seg(said, "dim")]
    if how := began(view):
        told += [Seg("        "), Seg(view.texts("screen.header.began", how=how), "dim", "runs")]
    turns = [Seg(" "), *meter(view)]
    whole, short = [*turns, *spent(view, whole=True)], [*turns, *spent(view)]
    rows = ([*whole, *told], whole) if len(whole) > len(turns) else ()
    second = next((row for row in rows if width_of(row) < width), [*short, *told])
    return [top, fit(second, width)]


def meter(view: View, bar: bool = True) -> Sequence[Seg]:
    """``turns used [##........] 2 of 10``; CUT OFF in words where the cap ended the run.

    Without its ``bar`` it leaves room for other limits.
    """
    texts, run = view.texts, view.run
    used, cap = view.step.model_calls, run.max_turns
    if "calls" in view.lens.hidden:
        return _hidden_meter(view)
    label = Seg(texts("screen.meter.label") + " ", "label")
    if cap is None:
        return [label, Seg(texts("screen.meter.no_cap", used=used), "strong")]
    drawn = "[" + _bar(used, cap, "!" if view.cut_off else "#") + "]"
    count = texts("screen.meter.of", used=used, cap=cap)
    if view.cut_off:
        return [
            label,
            Seg(f"{drawn} {count} {texts('screen.meter.cut_off')}", "cut", "raise_cap"),
        ]
    if not bar:
        return [Seg(texts("screen.meter.turns", used=used, cap=cap), "strong", "raise_cap")]
    return [label, Seg(drawn, "meter", "raise_cap"), Seg(f" {count}", "strong")]


def spent(view: View, whole: bool = False, most: int | None = None) -> list[Seg]:
    """What has been used of the limits beside the turns: ``$0.0312 of $0.05``.

    ``whole`` says what is left, too; ``most`` of them are shown, those nearest to their end.
    The limit used up first has a sign before it.
    """
    checked = limits_at(view.run, view.index)
    shown: list[Seg] = []
    uses = [use for use in checked.uses if use.name != "max_turns"] if checked else []
    if most is not None:
        uses = sorted(uses, key=lambda use: use.left / use.configured)[:most]
    for use in uses:
        values = {"used": amount(use, use.used), "most": amount(use, use.configured, 2)}
        text = view.texts(f"screen.meter.{use.name}", **values)
        if whole:
            text = use_text(use, view.texts)
        hit = checked is not None and checked.hit == use.name
        role = "cut" if use.left <= 0 else "strong"
        shown += [Seg("  "), Seg(f"! {text}" if hit else text, role)]
    return shown


def _hidden_meter(view: View) -> Sequence[Seg]:
    """The meter while the number of calls is asked for."""
    cap = view.run.max_turns
    label = Seg(view.texts("screen.meter.label") + " ", "label")
    if cap is None:
        return [label, Seg(view.texts("screen.meter.no_cap", used="?"), "strong")]
    return [label, Seg(view.texts("screen.meter.of", used="?", cap=cap), "strong")]


def _bar(used: int, cap: int, mark: str) -> str:
    size = min(cap, CELLS)
    full = min(size, -(-used * size // cap)) if used < cap else size
    if used < cap and cap > CELLS:
        full = min(full, size - 1)
    return mark * full + "." * (size - full)


def _faults(view: View, whole: bool) -> str:
    """That something is wrong in the file: how much, and the key that tells."""
    faults = 0 if view.lens.veiled else faults_in(view.session.scenario)
    if not faults:
        return ""
    return f"  ! {view.texts.count('screen.header.faults', faults)}" if whole else f"  !{faults}"


def _title(view: View, width: int, whole: bool = False) -> list[Seg]:
    """The title and, in a word, where the recording comes from: that is never cut."""
    kind = provenance(view)
    which = f"  {of_several(view)}" if of_several(view) else ""
    sign = _faults(view, whole)
    title = clip(view.title, max(width - cells(kind + which + sign) - 1, 4))
    shown = [Seg(" "), Seg(title, "strong", "scenario"), Seg(kind, "dim")]
    if which:
        shown.append(Seg(which, "strong", "runs"))
    return [*shown, Seg(sign, "bad", "file")] if sign else shown


def provenance(view: View) -> str:
    """Where the recording comes from, in a word in brackets; ``""`` where that is not said."""
    found = view.session.scenario.provenance()
    said = [view.texts(f"screen.provenance.{found.kind}")] if found else []
    said += [view.texts("screen.observe.mark")] if view.run.observations else []
    return f" ({', '.join(said)})" if said else ""


def _where(view: View, key: str = "step") -> list[Seg]:
    if view.settings.computing:
        return [Seg(view.texts("screen.computing"), "new")]
    step = view.texts(f"screen.{key}", index=view.index, total=view.total)
    segments = [Seg(step, "strong", "go")]
    if view.lens.score:
        segments.insert(0, Seg(f"{view.lens.score}   ", "new"))
    if (arriving := view.settings.arriving) is not None and not arriving.stopped:
        key = "screen.arriving.reading" if arriving.reading else "screen.arriving.following"
        segments.insert(0, Seg(view.texts(key, percent=arriving.percent) + "  ", "new"))
    if view.settings.playing:
        speed = f"{view.settings.speed:g}"
        segments.insert(0, Seg(view.texts("screen.playing", speed=speed) + "  ", "new", "play"))
    return segments
