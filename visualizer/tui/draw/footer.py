"""The last lines: the keys worth knowing here, or what is being typed, or what was just said."""

from __future__ import annotations

from visualizer.app.glyphs import Glyphs
from visualizer.app.prompt import Prompt
from visualizer.i18n import Texts
from visualizer.text import cells, clip, display_safe
from visualizer.tui.commands import BY_ID
from visualizer.tui.draw.footers import FOOTERS, STATES, WITHOUT_HELP, Where
from visualizer.tui.draw.segments import Line, Seg, spread, surface, width_of


def footer(
    where: Where,
    texts: Texts,
    glyphs: Glyphs,
    width: int,
    height: int,
    status: str = "",
    state: str = "",
    digits: tuple[str, ...] = (),
) -> list[Line]:
    """The keys, as many as fit into ``height`` lines, each a thing to click.

    ``state`` is what goes on there, if anything does; then ``digits`` answers can be given.
    """
    offered = STATES[state][1] if state else FOOTERS[where]
    entries = [
        _digits(digits, texts) if ids == ("answer",) else _entry(ids, texts, glyphs)
        for ids in offered
        if ids != ("answer",) or digits
    ]
    help_text = [] if where in WITHOUT_HELP else _entry(("help",), texts, glyphs)
    lines: list[Line] = []
    for number in range(height):
        right = help_text if number == height - 1 else []
        if status and number == height - 1:
            said = Seg(" " + clip(status, width - width_of(right) - 2), "new")
            lines.append(surface(spread([said], right, width), "bar"))
            continue
        lines.append(surface(_filled(entries, right, width), "bar"))
    return lines


def prompt_line(prompt: Prompt, texts: Texts, width: int) -> tuple[Line, int]:
    """What is being typed, and the column where the cursor stands."""
    label = texts(f"screen.prompt.{prompt.kind}")
    offers = prompt.kind == "search" and not prompt.text
    hint = texts("screen.prompt.examples" if offers else "screen.prompt.keys")
    room = max(8, width - cells(label) - 4 - (cells(hint) + 2 if width >= 80 else 0))
    before, at, after = (display_safe(part) for part in prompt.parts())
    while cells(before) > room - 2 and before:
        before = before[1:]
    after = clip(after, max(room - cells(before) - 2, 0), "")
    left = [
        Seg(f" {label} ", "title"),
        Seg(before, "strong"),
        Seg(at or " ", "cursor"),
        Seg(after, "strong"),
    ]
    right = [Seg(hint + " ", "dim")] if width >= 80 else []
    return surface(spread(left, right, width), "bar"), cells(label) + 2 + cells(before)


def key_name(key: str, texts: Texts, glyphs: Glyphs) -> str:
    """A key as it is printed: characters as they are, the others by name or arrow."""
    arrows = {"right": glyphs.key_right, "left": glyphs.key_left}
    if key in arrows:
        return arrows[key]
    if len(key) == 1:
        return key
    if key.startswith("ctrl+"):
        return f"Ctrl+{key[5:].upper()}"
    return texts(f"screen.key.{key}")


def _entry(ids: tuple[str, ...], texts: Texts, glyphs: Glyphs) -> list[Seg]:
    segments: list[Seg] = []
    for name in ids:
        key = key_name(BY_ID[name].keys[0], texts, glyphs)
        segments += [Seg(key, "key", name), Seg(" ", "dim", name)]
    return [*segments, Seg(texts(f"screen.foot.{ids[-1]}"), "label", ids[-1])]


def _digits(keys: tuple[str, ...], texts: Texts) -> list[Seg]:
    """The digits that answer, as ``1-4``, or one by one where some are left out."""
    whole = int(keys[-1]) - int(keys[0]) == len(keys) - 1 > 0
    key = f"{keys[0]}-{keys[-1]}" if whole else " ".join(keys)
    return [Seg(key, "key"), Seg(f" {texts('screen.foot.answer')}", "label")]


def _filled(entries: list[list[Seg]], right: list[Seg], width: int) -> Line:
    """One line of entries, taken off the list; what does not fit stays for the next."""
    left = [Seg(" ")]
    room = width - width_of(right) - (4 if right else 1)
    while entries:
        gap = [Seg("   ")] if len(left) > 1 else []
        if width_of(left) + width_of(gap) + width_of(entries[0]) > room:
            break
        left += [*gap, *entries.pop(0)]
    return spread(left, [*right, Seg(" ")] if right else [], width)
