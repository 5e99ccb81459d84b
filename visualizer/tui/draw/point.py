"""How a lesson points at something: a mark at the left edge, words at the right."""

from __future__ import annotations

from visualizer.app.view import View

POINTED = "*"
"""Stands at the left edge of a line that is pointed at."""


def look_here(view: View) -> str:
    """What points at something, in words."""
    return f"<== {view.texts('screen.point')}"
