"""How large a request was, in tokens: as recorded, else estimated.

All estimates come from here, part by part, from the lengths of texts. A request is read from
its beginning: tool definitions, the system prompt, then message by message.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from visualizer.describe.phrases import kept
from visualizer.messages import Block
from visualizer.run.timeline import Call, Run

LATIN_PER_TOKEN = 4
"""Characters a token, roughly; from U+2E80 on (Chinese, Japanese, Korean) a character is one."""
_WIDE = "\u2e80"
_INPUTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")

Head = Literal["tools", "system"]
HEAD: tuple[Head, ...] = ("tools", "system")
"""What goes out before the messages, in this order."""


class Sizes(NamedTuple):
    """The estimated tokens of a request, part by part."""

    tools: int
    system: int
    history: int
    results: int


@dataclass(slots=True)
class Spans:
    """The blocks of a history so far: where each ends, whether it is a result, both summed.

    ``blocks`` and ``results`` are by message: how many blocks, and the weight of results, up
    to its end.
    """

    ends: array[float] = field(default_factory=lambda: array("d"))
    is_result: bytearray = field(default_factory=bytearray)
    blocks: list[int] = field(default_factory=lambda: [0])
    results: array[float] = field(default_factory=lambda: array("d", [0.0]))

    def until(self, messages: int) -> float:
        """The weight of the first messages."""
        blocks = self.blocks[messages]
        return self.ends[blocks - 1] if blocks else 0.0

    def in_result(self, position: float) -> bool:
        """Whether a result stands there, or something else."""
        block = min(bisect_right(self.ends, position), len(self.is_result) - 1)
        return block >= 0 and bool(self.is_result[block])


def context_size(run: Run, call: Call) -> tuple[int, bool]:
    """The tokens that a call sent, and whether that is an estimate.

    Recorded usage where the reply has it: uncached, newly cached and cached input together.
    Else the sum of ``sizes_of``. Asking for every call of a run takes linear time.
    """
    recorded = _recorded(call)
    if recorded is not None:
        return recorded, False
    return sum(sizes_of(run, call)), True


def sizes_of(run: Run, call: Call) -> Sizes:
    """What a call's request is made of, estimated."""
    tools, system = (head_weight(run, call, name)[1] for name in HEAD)
    spans = spans_of(run, call)
    results = spans.results[call.sent]
    rest = spans.until(call.sent) - results
    return Sizes(round(tools), round(system), round(rest), round(results))


def head_weight(run: Run, call: Call, name: Head) -> tuple[Any, float]:
    """What goes with a call under a name, as the loop passed it or as recorded; its weight."""
    recorded = run.recording.request if run.recording is not None else None
    given = {name: getattr(recorded, name, None), **(call.recorded or {}), **call.parameters}
    value = given[name]
    if not value:
        return None, 0.0
    # A run and its recording keep their values, so that an id stays one value's.
    known = kept(run, "_head_weights", lambda _: dict[int, tuple[Any, float]]())
    found = known.get(id(value))
    if found is None:
        text = json.dumps(value, ensure_ascii=False, default=repr)
        found = value, text_weight(value if isinstance(value, str) else text)
        known[id(value)] = found
    return found


def spans_of(run: Run, call: Call) -> Spans:
    """The blocks of the call's history, at least as far as it goes."""
    table = kept(run, "_context_spans", lambda _: dict[int, Spans]())
    spans = table.setdefault(call.history, Spans())
    history = run.histories[call.history]
    end = spans.ends[-1] if spans.ends else 0.0
    for position in range(len(spans.blocks) - 1, call.sent):
        results = spans.results[-1]
        for block in history[position].blocks:
            size = weight(block)
            end += size
            is_result = block.type == "tool_result"
            results += size if is_result else 0.0
            spans.ends.append(end)
            spans.is_result.append(is_result)
        spans.blocks.append(len(spans.ends))
        spans.results.append(results)
    return spans


def _recorded(call: Call) -> int | None:
    usage = call.usage or {}
    counts = [usage.get(name) for name in _INPUTS]
    known = [count for count in counts if type(count) is int and count >= 0]
    return sum(known) if known and type(counts[0]) is int else None


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
