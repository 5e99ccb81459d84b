"""What the garbage collector is kept from looking at, and for how long."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from visualizer import load_transcript
from visualizer.app import session as session_module
from visualizer.app.session import Session


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """Nothing is kept before a test, nor after it."""
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_a_short_run_is_collected_like_anything_else() -> None:
    """Only what is long enough to keep a key waiting is kept from the collector."""
    Session.open(load_transcript("aurora-run"))
    assert gc.get_freeze_count() == 0


class Ring:
    """Something that only the collector can free."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize("then", ["long", "short"])
def test_a_long_run_goes_when_another_is_opened(monkeypatch: pytest.MonkeyPatch, then: str) -> None:
    """Opening recording after recording holds the last one, not all that were open before."""
    monkeypatch.setattr(session_module, "LONG", 1)
    ring = Ring()
    of_the_first = weakref.ref(ring)
    Session.open(load_transcript("aurora-run"))
    del ring
    gc.collect()
    assert of_the_first() is not None, "the first run would be looked at"
    if then == "short":
        monkeypatch.undo()
    Session.open(load_transcript("paris"))
    gc.collect()
    assert of_the_first() is None
