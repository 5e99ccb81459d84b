"""Settings for all tests of the screens."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look more often whether the app is idle; a key then costs 4 ms instead of 40."""
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 1 / 500)
