"""What is sent to a terminal, and that each mode of it is undone."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

if sys.platform == "win32":
    pytest.skip("the driver for Unix", allow_module_level=True)

from tests.pseudo_terminal import modes
from visualizer.tui.terminal import outgoing
from visualizer.tui.terminal.outgoing import Outgoing


@contextmanager
def a_pipe() -> Iterator[tuple[int, io.TextIOWrapper]]:
    """A pipe in place of a terminal: where it is read, and what is written to."""
    out, into = os.pipe()
    with os.fdopen(into, "w", encoding="utf-8") as stream, os.fdopen(out, "rb", 0):
        yield out, stream


def test_only_what_was_changed_is_undone() -> None:
    """In the order in which it has to be: the keyboard before the screen that it belongs to."""
    with a_pipe() as (out, stream):
        terminal = Outgoing(stream, pytest.fail)
        terminal.take()
        terminal.write("\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[>25u")
        terminal.write("\x1b[?1000l")
        terminal.flush()
        assert terminal.leave()
        assert not terminal.leave()
        terminal.write("\x1b[?1003h")
        terminal.flush()
        sent = os.read(out, 4096)
    assert sent.endswith(b"\x1b[?1000l\x1b[m\x1b[<u\x1b[?25h\x1b[?1049l")
    assert modes(sent) == []


def test_a_frame_that_is_cut_is_undone_as_far_as_it_went(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal comes while the terminal takes a frame: what its end would have undone is undone."""
    monkeypatch.setattr(outgoing, "PATIENCE", 60.0)
    with a_pipe() as (out, stream):
        terminal = Outgoing(stream, pytest.fail)
        terminal.take()
        terminal.write("\x1b[?2026h" + "x" * (1 << 20) + "\x1b[?2026l")
        writer = threading.Thread(target=terminal.flush)
        writer.start()
        sent = os.read(out, 10)  # the rest waits for room
        leaver = threading.Thread(target=terminal.leave)
        leaver.start()
        while terminal.taken:
            pass
        while writer.is_alive() or leaver.is_alive() or not sent.endswith(b"l"):
            sent += os.read(out, 4096)
    assert len(sent) < 1 << 20
    assert modes(sent) == []


def test_a_terminal_that_is_gone_is_told_once() -> None:
    """Nothing is raised, and nothing more is written."""
    told: list[str] = []
    out, into = os.pipe()
    with os.fdopen(into, "w", encoding="utf-8") as stream:
        os.close(out)
        terminal = Outgoing(stream, lambda: told.append("gone"))
        terminal.take()
        for _ in range(3):
            terminal.write("x")
            terminal.flush()
        assert not terminal.leave()
    assert told == ["gone"]
