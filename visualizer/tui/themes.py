"""Three themes of our own: dark, light and high contrast, and none for ``NO_COLOR``.

A theme gives every role of ``draw.segments`` a colour and attributes, and every surface a
background. Each role is readable (4.5:1 at least) on each surface; a test computes it.
No colour is the only sign of anything: words, marks and brackets say it too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.style import Style
    from textual.theme import Theme


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of one theme. ``inks`` are foregrounds; ``stamps`` bring their own background."""

    name: str
    dark: bool
    surfaces: Mapping[str, str]
    inks: Mapping[str, str]
    stamps: Mapping[str, tuple[str, str]]

    def colours(self, role: str) -> tuple[str, str]:
        """Foreground and background of ``role`` or ``role@surface``."""
        name, _, ground = role.partition("@")
        ink = LOOKS[name][0]
        if ink in self.stamps:
            return self.stamps[ink]
        return self.inks[ink], self.surfaces[ground or "base"]


# role -> (ink, attributes). Attributes also tell roles apart where there is no colour.
LOOKS: Mapping[str, tuple[str, str]] = {
    "text": ("text", ""),
    "strong": ("strong", "bold"),
    "dim": ("dim", ""),
    "rule": ("rule", ""),
    "title": ("title", "bold"),
    "key": ("accent", "bold"),
    "label": ("dim", ""),
    "link": ("accent", "underline"),
    "phase": ("phase", "bold reverse"),
    "ring": ("dim", ""),
    "ring.on": ("accent", "bold"),
    "meter": ("accent", "bold"),
    "cut": ("cut", "bold reverse"),
    "won": ("won", "bold reverse"),
    "answer": ("good", "bold"),
    "bad": ("bad", "bold"),
    "note": ("note", "italic"),
    "code": ("text", ""),
    "code.word": ("word", "bold"),
    "code.string": ("string", ""),
    "gutter": ("accent", ""),
    "done": ("accent", "bold"),
    "next": ("good", "bold"),
    "saw": ("saw", ""),
    "skipped": ("dim", "italic"),
    "role.user": ("user", ""),
    "role.assistant": ("assistant", ""),
    "request": ("assistant", "bold"),
    "result": ("user", "bold"),
    "new": ("good", "bold"),
    "read": ("saw", "italic"),
    "never": ("bad", "bold"),
    "hit": ("hit", "bold reverse"),
    "point": ("point", "bold reverse"),
    "cursor": ("cursor", "reverse"),
}

DARK = Palette(
    "visualizer-dark",
    True,
    {
        "base": "#15171c",
        "bar": "#222630",
        "mark": "#2b2e52",
        "soft": "#1e222b",
        "chosen": "#242b4f",
    },
    {
        "text": "#dde1e8",
        "strong": "#ffffff",
        "dim": "#a9b1c0",
        "rule": "#98a1b3",
        "title": "#b9c6de",
        "accent": "#f5c56b",
        "good": "#8fdc9b",
        "bad": "#ff9d96",
        "note": "#e0b3f2",
        "word": "#a8c7fa",
        "string": "#c9e29b",
        "saw": "#8fd8e8",
        "user": "#9fd0ff",
        "assistant": "#f3b58a",
    },
    {
        "phase": ("#15171c", "#f5c56b"),
        "cut": ("#ffffff", "#b3211b"),
        "won": ("#15171c", "#8fdc9b"),
        "hit": ("#15171c", "#8fd8e8"),
        "point": ("#15171c", "#e0b3f2"),
        "cursor": ("#15171c", "#dde1e8"),
    },
)

LIGHT = Palette(
    "visualizer-light",
    False,
    {
        "base": "#fcfbf8",
        "bar": "#e9ecf1",
        "mark": "#fdf0c4",
        "soft": "#f1f0ea",
        "chosen": "#e4f0fb",
    },
    {
        "text": "#22262e",
        "strong": "#000000",
        "dim": "#4d5665",
        "rule": "#565f6e",
        "title": "#2f4468",
        "accent": "#7a4a00",
        "good": "#14602a",
        "bad": "#a3140f",
        "note": "#6b2a86",
        "word": "#1d4ba0",
        "string": "#3f5a0c",
        "saw": "#00566b",
        "user": "#0b4f96",
        "assistant": "#8a3a06",
    },
    {
        "phase": ("#ffffff", "#7a4a00"),
        "cut": ("#ffffff", "#b3211b"),
        "won": ("#ffffff", "#14602a"),
        "hit": ("#ffffff", "#00566b"),
        "point": ("#ffffff", "#6b2a86"),
        "cursor": ("#ffffff", "#22262e"),
    },
)

CONTRAST = Palette(
    "visualizer-contrast",
    True,
    {
        "base": "#000000",
        "bar": "#000000",
        "mark": "#00216b",
        "soft": "#0a0a0a",
        "chosen": "#002b5c",
    },
    {
        "text": "#ffffff",
        "strong": "#ffffff",
        "dim": "#e0e0e0",
        "rule": "#ffffff",
        "title": "#ffffff",
        "accent": "#ffff5f",
        "good": "#7dff8a",
        "bad": "#ffb3ae",
        "note": "#ffc2ff",
        "word": "#ffffff",
        "string": "#d7ff87",
        "saw": "#5ff5ff",
        "user": "#9fe0ff",
        "assistant": "#ffcf9f",
    },
    {
        "phase": ("#000000", "#ffff5f"),
        "cut": ("#ffffff", "#a00000"),
        "won": ("#000000", "#7dff8a"),
        "hit": ("#000000", "#5ff5ff"),
        "point": ("#000000", "#ffc2ff"),
        "cursor": ("#000000", "#ffffff"),
    },
)

PALETTES = {"dark": DARK, "light": LIGHT, "contrast": CONTRAST}
"""The themes by the names that a reader gives, in the order in which a key goes round."""

Styles = Callable[[str], "Style"]


def styles(name: str, colour: bool = True) -> Styles:
    """The style of each role in a theme; attributes alone without ``colour``."""
    from rich.style import Style  # noqa: PLC0415

    palette = PALETTES[name]

    @cache
    def style(role: str) -> Style:
        _, attributes = LOOKS[role.partition("@")[0]]
        if not colour:
            ground = role.partition("@")[2]
            marked = ground in ("mark", "chosen") and "bold" not in attributes
            return Style.parse(f"{attributes} bold" if marked else attributes or "none")
        ink, ground = palette.colours(role)
        return Style.parse(f"{attributes.replace('reverse', '')} {ink} on {ground}")

    return style


def textual_theme(name: str) -> Theme:
    """The theme for Textual's own parts (the ground behind everything, and what is to come)."""
    from textual.theme import Theme  # noqa: PLC0415

    palette = PALETTES[name]
    inks, surfaces = palette.inks, palette.surfaces
    return Theme(
        name=palette.name,
        dark=palette.dark,
        primary=inks["title"],
        secondary=inks["saw"],
        accent=inks["accent"],
        warning=inks["accent"],
        error=inks["bad"],
        success=inks["good"],
        foreground=inks["text"],
        background=surfaces["base"],
        surface=surfaces["soft"],
        panel=surfaces["bar"],
        text_alpha=1.0,
    )


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it, from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
