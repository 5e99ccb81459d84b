"""Hostile text asked about: questions and their options show it, and obey none of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.screens import opened
from tests.tui.test_hostile import ALL, check, scenario, written
from tests.tui.test_predict import walk

__all__ = ["written"]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 45)])
async def test_hostile_text_in_options_is_safe(
    written: list[str], tmp_path: Path, size: tuple[int, int]
) -> None:
    """Options made of transcript text show its sequences and send none to the terminal."""
    async with opened(scenario(tmp_path, ALL), size) as driven:
        await walk(driven, 1)
    check(written)
