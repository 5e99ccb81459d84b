"""Settings for all tests of the screens."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_progress(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads or writes the progress of whoever runs it."""
    monkeypatch.setenv("VISUALIZER_PROGRESS", str(tmp_path / "progress.json"))


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look more often whether the app is idle; a key then costs 4 ms instead of 40."""
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 1 / 500)
