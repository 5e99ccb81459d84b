"""What the footer of each kind of screen offers, by the ids of the action table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from visualizer.tui.actions import Where

FOOTERS: Mapping[Where, tuple[tuple[str, ...], ...]] = {
    "stepper": (
        ("next",),
        ("back",),
        ("raise_cap", "lower_cap"),
        ("request",),
        ("play",),
        ("previous_turn", "next_turn"),
        ("scenario",),
        ("loop",),
        ("compare",),
        ("predict",),
        ("expand",),
        ("search",),
        ("go",),
        ("counts",),
        ("copy",),
        ("theme",),
        ("language",),
        ("quit",),
    ),
    "lesson": (
        ("go_on",),
        ("look_back",),
        ("page_before", "page_after"),
        ("library",),
        ("language",),
        ("theme",),
        ("quit",),
    ),
    "library": (
        ("up", "down"),
        ("choose",),
        ("theme",),
        ("language",),
        ("palette",),
        ("quit",),
    ),
    "sheet": (("line_up", "line_down"), ("page_up", "page_down"), ("close",)),
    "request": (
        ("line_up", "line_down"),
        ("call_before", "call_after"),
        ("form",),
        ("close",),
    ),
    "picker": (("up", "down"), ("choose",), ("cancel",)),
    "compare": (
        ("next",),
        ("back",),
        ("part",),
        ("panes",),
        ("loop",),
        ("raise_cap", "lower_cap"),
        ("step_left", "step_right"),
        ("swap",),
        ("previous_turn", "next_turn"),
        ("copy",),
        ("leave",),
        ("theme",),
        ("language",),
    ),
    "caps": (
        ("up", "down"),
        ("choose",),
        ("raise_cap", "lower_cap"),
        ("compare",),
        ("copy",),
        ("leave",),
        ("language",),
    ),
    "shuffle": (
        ("above", "below"),
        ("hold",),
        ("run_lines",),
        ("result_before", "result_after"),
        ("compare",),
        ("step_right",),
        ("first_wrong",),
        ("again",),
        ("leave",),
    ),
    "poll": (("answer_poll",), ("blank",), ("leave",)),
}
"""What the footer offers, the most useful first; where two share a text, both keys are shown."""

STATES: Mapping[str, tuple[Where, tuple[tuple[str, ...], ...]]] = {
    "class": (
        "stepper",
        (
            ("next",),
            ("back",),
            ("reveal",),
            ("poll",),
            ("agenda",),
            ("blank",),
            ("raise_cap", "lower_cap"),
            ("request",),
            ("compare",),
            ("loop",),
            ("copy",),
            ("instructor",),
            ("quit",),
        ),
    ),
    "caps_in_class": (
        "caps",
        (("up", "down"), ("reveal",), ("choose",), ("raise_cap", "lower_cap"), ("leave",)),
    ),
    "recording": (
        "stepper",
        (
            ("next",),
            ("back",),
            ("runs",),
            ("previous_error", "next_error"),
            ("search",),
            ("request",),
    "asked": (
        "stepper",
        (
            ("allow",),
            ("deny",),
            ("next",),
            ("back",),
            ("compare",),
            ("request",),
            ("copy",),
            ("loop",),
            ("expand",),
            ("scenario",),
            ("quit",),
        ),
    ),
            ("previous_turn", "next_turn"),
            ("into",),
            ("raise_cap", "lower_cap"),
            ("expand",),
            ("file",),
            ("go",),
            ("play",),
            ("loop",),
            ("compare",),
            ("quit",),
        ),
    ),
    "predict": ("stepper", (("answer",), ("skip",), ("back",), ("predict",), ("request",))),
    "predicted": ("stepper", (("next",), ("back",), ("predict",), ("request",), ("quit",))),
    "welcome": ("lesson", (("go_on",), ("look_back",))),
    "question": (
        "lesson",
        (("answer",), ("hint",), ("look_back",), ("skip",), ("page_before", "page_after")),
    ),
    "number": (
        "lesson",
        (("answer",), ("hint",), ("look_back",), ("page_before", "page_after")),
    ),
    "experiment": ("lesson", (("go_on",), ("look_back",), ("answer",), ("hint",), ("skip",))),
}
"""What the footer offers instead while something is asked: on which screen, and what."""
