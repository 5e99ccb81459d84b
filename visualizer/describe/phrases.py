"""Small pieces of the sentences: values, tool calls and results as short, safe text.

Everything here that takes transcript text gives back text ready for a terminal.
"""

from __future__ import annotations

import json
import math
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

from visualizer.i18n import Texts
from visualizer.messages import Block, Message
from visualizer.run.timeline import Foreign, Run
from visualizer.text import ELLIPSIS, cells, clip, display_safe

EXCERPT = 40
"""Cells of a quotation inside a sentence."""
LEAD = 12
"""Characters before a difference that are shown with it."""
ROW = 400
"""Cells of a tool call or result that has a row to itself: more than any screen is wide."""
_LARGEST = 1 << 200

T = TypeVar("T")


def kept(run: Run, name: str, compute: Callable[[Run], T]) -> T:
    """``compute(run)``, worked out once and kept with the run, which never changes."""
    memory = run.__dict__
    if name not in memory:
        memory[name] = compute(run)
    return cast(T, memory[name])


def counts_text(model_calls: int, tool_rounds: int, tool_calls: int, texts: Texts) -> str:
    """How often a run called the model and tools, in words."""
    counts = [
        texts.count("command.run.model_calls", model_calls),
        texts.count("command.run.tool_rounds", tool_rounds),
        texts.count("command.run.tool_calls", tool_calls),
    ]
    return texts("command.run.comma").join(counts)


def join(sentences: list[str], texts: Texts) -> str:
    """Sentences one after the other; Japanese puts no space between them."""
    return ("" if texts.language == "ja" else " ").join(filter(None, sentences))


def safe(text: str, width: int) -> str:
    """The beginning of ``text`` on one line, safe for a terminal, in ``width`` cells."""
    start = text[: 4 * width + 1]  # marks have no width, so cells alone don't bound the work
    return _cut(display_safe(" ".join(start.split())), width, len(start) < len(text))


def excerpt(text: str, width: int = EXCERPT) -> str:
    """The beginning of ``text`` in quotes."""
    return f'"{safe(text, width)}"'


def differing(one: str, other: str) -> tuple[str, str]:
    """Two texts from shortly before they differ on, where an excerpt would not show that."""
    most = min(len(one), len(other))
    # Texts may be long: halves are compared, not letters.
    shared = bisect(range(1, most + 1), False, key=lambda n: one[:n] != other[:n])
    if shared < EXCERPT // 2:
        return one, other
    start = shared - LEAD
    return f"... {one[start:].lstrip()}", f"... {other[start:].lstrip()}"


def value_text(value: Any, width: int = EXCERPT) -> str:
    """A value as code would show it: strings quoted, ``None`` as such."""
    if isinstance(value, str) and not isinstance(value, Foreign):
        return _json_string(value, width)
    return safe(plain_repr(value), width)


def plain_repr(value: object) -> str:
    """``repr`` of anything a loop may return, whatever its ``__repr__`` does."""
    try:
        return repr(value)
    except Exception as error:  # a loop may return anything
        return f"<{type(value).__name__}: {type(error).__name__}>"


def scalar(value: Any) -> Any:
    """A value that JSON has as it is, else its ``repr``."""
    if value is None or type(value) in (str, bool):
        return value
    if type(value) is int and -_LARGEST < value < _LARGEST:
        return value
    if type(value) is float and math.isfinite(value):
        return value
    return plain_repr(value)


def input_text(value: Any, width: int = EXCERPT) -> str:
    """Arguments of a tool call: a lone string as a JSON string, anything else compact JSON."""
    if value is None or value == {}:
        return ""
    if isinstance(value, Mapping) and len(value) == 1:
        (only,) = value.values()
        if isinstance(only, str):
            return _json_string(only, width)
    return safe(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=repr), width)


def tool_text(block: Block, width: int = EXCERPT) -> str:
    """A tool call without its label: ``search "Aurora Run"``."""
    name = safe(block.name, width) or "?"
    return f"{name} {input_text(block.input, width)}".rstrip()


def call_line(block: Block, label: str, width: int = ROW) -> str:
    """A tool call with its label: ``[a] search "Aurora Run"``."""
    return f"[{label}] {tool_text(block, width)}"


def result_line(block: Block, label: str, texts: Texts, width: int = ROW) -> str:
    """A tool result with the label of the call it answers, errors marked in words."""
    text = safe(block.result_text, width)
    if block.is_error:
        text = texts("step.result.error", text=text)
    return f"[{label}] {text}" if text else f"[{label}] {texts('step.result.empty')}"


def stop_reason_text(value: str | None) -> str:
    """A flag as code would show it: ``"tool_use"`` or ``None``."""
    return value_text(value)


def ordinal(number: int, texts: Texts) -> str:
    """``2nd``; in Japanese a count of times."""
    if 10 <= number % 100 < 20:
        return texts("step.ordinal.th", n=number)
    keys = {1: "step.ordinal.st", 2: "step.ordinal.nd", 3: "step.ordinal.rd"}
    return texts(keys.get(number % 10, "step.ordinal.th"), n=number)


def span(first: int, last: int) -> str:
    """Message numbers: ``3`` or ``3-5``."""
    return str(first) if first == last else f"{first}-{last}"


def letters(number: int) -> str:
    """The label of the request with this 0-based number: a … z, aa, ab …"""
    label = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        label = chr(ord("a") + rest) + label
    return label


def request_labels(run: Run) -> Mapping[str, str]:
    """A short label for every tool request of a run, by its id, in order."""
    return kept(run, "_request_labels", _labels)


def label_of(run: Run, tool_use_id: str) -> str:
    """The label of one request, ``?`` where nothing asked for it."""
    return request_labels(run).get(tool_use_id, "?")


def _labels(run: Run) -> dict[str, str]:
    labels: dict[str, str] = {}
    for message in _asking(run):
        for block in message.tool_calls:
            labels.setdefault(block.id, letters(len(labels)))
    for step in run.steps:
        if step.request is not None:
            labels.setdefault(step.request.id, letters(len(labels)))
    return labels


def _asking(run: Run) -> Iterator[Message]:
    """The messages that a run began with, and its replies."""
    if run.steps:
        yield from run.histories[run.steps[0].history][: run.steps[0].messages]
    for call in run.calls:
        if call.reply is not None:
            yield call.reply


def _json_string(text: str, width: int) -> str:
    start = text[: 4 * width + 1]
    inner = display_safe(json.dumps(start, ensure_ascii=False)[1:-1])
    return f'"{_cut(inner, width, len(start) < len(text))}"'


def _cut(shown: str, width: int, more: bool) -> str:
    if more and cells(shown) <= width - len(ELLIPSIS):
        return shown + ELLIPSIS
    return clip(shown, width)
