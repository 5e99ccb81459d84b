"""Runs in plain sentences, in the reader's language.

``sentences`` says a step, with ``upcoming`` what comes next and ``endings`` how a run ended;
``saw`` is what a line saw, ``sizes`` what a call sent; ``phrases`` are the pieces of them all.
"""

from visualizer.describe.endings import rule_text
from visualizer.describe.phrases import (
    call_line,
    input_text,
    label_of,
    ordinal,
    request_labels,
    result_line,
    stop_reason_text,
    tool_text,
    value_text,
)
from visualizer.describe.saw import saw_text
from visualizer.describe.sentences import Description, describe, phase_label
from visualizer.describe.sizes import context_size
from visualizer.locator import locator

__all__ = [
    "Description",
    "call_line",
    "context_size",
    "describe",
    "input_text",
    "label_of",
    "locator",
    "ordinal",
    "phase_label",
    "request_labels",
    "result_line",
    "rule_text",
    "saw_text",
    "stop_reason_text",
    "tool_text",
    "value_text",
]
