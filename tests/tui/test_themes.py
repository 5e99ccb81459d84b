"""Colours: readable in every theme, and never the only sign."""

from __future__ import annotations

import pytest
from rich.color import Color, ColorSystem

from visualizer.tui.themes import LOOKS, PALETTES, contrast, styles, textual_theme


@pytest.mark.parametrize("name", PALETTES)
def test_every_role_is_readable_on_every_surface(name: str) -> None:
    """All texts have a contrast of at least 4.5:1 to whatever they may stand on."""
    palette = PALETTES[name]
    for role in LOOKS:
        for ground in palette.surfaces:
            ink, paper = palette.colours(f"{role}@{ground}")
            assert contrast(ink, paper) >= 4.5, (role, ground)


@pytest.mark.parametrize("name", PALETTES)
def test_with_256_colours_all_is_still_readable(name: str) -> None:
    """Terminals without true colour draw the nearest of 256 colours: 4.5:1 holds there, too."""
    palette = PALETTES[name]
    for role in LOOKS:
        for ground in palette.surfaces:
            ink, paper = map(nearest_of_256, palette.colours(f"{role}@{ground}"))
            assert contrast(ink, paper) >= 4.5, (role, ground, ink, paper)


def nearest_of_256(colour: str) -> str:
    """The colour that is drawn instead of a true one."""
    shown = Color.parse(colour).downgrade(ColorSystem.EIGHT_BIT)
    return shown.get_truecolor().hex


@pytest.mark.parametrize("name", PALETTES)
def test_textuals_own_colours_are_readable(name: str) -> None:
    """What Textual itself would draw with these themes is readable on all its grounds."""
    theme = textual_theme(name)
    grounds = [theme.background, theme.surface, theme.panel]
    inks = [
        theme.foreground,
        theme.primary,
        theme.secondary,
        theme.accent,
        theme.warning,
        theme.error,
        theme.success,
    ]
    for ground in grounds:
        for ink in inks:
            assert ground
            assert ink
            assert contrast(ink, ground) >= 4.5, (ink, ground)


def test_high_contrast_is_higher() -> None:
    """The high-contrast theme keeps 7:1 everywhere."""
    palette = PALETTES["contrast"]
    for role in LOOKS:
        for ground in palette.surfaces:
            assert contrast(*palette.colours(f"{role}@{ground}")) >= 7, (role, ground)


def test_the_contrast_is_that_of_wcag() -> None:
    """Black on white is 21:1, a colour on itself 1:1."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#777777") == pytest.approx(1)


def test_without_colour_attributes_tell_roles_apart() -> None:
    """With NO_COLOR no style has a colour; the phase is still reversed, the key still bold."""
    plain = styles("dark", colour=False)
    for role in LOOKS:
        assert plain(role).color is None
        assert plain(role).bgcolor is None
    assert plain("phase").reverse
    assert plain("cut").reverse
    assert plain("key").bold
    assert plain("code@mark").bold
