"""How large a request was, in tokens: as recorded, else estimated."""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Sequence

from visualizer.describe.phrases import kept
from visualizer.messages import Block, Message
from visualizer.timeline import Call, Run

LATIN_PER_TOKEN = 4
"""Characters a token, roughly; from U+2E80 on (Chinese, Japanese, Korean) a character is one."""
_WIDE = "\u2e80"
_INPUTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def context_size(run: Run, call: Call) -> tuple[int, bool]:
    """The tokens that a call sent, and whether that is an estimate.

    Recorded usage where the reply has it: uncached, newly cached and cached input together.
    Else a rough estimate from the length of the messages (system prompt and tools, which a
    run does not hold, are left out). Asking for every call of a run takes linear time.
    """
    recorded = _recorded(call)
    if recorded is not None:
        return recorded, False
    return math.ceil(_weight_until(run, call)), True


def _recorded(call: Call) -> int | None:
    usage = call.usage or {}
    counts = [usage.get(name) for name in _INPUTS]
    known = [count for count in counts if type(count) is int and count >= 0]
    return sum(known) if known and type(counts[0]) is int else None


def _weight_until(run: Run, call: Call) -> float:
    sums = kept(run, "_context_weights", lambda _: dict[int, "array[float]"]())
    total = sums.setdefault(call.history, array("d", [0.0]))
    history: Sequence[Message] = run.histories[call.history]
    for position in range(len(total) - 1, call.sent):
        total.append(total[-1] + sum(map(weight, history[position].blocks)))
    return total[call.sent]


def weight(block: Block) -> float:
    """The estimated tokens of a block."""
    if block.type == "text":
        return text_weight(block.text)
    if block.type == "tool_result":
        return text_weight(block.result_text)
    return text_weight(json.dumps(dict(block.data), ensure_ascii=False, default=repr))


def text_weight(text: str) -> float:
    """The estimated tokens of a text."""
    if text.isascii():
        return len(text) / LATIN_PER_TOKEN
    wide = sum(character >= _WIDE for character in text)
    return wide + (len(text) - wide) / LATIN_PER_TOKEN
