"""What stands between a loop and its model and tools, on the screen: waits and gates."""

from __future__ import annotations

import pytest

from tests.tui.screens import LANGUAGES, SIZES, opened
from visualizer.text import cells


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_a_wait_stands_on_the_ring_and_its_line_in_the_helper(
    size: tuple[int, int], language: str
) -> None:
    """The helper that waits is shown with the line that called it; no line is too long."""
    async with opened("retry-529", size, language, "t0.call.2") as driven:
        await driven.press("right")
        assert driven.place == "t0.wait.2"
        assert "production > ask" in driven.text
        assert "[WAIT]" in driven.text if language == "en" else "[待機]" in driven.text
        assert "sleep(failure.retry_after" in driven.text
        assert "reply = ask(" in driven.text
        assert all(cells(line) <= size[0] for line in driven.text.split("\n"))
        await driven.press("end")
        assert "production > ask" not in driven.text
        assert '"1974"' in driven.text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_what_is_left_stands_beside_the_turns(size: tuple[int, int], language: str) -> None:
    """The header counts money beside turns; at the end the budget is named, and nothing cut."""
    async with opened("budget", size, language, "t1.limit") as driven:
        assert "0.0483" in driven.text.split("\n")[0 if size[1] < 32 else 1]
        await driven.press("right", "right", "right", "right", "right")
        assert driven.place == "t2.limit"
        assert "limits.hit(reply.usage)" in driven.text
        await driven.press("end")
        assert "budget_exhausted" in driven.text
        assert "max_budget_usd" in driven.text
        assert all(cells(line) <= size[0] for line in driven.text.split("\n"))
