"""A few whole screens, kept as text. ``UPDATE_GOLDEN=1`` writes them anew: then read the diff."""

from __future__ import annotations

import os

import pytest

from tests.tui.screens import GOLDEN, opened

SCREENS = {
    # name: (scenario, place, size, language, keys)
    "check-80x24-en": ("aurora-run", "t1.check", (80, 24), "en", ()),
    "check-80x24-ja": ("aurora-run", "t1.check", (80, 24), "ja", ()),
    "execute-120x36-en": ("aurora-run", "t0.execute", (120, 36), "en", ()),
    "cutoff-80x24-en": ("aurora-run-cutoff", "end", (80, 24), "en", ()),
    "cutoff-120x36-ja": ("aurora-run-cutoff", "end", (120, 36), "ja", ()),
    "answer-60x20-en": ("aurora-run", "end", (60, 20), "en", ()),
    "request-80x24-en": ("aurora-run", "t1.call", (80, 24), "en", ("r",)),
    "events-80x24-en": ("client-cutoff", "t1.execute", (80, 24), "en", ("m",)),
    "events-140x45-ja": ("client-denied", "end", (140, 45), "ja", ("m",)),
    "chained-80x24-en": ("aurora-run", "t1.call", (80, 24), "en", ("r", "c")),
    "changed-80x24-ja": ("aurora-run", "t0.execute", (80, 24), "ja", ("O", "ctrl+u", "x", "enter")),
    "diverged-80x24-en": (
        *("aurora-run", "t0.execute", (80, 24), "en"),
        ("O", "ctrl+u", "x", "enter", "end"),
    ),
    "room-80x24-en": ("compaction", "t4.call", (80, 24), "en", ("T",)),
    "room-140x45-ja": ("compaction", "t4.call", (140, 45), "ja", ("T",)),
    "cleared-80x24-en": ("clearing", "t2.rewrite", (80, 24), "en", ()),
    "cleared-140x45-ja": ("clearing", "t2.rewrite", (140, 45), "ja", ()),
    "runs-80x24-ja": ("fork", "start", (80, 24), "ja", ("u",)),
    "help-80x24-ja": ("aurora-run", "start", (80, 24), "ja", ("?",)),
    "predict-80x24-en": ("aurora-run-cutoff", "start", (80, 24), "en", ("p", "1")),
    "predict-140x45-ja": ("paris", "t0.check", (140, 45), "ja", ("p",)),
    "decoy-80x24-en": ("aurora-run", "start", (80, 24), "en", ("v", *"hard", "enter", "d")),
    "forgets-140x45-ja": ("aurora-run", "start", (140, 45), "ja", ("v", *"forg", "enter", "d")),
    "no-bound-80x24-en": ("repeat", "start", (80, 24), "en", ("v", *"no_b", "enter", "d")),
    "cap-80x24-ja": ("aurora-run-cutoff", "end", (80, 24), "ja", ("v", "enter", "end")),
    "caps-80x24-en": ("aurora-run-cutoff", "start", (80, 24), "en", ("C", "down", "down")),
    "caps-80x24-ja": ("aurora-run-cutoff", "start", (80, 24), "ja", ("C", "up")),
    "misfit-80x24-en": ("wrong-unit", "t0.execute", (80, 24), "en", ()),
    "misfit-80x24-ja": ("mail-tool", "t0.execute", (80, 24), "ja", ()),
    "tools-80x24-ja": ("mail-tool", "t0.call", (80, 24), "ja", ("r",)),
    "shuffled-80x24-en": ("aurora-run", "start", (80, 24), "en", ("S", "down", "space")),
}


@pytest.mark.parametrize("name", SCREENS)
async def test_the_screen_looks_as_it_did(name: str) -> None:
    """The screen is, character by character, the one that was looked at and kept."""
    scenario, place, size, language, keys = SCREENS[name]
    async with opened(scenario, size, language, place) as driven:
        await driven.press(*keys)
        shown = driven.text + "\n"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")
